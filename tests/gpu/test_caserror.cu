// Tests CASerror.h as a program written for NVIDIA's header uses it, and where it is meant to be better:
// reports concurrent with a clear(), however a kernel got the object.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "physics/base/choice.hpp"
#include "runtime/device/memory.hpp"
#include "tests/gpu/caserror_payload.hpp"

namespace {

using namespace CASError;
using Error = MappedErrorType<CaserrorPayload>;

static_assert(ATOMIC_NO_ERROR == 0 && ATOMIC_ERROR_REPORTED == 1);
static_assert(std::is_same_v<Error::status_type, AtomicStatus>);
static_assert(std::is_same_v<decltype(std::declval<Error>().error_data),
                             std::shared_ptr<PinnedMemory<CaserrorPayload>>>);
static_assert(
    std::is_same_v<decltype(std::declval<Error>().status), std::shared_ptr<DeviceStatus<AtomicStatus>>>);
static_assert(
    std::is_same_v<decltype(std::declval<Error>().deviceData), MappedErrorTypeDeviceData<CaserrorPayload>>);
static_assert(std::is_same_v<decltype(std::declval<Error>().get()), volatile CaserrorPayload&>);
static_assert(!std::is_copy_constructible_v<PinnedMemory<int>> &&
              !std::is_copy_constructible_v<DeviceStatus<int>>);
static_assert(sizeof(MappedErrorTypeDeviceData<int>) == 3 * sizeof(void*), "three names can be bound to it");

/// A meeting point of device and host: a kernel signals its arrival and waits until it is released.
struct Gate {
  int arrived, open;
};

__device__ void pass(volatile Gate* gate) {
  gate->arrived = 1;
  while (gate->open == 0) {
  }
}

class HostGate {
 public:
  ~HostGate() { open(); }
  void wait_for_arrival() const {
    while (gate()->arrived == 0) {
    }
  }
  void open() const { gate()->open = 1; }
  Gate* device() const { return gate_.device(); }

 private:
  volatile Gate* gate() const { return gate_.host(); }
  halfstep::PinnedValue<Gate> gate_;
};

__device__ void fill(CaserrorPayload& payload, long long value) {
  for (int n = 0; n < 10; ++n) payload.value[n] = value + n;
}

/// Reports from the threads from `first` on, thread i with the value base + 100 i.
__global__ void report_from(Error error, int first, long long base) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first) report_first_error(error, [&](auto& payload) { fill(payload, base + 100LL * i); });
}

__global__ void report_late(Error error, Gate* gate, long long value) {
  pass(gate);
  report_first_error(error, [&](auto& payload) { fill(payload, value); });
}

__global__ void report_slowly(Error error, Gate* gate, long long value) {
  report_first_error(error, [&](auto& payload) {
    payload.value[0] = value;
    pass(gate);
    fill(payload, value);
  });
}

__global__ void stop_at(Gate* gate) { pass(gate); }

// The ways in which a kernel gets an object; each kernel reports `*value`.
__global__ void report_by_value(Error error, const long long* value) {
  report_first_error(error, [&](auto& payload) { fill(payload, *value); });
}

__constant__ __align__(16) unsigned char constant_memory[sizeof(Error)];

__global__ void report_from_constant_memory(const long long* value) {
  report_first_error(*reinterpret_cast<Error*>(constant_memory),
                     [&](auto& payload) { fill(payload, *value); });
}

__global__ void report_through_device_data(MappedErrorTypeDeviceData<CaserrorPayload> data,
                                           const long long* value) {
  auto [host_status, device_status, payload] = data;
  if (atomicCAS(reinterpret_cast<int*>(device_status), 0, 1) != 0) return;
  fill(*payload, *value);
  __threadfence_system();
  data.synchronizeStatus();
}

__global__ void report_by_hand(Error error, MappedErrorTypeDeviceData<CaserrorPayload> data) {
  if (atomicCAS(reinterpret_cast<int*>(data.device_status), 0, 1) != 0) return;
  fill(*data.host_data, 7);
  __threadfence_system();
  error.synchronizeStatus();
}

__global__ void publish(MappedErrorTypeDeviceData<int> data) {
  *data.host_data = 5;
  data.synchronizeStatus();
}

/// Loads the kernels in advance: lazy loading would wait for a kernel that waits for the host.
void load_kernels() {
  cudaFuncAttributes ignored;
  for (const void* kernel :
       {reinterpret_cast<const void*>(report_from), reinterpret_cast<const void*>(report_late),
        reinterpret_cast<const void*>(report_slowly), reinterpret_cast<const void*>(stop_at),
        reinterpret_cast<const void*>(report_by_value)})
    HALFSTEP_CUDA(cudaFuncGetAttributes(&ignored, kernel));
}

/// Returns the value of a complete payload, or nullopt if two writers have mixed theirs.
std::optional<long long> value_of(Error& error) {
  volatile CaserrorPayload& payload = error.get();
  const long long value = payload.value[0];
  for (int n = 0; n < 10; ++n)
    if (payload.value[n] != value + n) return std::nullopt;
  return value;
}

TEST_CASE("checkCuda returns what it was given and says what failed") {
  CHECK(checkCuda(cudaSuccess) == cudaSuccess);
  std::FILE* seen = std::tmpfile();
  std::fflush(stderr);
  const int terminal = dup(2);
  dup2(fileno(seen), 2);
  const cudaError_t returned = checkCuda(cudaErrorInvalidValue);
  std::fflush(stderr);
  dup2(terminal, 2);
  close(terminal);
  std::rewind(seen);
  char line[200] = "";
  CHECK(std::fgets(line, sizeof(line), seen) != nullptr);
  std::fclose(seen);
  CHECK(returned == cudaErrorInvalidValue);
  CHECK(std::strstr(line, "cudaErrorInvalidValue") != nullptr);
}

TEST_CASE("PinnedMemory, DeviceStatus and the device's data serve without a MappedErrorType") {
  PinnedMemory<int> memory;
  CHECK(*memory.hdata == 0);
  DeviceStatus<int> counter = {};
  CHECK(counter.status() == 0);
  counter.host_status->store(7);
  CHECK(counter.status() == 7);
  int on_device = -1;
  HALFSTEP_CUDA(cudaMemcpy(&on_device, counter.device_status, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(on_device == 0);

  DeviceStatus<AtomicStatus> status;
  MappedErrorTypeDeviceData<int> data{
      .host_status = status.host_status, .device_status = status.device_status, .host_data = memory.hdata};
  publish<<<1, 1>>>(data);
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  CHECK(status.status() == ATOMIC_ERROR_REPORTED);
  CHECK(*memory.hdata == 5);
}

TEST_CASE("one of ten thousand reports wins, and its payload is whole") {
  const halfstep::Stream stream;
  for (int repeat = 0; repeat < 50; ++repeat) {
    Error error(stream);
    CHECK_FALSE(error.checkErrorReported());
    report_from<<<200, 64, 0, stream>>>(error, 2800, 0);
    stream.synchronize();
    REQUIRE(error.checkErrorReported());
    CHECK(error.status->status() == ATOMIC_ERROR_REPORTED);
    CHECK(error.status->host_status->load() == ATOMIC_ERROR_REPORTED);
    CHECK(error.deviceData.host_data == error.error_data->hdata);
    const auto value = value_of(error);
    REQUIRE(value);
    CHECK(*value % 100 == 0);
    CHECK(*value >= 280000);
    CHECK(*value < 1280000);
  }
}

TEST_CASE("no report, no error; after clear() the next one counts, whichever copy was cleared") {
  const halfstep::Stream stream;
  Error error(stream);
  report_from<<<10, 32, 0, stream>>>(error, 320, 0);
  stream.synchronize();
  CHECK_FALSE(error.checkErrorReported());
  for (const long long base : {1, 2, 3}) {
    report_from<<<1, 32, 0, stream>>>(error, 31, base);
    stream.synchronize();
    REQUIRE(error.checkErrorReported());
    CHECK(value_of(error) == 3100 + base);
    Error copy = error;
    if (base == 2)
      copy.clear();
    else
      error.clear(stream);
    CHECK_FALSE(error.checkErrorReported());
    CHECK_FALSE(copy.checkErrorReported());
  }
  Error other;
  other = error;
  report_from<<<1, 32, 0, stream>>>(other, 31, 4);
  stream.synchronize();
  CHECK(error.checkErrorReported());
  CHECK(value_of(error) == 3104);
}

TEST_CASE("two objects with two payloads do not see each other") {
  MappedErrorType<int> number;
  Error error;
  report_from<<<1, 1>>>(error, 0, 9);
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  CHECK(error.checkErrorReported());
  CHECK_FALSE(number.checkErrorReported());
}

TEST_CASE("a program that swaps and publishes by hand is understood, also after clear()") {
  Error error;
  for (int repeat = 0; repeat < 3; ++repeat) {
    report_by_hand<<<4, 32>>>(error, error.deviceData);
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    REQUIRE(error.checkErrorReported());
    CHECK(value_of(error) == 7);
    error.clear();
    CHECK_FALSE(error.checkErrorReported());
  }
}

/// Reports and clears four times; `launch` must queue a kernel to the stream that reports `*value`.
class Ways {
 public:
  template <class Launch>
  void see_every_report(const Launch& launch) {
    for (const long long expected : {10, 20, 30, 40}) {
      *value_.host() = expected;
      launch();
      stream.synchronize();
      REQUIRE(error.checkErrorReported());
      CHECK(value_of(error) == expected);
      error.clear(stream);
      CHECK_FALSE(error.checkErrorReported());
    }
  }
  const long long* value() const { return value_.device(); }

  const halfstep::Stream stream;
  Error error{stream};

 private:
  halfstep::PinnedValue<long long> value_;
};

TEST_CASE("after every clear() errors are seen, whichever way the object came to the kernel") {
  Ways ways;
  SUBCASE("by value") {
    ways.see_every_report([&] { report_by_value<<<1, 32, 0, ways.stream>>>(ways.error, ways.value()); });
  }
  SUBCASE("as bytes in constant memory") {
    HALFSTEP_CUDA(cudaMemcpyToSymbol(constant_memory, &ways.error, sizeof(Error)));
    ways.see_every_report([&] { report_from_constant_memory<<<1, 32, 0, ways.stream>>>(ways.value()); });
  }
  SUBCASE("through cudaLaunchKernel, in a copy that nobody cleared") {
    Error kept = ways.error;
    const long long* value = ways.value();
    void* arguments[] = {&kept, &value};
    ways.see_every_report([&] {
      HALFSTEP_CUDA(cudaLaunchKernel(report_by_value, dim3(1), dim3(32), arguments, 0, ways.stream));
    });
  }
  SUBCASE("as a kept deviceData") {
    const auto kept = ways.error.deviceData;
    ways.see_every_report([&] { report_through_device_data<<<1, 32, 0, ways.stream>>>(kept, ways.value()); });
  }
}

/// Owns a graph and its executable.
class Graph {
 public:
  explicit Graph(cudaGraph_t graph) : graph_(graph) {
    HALFSTEP_CUDA(cudaGraphInstantiate(&executable_, graph_, 0));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  void launch(cudaStream_t stream) const { HALFSTEP_CUDA(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraph_t graph_;
  cudaGraphExec_t executable_ = nullptr;
};

template <class Launch>
Graph captured(cudaStream_t stream, const Launch& launch) {
  cudaGraph_t graph = nullptr;
  HALFSTEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch();
  HALFSTEP_CUDA(cudaStreamEndCapture(stream, &graph));
  return Graph(graph);
}

TEST_CASE("graphs that are replayed across clear() report every time") {
  Ways ways;
  SUBCASE("a kernel's node") {
    cudaGraph_t graph = nullptr;
    HALFSTEP_CUDA(cudaGraphCreate(&graph, 0));
    const long long* value = ways.value();
    void* arguments[] = {&ways.error, &value};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(report_by_value);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(32);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node;
    HALFSTEP_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    const Graph replayed(graph);
    ways.see_every_report([&] { replayed.launch(ways.stream); });
  }
  SUBCASE("a captured launch") {
    const Graph replayed =
        captured(ways.stream, [&] { report_by_value<<<1, 32, 0, ways.stream>>>(ways.error, ways.value()); });
    ways.see_every_report([&] { replayed.launch(ways.stream); });
  }
  SUBCASE("with a captured clear()") {
    const Graph replayed = captured(ways.stream, [&] {
      ways.error.clear(ways.stream);
      report_by_value<<<1, 32, 0, ways.stream>>>(ways.error, ways.value());
    });
    ways.see_every_report([&] { replayed.launch(ways.stream); });
  }
}

TEST_CASE("what comes before clear() in its stream is not heard, and hides nobody") {
  load_kernels();
  const halfstep::Stream stream, other;
  const HostGate gate;
  Error error(stream);
  report_late<<<1, 1, 0, stream>>>(error, gate.device(), 1);
  gate.wait_for_arrival();
  error.clear(stream);
  SUBCASE("it comes first") {
    gate.open();
    stream.synchronize();
    CHECK_FALSE(error.checkErrorReported());
    report_from<<<1, 1, 0, other>>>(error, 0, 2);
    other.synchronize();
  }
  SUBCASE("it comes second: a launch on another stream does not wait for the clear") {
    report_from<<<1, 1, 0, other>>>(error, 0, 2);
    other.synchronize();
    CHECK(error.checkErrorReported());
    gate.open();
    stream.synchronize();
  }
  CHECK(error.checkErrorReported());
  CHECK(value_of(error) == 2);
}

TEST_CASE("a kernel of another stream that fails after clear() is heard") {
  load_kernels();
  const halfstep::Stream late, other;
  const HostGate gate;
  Error error(other);
  report_late<<<1, 1, 0, late>>>(error, gate.device(), 1);
  gate.wait_for_arrival();
  error.clear(other);
  other.synchronize();
  CHECK_FALSE(error.checkErrorReported());
  gate.open();
  late.synchronize();
  CHECK(error.checkErrorReported());
  CHECK(value_of(error) == 1);
}

TEST_CASE("a clear() that runs after a later one of another stream undoes nothing") {
  load_kernels();
  const halfstep::Stream held, stream;
  const HostGate gate;
  Error error(stream);
  HALFSTEP_CUDA(cudaMemcpyToSymbol(constant_memory, &error, sizeof(Error)));
  const halfstep::PinnedValue<long long> value;
  *value.host() = 5;
  stop_at<<<1, 1, 0, held>>>(gate.device());
  gate.wait_for_arrival();
  error.clear(held);
  error.clear(stream);
  stream.synchronize();
  gate.open();
  held.synchronize();
  report_from_constant_memory<<<1, 32, 0, stream>>>(value.device());
  stream.synchronize();
  CHECK(error.checkErrorReported());
  CHECK(value_of(error) == 5);
}

TEST_CASE("a report begun before clear() neither reappears nor mixes with the next one") {
  load_kernels();
  const halfstep::Stream slow, other;
  const HostGate gate;
  Error error(other);
  report_slowly<<<1, 1, 0, slow>>>(error, gate.device(), 1);
  gate.wait_for_arrival();
  CHECK_FALSE(error.checkErrorReported());
  error.clear(other);
  report_from<<<1, 1, 0, other>>>(error, 0, 1000);
  CHECK_FALSE(error.checkErrorReported());
  gate.open();
  slow.synchronize();
  other.synchronize();
  CHECK(error.checkErrorReported());
  CHECK(value_of(error) == 1000);
}

TEST_CASE("thousands of clears with kernels in flight: no stale report, no torn one, none lost") {
  const int streams = 4, cycles = 3000;
  std::vector<halfstep::Stream> stream(streams);
  halfstep::Event reached[streams];
  Error error;
  int stale = 0, torn = 0, lost = 0, cleared = 0;
  for (int cycle = 1; cycle <= cycles; ++cycle) {
    // Values of cycle n lie in [n, n + 1) million.
    for (int s = 0; s < streams; ++s) report_from<<<4, 64, 0, stream[s]>>>(error, 17 * s, cycle * 1000000LL);
    if (cycle % 3 == 0)
      for (const auto& s : stream) s.synchronize();
    if (error.checkErrorReported()) {
      const auto value = value_of(error);
      if (!value)
        ++torn;
      else if (*value / 1000000 <= cleared)
        ++stale;
    } else if (cycle % 3 == 0) {
      ++lost;
    }
    if (cycle % 2 == 0) {  // after the kernels of all streams, so that their reports would be stale
      const auto& clearing = stream[cycle % streams];
      for (int s = 0; s < streams; ++s) {
        reached[s].record(stream[s]);
        reached[s].hold_back(clearing);
      }
      error.clear(clearing);
      cleared = cycle;
    }
  }
  for (const auto& s : stream) s.synchronize();
  CHECK(stale == 0);
  CHECK(torn == 0);
  CHECK(lost == 0);
}

TEST_CASE("the last object may go while kernels are in flight") {
  const halfstep::Stream stream;
  for (int repeat = 0; repeat < 20; ++repeat) {
    Error error(stream);
    for (int n = 0; n < 10; ++n) report_from<<<100, 64, 0, stream>>>(error, 6000, 0);
  }
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
}

TEST_CASE("strings of the device end where they end, in both translation units") {
  Error error;
  report_elsewhere(error, 42);
  REQUIRE(error.checkErrorReported());
  CHECK(value_of(error) == 42);
  const char* file = const_cast<const char*>(error.get().file);
  const std::string text = getDeviceString(file);
  CHECK(text.ends_with("caserror_second_unit.cu"));
  CHECK(std::strlen(text.c_str()) == text.size());
  CHECK(string_elsewhere(file) == text);

  // 512 letters without a terminator, then with one at index 300.
  const std::size_t size = 512;
  halfstep::DeviceBuffer<char> buffer(size);
  HALFSTEP_CUDA(cudaMemset(buffer.get(), 'x', size));
  CHECK(getDeviceString(buffer.get()) == std::string(size, 'x'));
  HALFSTEP_CUDA(cudaMemset(buffer.get() + 300, 0, 1));
  CHECK(getDeviceString(buffer.get()) == std::string(300, 'x'));
  CHECK(getDeviceString(buffer.get() + 299) == "x");
  CHECK(getDeviceString(buffer.get() + 300).empty());
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  const cudaError_t found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    std::printf("skipped: the tests of CASerror.h did not run: %s\n",
                found == cudaSuccess ? "there is no CUDA device" : cudaGetErrorString(found));
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
