#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/base/quartiles.hpp"
#include "app/study/clocks.hpp"
#include "app/study/timers_device.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/interruptible/pause.hpp"

namespace halfstep {
namespace {

constexpr int kBlock = 256;
constexpr cudaStream_t kStream = nullptr;  // the default stream

__global__ void vector_add(const float* a, const float* b, float* c, int count) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n < count) c[n] = a[n] + b[n];
}

void launch_vector_add(const float* a, const float* b, float* c) {
  vector_add<<<(kVectorElements + kBlock - 1) / kBlock, kBlock, 0, kStream>>>(a, b, c, kVectorElements);
  HALFSTEP_CUDA_LAUNCHED("vector_add");
}

/// Keeps one thread of the device busy.
__global__ void spend(std::uint64_t nanoseconds) {
  const std::uint64_t began = interruptible::detail::nanoseconds_now();
  while (interruptible::detail::nanoseconds_now() - began < nanoseconds) {
  }
}

const Clock& clock_of(int timer) {
  return clocks()[timer < kCudaEvent ? timer : timer - 1];  // events are not among clocks()
}

std::int64_t now() { return clock_of(kChrono).nanoseconds(); }

/// Stopwatch; a call returns the seconds since the last one.
class Lap {
 public:
  double operator()() {
    const std::int64_t began = std::exchange(began_, now());
    return seconds_between(began, began_);
  }

 private:
  std::int64_t began_ = now();
};

std::unique_ptr<float[]> host_vector() { return std::unique_ptr<float[]>(new float[kVectorElements]); }

VectorAddRun run_vector_add() {
  constexpr std::size_t bytes = kVectorElements * sizeof(float);
  VectorAddRun run{};
  std::array<std::int64_t, kTimers> began{};
  for (const int timer : {kGettimeofday, kClock, kChrono}) began[timer] = clock_of(timer).nanoseconds();
  Lap lap;

  Event started, stopped;  // the first CUDA call, which creates the context in a cold process
  started.record(kStream);
  run.part[kFirstCall] = lap();

  std::unique_ptr<float[]> a = host_vector(), b = host_vector(), c = host_vector();
  for (int n = 0; n < kVectorElements; ++n) {
    a[n] = static_cast<float>(n % 1000);
    b[n] = static_cast<float>(n % 7);
  }
  run.part[kHostMemory] = lap();

  DeviceBuffer<float> on_device[3];
  for (DeviceBuffer<float>& buffer : on_device) buffer = DeviceBuffer<float>(kVectorElements);
  run.part[kDeviceMemory] = lap();

  HALFSTEP_CUDA(cudaMemcpy(on_device[0].get(), a.get(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(on_device[1].get(), b.get(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
  run.part[kUp] = lap();

  launch_vector_add(on_device[0].get(), on_device[1].get(), on_device[2].get());
  HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
  run.part[kKernel] = lap();

  HALFSTEP_CUDA(cudaMemcpy(c.get(), on_device[2].get(), bytes, cudaMemcpyDeviceToHost));
  run.part[kDown] = lap();
  for (const int n : {0, kVectorElements / 2, kVectorElements - 1})
    if (c[n] != static_cast<float>(n % 1000 + n % 7)) throw std::runtime_error("vector_add added wrongly");

  for (DeviceBuffer<float>& buffer : on_device) buffer = DeviceBuffer<float>();
  for (std::unique_ptr<float[]>* vector : {&a, &b, &c}) vector->reset();
  run.part[kFree] = lap();

  stopped.record(kStream);
  stopped.synchronize();
  for (const int timer : {kChrono, kClock, kGettimeofday})
    run.total[timer] = seconds_between(began[timer], clock_of(timer).nanoseconds());
  run.total[kCudaEvent] = stopped.seconds_since(started);
  return run;
}

KernelReadings read_kernel(int repeats) {
  constexpr int warm_up = 5;
  DeviceBuffer<float> a(kVectorElements), b(kVectorElements), c(kVectorElements);
  for (const DeviceBuffer<float>* buffer : {&a, &b})
    HALFSTEP_CUDA(cudaMemset(buffer->get(), 0, kVectorElements * sizeof(float)));
  const auto launch = [&] { launch_vector_add(a.get(), b.get(), c.get()); };
  const auto wait = [] { HALFSTEP_CUDA(cudaStreamSynchronize(kStream)); };
  Event started, stopped;
  KernelReadings readings;
  for (int n = -warm_up; n < repeats; ++n) {
    KernelReadings one;
    for (const int timer : {kGettimeofday, kClock, kChrono}) {
      const Clock& clock = clock_of(timer);
      wait();
      std::int64_t began = clock.nanoseconds();
      launch();
      one.launched[timer].push_back(seconds_between(began, clock.nanoseconds()));
      wait();
      began = clock.nanoseconds();
      launch();
      wait();
      one.waited[timer].push_back(seconds_between(began, clock.nanoseconds()));
    }
    started.record(kStream);
    launch();
    stopped.record(kStream);
    one.not_ready = stopped.done() ? 0 : 1;
    one.waited[kCudaEvent].push_back(stopped.seconds_since(started));
    if (n < 0) continue;
    readings.not_ready += one.not_ready;
    for (int timer = 0; timer < kTimers; ++timer) {
      readings.waited[timer].push_back(one.waited[timer].front());
      if (timer != kCudaEvent) readings.launched[timer].push_back(one.launched[timer].front());
    }
  }
  return readings;
}

std::vector<ProcessorUse> wait_for_kernel(double seconds) {
  constexpr int repeats = 5;
  std::vector<ProcessorUse> waits;
  for (const bool sleeps : {false, true}) {
    Event done(sleeps ? cudaEventBlockingSync : cudaEventDefault);
    std::vector<double> wall, processor;
    for (int n = 0; n < repeats; ++n) {
      const std::int64_t wall_began = now(), processor_began = clock_of(kClock).nanoseconds();
      spend<<<1, 1, 0, kStream>>>(static_cast<std::uint64_t>(1e9 * seconds));
      HALFSTEP_CUDA_LAUNCHED("spend");
      done.record(kStream);
      done.synchronize();
      processor.push_back(seconds_between(processor_began, clock_of(kClock).nanoseconds()));
      wall.push_back(seconds_between(wall_began, now()));
    }
    waits.push_back({sleeps ? "a wait for a kernel, by an event with cudaEventBlockingSync"
                            : "a wait for a kernel, by an event as it is",
                     quartiles(wall).median, quartiles(processor).median});
  }
  return waits;
}

EventFigures measure_events() {
  constexpr int count = 200;
  std::vector<Event> events(count);
  for (Event& event : events) event.record(kStream);  // the first record of each event
  HALFSTEP_CUDA(cudaStreamSynchronize(kStream));
  const std::int64_t began = now();
  for (Event& event : events) event.record(kStream);
  const double cost = seconds_between(began, now()) / count;
  double step = events[1].seconds_since(events[0]);
  for (int n = 2; n < count; ++n) step = std::min(step, events[n].seconds_since(events[n - 1]));
  return {cost, step};
}

const RegisterDeviceFunction vector_adds(vector_add_run, run_vector_add);
const RegisterDeviceFunction readings(kernel_readings, read_kernel);
const RegisterDeviceFunction waits(waits_for_kernel, wait_for_kernel);
const RegisterDeviceFunction events(event_figures, measure_events);

}  // namespace
}  // namespace halfstep
