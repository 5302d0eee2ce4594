#include <doctest/doctest.h>

#include "runtime/device/host_memory.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Files below a root of their own, in place of those of the system.
struct Told {
  TemporaryDirectory root;
  void file(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root / path).parent_path());
    put(root / path, text);
  }
  std::optional<std::int64_t> available() const { return available_main_memory(root.path()); }
};

}  // namespace

TEST_CASE("main memory is what the system says is available, and nothing is said where it says nothing") {
  const Told told;
  CHECK_FALSE(told.available());
  told.file("proc/meminfo", "MemTotal:  100 kB\nMemFree:  5 kB\nMemAvailable:   40 kB\n");
  CHECK(told.available() == 40 * 1024);
  told.file("proc/meminfo", "MemTotal:  100 kB\nMemAvailable: ? kB\n");
  CHECK_FALSE(told.available());
}

TEST_CASE("a control group's limit counts, less what it uses, its cache of files not counted") {
  const Told told;
  told.file("proc/meminfo", "MemAvailable: 1000 kB\n");
  told.file("proc/self/cgroup", "0::/outer/inner\n");
  told.file("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  CHECK(told.available() == 1000 * 1024);
  told.file("sys/fs/cgroup/outer/memory.max", "500000\n");
  told.file("sys/fs/cgroup/outer/memory.current", "300000\n");
  told.file("sys/fs/cgroup/outer/memory.stat", "anon 100\ninactive_file 20000\nactive_file 5000\n");
  CHECK(told.available() == 225000);
  told.file("sys/fs/cgroup/outer/inner/memory.max", "1000\n");
  told.file("sys/fs/cgroup/outer/inner/memory.current", "2000\n");
  CHECK(told.available() == 0);
}

TEST_CASE("the limit of a container with control groups of version 1 counts") {
  const Told told;
  told.file("proc/meminfo", "MemAvailable: 1000 kB\n");
  told.file("proc/self/cgroup", "4:cpu,memory:/job\n3:pids:/job\n");
  told.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "70000\n");
  told.file("sys/fs/cgroup/memory/memory.usage_in_bytes", "20000\n");
  CHECK(told.available() == 50000);
}
