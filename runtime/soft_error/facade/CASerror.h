// The interface of NVIDIA's CASerror.h ("Asynchronous Error Reporting: When printf Just Won't Do", NVIDIA
// developer blog, 2023): a program written for that header compiles against this one unchanged. Needs the
// CUDA Toolkit and C++17, nothing else of halfstep. New code is better off with soft_error.hpp.
//
// What differs, and why:
//
// - clear() begins a new *period*. A kernel belongs to the period it was launched in (its copy of the object,
// made by
//   the launch, carries the number), and a report counts in its own period only. There, clear() resets two
//   words, one of them in stream order: a kernel still running could report an old error as new, or overwrite
//   a payload that the host was reading. A kernel captured into a CUDA graph keeps the period of the capture:
//   after clear(), capture again or update the node.
// - Every failing thread looks before it swaps: the first to arrive pays for an atomic, the rest for a load.
// - checkCuda() says what failed in every build, not in debug builds alone. (There as here, debug builds
// stop.) A
//   constructor that gets no memory throws std::runtime_error instead of following a null pointer.
// - getDeviceString() stops at the end of the string instead of returning the whole allocation and what lies
// behind
//   it, waits for its copy, is inline, so that two translation units link, and does not need -lcuda.
// - Owners of memory cannot be copied, which freed it twice. The last MappedErrorType waits for the kernels
// in flight,
//   whose copies share its memory without owning it.
// - A payload is all zeros until somebody reports.
#pragma once

#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <cuda/atomic>
#include <iostream>  // unused here: NVIDIA's header has it, and programs lean on that
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace CASError {

enum AtomicStatus { ATOMIC_NO_ERROR = 0, ATOMIC_ERROR_REPORTED = 1 };

/// Returns `result`; an error is printed first.
inline cudaError_t checkCuda(cudaError_t result) {
  if (result != cudaSuccess) {
    fprintf(stderr, "CASError: CUDA error %s: %s\n", cudaGetErrorName(result), cudaGetErrorString(result));
#if defined(DEBUG) || defined(_DEBUG)
    assert(result == cudaSuccess);
#endif
  }
  return result;
}

namespace detail {

/// The number of a period: 1, 3, 5, ... 64 bits do not wrap.
using Tag = unsigned long long;

inline void require(cudaError_t result) {
  if (checkCuda(result) != cudaSuccess)
    throw std::runtime_error(std::string("CASError: ") + cudaGetErrorString(result));
}

/// Zeroed, at the same address on the host and on every device.
inline void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  require(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  return memset(memory, 0, bytes);
}

/// The host's words of a status; `published` is the tag of the latest report.
template <typename StatusType>
struct HostWords {
  cuda::std::atomic<StatusType> status{StatusType{}};
  cuda::std::atomic<Tag> published{1};
};

/// The device's words of a status. `winner` decides who reports: t while the thread that won period t writes
/// its payload, t + 1 when it has.
template <typename StatusType>
struct DeviceWords {
  StatusType status;
  Tag winner;
};

/// Whether this thread is the first of its period to report.
inline __device__ bool win(Tag* word, Tag mine) {
  cuda::atomic_ref<Tag, cuda::thread_scope_device> winner(*word);
  Tag seen;
  do {
    do {
      seen = winner.load(cuda::memory_order_relaxed);  // relaxed: a look reads nothing but the word
      if (seen >= mine) return false;
    } while (seen % 2 == 1);  // an earlier kernel's thread is in the middle of its payload: it runs, so wait
  } while (!winner.compare_exchange_weak(seen, mine, cuda::memory_order_acquire, cuda::memory_order_relaxed));
  return true;  // acquire: what that thread wrote and published comes before what this one will
}

inline __device__ void leave(Tag* word, Tag mine) {
  cuda::atomic_ref<Tag, cuda::thread_scope_device>(*word).store(mine + 1, cuda::memory_order_release);
}

}  // namespace detail

/// An ErrorType in pinned memory.
template <typename ErrorType>
struct PinnedMemory {
  using data_type = ErrorType;

  PinnedMemory() : hdata(static_cast<data_type*>(detail::allocate_pinned(sizeof(data_type)))) {}
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(hdata); }

  data_type* hdata;
};

/// A status on the host's side, in pinned memory, and one on the device's, both zero at first.
template <typename StatusType>
struct DeviceStatus {
  using status_type = StatusType;

  explicit DeviceStatus(cudaStream_t stream = 0) {
    auto* host = new (detail::allocate_pinned(sizeof(HostWords))) HostWords;
    DeviceWords* device = nullptr;
    const cudaError_t allocated = cudaMalloc(&device, sizeof(DeviceWords));
    if (allocated != cudaSuccess) cudaFreeHost(host);
    detail::require(allocated);
    // Kernels of any stream may follow, so the words have to be there.
    checkCuda(cudaMemsetAsync(device, 0, sizeof(DeviceWords), stream));
    checkCuda(cudaStreamSynchronize(stream));
    host_status = &host->status;
    device_status = &device->status;
  }
  DeviceStatus(const DeviceStatus&) = delete;
  DeviceStatus& operator=(const DeviceStatus&) = delete;
  ~DeviceStatus() {
    cudaFree(device_status);  // waits for the device, so no kernel writes to what is freed next
    cudaFreeHost(host_status);
  }

  /// The host's word; none if it was published in a period that clear() has ended.
  status_type status() const {
    const auto* host = reinterpret_cast<const HostWords*>(host_status);
    if (host->published.load(cuda::memory_order_acquire) != period) return status_type{};
    return host_status->load(cuda::memory_order_acquire);
  }

  cuda::std::atomic<status_type>* host_status;
  status_type* device_status;
  std::atomic<detail::Tag> period{1};  ///< the present one; not in NVIDIA's header

 private:
  // Each status is the first member of its words, so that a pointer to it leads to the other.
  using HostWords = detail::HostWords<status_type>;
  using DeviceWords = detail::DeviceWords<status_type>;
};

/// What a kernel needs of a MappedErrorType.
template <typename ErrorType>
struct MappedErrorTypeDeviceData {
  using status_type = AtomicStatus;
  cuda::std::atomic<status_type>* host_status;
  status_type* device_status;
  ErrorType* host_data;
  detail::Tag period = 0;  ///< that of the launch; not in NVIDIA's header

  /// Shows the report to the host. Release at system scope: a host that sees it sees the payload whole.
  inline __device__ void synchronizeStatus() {
    host_status->store(ATOMIC_ERROR_REPORTED, cuda::memory_order_release);
    if (period > 0)  // 0: put together by hand, perhaps of other words
      reinterpret_cast<detail::HostWords<status_type>*>(host_status)
          ->published.store(period, cuda::memory_order_release);
  }
};

/// Reports errors of one kind: pass it to kernels by value, look at it from the host at any time. Copies
/// share the report.
template <typename ErrorType>
struct MappedErrorType {
  using status_type = typename MappedErrorTypeDeviceData<ErrorType>::status_type;

  std::shared_ptr<PinnedMemory<ErrorType>> error_data;
  std::shared_ptr<DeviceStatus<status_type>> status;
  MappedErrorTypeDeviceData<ErrorType> deviceData;

  MappedErrorType(cudaStream_t stream = 0)
      : error_data(std::make_shared<PinnedMemory<ErrorType>>()),
        status(std::make_shared<DeviceStatus<status_type>>(stream)),
        deviceData{status->host_status, status->device_status, error_data->hdata, status->period} {}
  /// A launch makes such a copy: it belongs to the present period, whatever `other` was cleared through.
  MappedErrorType(const MappedErrorType& other)
      : error_data(other.error_data), status(other.status), deviceData(other.deviceData) {
    deviceData.period = status->period;
  }
  MappedErrorType& operator=(const MappedErrorType& other) {
    error_data = other.error_data;
    status = other.status;
    deviceData = other.deviceData;
    deviceData.period = status->period;
    return *this;
  }

  /// Whether a kernel launched since the last clear() has reported; no synchronisation.
  bool checkErrorReported() const { return status->status() == ATOMIC_ERROR_REPORTED; }

  /// The payload, whole and left alone from checkErrorReported() == true to clear(). Pointers in it are the
  /// device's.
  volatile ErrorType& get() { return *static_cast<volatile ErrorType*>(deviceData.host_data); }

  /// Ends the period: from here on what kernels launched before report, or have reported, is ignored.
  /// `stream` orders the reset of `device_status`, which report_first_error() does not depend on.
  void clear(cudaStream_t stream = 0) {
    checkCuda(cudaMemsetAsync(deviceData.device_status, ATOMIC_NO_ERROR, sizeof(status_type), stream));
    deviceData.host_status->store(ATOMIC_NO_ERROR, cuda::memory_order_release);
    deviceData.period = status->period += 2;
  }

  inline __device__ void synchronizeStatus() { deviceData.synchronizeStatus(); }
};

/// The text a payload's `const char*` points to on the device, for example __FILE__; queued in `stream` and
/// waited for.
inline std::string getDeviceString(const char* device_string, cudaStream_t stream = 0) {
  // From the runtime, so that nobody has to link with the driver.
  void* entry = nullptr;
#if CUDART_VERSION >= 12050
  checkCuda(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &entry, 3020, cudaEnableDefault));
#else
  checkCuda(cudaGetDriverEntryPoint("cuMemGetAddressRange", &entry, cudaEnableDefault));
#endif
  const auto get_address_range = reinterpret_cast<decltype(&cuMemGetAddressRange)>(entry);
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  const auto address = reinterpret_cast<CUdeviceptr>(device_string);
  if (!get_address_range || get_address_range(&begin, &bytes, address) != CUDA_SUCCESS) {
    checkCuda(cudaErrorInvalidDevicePointer);
    return "";
  }

  const std::size_t room = begin + bytes - address;
  std::string text;
  while (text.size() < room) {
    char chunk[128];
    const std::size_t size = std::min(sizeof(chunk), room - text.size());
    if (checkCuda(cudaMemcpyAsync(chunk, device_string + text.size(), size, cudaMemcpyDefault, stream)) ||
        checkCuda(cudaStreamSynchronize(stream)))
      break;
    const std::size_t length = strnlen(chunk, size);
    text.append(chunk, length);
    if (length < size) break;
  }
  return text;
}

/// The first thread of a period to arrive has `fill(ErrorType&)` write the payload, in place, and shows it to
/// the host.
template <typename ErrorType, typename FunctionType>
inline __device__ void report_first_error(MappedErrorType<ErrorType>& error, FunctionType fill) {
  const MappedErrorTypeDeviceData<ErrorType>& data = error.deviceData;
  auto* words = reinterpret_cast<detail::DeviceWords<AtomicStatus>*>(data.device_status);
  if (!detail::win(&words->winner, data.period)) return;
  words->status = ATOMIC_ERROR_REPORTED;
  fill(*data.host_data);
  error.synchronizeStatus();
  detail::leave(&words->winner, data.period);
}

}  // namespace CASError
