// The library in one include. Channel<Payload> is the DeviceChannel where the CUDA toolkit is part of the
// build (the target halfstep::soft_error says so), else the HostChannel.
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
