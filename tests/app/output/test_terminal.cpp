#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <tuple>

#include "app/output/rejection_news.hpp"
#include "app/output/soft_error_text.hpp"
#include "app/output/terminal.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

double now = 0;
double test_clock() { return now; }

/// A terminal that writes into memory, with a clock that is set by hand.
class Screen {
 public:
  explicit Screen(TerminalStyle style)
      : out_(open_memstream(&out_text_, &out_size_)),
        err_(open_memstream(&err_text_, &err_size_)),
        terminal(style, out_, err_, test_clock) {
    now = 100;
    terminal.start({.step = 0, .max_steps = 0, .time = 0, .end_time = 1, .cells = 1000});
  }
  ~Screen() {
    terminal.finish();
    std::fclose(out_);
    std::fclose(err_);
    free(out_text_);
    free(err_text_);
  }
  std::string out() {
    std::fflush(out_);
    return {out_text_, out_size_};
  }
  std::string err() {
    std::fflush(err_);
    return {err_text_, err_size_};
  }

 private:
  char *out_text_ = nullptr, *err_text_ = nullptr;
  std::size_t out_size_ = 0, err_size_ = 0;
  std::FILE *out_, *err_;

 public:
  Terminal terminal;
};

/// Returns what a terminal of one line shows after `text`: `\r` goes back to its start, `\n` clears it.
std::string shown(const std::string& text) {
  std::string line;
  std::size_t at = 0;
  for (const char c : text) {
    if (c == '\r') {
      at = 0;
    } else if (c == '\n') {
      line.clear();
      at = 0;
    } else {
      if (at == line.size()) line += c;
      line[at++] = c;
    }
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

long count(const std::string& text, char c) { return std::count(text.begin(), text.end(), c); }

constexpr TerminalStyle kTerminal{.quiet = false, .progress = true, .rewrites = true, .colour = false};
constexpr TerminalStyle kFile{.quiet = false, .progress = true, .rewrites = false, .colour = false};

}  // namespace

TEST_CASE("On a terminal one status line is rewritten, at most ten times a second") {
  Screen screen(kTerminal);
  for (int step = 1; step <= 1000; ++step) {
    now = 100 + 0.001 * step;  // a thousand steps a second
    screen.terminal.progress({.step = step, .time = 0.0005 * step, .dt = 0.0005, .rejections = 3});
  }
  const std::string text = screen.out();
  CHECK(count(text, '\n') == 0);
  CHECK(count(text, '\r') >= 9);
  CHECK(count(text, '\r') <= 10);
  const std::string line = shown(text);
  CHECK(line.size() < 80);
  for (const char* part :
       {"step ", "t 0.", "dt 0.0005", " %", "1M cell-updates/s", "redone 3", "left 00:00:01"})
    CHECK_MESSAGE(contains(line, part), line);
  CHECK_FALSE(contains(text, "\x1b"));
}

TEST_CASE("The status line fits 80 columns with the time left, whatever the figures") {
  // Half of the run is done after `seconds`.
  for (const auto& [seconds, left] : {std::pair{0.5, " left 00:00:00"},
                                      {86399.0, " left 23:59:59"},
                                      {4e5, " left 4d 15h"},
                                      {3e8, " left >999d"}})
    for (const std::int64_t step : {std::int64_t{7}, std::int64_t{1234567}, std::int64_t{123456789012}})
      for (const double time : {0.25, 0.123456789, 1.23456789e-5, 1.23456789e-123})
        for (const std::int64_t redone : {std::int64_t{0}, std::int64_t{99999999}}) {
          Screen screen(kTerminal);
          screen.terminal.start({.step = 0, .max_steps = 0, .time = 0, .end_time = 2 * time, .cells = 1234});
          now += seconds;
          screen.terminal.progress(
              {.step = step, .time = time, .dt = 1.23456e-3 * time, .rejections = redone});
          const std::string line = shown(screen.out());
          CHECK_MESSAGE(line.size() < 80, line);
          CHECK_MESSAGE(line.ends_with(left), line);
          for (const char* part : {"step ", " t ", " dt ", "50", "%", "/s", " redone "})
            CHECK_MESSAGE(contains(line, part), line);
        }
}

TEST_CASE("Rejections are told singly at first, then counted") {
  RejectionNews news;
  std::string told;
  for (int rejected = 1; rejected <= 100000; ++rejected) {
    const std::string line =
        news.next(fmt::format("rejected {}", rejected),
                  {.step = rejected / 2, .attempt = 1, .time = 0.25, .dt = 0.01}, rejected);
    if (rejected == 5)
      CHECK(line == "rejected 5\nfrom here on rejections are counted; events.jsonl has each");
    if (rejected == 6) CHECK(line.empty());
    if (!line.empty()) told += line + "\n";
  }
  CHECK(count(told, '\n') == 6 + 14);  // the first five with the announcement, then 10, 20, ..., 81920
  CHECK(told.starts_with("rejected 1\nrejected 2\n"));
  CHECK(contains(told, "\n10 attempts rejected so far, the last in step 5 at t = 0.25\n20 attempts"));
}

TEST_CASE("News do not tear the status line") {
  Screen screen(kTerminal);
  now += 1;
  screen.terminal.progress({.step = 5, .time = 0.25, .dt = 0.05, .rejections = 0});
  const std::string status = shown(screen.out());
  CHECK(contains(status, "step 5"));
  CHECK(contains(status, "25 %"));
  screen.terminal.message("news");
  const std::string text = screen.out();
  const auto at = text.find("news\n");
  REQUIRE(at != std::string::npos);
  CHECK(shown(text.substr(0, at)).empty());  // cleared before the news
  CHECK(shown(text) == status);              // and shown again after it
  screen.terminal.finish();
  CHECK(shown(screen.out()).empty());
}

TEST_CASE("Sentences fit a terminal, and are whole elsewhere") {
  const std::string sentence =
      "rejected, attempt 1 at t = 0, dt = 0.02: negative density -1.20706 in cell (127, 0, 0) "
      "at (0.498047, 0.5, 0.5), stage 1 of step 1; next dt = 0.01";
  const std::string text = sentence + "\nfrom here on rejections are counted";
  Screen screen(kTerminal);  // of 80 columns
  screen.terminal.sentences(text);
  CHECK(screen.out() ==
        "rejected, attempt 1 at t = 0, dt = 0.02: negative density -1.20706 in cell\n"
        "  (127, 0, 0) at (0.498047, 0.5, 0.5), stage 1 of step 1; next dt = 0.01\n"
        "from here on rejections are counted\n");
  const std::string path(100, '/');  // is whole, to be copied
  screen.terminal.sentences("the earlier run is now in " + path + " and stays");
  CHECK(screen.out().ends_with("the earlier run is now in\n  " + path + "\n  and stays\n"));
  Screen file(kFile);
  file.terminal.sentences(text);
  CHECK(file.out() == text + "\n");
}

TEST_CASE("A status line that gets shorter leaves nothing of the longer one") {
  Screen screen(kTerminal);
  now += 1;
  screen.terminal.progress({.step = 1000000, .time = 0.123456, .dt = 0.00012345, .rejections = 100000});
  now += 1000;
  screen.terminal.progress({.step = 1000001, .time = 0.5, .dt = 1, .rejections = 0});
  const std::string text = screen.out();
  CHECK(shown(text) == text.substr(text.rfind('\r') + 1).substr(0, shown(text).size()));
}

TEST_CASE("Elsewhere there is a plain line each tenth of the run, in a slow one after ten seconds") {
  for (const auto& [steps, seconds, lines] : {std::tuple{1000, 0.001, 10}, {60, 1.0, 6}}) {
    Screen screen(kFile);
    for (int step = 1; step <= steps; ++step) {
      now = 100 + seconds * step;
      screen.terminal.progress({.step = step, .time = 0.001 * step, .dt = 0.001, .rejections = 0});
    }
    CHECK(count(screen.out(), '\n') == lines);
    CHECK_FALSE(contains(screen.out(), "\r"));
    CHECK(contains(screen.out(), "100 %") == (steps == 1000));
  }
}

TEST_CASE("A run that ends by its number of steps counts by them, and a restart goes on from its part") {
  Screen screen(kTerminal);
  screen.terminal.start({.step = 50, .max_steps = 100, .time = 0.1, .end_time = 1, .cells = 10});
  now += 10;
  screen.terminal.progress({.step = 75, .time = 0.2, .dt = 0.004, .rejections = 0});
  const std::string line = shown(screen.out());
  CHECK_MESSAGE(contains(line, "75 %"), line);
  CHECK_MESSAGE(contains(line, "left 00:00:10"), line);
}

TEST_CASE("Quiet shows only problems; no-progress leaves news") {
  const auto shown_in = [](bool quiet, bool progress) {
    Screen screen({.quiet = quiet, .progress = progress, .rewrites = true, .colour = false});
    now += 1;
    screen.terminal.progress({.step = 1, .time = 0.5, .dt = 0.5, .rejections = 0});
    screen.terminal.message("news");
    screen.terminal.problem("problem");
    return std::pair{screen.out(), screen.err()};
  };
  CHECK((shown_in(true, true) == std::pair<std::string, std::string>{"", "problem\n"}));
  CHECK((shown_in(false, false) == std::pair<std::string, std::string>{"news\n", "problem\n"}));
}

TEST_CASE("Only a problem's first line is coloured, and only where there is colour") {
  Screen screen({.quiet = false, .progress = true, .rewrites = true, .colour = true});
  screen.terminal.problem("soft error: x\n  when y\n");
  CHECK(screen.err() == "\x1b[31msoft error: x\x1b[0m\n  when y\n");
}

TEST_CASE("NO_COLOR takes the colour away") {
  setenv("NO_COLOR", "", 1);
  CHECK_FALSE(TerminalStyle::detect(false, true).colour);
  unsetenv("NO_COLOR");
}

TEST_CASE("Between two status lines progress costs next to nothing") {
  Terminal terminal(kFile, stdout, stderr);
  terminal.start({.step = 0, .max_steps = 0, .time = 0, .end_time = 1, .cells = 1});
  constexpr int calls = 100000;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) terminal.progress({.step = i, .time = 0, .dt = 1, .rejections = 0});
  const double each = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / calls;
  CHECK(each < 2e-6);  // takes tens of nanoseconds; formatting a line takes longer than this bound
}

TEST_CASE("A rejection is one line that says what, where, when and what comes next") {
  const Mesh mesh{.cells = {10, 4, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  SoftError error;
  error.kind = SoftErrorKind::negative_density;
  error.stage = 2;
  error.cell = {2, 1, 0};
  error.value = -0.5;
  error.count = 5;
  const AttemptInfo attempt{.step = 13, .attempt = 3, .time = 0.25, .dt = 0.01};
  CHECK(describe(error, attempt, mesh) ==
        "negative density -0.5 in cell (2, 1, 0) at (0.25, 0.375, 0.5), stage 2 of step 13; 5 cells flagged");
  const std::string line = describe_rejection(error, attempt, mesh, 0.005);
  CHECK(contains(line, describe(error, attempt, mesh)));
  CHECK(contains(line, "attempt 3 at t = 0.25, dt = 0.01"));
  CHECK(line.ends_with("; next dt = 0.005"));
  CHECK_FALSE(contains(line, "\n"));
  const auto next = [&](double dt, Remedy remedy, std::int64_t cells) {
    const std::string text = describe_rejection(error, attempt, mesh, dt, remedy, cells);
    return text.substr(text.rfind("flagged"));
  };
  CHECK(next(0.01, Remedy::none, 0) == "flagged; again with the same dt");
  CHECK(next(0.01, Remedy::first_order, 5) == "flagged; again with first-order fluxes around 5 cells");
  CHECK(next(0.02, Remedy::first_order, 1) ==
        "flagged; again with first-order fluxes around 1 cell, next dt = 0.02");
  CHECK(next(0.01, Remedy::floor, 5) == "flagged; again with floors");
  CHECK(next(0.01, Remedy::scaling, 5) == "flagged; again with elements scaled towards their averages");
}

TEST_CASE("The page on the error that ended a run says what was tried and how to go on") {
  const Mesh mesh{.cells = {10, 4, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  SoftError error;
  error.kind = SoftErrorKind::negative_pressure;
  error.cell = {2, 1, 0};
  error.value = -0.25;
  error.count = 3;
  error.counts[static_cast<int>(SoftErrorKind::negative_pressure)] = 3;
  const AttemptInfo attempt{.step = 13, .attempt = 9, .time = 0.25, .dt = 0.01};
  Replay replay;
  replay.reproduced = true;
  replay.faces = {{.axis = 0, .side = 1, .left = {1.5, 2, 3, 4, 5}, .right = {6.5, 7, 8, 9, 10}}};
  const Exhaustion exhaustion{
      .first_dt = 2.56, .halvings = 8, .remedies = {}, .checkpoint = "out/checkpoint_00000012.h5"};
  const std::string text = explain(error, replay, attempt, mesh, exhaustion);
  for (const char* part :
       {"negative pressure -0.25 in cell (2, 1, 0) at (0.25, 0.375, 0.5)", "step 13, attempt 9, stage 1",
        "3 of 40 cells: 3 negative_pressure", "x face +", "density 1.5", "density 6.5",
        "8 halvings of dt, from 2.56", "--restart out/checkpoint_00000012.h5", "soft_error.max_halvings",
        "time.cfl", "soft_error.on_exhausted=first_order", "soft_error.on_exhausted=floor"})
    CHECK_MESSAGE(contains(text, part), part);
  CHECK_FALSE(contains(text, "transient"));
  CHECK_FALSE(contains(text, "no time step can cure it"));

  replay.reproduced = false;
  Exhaustion further = exhaustion;
  further.remedies = {Remedy::first_order, Remedy::floor};
  further.last_remedy = Remedy::floor;
  further.same_dt = true;
  const std::string other = explain(error, replay, attempt, mesh, further);
  CHECK(contains(other, "transient fault"));
  CHECK(contains(other, "the same dt again, then first-order fluxes, then floors, then 8 halvings of dt"));
  CHECK_FALSE(contains(other, "soft_error.on_exhausted"));
  error.kind = SoftErrorKind::bad_face;
  CHECK(contains(explain(error, replay, attempt, mesh, exhaustion), "no time step can cure it"));

  // Remedies are allowed but cannot help: none was tried and none is advised.
  error.kind = SoftErrorKind::cfl_overrun;
  Exhaustion of_dt = exhaustion;
  of_dt.level = 3;
  of_dt.last_remedy = Remedy::first_order;
  const std::string too_long = explain(error, replay, attempt, mesh, of_dt);
  CHECK(contains(too_long, "earlier steps had halved it 3 times"));
  CHECK(contains(too_long, "only a shorter step can cure it: no remedy"));
  CHECK_FALSE(contains(too_long, "soft_error.on_exhausted"));

  // Without halvings none is said to have been tried.
  of_dt.halvings = 0;
  CHECK(contains(explain(error, replay, attempt, mesh, of_dt), "tried      nothing but this dt; earlier"));
  error.kind = SoftErrorKind::negative_density;
  of_dt.last_remedy = Remedy::none;
  CHECK_FALSE(contains(explain(error, replay, attempt, mesh, of_dt), "on_exhausted=scaling"));
  of_dt.in_elements = true;
  CHECK(contains(explain(error, replay, attempt, mesh, of_dt), "soft_error.on_exhausted=scaling"));
  of_dt.remedies = {Remedy::first_order};
  CHECK(contains(explain(error, replay, attempt, mesh, of_dt), "tried      first-order fluxes; earlier"));
}
