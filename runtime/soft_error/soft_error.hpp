// The library in one include. `Channel<Payload>` is `DeviceChannel` in CUDA files and in builds with the CUDA
// toolkit (where the target halfstep::soft_error defines HALFSTEP_SOFT_ERROR_CUDA), otherwise `HostChannel`.
#pragma once

#include "channel.hpp"
#include "place.hpp"

#if defined(__CUDACC__) || defined(HALFSTEP_SOFT_ERROR_CUDA)
#include "device_channel.hpp"
#endif

namespace halfstep::soft_error {

#if defined(__CUDACC__) || defined(HALFSTEP_SOFT_ERROR_CUDA)
template <class Payload = void>
using Channel = DeviceChannel<Payload>;
#else
template <class Payload = void>
using Channel = HostChannel<Payload>;
#endif

}  // namespace halfstep::soft_error
