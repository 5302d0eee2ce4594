// The processor that this program runs on.
#pragma once

#include <fstream>
#include <string>

namespace halfstep {

/// Returns the processor's name as the kernel knows it.
inline std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      const auto start = line.find_first_not_of(": \t", line.find(':'));
      if (start != std::string::npos) return line.substr(start);
    }
  return "unknown processor";
}

}  // namespace halfstep
