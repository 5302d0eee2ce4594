#include "app/study/occupancy.hpp"

#include <algorithm>

#include "app/study/architecture.hpp"

namespace halfstep {
namespace {

constexpr int kWarp = 32;
constexpr int kPartitions = 4;  // of a multiprocessor, each with its own registers
constexpr int kRegisters = 65536;
constexpr int kMostThreads = 1024;  // per block
constexpr int kRegisterUnit = 256;  // registers are allocated to a warp in this unit

template <class Integer>
Integer rounded_up(Integer value, Integer unit) {
  return (value + unit - 1) / unit * unit;
}

int blocks_by_registers(int warps, int registers) {
  const int per_warp = rounded_up(registers * kWarp, kRegisterUnit);
  if (per_warp == 0) return kRegisters;
  // A launch is refused by the registers of a block whose warps fill all partitions.
  if (per_warp * rounded_up(warps, kPartitions) > kRegisters) return 0;
  return kRegisters / kPartitions / per_warp * kPartitions / warps;
}

int blocks_by_shared_memory(const Architecture& a, std::size_t bytes) {
  const std::size_t unit = a.major == 7 ? 256 : 128, reserved = static_cast<std::size_t>(a.reserved_bytes);
  const std::size_t all = static_cast<std::size_t>(a.shared_kib) * 1024;
  const std::size_t allocated = rounded_up(bytes + reserved, unit);
  return allocated == 0 ? a.blocks : static_cast<int>(all / allocated);
}

}  // namespace

// The limits are those of cuda_occupancy.h, which only a machine with CUDA has; a test compares the two.
double occupancy(const std::string& architecture, int threads, int registers, std::size_t static_shared_bytes,
                 std::size_t dynamic_shared_bytes) {
  if (threads > kMostThreads) return 0;
  const Architecture& a = architecture_of(architecture);
  const int warps = rounded_up(threads, kWarp) / kWarp;
  const int blocks = std::min({a.threads / kWarp / warps, a.blocks, blocks_by_registers(warps, registers),
                               blocks_by_shared_memory(a, static_shared_bytes + dynamic_shared_bytes)});
  return double(blocks * threads) / a.threads;
}

}  // namespace halfstep
