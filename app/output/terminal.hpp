// Terminal output of a run: a status line rewritten in place on a terminal, an occasional plain line
// elsewhere. Messages and the summary go to standard output, problems to standard error.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace halfstep {

struct TerminalStyle {
  bool quiet = false;     ///< only problems are shown
  bool progress = true;   ///< status line or progress lines
  bool rewrites = false;  ///< standard output is a terminal
  bool colour = false;    ///< standard error is a terminal and NO_COLOR is not set

  /// Returns the style for this process' standard output and error, NO_COLOR and TERM.
  static TerminalStyle detect(bool quiet, bool progress);
};

/// Where this start or restart begins, and where the run ends.
struct RunExtent {
  std::int64_t step = 0, max_steps = 0;  ///< max_steps 0: no limit
  double time = 0, end_time = 0;         ///< simulation time
  std::int64_t cells = 0;
};

struct Progress {
  std::int64_t step = 0;  ///< accepted steps
  double time = 0, dt = 0;
  std::int64_t rejections = 0;  ///< redone steps
};

class Terminal {
 public:
  /// `clock`: a monotonic clock in seconds with any origin.
  explicit Terminal(TerminalStyle style, std::FILE* out = stdout, std::FILE* err = stderr,
                    double (*clock)() = steady_seconds);
  ~Terminal() { clear_status(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void start(const RunExtent& extent);
  /// Reports progress; to be called after every step. Prints ten times a second on a terminal; elsewhere at
  /// each tenth of the run and after ten seconds without a line. Otherwise it only reads the clock.
  void progress(const Progress& progress);
  /// Prints one or more lines of news, unless quiet.
  void message(std::string_view text);
  /// Prints a line of news or more, unless quiet; on a terminal in lines that fit it. Commands that one may
  /// copy are no such lines.
  void sentences(std::string_view text);
  /// Prints a problem, even when quiet.
  void problem(std::string_view text);
  /// Removes the status line at the end of the run.
  void finish() { clear_status(); }

  static double steady_seconds();

 private:
  double done(std::int64_t step, double time) const;
  std::string status(const Progress& progress, double now, double part, std::size_t width) const;
  void show_status(std::string line);
  void clear_status();
  void write_lines(std::FILE* stream, std::string_view text);

  TerminalStyle style_;
  std::FILE* out_;
  std::FILE* err_;
  double (*clock_)();
  RunExtent extent_;
  double started_ = 0, start_done_ = 0;
  // Time, step and tenth of the run at the last output.
  double shown_ = 0;
  std::int64_t shown_step_ = 0;
  int shown_tenths_ = 0;
  std::size_t status_width_ = 0;
  std::string status_;
};

}  // namespace halfstep
