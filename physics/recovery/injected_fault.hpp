// A fault injected into a run on purpose, as a memory error or a bug would corrupt one cell's state.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "physics/base/choice.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

enum class FaultKind { negative_density, negative_pressure, not_finite, spike, bit_flip };

inline constexpr Choice<FaultKind> kFaultKinds[] = {
    {FaultKind::negative_density, "negative_density", "the density changes its sign"},
    {FaultKind::negative_pressure, "negative_pressure",
     "the energy falls until the pressure has changed its sign"},
    {FaultKind::not_finite, "not_finite", "`field` becomes NaN"},
    {FaultKind::spike, "spike", "the energy grows until the pressure is a thousand times what it was"},
    {FaultKind::bit_flip, "bit_flip", "the bit `bit` of `field` changes"},
};

/// A fault. It corrupts the stage's output before that is checked, once in a run: in the first attempt at its
/// step, so that the redo is free of it.
struct Fault {
  std::int64_t step = 0;      ///< from 1; 0: never
  int stage = 1;              ///< from 1
  std::array<int, 3> cell{};  ///< from 0, ghosts not counted
  FaultKind kind = FaultKind::negative_density;
  int field = 0;  ///< a conserved field; for not_finite and bit_flip
  int bit = 62;   ///< for bit_flip: from 0, the lowest of the mantissa, to 31 or 63, the sign
};

/// Returns `value` with one bit of its representation changed.
template <class Real>
HALFSTEP_HD Real bit_flipped(Real value, int bit) {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<Real>(std::bit_cast<Bits>(value) ^ (Bits{1} << bit));
}

/// Returns the cell's state after the fault.
template <class Real>
HALFSTEP_HD Conserved<Real> corrupted(Conserved<Real> c, const Fault& fault, const IdealGas<Real>& gas) {
  const Real internal = internal_energy(to_primitive(c, gas).pressure, gas);
  Real* const fields[kFields] = {&c.density, &c.mu, &c.mv, &c.mw, &c.energy};
  Real& field = *fields[fault.field];
  switch (fault.kind) {
    case FaultKind::negative_density:
      c.density = -std::abs(c.density);
      break;
    case FaultKind::negative_pressure:
      c.energy -= Real(2) * internal;
      break;
    case FaultKind::not_finite:
      field = std::numeric_limits<Real>::quiet_NaN();
      break;
    case FaultKind::spike:
      c.energy += Real(999) * internal;
      break;
    case FaultKind::bit_flip:
      field = bit_flipped(field, fault.bit);
      break;
  }
  return c;
}

}  // namespace halfstep
