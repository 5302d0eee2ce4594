// Progress messages of a long study, on standard error.
#pragma once

#include <fmt/format.h>

#include <chrono>
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

}  // namespace halfstep
