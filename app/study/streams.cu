#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "app/study/streams_device.hpp"
#include "runtime/device/attribute.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {
namespace {

constexpr int kBlock = 256;
constexpr std::size_t kChunkBytes = kChunkElements * sizeof(unsigned);

__global__ void blend(const unsigned* a, const unsigned* b, unsigned* c, std::int64_t rounds) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  c[n] = blended(a, b, n, rounds);
}

/// Inputs and output of all chunks in pinned memory, and two lanes on the device: a stream each, with memory
/// for a chunk.
class Pipeline {
 public:
  Pipeline() {
    for (std::size_t n = 0; n < kElements; ++n) {
      a_.get()[n] = static_cast<unsigned>(n * 7 % 1000);
      b_.get()[n] = static_cast<unsigned>(n % 777);
    }
    for (const Lane& lane : lanes_)
      for (unsigned* buffer : {lane.a.get(), lane.b.get(), lane.c.get()})
        HALFSTEP_CUDA(cudaMemset(buffer, 0, kChunkBytes));
    HALFSTEP_CUDA(cudaDeviceSynchronize());
  }

  void issue(Schedule schedule) const {
    if (schedule == kBreadthFirst) {
      for (int chunk = 0; chunk < kChunks; chunk += 2) {
        for (const int n : {0, 1}) up(lanes_[n], a_, lanes_[n].a, chunk + n);
        for (const int n : {0, 1}) up(lanes_[n], b_, lanes_[n].b, chunk + n);
        for (const int n : {0, 1}) work(lanes_[n]);
        for (const int n : {0, 1}) down(lanes_[n], chunk + n);
      }
      return;
    }
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const Lane& lane = lanes_[schedule == kOneStream ? 0 : chunk % 2];
      up(lane, a_, lane.a, chunk);
      up(lane, b_, lane.b, chunk);
      work(lane);
      down(lane, chunk);
    }
  }

  /// Issues one engine's operation for all chunks.
  void issue_alone(Engine engine) const {
    const Lane& lane = lanes_[0];
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      if (engine == kCopyUp) {
        up(lane, a_, lane.a, chunk);
        up(lane, b_, lane.b, chunk);
      } else if (engine == kCompute) {
        work(lane);
      } else {
        down(lane, chunk);
      }
    }
  }

  void wait() const {
    for (const Lane& lane : lanes_) lane.stream.synchronize();
  }

  /// Sets the generator's steps in the following kernels.
  void set_rounds(std::int64_t rounds) { rounds_ = rounds; }

  /// Clears the results, so that a chunk that is not copied back is detected.
  void forget_results() const { std::fill_n(c_.get(), kElements, 0u); }
  std::int64_t wrong_results() const {
    constexpr std::size_t stride = 9973;  // samples every chunk
    std::int64_t wrong = 0;
    for (std::size_t n = 0; n < kElements; n += stride) {
      const std::size_t chunk = n / kChunkElements * kChunkElements;
      wrong +=
          c_.get()[n] != blended(a_.get() + chunk, b_.get() + chunk, static_cast<int>(n - chunk), rounds_);
    }
    return wrong;
  }

 private:
  static constexpr std::size_t kElements = std::size_t{kChunks} * kChunkElements;

  struct Lane {
    Stream stream;
    DeviceBuffer<unsigned> a{kChunkElements}, b{kChunkElements}, c{kChunkElements};
  };

  static void up(const Lane& lane, const PinnedBuffer<unsigned>& from, const DeviceBuffer<unsigned>& to,
                 int chunk) {
    HALFSTEP_CUDA(cudaMemcpyAsync(to.get(), from.get() + std::size_t(chunk) * kChunkElements, kChunkBytes,
                                  cudaMemcpyHostToDevice, lane.stream));
  }
  void work(const Lane& lane) const {
    blend<<<kChunkElements / kBlock, kBlock, 0, lane.stream>>>(lane.a.get(), lane.b.get(), lane.c.get(),
                                                               rounds_);
    HALFSTEP_CUDA_LAUNCHED("blend");
  }
  void down(const Lane& lane, int chunk) const {
    HALFSTEP_CUDA(cudaMemcpyAsync(c_.get() + std::size_t(chunk) * kChunkElements, lane.c.get(), kChunkBytes,
                                  cudaMemcpyDeviceToHost, lane.stream));
  }

  PinnedBuffer<unsigned> a_{kElements}, b_{kElements}, c_{kElements};
  Lane lanes_[2];
  std::int64_t rounds_ = 0;
};

double seconds_of(const Pipeline& pipeline, const std::function<void()>& issue) {
  const auto began = std::chrono::steady_clock::now();
  issue();
  pipeline.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Measures all engines and schedules, alternating.
WorkloadTimes measure(Pipeline& pipeline, std::int64_t rounds_of_kernel, int rounds, std::int64_t& wrong) {
  pipeline.set_rounds(rounds_of_kernel);
  std::array<std::vector<double>, kEngines> alone;
  std::array<std::vector<double>, kSchedules> together;
  for (int round = -1; round < rounds; ++round) {  // the first round warms up; its results are checked
    for (int engine = 0; engine < kEngines; ++engine) {
      const double seconds = seconds_of(pipeline, [&] { pipeline.issue_alone(static_cast<Engine>(engine)); });
      if (round >= 0) alone[engine].push_back(seconds);
    }
    for (int schedule = 0; schedule < kSchedules; ++schedule) {
      if (round < 0) pipeline.forget_results();
      const double seconds = seconds_of(pipeline, [&] { pipeline.issue(static_cast<Schedule>(schedule)); });
      if (round >= 0) together[schedule].push_back(seconds);
      if (round < 0) wrong += pipeline.wrong_results();
    }
  }
  WorkloadTimes times{};
  for (int engine = 0; engine < kEngines; ++engine) times.alone[engine] = quartiles(alone[engine]);
  for (int schedule = 0; schedule < kSchedules; ++schedule)
    times.together[schedule] = quartiles(together[schedule]);
  times.rounds_of_kernel = rounds_of_kernel;
  return times;
}

/// Returns the generator's steps for which the kernels take `seconds`.
std::int64_t rounds_for(Pipeline& pipeline, double seconds) {
  constexpr std::int64_t trial = 4096;
  const auto kernels = [&](std::int64_t rounds) {
    pipeline.set_rounds(rounds);
    std::vector<double> all;
    for (int n = 0; n < 5; ++n) all.push_back(seconds_of(pipeline, [&] { pipeline.issue_alone(kCompute); }));
    return quartiles(all).median;
  };
  const double shortest = kernels(0), longer = kernels(trial);
  return std::max<std::int64_t>(std::llround(trial * (seconds - shortest) / (longer - shortest)), 0);
}

StreamFigures streams_on_device(int rounds) {
  StreamFigures figures{};
  Pipeline pipeline;
  figures.workload[kShortKernel] = measure(pipeline, 0, rounds, figures.wrong);
  const double up = figures.workload[kShortKernel].alone[kCopyUp].median;
  figures.workload[kLongKernel] = measure(pipeline, rounds_for(pipeline, up), rounds, figures.wrong);
  figures.copy_engines = device_attribute(cudaDevAttrAsyncEngineCount);
  figures.capability = 10 * device_attribute(cudaDevAttrComputeCapabilityMajor) +
                       device_attribute(cudaDevAttrComputeCapabilityMinor);
  return figures;
}

const RegisterDeviceFunction registered(measure_streams, streams_on_device);

}  // namespace
}  // namespace halfstep
