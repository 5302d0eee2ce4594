#include "runtime/device/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace halfstep {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

/// Returns the number after the word `key` in a file of lines "key number", or `otherwise` if there is none.
std::int64_t number_in(const fs::path& path, const std::string& key, std::int64_t otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    try {
      return std::stoll(line.substr(key.size()));
    } catch (const std::exception&) {
      return otherwise;  // "max": no limit
    }
  }
  return otherwise;
}

/// Returns what one control group has left. Its file cache can be reclaimed, so it counts as free.
std::int64_t left_in(const fs::path& group, const char* limit_file, const char* usage_file) {
  const std::int64_t limit = number_in(group / limit_file, "", kUnknown),
                     used = number_in(group / usage_file, "", 0);
  const std::int64_t cache = number_in(group / "memory.stat", "inactive_file ", 0) +
                             number_in(group / "memory.stat", "active_file ", 0);
  return limit == kUnknown ? kUnknown : std::max<std::int64_t>(0, limit - used + std::min(cache, used));
}

/// Returns the least that a group or one of its ancestors below `top` has left, for control groups of version
/// 2 (`second`) or 1.
std::int64_t left_in_groups(const fs::path& top, const fs::path& group, bool second) {
  std::int64_t least = kUnknown;
  for (fs::path path = group.relative_path();; path = path.parent_path()) {
    const fs::path here = top / path;
    least = std::min(least, second ? left_in(here, "memory.max", "memory.current")
                                   : left_in(here, "memory.limit_in_bytes", "memory.usage_in_bytes"));
    if (path.empty()) return least;
  }
}

}  // namespace

std::optional<std::int64_t> available_main_memory(const fs::path& root) {
  const std::int64_t kilobytes = number_in(root / "proc/meminfo", "MemAvailable:", kUnknown);
  std::int64_t least = kilobytes == kUnknown ? kUnknown : 1024 * kilobytes;
  // Lines are hierarchy:controllers:group; version 2 has the hierarchy 0 and no controllers.
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, left_in_groups(root / "sys/fs/cgroup", group, true));
    else if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_in_groups(root / "sys/fs/cgroup/memory", group, false));
  }
  if (least == kUnknown) return std::nullopt;
  return least;
}

}  // namespace halfstep
