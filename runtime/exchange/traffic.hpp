// What messages between ranks cost one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace halfstep::exchange {

struct Parcel;

struct Traffic {
  std::uint64_t bytes_sent = 0;          ///< in parcels; words that are reduced do not count
  std::optional<double> seconds_waited;  ///< for parcels and reductions; none: nobody on the host knows
};

/// Adds up what two parts of a rank have sent and waited; what one of them does not know the sum does not
/// know.
inline Traffic operator+(const Traffic& a, const Traffic& b) {
  Traffic sum{a.bytes_sent + b.bytes_sent, {}};
  if (a.seconds_waited && b.seconds_waited) sum.seconds_waited = *a.seconds_waited + *b.seconds_waited;
  return sum;
}

/// Returns the bytes that a rank sends with these parcels.
std::uint64_t bytes_sent(std::span<const Parcel> parcels);

}  // namespace halfstep::exchange
