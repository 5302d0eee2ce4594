// The tag of a raise: its epoch, its stage within the epoch, and its kind. Tags grow with time, so comparing
// two tags says which raise is older.
#pragma once

#if __cplusplus < 202002L
#error "halfstep::soft_error needs C++20, also in CUDA files: -std=c++20"
#endif

#include <cstdint>

#include "../device/host_device.hpp"

namespace halfstep::soft_error {

using Tag = std::uint64_t;

// Layout: epoch | stage | kind, most significant bits first.
inline constexpr int kKindBits = 8;
inline constexpr int kStageBits = 8;
inline constexpr int kLastKind = (1 << kKindBits) - 1;
inline constexpr int kLastStage = (1 << kStageBits) - 1;
inline constexpr std::uint64_t kLastEpoch = (std::uint64_t{1} << (64 - kStageBits - kKindBits)) - 1;

/// Packs a tag. Epochs start at 1, so a word of zero means "never raised".
HALFSTEP_HD constexpr Tag make_tag(std::uint64_t epoch, int stage, int kind = 0) {
  return (epoch << (kStageBits + kKindBits)) | (static_cast<Tag>(stage) << kKindBits) |
         static_cast<Tag>(kind);
}
HALFSTEP_HD constexpr std::uint64_t epoch_of(Tag tag) { return tag >> (kStageBits + kKindBits); }
HALFSTEP_HD constexpr int stage_of(Tag tag) { return static_cast<int>(tag >> kKindBits & kLastStage); }
HALFSTEP_HD constexpr int kind_of(Tag tag) { return static_cast<int>(tag & kLastKind); }

}  // namespace halfstep::soft_error
