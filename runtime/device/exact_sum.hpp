// Sums of doubles without round-off. A sum is an integer wide enough for all finite doubles, in digits of
// 64-bit words, and is rounded once, when it is asked for (Kulisch, Computer Arithmetic and Validity, 2013).
// Integers add up to the same in any order: the bits of such a sum depend on no thread, block or process.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "host_device.hpp"
#include "lanes.hpp"

namespace halfstep {

/// Adds to a word of a sum; on a device by an atomic, since the sum is shared.
HALFSTEP_HD void add_word(std::int64_t& to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(value));
#else
  to += value;
#endif
}

/// A double as significand * 2^(place - 1074).
struct BinaryNumber {
  static constexpr int kPlaces = 2046;  ///< `place` of infinities and NaN; less in finite numbers

  std::int64_t significand;
  int place;

  HALFSTEP_HD explicit BinaryNumber(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const auto size = static_cast<std::int64_t>((bits & 0xfffffffffffff) | std::uint64_t{exponent > 0} << 52);
    significand = bits >> 63 != 0 ? -size : size;
    place = exponent > 0 ? exponent - 1 : 0;
  }
};

/// An exact sum. It must have had fewer than 2^37 additions since it last carried; the sum of two has had
/// those of both, and one that has carried had one. A sum of zeros is +0.
struct ExactSum {
  static constexpr int kDigitBits = 26;  ///< so that a double reaches into three digits
  static constexpr int kDigits = 81;

  std::int64_t digits[kDigits] = {};  ///< of either sign; digits[n] counts 2^(26 n - 1074)
  std::int64_t not_finite = 0;        ///< numbers added that are infinite or NaN

  /// Adds a number. On a device the sum lies in global memory, and any thread may call this.
  HALFSTEP_HD void add(double x) { add(BinaryNumber(x)); }

  HALFSTEP_HD void add(const BinaryNumber& x) {
    if (x.place < BinaryNumber::kPlaces)
      add(x.significand, x.place);
    else
      add_word(not_finite, 1);
  }

  /// Adds sum * 2^(place - 1074).
  HALFSTEP_HD_COLD void add(Int128 sum, int place) {
    const bool negative = sum < 0;
    UInt128 rest = negative ? -static_cast<UInt128>(sum) : static_cast<UInt128>(sum);
    int n = place / kDigitBits, low = place % kDigitBits;
    for (; rest != 0 && n < kDigits - 1; ++n, low = 0) {
      const std::int64_t digit = static_cast<std::int64_t>(rest & (kMask >> low)) << low;
      rest >>= kDigitBits - low;
      if (digit != 0) add_word(digits[n], negative ? -digit : digit);
    }
    const auto top = static_cast<std::int64_t>(rest);
    if (top != 0) add_word(digits[kDigits - 1], negative ? -top : top);
  }

  /// Carries, so that the sum counts as one addition where sums of many processes are added.
  HALFSTEP_HD_COLD void carry() { carry(digits, 1, digits); }

  /// Returns the sum, rounded to the nearest double, to the even one of two; NaN if a number was not finite.
  HALFSTEP_HD_COLD double value() const {
    if (not_finite != 0) return std::numeric_limits<double>::quiet_NaN();
    std::int64_t d[kDigits];
    const bool negative = get_size(d);
    int top = kDigits - 1;
    while (top >= 0 && d[top] == 0) --top;
    if (top < 0) return 0;
    int length = top * kDigitBits;  // in bits
    for (std::int64_t rest = d[top]; rest > 0; rest /= 2) ++length;
    const int place = length > kSignificandBits ? length - kSignificandBits : 0;
    const auto bits = place < BinaryNumber::kPlaces
                          ? (static_cast<std::uint64_t>(place) << 52) + rounded_significand(d, place)
                          : kInfinity;
    return std::bit_cast<double>(bits | std::uint64_t{negative} << 63);
  }

 private:
  static constexpr std::int64_t kMask = (std::int64_t{1} << kDigitBits) - 1;
  static constexpr int kSignificandBits = 53;
  static constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;

  /// Carries to `to`: all digits but the last are then below 2^26 and not negative. They may be the same
  /// ones.
  HALFSTEP_HD static void carry(const std::int64_t (&from)[kDigits], std::int64_t sign,
                                std::int64_t (&to)[kDigits]) {
    std::int64_t carried = 0;
    for (int n = 0; n < kDigits; ++n) {
      const std::int64_t digit = sign * from[n] + carried;
      carried = digit >> kDigitBits;
      to[n] = n < kDigits - 1 ? digit & kMask : digit;
    }
  }

  /// Carries the sum's size to `to`; returns whether the sum is negative.
  HALFSTEP_HD bool get_size(std::int64_t (&to)[kDigits]) const {
    carry(digits, 1, to);
    const bool negative = to[kDigits - 1] < 0;
    if (negative) carry(to, -1, to);
    return negative;
  }

  /// Returns the sum of the digits d over 2^place, less than 2^53, rounded to an integer.
  HALFSTEP_HD static std::uint64_t rounded_significand(const std::int64_t (&d)[kDigits], int place) {
    std::uint64_t whole = 0;
    for (int n = place / kDigitBits, up = -(place % kDigitBits); n < kDigits && up < kSignificandBits;
         ++n, up += kDigitBits) {
      const auto digit = static_cast<std::uint64_t>(d[n]);
      whole |= up < 0 ? digit >> -up : digit << up;
    }
    if (place == 0) return whole;
    const int half = place - 1, low = half / kDigitBits;
    const std::int64_t half_bit = std::int64_t{1} << half % kDigitBits;
    if ((d[low] & half_bit) == 0) return whole;
    bool beyond_half = (d[low] & (half_bit - 1)) != 0;
    for (int n = 0; n < low; ++n) beyond_half |= d[n] != 0;
    return whole + (beyond_half || whole % 2 != 0);
  }
};

/// Sums numbers of about the same size in registers, exactly, before they are added to an ExactSum. On a
/// device the lanes of a warp call its functions together, with the same sum, which lies in global memory.
/// Takes 2^32 numbers between two flushes; on a device that is 2^27 of a lane.
class ExactWindow {
 public:
  HALFSTEP_HD void add(double x, ExactSum& to) {
    const BinaryNumber b(x);
    if (!lanes::all(holds(b.place) || b.significand == 0)) make_room(b, to);
    if (holds(b.place))
      sum_ += Int128{b.significand} << (b.place - place_);
    else if (b.significand != 0)
      to.add(b);
  }

  /// Adds what is in the window to the sum, and empties the window.
  HALFSTEP_HD void flush(ExactSum& to) {
    const Int128 all = lanes::reduce(sum_, [](Int128 a, Int128 b) { return a + b; });
    if (lanes::is_first() && all != 0) to.add(all, place_);
    sum_ = 0;
  }

 private:
  static constexpr int kRoom = 42;   // places of the significands that the window holds
  static constexpr int kBelow = 32;  // those below the largest number at hand when the window moves

  HALFSTEP_HD bool holds(int place) const { return static_cast<unsigned>(place - place_) <= kRoom; }

  /// Moves the window if the largest finite number of the lanes is not in it.
  HALFSTEP_HD void make_room(const BinaryNumber& b, ExactSum& to) {
    const bool counts = b.significand != 0 && b.place < BinaryNumber::kPlaces;
    const int largest = lanes::max(counts ? b.place : -1);
    if (largest < 0 || holds(largest)) return;
    flush(to);
    place_ = largest > kBelow ? largest - kBelow : 0;
  }

  Int128 sum_ = 0;
  int place_ = -2 * BinaryNumber::kPlaces;  // holds nothing
};

// Sums that are taken together are a struct of ExactSums, and of integers that are summed as well: words in a
// row. Adding them word by word, over threads or processes, gives the sums of all.

template <class Sums>
inline constexpr int kWords = sizeof(Sums) / sizeof(std::int64_t);

template <class Sums>
HALFSTEP_HD auto* words(Sums& sums) {
  static_assert(std::is_trivially_copyable_v<Sums> && sizeof(Sums) % sizeof(std::int64_t) == 0);
  using Word = std::conditional_t<std::is_const_v<Sums>, const std::int64_t, std::int64_t>;
  return reinterpret_cast<Word*>(&sums);
}

template <class Sums>
void add_words(Sums& sums, const Sums& more) {
  for (int n = 0; n < kWords<Sums>; ++n) words(sums)[n] += words(more)[n];
}

template <class Sums>
inline constexpr int kSums = sizeof(Sums) / sizeof(ExactSum);

/// Carries in the sum number n of a struct.
template <class Sums>
HALFSTEP_HD void carry_sum(Sums& sums, int n) {
  reinterpret_cast<ExactSum*>(&sums)[n].carry();
}

/// Rounds the sum number n of a struct of ExactSums into a struct of as many doubles.
template <class Sums, class Rounded>
HALFSTEP_HD void round_sum(const Sums& sums, Rounded& rounded, int n) {
  static_assert(kSums<Sums> * sizeof(ExactSum) == sizeof(Sums) &&
                kSums<Sums> * sizeof(double) == sizeof(Rounded));
  reinterpret_cast<double*>(&rounded)[n] = reinterpret_cast<const ExactSum*>(&sums)[n].value();
}

template <class Rounded, class Sums>
Rounded rounded(const Sums& sums) {
  Rounded all;
  for (int n = 0; n < kSums<Sums>; ++n) round_sum(sums, all, n);
  return all;
}

}  // namespace halfstep
