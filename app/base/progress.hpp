// Progress messages of a long study, on standard error.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace halfstep {

class Progress {
 public:
  void tell(const std::string& doing) const {
    using std::chrono::steady_clock;
    fmt::print(stderr, "[{:4.0f} s] {}\n",
               std::chrono::duration<double>(steady_clock::now() - began_).count(), doing);
    std::fflush(stderr);
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Tells of the parts of a measurement, which last about as long as each other, with the time left.
class Parts {
 public:
  Parts(const Progress& progress, std::size_t count) : progress_(progress), count_(count) {}

  void next(const std::string& doing) {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const std::string left =
        done_ == 0 ? ""
                   : fmt::format(", {:.0f} s left",
                                 passed * static_cast<double>(count_ - done_) / static_cast<double>(done_));
    progress_.tell(fmt::format("{} ({} of {}{})", doing, done_ + 1, count_, left));
    ++done_;
  }

 private:
  const Progress& progress_;
  std::size_t count_, done_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace halfstep
