#include "app/base/readable_bytes.hpp"

#include <fmt/format.h>

namespace halfstep {

std::string readable_bytes(std::int64_t count) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(count);
  int unit = 0;
  for (; value >= 1024 && unit < 5; ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} {}", count, units[0]) : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace halfstep
