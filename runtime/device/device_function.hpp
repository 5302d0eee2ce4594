// Functions that only a build with CUDA has.
#pragma once

#include <stdexcept>
#include <utility>

namespace halfstep {

inline constexpr const char* kBuiltWithoutCuda = "this halfstep was built without CUDA";

template <class Signature>
class DeviceFunction;
template <class Signature>
class RegisterDeviceFunction;

/// A function that a .cu file implements and registers. In a build without CUDA nothing is registered, and a
/// call throws std::runtime_error or calls `without_cuda`. Constant-initialised, hence there before the first
/// registration from any file.
template <class Result, class... Arguments>
class DeviceFunction<Result(Arguments...)> {
 public:
  using Pointer = Result (*)(Arguments...);

  constexpr explicit DeviceFunction(Pointer without_cuda = refuse) : function_(without_cuda) {}
  Result operator()(Arguments... arguments) const { return function_(std::forward<Arguments>(arguments)...); }

  /// A value of `without_cuda`: returns an empty result.
  static Result nothing(Arguments...) { return Result(); }

 private:
  friend class RegisterDeviceFunction<Result(Arguments...)>;
  [[noreturn]] static Result refuse(Arguments...) { throw std::runtime_error(kBuiltWithoutCuda); }

  Pointer function_;
};

/// Registers a function while the program starts, as RegisterCase does a case.
template <class Signature>
class RegisterDeviceFunction {
 public:
  RegisterDeviceFunction(DeviceFunction<Signature>& slot, Signature* function) { slot.function_ = function; }
};

}  // namespace halfstep
