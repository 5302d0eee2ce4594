// CRC-64/XZ (ECMA-182 polynomial, reflected): detects every burst of damage up to 64 bits and misses others
// with probability 2^-64. Eight tables, eight bytes at a time: Kounavis & Berry (2008), "slicing-by-8".
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace halfstep {

class Crc64Zeros;

class Crc64 {
 public:
  /// Begins a share of a checksum: what some bytes of a file add to the checksum of all. The state begins
  /// with zero, so that bytes before the first one of the share change nothing.
  static Crc64 share() {
    Crc64 part;
    part.state_ = 0;
    return part;
  }

  void add(std::span<const std::byte> bytes) {
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    if constexpr (std::endian::native == std::endian::little) {
      for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        word ^= state_;
        state_ = 0;
        for (int i = 0; i < 8; ++i) state_ ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
      }
    }
    for (; left > 0; ++at, --left)
      state_ = kTables[0][(state_ ^ std::to_integer<std::uint64_t>(*at)) & 0xff] ^ (state_ >> 8);
  }
  /// Goes on as if that many zeros had been added.
  void add(const Crc64Zeros& zeros);
  std::uint64_t value() const { return ~state_; }
  /// Returns a share whose last byte is the file's last one. The checksum's share is the exclusive or of
  /// those of all parts.
  std::uint64_t state() const { return state_; }
  /// Returns the checksum of a file from the share of all its bytes.
  static std::uint64_t value_of(std::uint64_t share, std::uint64_t file_bytes);

 private:
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;
  static constexpr Tables make_tables() {
    Tables tables{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      std::uint64_t value = byte;
      for (int bit = 0; bit < 8; ++bit) value = times_x(value);
      tables[0][byte] = value;
    }
    for (int t = 1; t < 8; ++t)
      for (int byte = 0; byte < 256; ++byte) {
        const std::uint64_t before = tables[t - 1][byte];
        tables[t][byte] = tables[0][before & 0xff] ^ (before >> 8);
      }
    return tables;
  }
  /// Multiplies a polynomial by x, modulo the generator; the highest bit is the constant term.
  static constexpr std::uint64_t times_x(std::uint64_t polynomial) {
    return (polynomial >> 1) ^ ((polynomial & 1) ? 0xc96c5795d7870f42u : 0);
  }
  friend class Crc64Zeros;
  static const Tables kTables;
  std::uint64_t state_ = ~std::uint64_t{0};
};
inline constexpr Crc64::Tables Crc64::kTables = Crc64::make_tables();

/// What a number of zeros does to a checksum's state: a linear map of its bits, the multiplication by a power
/// of x. It is tabulated for the state's bytes, so that applying it takes eight look-ups.
class Crc64Zeros {
 public:
  constexpr explicit Crc64Zeros(std::uint64_t count) {
    std::array<std::uint64_t, 64> of_bit{};
    of_bit[63] = power_of_x8(count);
    for (int bit = 62; bit >= 0; --bit) of_bit[bit] = Crc64::times_x(of_bit[bit + 1]);
    for (int t = 0; t < 8; ++t)
      for (unsigned byte = 1; byte < 256; ++byte)
        tables_[t][byte] = tables_[t][byte & (byte - 1)] ^ of_bit[8 * t + std::countr_zero(byte)];
  }
  constexpr std::uint64_t operator()(std::uint64_t state) const {
    std::uint64_t after = 0;
    for (int t = 0; t < 8; ++t) after ^= tables_[t][(state >> (8 * t)) & 0xff];
    return after;
  }

 private:
  static constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    for (; a != 0; a <<= 1, b = Crc64::times_x(b))
      if (a >> 63) sum ^= b;
    return sum;
  }
  /// Returns x to the power of 8 count.
  static constexpr std::uint64_t power_of_x8(std::uint64_t count) {
    std::uint64_t power = std::uint64_t{1} << 63, square = std::uint64_t{1} << 55;
    for (; count != 0; count >>= 1, square = product(square, square))
      if (count & 1) power = product(power, square);
    return power;
  }
  std::array<std::array<std::uint64_t, 256>, 8> tables_{};
};

inline void Crc64::add(const Crc64Zeros& zeros) { state_ = zeros(state_); }
inline std::uint64_t Crc64::value_of(std::uint64_t share, std::uint64_t file_bytes) {
  return ~(share ^ Crc64Zeros(file_bytes)(~std::uint64_t{0}));
}

}  // namespace halfstep
