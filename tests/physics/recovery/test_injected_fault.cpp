// Injected faults: each corrupts what its name says, and a bit flip is its own inverse.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "physics/flux/face_flux.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/recovery/injected_fault.hpp"

using namespace halfstep;

namespace {

template <class Real>
Conserved<Real> sample() {
  return to_conserved(Primitive<Real>{Real(0.7), 2, -3, Real(0.25), Real(0.9)}, IdealGas<Real>{Real(1.4)});
}

template <class Real>
Conserved<Real> after(FaultKind kind, int field = 0, int bit = 0) {
  return corrupted(sample<Real>(), Fault{1, 1, {}, kind, field, bit}, IdealGas<Real>{Real(1.4)});
}

template <class Real>
std::array<Real, kFields> values(const Conserved<Real>& c) {
  return {c.density, c.mu, c.mv, c.mw, c.energy};
}

}  // namespace

TEST_CASE_TEMPLATE("faults of density and pressure are unphysical, and change one field alone", Real, double,
                   float) {
  const auto good = values(sample<Real>());
  const auto density = values(after<Real>(FaultKind::negative_density));
  CHECK(density[0] == -good[0]);
  for (int f = 1; f < kFields; ++f) CHECK(density[f] == good[f]);
  CHECK_FALSE(is_admissible(after<Real>(FaultKind::negative_density)));
  // A density that is already negative stays as it is.
  Conserved<Real> negative = sample<Real>();
  negative.density = -negative.density;
  CHECK(corrupted(negative, Fault{}, IdealGas<Real>{Real(1.4)}).density == negative.density);

  const double near = 32.0 * std::numeric_limits<Real>::epsilon();
  const IdealGas<Real> gas{Real(1.4)};
  for (const auto& [kind, factor] :
       {std::pair{FaultKind::negative_pressure, -1.0}, {FaultKind::spike, 1000.0}}) {
    const Conserved<Real> c = after<Real>(kind);
    for (int f = 0; f < kFields - 1; ++f) CHECK(values(c)[f] == good[f]);
    CHECK(to_primitive(c, gas).pressure == doctest::Approx(factor * 0.9).epsilon(near));
    CHECK(is_admissible(c) == (factor > 0));
  }
}

TEST_CASE_TEMPLATE("a field becomes NaN and the others stay", Real, double, float) {
  const auto good = values(sample<Real>());
  for (int field = 0; field < kFields; ++field) {
    const auto bad = values(after<Real>(FaultKind::not_finite, field));
    for (int f = 0; f < kFields; ++f)
      if (f == field)
        CHECK(std::isnan(bad[f]));
      else
        CHECK(bad[f] == good[f]);
  }
}

TEST_CASE_TEMPLATE("a bit flip changes one bit of one field", Real, double, float) {
  constexpr int bits = 8 * sizeof(Real), mantissa = std::numeric_limits<Real>::digits - 1;
  const auto good = values(sample<Real>());
  for (int field = 0; field < kFields; ++field)
    for (int bit = 0; bit < bits; ++bit) {
      const auto bad = values(after<Real>(FaultKind::bit_flip, field, bit));
      for (int f = 0; f < kFields; ++f) CHECK((bad[f] == good[f]) == (f != field));
      CHECK(bit_flipped(bad[field], bit) == good[field]);
    }
  CHECK(bit_flipped(Real(1), bits - 1) == -1);
  CHECK(bit_flipped(Real(1), mantissa) == Real(0.5));  // sets the exponent's lowest bit, which is clear in 1
  CHECK(bit_flipped(Real(1), mantissa - 1) == Real(1.5));
  CHECK(bit_flipped(Real(1), 0) == 1 + std::numeric_limits<Real>::epsilon());
  CHECK(std::isinf(bit_flipped(Real(1), bits - 2)));  // sets the exponent's highest bit: all are ones
}
