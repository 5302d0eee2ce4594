// The tag of a raise: which epoch, which stage of it, and what kind. Tags grow with time, so that comparing
// two says which is older.
#pragma once

#if __cplusplus < 202002L
#error "halfstep::soft_error needs C++20, also in CUDA files: -std=c++20"
#endif

#include <cstdint>

#include "../device/host_device.hpp"

namespace halfstep::soft_error {

using Tag = std::uint64_t;

// epoch | stage | kind, most significant first.
inline constexpr int kKindBits = 8;
inline constexpr int kStageBits = 8;
inline constexpr int kLastKind = (1 << kKindBits) - 1;
inline constexpr int kLastStage = (1 << kStageBits) - 1;
inline constexpr std::uint64_t kLastEpoch = (std::uint64_t{1} << (64 - kStageBits - kKindBits)) - 1;

/// Epochs start at 1, so that a word of zero means "never raised".
HALFSTEP_HD constexpr Tag make_tag(std::uint64_t epoch, int stage, int kind = 0) {
  return (epoch << (kStageBits + kKindBits)) | (static_cast<Tag>(stage) << kKindBits) |
         static_cast<Tag>(kind);
}
HALFSTEP_HD constexpr std::uint64_t epoch_of(Tag tag) { return tag >> (kStageBits + kKindBits); }
HALFSTEP_HD constexpr int stage_of(Tag tag) { return static_cast<int>(tag >> kKindBits & kLastStage); }
HALFSTEP_HD constexpr int kind_of(Tag tag) { return static_cast<int>(tag & kLastKind); }

}  // namespace halfstep::soft_error
