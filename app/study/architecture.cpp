#include "app/study/architecture.hpp"

namespace halfstep {
namespace {

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> all = {
      {"sm_75", 7, 5, 1024, 16, 64, 0},      {"sm_80", 8, 0, 2048, 32, 164, 1024},
      {"sm_86", 8, 6, 1536, 16, 100, 1024},  {"sm_89", 8, 9, 1536, 24, 100, 1024},
      {"sm_90", 9, 0, 2048, 32, 228, 1024},  {"sm_100", 10, 0, 2048, 32, 228, 1024},
      {"sm_120", 12, 0, 1536, 24, 100, 1024}};
  return all;
}

}  // namespace

const Architecture& architecture_of(const std::string& name) {
  const int number = std::stoi(name.substr(3));  // after "sm_"
  const Architecture* newest = &architectures().front();
  for (const Architecture& a : architectures())
    if (10 * a.major + a.minor <= number) newest = &a;
  return *newest;
}

std::vector<std::string> known_architectures() {
  std::vector<std::string> names;
  for (const Architecture& a : architectures()) names.push_back(a.name);
  return names;
}

std::size_t most_shared_bytes(const std::string& architecture) {
  const Architecture& a = architecture_of(architecture);
  return static_cast<std::size_t>(a.shared_kib) * 1024 - static_cast<std::size_t>(a.reserved_bytes);
}

}  // namespace halfstep
