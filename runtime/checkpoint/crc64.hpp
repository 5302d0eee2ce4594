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

class Crc64 {
 public:
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
  std::uint64_t value() const { return ~state_; }

 private:
  using Tables = std::array<std::array<std::uint64_t, 256>, 8>;
  static constexpr Tables make_tables() {
    Tables tables{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      std::uint64_t value = byte;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xc96c5795d7870f42u : 0);
      tables[0][byte] = value;
    }
    for (int t = 1; t < 8; ++t)
      for (int byte = 0; byte < 256; ++byte) {
        const std::uint64_t before = tables[t - 1][byte];
        tables[t][byte] = tables[0][before & 0xff] ^ (before >> 8);
      }
    return tables;
  }
  static const Tables kTables;
  std::uint64_t state_ = ~std::uint64_t{0};
};
inline constexpr Crc64::Tables Crc64::kTables = Crc64::make_tables();

}  // namespace halfstep
