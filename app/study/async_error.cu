#include <cstdio>
#include <stdexcept>
#include <string>

#include "app/study/async_error.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/soft_error/soft_error.hpp"

namespace halfstep {
namespace {

using namespace async_error_problem;
using soft_error::Channel;
using soft_error::Reporter;

enum Code : int { kLargeValue = 2, kNegativeInput = 3 };

struct LargeValue {
  int block, thread, element;
  float value;
};

struct NegativeInput {
  int block, thread, element;
  float input;
};

/// Blocks its stream until released.
__global__ void hold(const volatile int* released) {
  while (*released == 0) {
  }
}

__global__ void kernel_a(float* values, Reporter<LargeValue> reporter) {
  for (int n = element_of(blockIdx.x, threadIdx.x); n < kElements; n += kStride) {
    const float value = spike(pseudo_random(n));
    if (value >= kLargest)
      report_first_error(
          reporter,
          [&](LargeValue& payload) {
            payload = {static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), n, value};
          },
          kLargeValue);
    values[n] = value;
  }
}

__global__ void kernel_b(float* values, Reporter<NegativeInput> reporter) {
  // Many blocks could report: one goes first, so that every run prints the same.
  if (blockIdx.x != kFirstBlockOfB)
    while (!reporter.raised()) {
    }
  for (int n = element_of(blockIdx.x, threadIdx.x); n < kElements; n += kStride) {
    const float input = values[n];
    if (input < 0)
      report_first_error(
          reporter,
          [&](NegativeInput& payload) {
            payload = {static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), n, input};
          },
          kNegativeInput);
    else
      values[n] = sqrtf(input);
  }
}

class Held {
 public:
  explicit Held(const Stream& stream) : stream_(stream) {
    hold<<<1, 1, 0, stream_>>>(released_.device());
    HALFSTEP_CUDA_LAUNCHED("hold");
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    release();
    cudaStreamSynchronize(stream_);
  }
  void release() { *static_cast<volatile int*>(released_.host()) = 1; }

 private:
  const Stream& stream_;
  PinnedValue<int> released_;
};

/// Loads kernels in advance. A kernel is loaded at its first launch, which may wait for running kernels: a
/// deadlock while one is held.
template <class... Kernels>
void load(Kernels... kernels) {
  cudaFuncAttributes ignored;
  (HALFSTEP_CUDA(cudaFuncGetAttributes(&ignored, kernels)), ...);
}

std::string line(int code, const char* name, int block, int thread, float value) {
  char text[100];
  std::snprintf(text, sizeof(text), "ERROR %d: block %d, thread %d, %s %g", code, block, thread, name,
                static_cast<double>(value));
  return text;
}

std::string look(Channel<LargeValue>& channel) {
  const auto record = channel.take();
  if (!record) return "no error";
  const LargeValue& at = record->payload;
  return line(record->kind, "value", at.block, at.thread, at.value);
}

std::string look(Channel<NegativeInput>& channel) {
  const auto record = channel.take();
  if (!record) return "no error";
  const NegativeInput& at = record->payload;
  return line(record->kind, "input", at.block, at.thread, at.input);
}

StudyReport async_error_on_device() {
  std::string why;
  if (!cuda_available(&why))
    throw std::runtime_error("the study async-error polls running kernels, which needs a CUDA device: " +
                             why);

  struct Values {
    float value[kElements];
  };
  Table table{.title = "Asynchronous error reporting: two kernels in one stream, and what the host sees when",
              .columns = {"line", "the host", "output", "because"},
              .rows = {},
              .notes = {}};
  const auto add = [&](const char* action, const std::string& output, const std::string& reason) {
    table.rows.push_back({static_cast<std::int64_t>(table.rows.size() + 1), action, output, reason});
  };

  Channel<LargeValue> channel_a;
  Channel<NegativeInput> channel_b;
  DeviceBuffer<float> values(kElements);
  const PinnedValue<Values> copy;
  const Stream stream;
  load(hold, kernel_a, kernel_b);

  Held held(stream);
  kernel_a<<<kBlocks, kThreads, 0, stream>>>(values.get(), channel_a.reporter());
  HALFSTEP_CUDA_LAUNCHED("kernel_a");
  add("polls A", look(channel_a),
      "A is launched, but held back, so that in every run this look comes first. A look is one load from "
      "pinned "
      "memory: it waits for nothing.");

  kernel_b<<<kBlocks, kThreads, 0, stream>>>(values.get(), channel_b.reporter());
  HALFSTEP_CUDA_LAUNCHED("kernel_b");
  add("polls B", look(channel_b),
      "B comes after A in the stream. It has a channel of its own, with a payload of another type, where "
      "nothing of "
      "A can show.");

  HALFSTEP_CUDA(cudaMemcpyAsync(copy.host(), values.get(), sizeof(Values), cudaMemcpyDeviceToHost, stream));
  add("copies", "launch memcpy",
      "The copy is queued too. Now the stream is let go and waited for: whatever there was to report has "
      "been.");
  held.release();
  stream.synchronize();

  add("polls A", look(channel_a),
      "x is 100 in one element, and 1 / 1e-6 is beyond the limit. Its thread wrote the payload into pinned "
      "memory and "
      "went on; no kernel stopped or printed.");
  int negative = 0;
  for (const float value : copy.host()->value) negative += value < 0;
  add("polls B", look(channel_b),
      std::to_string(negative) + " of " + std::to_string(kElements) +
          " inputs are negative, and the first thread to arrive is the one that reports; the others see the "
          "word taken "
          "and pass. (Block " +
          std::to_string(kFirstBlockOfB) +
          " is let through first, or this line would differ from run to run.)");
  add("polls A", look(channel_a),
      "The error was taken, and that began the channel's next epoch: an older report counts no more, however "
      "late it "
      "comes. Nothing had to be cleared.");
  return {.table = std::move(table)};
}

const RegisterDeviceFunction registered(async_error, async_error_on_device);

}  // namespace
}  // namespace halfstep
