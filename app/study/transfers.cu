#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>

#include "app/study/atomics.hpp"
#include "app/study/transfers_device.hpp"
#include "runtime/device/attribute.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/device/reduction.hpp"
#include "runtime/device/resident_blocks.hpp"

namespace halfstep {
namespace {

constexpr int kBlock = 256;
constexpr cudaStream_t kStream = nullptr;  // the default stream

// --- memory ---

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};
using PageableBytes = std::unique_ptr<std::byte, Freed>;

PageableBytes pageable_bytes(std::size_t count) {
  PageableBytes bytes(static_cast<std::byte*>(std::malloc(count)));
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

/// A buffer of `bytes` bytes in each kind of memory, touched so that every page is present.
struct Memories {
  explicit Memories(std::size_t bytes)
      : pageable(pageable_bytes(bytes)),
        pinned(bytes, cudaHostAllocMapped),
        write_combined(bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined),
        device(bytes),
        mapped_pinned(pinned.device()),
        mapped_write_combined(write_combined.device()) {
    for (std::byte* memory : {pageable.get(), pinned.get(), write_combined.get()})
      std::fill_n(memory, bytes, std::byte{0});
    HALFSTEP_CUDA(cudaMemset(device.get(), 0, bytes));
  }
  std::byte* host(HostMemory memory) const {
    if (memory == kPageable) return pageable.get();
    return memory == kPinned ? pinned.get() : write_combined.get();
  }
  /// Returns the device pointer of mapped memory.
  std::byte* mapped(HostMemory memory) const {
    return memory == kMapped ? mapped_pinned : mapped_write_combined;
  }

  PageableBytes pageable;
  PinnedBuffer<std::byte> pinned, write_combined;
  DeviceBuffer<std::byte> device;
  std::byte *mapped_pinned, *mapped_write_combined;
};

/// Allocates for the largest size that fits, and drops larger ones from `sizes`.
std::unique_ptr<Memories> make_memories(std::vector<std::int64_t>& sizes) {
  std::unique_ptr<Memories> memories;
  while (!sizes.empty() && !memories) try {
      memories = std::make_unique<Memories>(static_cast<std::size_t>(sizes.back()));
    } catch (const CudaError& error) {
      if (error.code != cudaErrorMemoryAllocation) throw;
      cudaGetLastError();
      sizes.pop_back();
    } catch (const std::bad_alloc&) {
      sizes.pop_back();
    }
  return memories;
}

// --- in place ---

__device__ std::int64_t first_of_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t threads_of_grid() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

/// Reads memory. The bytes are zeros, unknown to the compiler: `sink` is never written.
__global__ void read_in_place(const uint4* from, std::int64_t count, unsigned* sink) {
  unsigned bits = 0;
  for (std::int64_t n = first_of_thread(); n < count; n += threads_of_grid()) {
    const uint4 value = from[n];
    bits |= value.x | value.y | value.z | value.w;
  }
  if (bits != 0) *sink = bits;
}

__global__ void write_in_place(uint4* to, std::int64_t count) {
  for (std::int64_t n = first_of_thread(); n < count; n += threads_of_grid()) to[n] = uint4{0, 0, 0, 0};
}

// --- the dot product ---

using atomics_study::DotSum, atomics_study::kRow;
constexpr std::int64_t kRows = kDotElements / kRow;
static_assert(kDotElements % kRow == 0);

/// Makes the first pass of the program's reduction; the host makes the second.
__global__ void dot_of_rows(const float* a, const float* b, DotSum* sums) {
  reduce_rows<kBlock>(kRows, kRow, sums, [&](DotSum& sum, std::int64_t row, int item) {
    add_product(sum, a[row * kRow + item], b[row * kRow + item]);
  });
}

// --- time ---

/// Returns the seconds of `work` including the device work it queues.
double seconds_of(const std::function<void()>& work) {
  HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
  const auto began = std::chrono::steady_clock::now();
  work();
  HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void transfer(const Memories& memories, HostMemory memory, Way way, std::int64_t bytes) {
  std::byte* device = memories.device.get();
  if (memory < kMapped) {
    std::byte* host = memories.host(memory);
    if (way == kToDevice)
      HALFSTEP_CUDA(cudaMemcpy(device, host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice));
    else
      HALFSTEP_CUDA(cudaMemcpy(host, device, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost));
    return;
  }
  uint4* in_place = reinterpret_cast<uint4*>(memories.mapped(memory));
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(uint4));
  static const std::int64_t most_blocks = resident_blocks(read_in_place, kBlock);
  const unsigned grid = static_cast<unsigned>(std::min(most_blocks, (count + kBlock - 1) / kBlock));
  if (way == kToDevice)
    read_in_place<<<grid, kBlock, 0, kStream>>>(in_place, count, reinterpret_cast<unsigned*>(device));
  else
    write_in_place<<<grid, kBlock, 0, kStream>>>(in_place, count);
  HALFSTEP_CUDA_LAUNCHED("a kernel that works in place");
}

/// Measures one size, the kinds of memory alternating.
TransferSize measure_size(const Memories& memories, std::int64_t bytes) {
  constexpr std::int64_t bytes_of_all = 2ll << 30;
  const int rounds = static_cast<int>(std::clamp<std::int64_t>(bytes_of_all / bytes, 5, 100));
  TransferSize size{bytes, {}};
  for (int round = -1; round < rounds; ++round)  // round -1 warms up
    for (int memory = 0; memory < kHostMemories; ++memory)
      for (int way = 0; way < kWays; ++way) {
        const double seconds = seconds_of(
            [&] { transfer(memories, static_cast<HostMemory>(memory), static_cast<Way>(way), bytes); });
        if (round >= 0) size.seconds[memory][way].push_back(seconds);
      }
  return size;
}

void measure_loop(const Memories& memories, TransferFigures& figures) {
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round)
    for (const HostMemory memory : {kPageable, kPinned})
      for (const Way way : {kToDevice, kToHost})
        figures.loop[memory][way].push_back(seconds_of([&] {
          for (int copy = 0; copy < kLoopCopies; ++copy) transfer(memories, memory, way, kLoopBytes);
        }));
}

class DotProducts {
 public:
  explicit DotProducts(const Memories& memories) : memories_(memories) {
    for (std::byte* memory :
         {memories.host(kPageable), memories.host(kPinned), memories.host(kWriteCombined)}) {
      float* a = reinterpret_cast<float*>(memory);
      for (std::int64_t n = 0; n < kDotElements; ++n) a[n] = element_of_a(n);
      for (std::int64_t n = 0; n < kDotElements; ++n) a[kDotElements + n] = element_of_b(n);
    }
  }

  void measure(TransferFigures& figures) const {
    constexpr int rounds = 11;
    for (int round = -1; round < rounds; ++round)  // round -1 warms up
      for (int which = 0; which < kDots; ++which) {
        const double seconds = seconds_of([&] { figures.dot_results[which] = dot(static_cast<Dot>(which)); });
        if (round >= 0) figures.dot[which].push_back(seconds);
      }
  }

 private:
  double dot(Dot which) const {
    if (which == kReadMapped) return sum_in_place(memories_.mapped(kMapped));
    if (which == kReadMappedWriteCombined) return sum_in_place(memories_.mapped(kMappedWriteCombined));
    if (which != kOnDevice)
      HALFSTEP_CUDA(cudaMemcpy(memories_.device.get(),
                               memories_.host(which == kCopyPageable ? kPageable : kPinned),
                               2 * kDotElements * sizeof(float), cudaMemcpyHostToDevice));
    launch(memories_.device.get(), device_sums_.get());
    HALFSTEP_CUDA(
        cudaMemcpy(sums_.get(), device_sums_.get(), kRows * sizeof(DotSum), cudaMemcpyDeviceToHost));
    return sum_of_rows();
  }

  double sum_in_place(std::byte* vectors) const {
    launch(vectors, sums_.device());
    HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
    return sum_of_rows();
  }

  void launch(const std::byte* vectors, DotSum* sums) const {
    const float* a = reinterpret_cast<const float*>(vectors);
    dot_of_rows<<<row_threads(kRows) / kBlock, kBlock, 0, kStream>>>(a, a + kDotElements, sums);
    HALFSTEP_CUDA_LAUNCHED("dot_of_rows");
  }

  double sum_of_rows() const {
    return reduced_over_rows(std::vector<DotSum>(sums_.get(), sums_.get() + kRows)).value;
  }

  const Memories& memories_;
  DeviceBuffer<DotSum> device_sums_{kRows};
  PinnedBuffer<DotSum> sums_{kRows, cudaHostAllocMapped};
};

TransferFigures transfers_on_device(std::vector<std::int64_t> sizes) {
  TransferFigures figures{};
  const std::unique_ptr<Memories> memories = make_memories(sizes);
  for (const std::int64_t bytes : sizes) figures.sizes.push_back(measure_size(*memories, bytes));
  figures.pageable_is_direct = device_attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables) != 0;
  if (sizes.empty() || sizes.back() < kLoopBytes) return figures;
  measure_loop(*memories, figures);
  DotProducts(*memories).measure(figures);
  return figures;
}

const RegisterDeviceFunction registered(measure_transfers, transfers_on_device);

}  // namespace
}  // namespace halfstep
