// Tests CASerror.h with host threads in place of those of a kernel: which period a report counts in, and
// whether payloads stay whole. tests/gpu/test_caserror.cu does the same on a device.
#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/soft_error/facade/CASerror.h"

namespace {

struct Payload {
  long long value[4];
};
using Error = CASError::MappedErrorType<Payload>;

/// A copy made without a constructor, as in constant memory or a graph's node.
class Bytes {
 public:
  explicit Bytes(const Error& error) { std::memcpy(bytes_, &error, sizeof(Error)); }
  Error& error() { return *reinterpret_cast<Error*>(bytes_); }

 private:
  alignas(Error) unsigned char bytes_[sizeof(Error)];
};

void report(Error& error, long long value) {
  report_first_error(error, [&](Payload& payload) {
    for (auto& word : payload.value) word = value;
  });
}

/// Returns the reported value, nullopt if no report is visible, or -1 for a payload mixed by two writers.
std::optional<long long> seen(Error& error) {
  if (!error.checkErrorReported()) return {};
  volatile Payload& payload = error.get();
  const long long value = payload.value[0];
  for (auto& word : payload.value)
    if (word != value) return -1;
  return value;
}

TEST_CASE("CASerror: bytes of an object see clear() when its stream has come to it") {
  emulation::Stream stream;
  Error error;
  Bytes bytes(error);
  for (const long long value : {1, 2, 3, 4}) {
    CHECK_FALSE(seen(error));
    report(bytes.error(), value);
    CHECK(seen(error) == value);
    error.clear(&stream);
    CHECK_FALSE(seen(error));
    report(bytes.error(), 99);
    CHECK_FALSE(seen(error));
    stream.run();
  }
}

TEST_CASE("CASerror: a late report of the period before is ignored") {
  emulation::Stream stream;
  Error error;
  Bytes bytes(error);
  error.clear(&stream);
  report(bytes.error(), 1);
  CHECK_FALSE(seen(error));
  stream.run();
  CHECK_FALSE(seen(error));
  report(bytes.error(), 2);
  CHECK(seen(error) == 2);
}

TEST_CASE("CASerror: a copy made after clear() reports before the stream has come to it") {
  emulation::Stream stream;
  Error error;
  Bytes bytes(error);
  error.clear(&stream);
  Error copy = error;
  report(copy, 1);
  CHECK(seen(error) == 1);
  report(bytes.error(), 2);
  stream.run();
  report(bytes.error(), 3);
  CHECK(seen(error) == 1);
}

TEST_CASE("CASerror: clears of two streams run in any order") {
  emulation::Stream first, second;
  Error error;
  Bytes bytes(error);
  error.clear(&first);
  error.clear(&second);
  second.run();
  first.run();
  report(bytes.error(), 1);
  CHECK(seen(error) == 1);
}

TEST_CASE("CASerror: the status by hand is set back by clear(), in stream order") {
  emulation::Stream stream;
  Error error;
  const auto data = error.deviceData;
  for (const long long value : {1, 2, 3}) {
    auto swapped = atomicCAS(data.device_status, CASError::ATOMIC_NO_ERROR, CASError::ATOMIC_ERROR_REPORTED);
    REQUIRE(swapped == CASError::ATOMIC_NO_ERROR);
    *data.host_data = {{value, value, value, value}};
    auto kept = data;
    kept.synchronizeStatus();
    CHECK(seen(error) == value);
    error.clear(&stream);
    CHECK_FALSE(seen(error));
    CHECK(*data.device_status == CASError::ATOMIC_ERROR_REPORTED);
    stream.run();
  }
}

TEST_CASE("CASerror: a writer that is held up keeps the next period's waiting") {
  Error error;
  Bytes bytes(error);
  std::atomic<bool> writing = false, go_on = false;
  std::thread slow([&] {
    report_first_error(bytes.error(), [&](Payload& payload) {
      payload = {{1, 1, 0, 0}};
      writing = true;
      while (!go_on) std::this_thread::yield();
      payload = {{1, 1, 1, 1}};
    });
  });
  while (!writing) std::this_thread::yield();
  error.clear();
  std::thread next([&] { report(bytes.error(), 2); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(seen(error));
  go_on = true;
  slow.join();
  next.join();
  CHECK(seen(error) == 2);
}

TEST_CASE("CASerror: reports on and on beside thousands of clears are seen, and whole") {
  Error error;
  std::atomic<bool> enough = false;
  std::vector<std::thread> reporters;
  for (const long long own : {1, 2, 3})
    reporters.emplace_back([&, own, bytes = Bytes(error)]() mutable {
      for (; !enough; std::this_thread::yield()) report(bytes.error(), own);
    });
  int torn = 0, lost = 0;
  for (int cycle = 0; cycle < 2000 && lost == 0; ++cycle) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::optional<long long> value;
    while (!(value = seen(error)) && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    lost += !value;
    torn += value == -1;
    error.clear();
  }
  enough = true;
  for (auto& reporter : reporters) reporter.join();
  CHECK(torn == 0);
  CHECK(lost == 0);
}

}  // namespace
