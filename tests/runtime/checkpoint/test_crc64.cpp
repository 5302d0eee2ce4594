// The checksum, whole and put together from shares of parts of the bytes.
#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "runtime/checkpoint/crc64.hpp"

namespace {

using halfstep::Crc64;
using halfstep::Crc64Zeros;

std::uint64_t direct(std::span<const std::byte> bytes) {
  Crc64 checksum;
  checksum.add(bytes);
  return checksum.value();
}

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  std::uint64_t word = 4711;
  for (std::byte& byte : bytes)
    byte = std::byte((word = word * 6364136223846793005u + 1442695040888963407u) >> 56);
  return bytes;
}

/// Returns the share of the bytes from `first` to `last`.
std::uint64_t share_of(const std::vector<std::byte>& bytes, std::size_t first, std::size_t last) {
  Crc64 share = Crc64::share();
  share.add(std::span(bytes).subspan(first, last - first));
  share.add(Crc64Zeros(bytes.size() - last));
  return share.state();
}

}  // namespace

TEST_CASE("the checksum of the catalogue's example") {
  CHECK(direct(std::as_bytes(std::span(std::string_view("123456789")))) == 0x995dc9bbdf1939fa);
}

TEST_CASE("zeros by a table do what zeros do one by one") {
  for (const std::size_t count : {0, 1, 7, 8, 511, 4096, 100'003}) {
    Crc64 one_by_one, at_once;
    for (Crc64* checksum : {&one_by_one, &at_once}) checksum->add(some_bytes(21));
    one_by_one.add(std::vector<std::byte>(count));
    at_once.add(Crc64Zeros(count));
    CHECK_MESSAGE(at_once.value() == one_by_one.value(), count);
  }
  // A file of 2^40 bytes and more: twice as many zeros are the same zeros twice.
  const Crc64Zeros many(std::uint64_t{1} << 40), twice(std::uint64_t{1} << 41);
  CHECK(many(many(12345)) == twice(12345));
  static_assert(Crc64Zeros(1)(0) == 0 && Crc64Zeros(0)(42) == 42);
}

TEST_CASE("shares of parts in any order give the checksum of the whole") {
  const std::vector<std::byte> bytes = some_bytes(1000);
  const std::uint64_t shares = share_of(bytes, 613, 1000) ^ share_of(bytes, 0, 512) ^
                               share_of(bytes, 512, 513) ^ share_of(bytes, 513, 613);
  CHECK(Crc64::value_of(shares, bytes.size()) == direct(bytes));
  CHECK(Crc64::value_of(shares ^ 1, bytes.size()) != direct(bytes));
}

TEST_CASE("the share of a block whose rows lie apart") {
  constexpr std::size_t rows = 13, length = 100, first = 30, count = 41;
  std::vector<std::byte> bytes = some_bytes(rows * length);
  const Crc64Zeros gap(length - count);
  Crc64 share = Crc64::share();
  for (std::size_t row = 0; row < rows; ++row) {
    share.add(std::span(bytes).subspan(row * length + first, count));
    if (row + 1 < rows) share.add(gap);
  }
  share.add(Crc64Zeros(length - first - count));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    if (at % length < first || at % length >= first + count) bytes[at] = std::byte{0};
  CHECK(Crc64::value_of(share.state(), bytes.size()) == direct(bytes));
}
