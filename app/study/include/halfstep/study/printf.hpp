// Errors are printed. A payload with a member print() prints itself, a number is printed as such, and any
// other payload as the 32-bit words that it consists of.
#pragma once

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "halfstep/study/payload_buffer.hpp"

namespace halfstep::study {

struct Reporter {};

namespace detail {

// "%08x " for each word, and the end of the line. Fewer words are printed from a later character on: the text
// must be a literal.
inline constexpr std::size_t kMostWords = 32;  // arguments of printf on a device
#define HALFSTEP_STUDY_WORDS "%08x %08x %08x %08x %08x %08x %08x %08x "
#define HALFSTEP_STUDY_LINE \
  HALFSTEP_STUDY_WORDS HALFSTEP_STUDY_WORDS HALFSTEP_STUDY_WORDS HALFSTEP_STUDY_WORDS "error\n"

template <class Payload, std::size_t... n>
__device__ __forceinline__ void print_words(const Payload& payload, std::index_sequence<n...>) {
  unsigned words[sizeof...(n)] = {};
  memcpy(words, &payload, sizeof(payload) < sizeof(words) ? sizeof(payload) : sizeof(words));
  printf(&HALFSTEP_STUDY_LINE[5 * (kMostWords - sizeof...(n))], words[n]...);
}

#undef HALFSTEP_STUDY_LINE
#undef HALFSTEP_STUDY_WORDS

template <class Payload>
concept PrintsItself = requires(const Payload& payload) {
  payload.print();
};

template <class Payload>
__device__ __forceinline__ void report(const Reporter&, bool condition, const Payload& payload) {
  if (!condition) return;
  if constexpr (PrintsItself<Payload>) {
    payload.print();
  } else if constexpr (std::is_floating_point_v<Payload>) {
    printf("error: %g\n", static_cast<double>(payload));
  } else if constexpr (std::is_integral_v<Payload>) {
    printf("error: %lld\n", static_cast<long long>(payload));
  } else {
    constexpr std::size_t words = (sizeof(Payload) + 3) / 4;
    print_words(payload, std::make_index_sequence<(words < kMostWords ? words : kMostWords)>());
  }
}

/// Owns what reporters point to.
class Channel {
 public:
  Reporter reporter() const { return {}; }
};

}  // namespace detail
}  // namespace halfstep::study
