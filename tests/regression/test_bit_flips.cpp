// Flipped bits: measures what detection promises for each.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "app/study/bit_flips.hpp"
#include "physics/gas/state.hpp"

using namespace halfstep;

namespace {

constexpr int kBits = 32, kSign = 31, kMantissa = 23;  // bits of single precision
constexpr int kDensity = 0, kEnergy = 4;

const BitFlip& at(const std::vector<BitFlip>& flips, int field, int bit) {
  const BitFlip& flip = flips[static_cast<std::size_t>(field) * kBits + bit];
  REQUIRE(flip.field == field);
  REQUIRE(flip.bit == bit);
  return flip;
}

}  // namespace

TEST_CASE("a flipped bit that is noticed in its step leaves no trace, another leaves its own size") {
  for (const int stage : {1, 3}) {
    CAPTURE(stage);
    const auto flips = measure_bit_flips({.single_precision = true, .stage = stage});
    REQUIRE(flips.size() == kFields * kBits);
    int noticed = 0;
    for (const BitFlip& flip : flips) {
      INFO("kFieldNames[flip.field] ", kFieldNames[flip.field], ", flip.bit ", flip.bit);
      CHECK(flip.finished);
      if (flip.kind && flip.steps_later == 0) CHECK(flip.error == 0);  // the same bits
      noticed += flip.kind.has_value();
      // One cell of 1024 differs; the highest bit of the mantissa at most doubles its value.
      if (flip.bit < kMantissa && !flip.kind)
        CHECK(flip.error <=
              0.01 * std::ldexp(1.0, flip.bit - kMantissa) + 8 * std::numeric_limits<float>::epsilon());
    }
    CHECK(noticed > 0);
    CHECK(at(flips, kDensity, kSign).kind == SoftErrorKind::negative_density);
    CHECK(at(flips, kDensity, kSign).at_once);
    CHECK(at(flips, kEnergy, kSign).kind == SoftErrorKind::negative_pressure);
    CHECK(at(flips, kEnergy, kSign).at_once);
    // A momentum of the other sign is as physical as the right one: no local check can detect it.
    for (int field = 1; field < kEnergy; ++field) CHECK_FALSE(at(flips, field, kSign).kind);
    for (int field = 0; field < kFields; ++field) CHECK_FALSE(at(flips, field, 0).kind);
  }
}

TEST_CASE("a watch for spikes notices a bit of the density that is physical, and leaves the others") {
  const auto without = measure_bit_flips({.single_precision = true});
  const auto with = measure_bit_flips({.single_precision = true, .spike_factor = 1.5});
  int more = 0;
  for (std::size_t n = 0; n < with.size(); ++n) {
    if (without[n].kind) CHECK(with[n].kind);
    if (with[n].kind == without[n].kind) continue;
    CHECK(with[n].field == kDensity);
    CHECK(with[n].kind == SoftErrorKind::spike);
    more += 1;
  }
  CHECK(more > 0);
}

TEST_CASE("the study's table takes the bits of a field together, and none is lost") {
  const Table table = bit_flips().table;
  REQUIRE(table.columns.size() == 10);
  int bits = 0;
  for (const auto& row : table.rows) {
    REQUIRE(row.size() == table.columns.size());
    const auto top = std::get<std::int64_t>(row[4]), bottom = std::get<std::int64_t>(row[5]);
    CHECK(top >= bottom);
    CHECK(std::get<double>(row[7]) <= std::get<double>(row[8]));
    bits += static_cast<int>(top - bottom) + 1;
  }
  CHECK(bits == kFields * (3 * 64 + 32));
}
