// The tag of a raise: which attempt, and which stage of it. Tags grow with time, so that comparing two says
// which is older.
#pragma once

#include <cstdint>

#include "runtime/device/host_device.hpp"

namespace halfstep::soft_error {

using Tag = std::uint64_t;

inline constexpr int kStageBits = 8;

/// Epochs start at 1, so that a word of zero means "never raised".
HALFSTEP_HD constexpr Tag make_tag(std::uint64_t epoch, int stage) {
  return (epoch << kStageBits) | static_cast<std::uint64_t>(stage);
}
HALFSTEP_HD constexpr std::uint64_t epoch_of(Tag tag) { return tag >> kStageBits; }
HALFSTEP_HD constexpr int stage_of(Tag tag) { return static_cast<int>(tag & ((1u << kStageBits) - 1)); }

}  // namespace halfstep::soft_error
