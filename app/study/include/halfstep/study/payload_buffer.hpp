// Memory for the payload of any kernel: one type of reporter serves all types of payload.
#pragma once

#include <cstddef>

namespace halfstep::study {

inline constexpr std::size_t kMostPayloadBytes = 256;

struct PayloadBuffer {
  alignas(16) unsigned char bytes[kMostPayloadBytes];
};

}  // namespace halfstep::study
