#include "app/output/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ranges>

#include "app/base/table.hpp"

namespace halfstep {

namespace {

constexpr double kRewriteEvery = 0.1;  // seconds
constexpr double kLineEvery = 10;      // seconds
constexpr std::size_t kNarrowest = 20;
constexpr std::string_view kIndent = "  ";  // of what does not fit the first line of a sentence

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  const int descriptor = stream == stdout ? STDOUT_FILENO : fileno(stream);
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, 1e9));
  constexpr std::int64_t hour = 3600, day = 24 * hour;
  if (whole >= 1000 * day) return ">999d";
  if (whole >= 100 * hour) return fmt::format("{}d {:02}h", whole / day, whole % day / hour);
  return fmt::format("{:02}:{:02}:{:02}", whole / hour, whole / 60 % 60, whole % 60);
}

/// Formats a number in at most five characters: 3.21M.
std::string brief(double value) {
  constexpr double rounds_up = 0.9995;  // rounds to 1000 of the smaller unit
  for (const auto& [unit, letter] :
       {std::pair{1e12, 'T'}, std::pair{1e9, 'G'}, std::pair{1e6, 'M'}, std::pair{1e3, 'k'}})
    if (value >= rounds_up * unit) return fmt::format("{:.3g}{}", value / unit, letter);
  return fmt::format("{:.3g}", value);
}

}  // namespace

TerminalStyle TerminalStyle::detect(bool quiet, bool progress) {
  const char* term = std::getenv("TERM");
  const bool capable = term == nullptr || std::string_view(term) != "dumb";
  return {.quiet = quiet,
          .progress = progress,
          .rewrites = capable && isatty(STDOUT_FILENO) == 1,
          .colour = capable && isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr};
}

double Terminal::steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Terminal::Terminal(TerminalStyle style, std::FILE* out, std::FILE* err, double (*clock)())
    : style_(style), out_(out), err_(err), clock_(clock) {}

void Terminal::start(const RunExtent& extent) {
  extent_ = extent;
  started_ = shown_ = clock_();
  shown_step_ = extent.step;
  start_done_ = done(extent.step, extent.time);
  shown_tenths_ = static_cast<int>(10 * start_done_);
}

double Terminal::done(std::int64_t step, double time) const {
  const double by_time = extent_.end_time > 0 ? time / extent_.end_time : 0;
  const double by_steps =
      extent_.max_steps > 0 ? static_cast<double>(step) / static_cast<double>(extent_.max_steps) : 0;
  return std::max(by_time, by_steps);  // whichever ends the run first
}

void Terminal::progress(const Progress& progress) {
  if (style_.quiet || !style_.progress) return;
  const double now = clock_();
  if (style_.rewrites && now - shown_ < kRewriteEvery) return;
  const double part = done(progress.step, progress.time);
  const int tenths = static_cast<int>(10 * part);
  if (!style_.rewrites && tenths <= shown_tenths_ && now - shown_ < kLineEvery) return;

  if (style_.rewrites) {
    show_status(status(progress, now, part, terminal_width(out_) - 1));
  } else {
    write_lines(out_, status(progress, now, part, std::string::npos));
  }
  shown_ = now;
  shown_step_ = progress.step;
  shown_tenths_ = tenths;
}

std::string Terminal::status(const Progress& p, double now, double part, std::size_t width) const {
  const double updates = static_cast<double>(extent_.cells) * static_cast<double>(p.step - shown_step_);
  const std::string rate = brief(now > shown_ ? updates / (now - shown_) : 0);
  std::string left;
  if (part > start_done_) left = " left " + duration((now - started_) * (1 - part) / (part - start_done_));

  // Parts are dropped until the line fits.
  std::string line =
      fmt::format("step {}  t {:.5g}  dt {:.3g}  {:.0f} %  {} cell-updates/s  redone {}{}{}", p.step, p.time,
                  p.dt, 100 * part, rate, p.rejections, left.empty() ? "" : " ", left);
  for (const char* unit : {"cell-updates/s", "cells/s"})
    if (line.size() > width)
      line = fmt::format("step {} t {:.4g} dt {:.3g} {:.0f}% {} {} redone {}{}", p.step, p.time, p.dt,
                         100 * part, rate, unit, p.rejections, left);
  if (line.size() <= width) return line;
  return fmt::format("step {} t {:.3g} dt {:.2g} {:.0f}% {} cells/s redone {}{}",
                     brief(static_cast<double>(p.step)), p.time, p.dt, 100 * part, rate,
                     brief(static_cast<double>(p.rejections)), left);
}

void Terminal::show_status(std::string line) {
  // A line that wraps cannot be rewritten.
  line = line.substr(0, terminal_width(out_) - 1);
  const std::size_t width = line.size();
  if (width < status_width_) line.append(status_width_ - width, ' ');
  fmt::print(out_, "\r{}", line);
  std::fflush(out_);
  status_width_ = width;
  status_ = line.substr(0, width);
}

void Terminal::clear_status() {
  if (status_width_ == 0) return;
  fmt::print(out_, "\r{}\r", std::string(status_width_, ' '));
  std::fflush(out_);
  status_width_ = 0;
}

void Terminal::write_lines(std::FILE* stream, std::string_view text) {
  const bool had_status = status_width_ > 0;
  clear_status();
  std::fwrite(text.data(), 1, text.size(), stream);
  if (!text.ends_with('\n')) std::fputc('\n', stream);
  std::fflush(stream);
  if (had_status) show_status(status_);
}

void Terminal::message(std::string_view text) {
  if (!style_.quiet) write_lines(out_, text);
}

void Terminal::sentences(std::string_view text) {
  if (!style_.rewrites) return message(text);
  const std::size_t width = std::max(terminal_width(out_), kNarrowest) - kIndent.size();
  std::string lines;
  for (const auto line : text | std::views::split('\n'))
    lines += fmt::format("{}\n", fmt::join(wrapped({line.begin(), line.end()}, width, LongWords::stay_whole),
                                           fmt::format("\n{}", kIndent)));
  message(lines);
}

void Terminal::problem(std::string_view text) {
  if (!style_.colour) return write_lines(err_, text);
  const std::string first(text.substr(0, text.find('\n')));
  write_lines(err_, fmt::format("\x1b[31m{}\x1b[0m{}", first, text.substr(first.size())));
}

}  // namespace halfstep
