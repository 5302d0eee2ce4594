// The interface of NVIDIA's CASerror.h ("Asynchronous Error Reporting: When printf Just Won't Do", NVIDIA
// developer blog, 2023): a CUDA program written for that header compiles against this one unchanged.
// Needs the CUDA Toolkit, C++17 and sm_70, nothing else of halfstep. New code is better off with
// soft_error.hpp.
//
// What differs, and why:
//
// - clear(stream) begins a new *period*. Its number lies in device memory, where clear() writes it in
//   stream order. Kernels find it there however the object reached them: by value, as bytes in
//   __constant__ memory, through cudaLaunchKernel, frozen in a graph, as a kept `deviceData`. In NVIDIA's
//   header clear() resets two words, one of them in stream order: an old report can appear as new, and a
//   payload can be overwritten while the host reads it.
// - A report counts in the period in which it is made. A kernel before clear(stream) in stream order
//   reports in an old period, and is ignored. A kernel after it reports in the new one. A kernel that
//   nothing orders against clear() does one or the other, unless it was launched by value after clear():
//   then it reports in the new period on every stream. A captured clear() begins one period, when its
//   graph first runs.
// - A period has one payload. Its writer keeps writers of later periods waiting until the host can see
//   the report. A program that swaps `device_status` and calls synchronizeStatus() by hand is as safe as
//   with NVIDIA's header.
// - Every failing thread looks before it swaps: the first to arrive pays for an atomic, the rest for two
//   loads.
// - checkCuda() says what failed in every build, not in debug builds alone. (There as here, debug builds
//   stop.) A constructor that gets no memory throws std::runtime_error instead of following a null
//   pointer.
// - getDeviceString() stops at the end of the string instead of returning the whole allocation and what
//   lies behind it, waits for its copy, is inline, so that two translation units link, and does not need
//   -lcuda.
// - Owners of memory cannot be copied, which freed it twice. The last MappedErrorType waits for the
//   kernels in flight, whose copies share its memory without owning it.
// - A payload is all zeros until somebody reports.
// - `host_status` and `device_status` have more words behind them, so they come from a DeviceStatus.
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

#if !defined(__CUDACC__)
#error "CASerror.h has kernels in it: include it in files that nvcc compiles"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "CASerror.h needs sm_70: threads of an older warp cannot wait for each other"
#endif

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

}  // namespace CASError

// Not in CASError, whose names programs import.
namespace halfstep::caserror {

/// The number of a period: 2, 4, 6, ... 64 bits do not wrap.
using Period = unsigned long long;
constexpr Period first_period = 2;

inline void require(cudaError_t result) {
  if (CASError::checkCuda(result) != cudaSuccess)
    throw std::runtime_error(std::string("CASError: ") + cudaGetErrorString(result));
}

/// Zeroed, at the same address on the host and on every device.
inline void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  require(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  return memset(memory, 0, bytes);
}

inline void* allocate_on_device(std::size_t bytes) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes));
  return memory;
}

struct FreePinned {
  void operator()(void* memory) const { cudaFreeHost(memory); }
};
struct FreeOnDevice {
  void operator()(void* memory) const { cudaFree(memory); }
};

// The status is the first member of both blocks, so that a pointer to it leads to the others.

/// The host's words of a status: which periods have been reported.
template <typename StatusType>
struct HostWords {
  cuda::std::atomic<StatusType> status{StatusType{}};
  Period reported = first_period;          ///< the latest; the first counts as long as `status` is zero
  Period reported_by_hand = first_period;  ///< the latest by synchronizeStatus()
};

/// The device's words of a status.
template <typename StatusType>
struct DeviceWords {
  StatusType status;
  Period period;  ///< the present one
  Period winner;  ///< the latest one with a winner; plus 1 while that thread writes its payload
  volatile HostWords<StatusType>* host;
};

/// Moves on to `period`, and never back: clears of different streams may come in any order.
template <typename StatusType>
__global__ void begin_period(DeviceWords<StatusType>* words, Period period) {
  if (atomicMax(&words->period, period) < period) words->status = StatusType{};
}

/// The present period at the time of the copy that a launch makes, or any other copy constructor on the host.
class CopiedPeriod {
 public:
  explicit CopiedPeriod(const std::atomic<Period>& present) : present_(&present), period_(present) {}
  __host__ __device__ CopiedPeriod(const CopiedPeriod& other) { *this = other; }
  __host__ __device__ CopiedPeriod& operator=(const CopiedPeriod& other) {
    present_ = other.present_;
#if defined(__CUDA_ARCH__)
    period_ = other.period_;
#else
    period_ = *present_;
#endif
    return *this;
  }
  __device__ Period get() const { return period_; }

 private:
  const std::atomic<Period>* present_;
  Period period_;
};

// Volatile words and fences: with cuda::atomic the kernels of NVIDIA's demonstration take six to eight registers
// more, and a test holds them to what they take with NVIDIA's header.

/// Whether this thread is the first of `period` to report.
template <typename StatusType>
__device__ bool win(volatile DeviceWords<StatusType>* words, Period period) {
  Period seen;
  do {
    seen = words->winner & ~Period{1};
    if (seen >= period) return false;
    // The swap fails while the thread that won `seen` is in the middle of its payload: it runs, so wait.
  } while (atomicCAS(const_cast<Period*>(&words->winner), seen, period + 1) != seen);
  __threadfence();  // what that thread wrote and published comes before what this one will
  return true;
}

/// Shows the winner's payload to the host, and lets winners of later periods write theirs. Period and address
/// are read here, and not kept in registers over the lambda.
template <typename StatusType>
__device__ void publish(volatile DeviceWords<StatusType>* words, StatusType status) {
  __threadfence_system();  // a host that sees the report sees the payload whole
  words->status = status;
  volatile HostWords<StatusType>* const host = words->host;
  *reinterpret_cast<volatile StatusType*>(host) = status;
  const Period period = words->winner - 1;
  host->reported = period;
  __threadfence_system();  // the next winner's payload and report come after these
  words->winner = period;
}

}  // namespace halfstep::caserror

namespace CASError {

/// An ErrorType in pinned memory.
template <typename ErrorType>
struct PinnedMemory {
  using data_type = ErrorType;

  PinnedMemory() : hdata(static_cast<data_type*>(halfstep::caserror::allocate_pinned(sizeof(data_type)))) {}
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(hdata); }

  data_type* hdata;
};

/// A status on the host's side, in pinned memory, and one on the device's, both zero at first. What follows
/// `device_status` is not in NVIDIA's header.
template <typename StatusType>
struct DeviceStatus {
  using status_type = StatusType;

  DeviceStatus(cudaStream_t stream = 0) {
    halfstep::caserror::require(cudaGetDevice(&device_));
    host_status = &host_->status;
    device_status = &device_words_->status;
    const DeviceWords fresh{status_type{}, period, 0, host_.get()};
    const auto copied =
        cudaMemcpyAsync(device_words_.get(), &fresh, sizeof(fresh), cudaMemcpyHostToDevice, stream);
    halfstep::caserror::require(copied);
    halfstep::caserror::require(cudaStreamSynchronize(stream));  // kernels of any stream may follow
    // Loaded at its first launch, begin_period() could have to wait for kernels that run.
    cudaFuncAttributes ignored;
    halfstep::caserror::require(
        cudaFuncGetAttributes(&ignored, halfstep::caserror::begin_period<status_type>));
  }
  DeviceStatus(const DeviceStatus&) = delete;
  DeviceStatus& operator=(const DeviceStatus&) = delete;

  /// The host's word; none if it was published in a period that clear() has ended.
  status_type status() const {
    if (last(host_->reported) != period && last(host_->reported_by_hand) != period) return status_type{};
    return host_status->load(cuda::memory_order_acquire);
  }

  cuda::std::atomic<status_type>* host_status;
  status_type* device_status;
  std::atomic<halfstep::caserror::Period> period{halfstep::caserror::first_period};

  /// Begins a period: at once for status() and for copies made from here on, in stream order for all kernels.
  void begin_period(cudaStream_t stream) {
    host_status->store(status_type{}, cuda::memory_order_release);
    period += 2;
    checkCuda(launch_begin_period(stream));
  }

 private:
  using HostWords = halfstep::caserror::HostWords<status_type>;
  using DeviceWords = halfstep::caserror::DeviceWords<status_type>;

  static halfstep::caserror::Period last(halfstep::caserror::Period& reported) {
    using Word = cuda::atomic_ref<halfstep::caserror::Period, cuda::thread_scope_system>;
    return Word(reported).load(cuda::memory_order_acquire);
  }
  /// On the device of the words, whichever is current.
  cudaError_t launch_begin_period(cudaStream_t stream) {
    int current = 0;
    if (const cudaError_t error = cudaGetDevice(&current)) return error;
    if (const cudaError_t error = current == device_ ? cudaSuccess : cudaSetDevice(device_)) return error;
    DeviceWords* words = device_words_.get();
    halfstep::caserror::Period begun = period;
    void* arguments[] = {&words, &begun};
    const cudaError_t launched =
        cudaLaunchKernel(halfstep::caserror::begin_period<status_type>, 1, 1, arguments, 0, stream);
    const cudaError_t restored = current == device_ ? cudaSuccess : cudaSetDevice(current);
    return launched ? launched : restored;
  }

  int device_ = 0;
  std::unique_ptr<HostWords, halfstep::caserror::FreePinned> host_{
      new (halfstep::caserror::allocate_pinned(sizeof(HostWords))) HostWords};
  /// Freed first, which waits for the device: no kernel writes to the host's words after that.
  std::unique_ptr<DeviceWords, halfstep::caserror::FreeOnDevice> device_words_{
      static_cast<DeviceWords*>(halfstep::caserror::allocate_on_device(sizeof(DeviceWords)))};
};

/// What a kernel needs of a MappedErrorType.
template <typename ErrorType>
struct MappedErrorTypeDeviceData {
  using status_type = AtomicStatus;
  cuda::std::atomic<status_type>* host_status;
  status_type* device_status;
  ErrorType* host_data;

  /// Shows what was written by hand to the host.
  inline __device__ void synchronizeStatus() {
    __threadfence_system();
    host_status->store(ATOMIC_ERROR_REPORTED, cuda::memory_order_relaxed);
    auto* words = device_words();
    words->host->reported_by_hand = words->period;
  }

  /// Not in NVIDIA's header.
  __device__ volatile halfstep::caserror::DeviceWords<status_type>* device_words() const {
    return reinterpret_cast<volatile halfstep::caserror::DeviceWords<status_type>*>(device_status);
  }
};

/// Reports errors of one kind: pass it to kernels, look at it from the host at any time. Copies share the
/// report.
template <typename ErrorType>
struct MappedErrorType {
  using status_type = typename MappedErrorTypeDeviceData<ErrorType>::status_type;

  std::shared_ptr<PinnedMemory<ErrorType>> error_data;
  std::shared_ptr<DeviceStatus<status_type>> status;
  MappedErrorTypeDeviceData<ErrorType> deviceData;
  halfstep::caserror::CopiedPeriod period;  ///< not in NVIDIA's header

  MappedErrorType(cudaStream_t stream = 0)
      : error_data(std::make_shared<PinnedMemory<ErrorType>>()),
        status(std::make_shared<DeviceStatus<status_type>>(stream)),
        deviceData{status->host_status, status->device_status, error_data->hdata},
        period(status->period) {}

  /// Whether an error has been reported since the last clear(); no synchronisation.
  bool checkErrorReported() const { return status->status() == ATOMIC_ERROR_REPORTED; }

  /// The payload, whole and left alone from checkErrorReported() == true to clear(). Pointers in it are the
  /// device's.
  volatile ErrorType& get() { return *static_cast<volatile ErrorType*>(deviceData.host_data); }

  /// Begins a new period: nothing has been reported, and what kernels before this in `stream` report is
  /// ignored.
  void clear(cudaStream_t stream = 0) { status->begin_period(stream); }

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
  auto* words = data.device_words();
  const halfstep::caserror::Period present = words->period, copied = error.period.get();
  if (!halfstep::caserror::win(words, present > copied ? present : copied)) return;
  fill(*data.host_data);
  halfstep::caserror::publish(words, ATOMIC_ERROR_REPORTED);
}

}  // namespace CASError
