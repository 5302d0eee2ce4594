// The states beyond characteristic boundaries, at every side.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "physics/mesh/characteristics.hpp"

using namespace halfstep;

namespace {

using StateBeyond = Primitive<double> (*)(Side, const Primitive<double>&, const Primitive<double>&,
                                          const IdealGas<double>&);

const IdealGas<double> kGas{1.4};
const std::vector<Side> kSides = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};

/// Returns a state with that velocity out of a side, and tangential ones.
Primitive<double> flowing(Side side, double outward, double density = 1.2, double pressure = 0.9) {
  Primitive<double> q{density, 0.1, -0.2, 0.3, pressure};
  side.set_outward(q, outward);
  return q;
}

double invariant(Side side, const Primitive<double>& q) { return outgoing_invariant(side, q, kGas); }
double incoming(Side side, const Primitive<double>& q) {
  return side.outward(q) - 2 * speed_of_sound(q, kGas) / 0.4;
}
double entropy(const Primitive<double>& q) { return q.pressure / std::pow(q.density, 1.4); }
double total_enthalpy(const Primitive<double>& q) {
  return 3.5 * q.pressure / q.density + 0.5 * (q.u * q.u + q.v * q.v + q.w * q.w);
}

void check_same(const Primitive<double>& a, const Primitive<double>& b) {
  CHECK(a.density == doctest::Approx(b.density).epsilon(1e-14));
  CHECK(a.u == doctest::Approx(b.u).epsilon(1e-14));
  CHECK(a.v == doctest::Approx(b.v).epsilon(1e-14));
  CHECK(a.w == doctest::Approx(b.w).epsilon(1e-14));
  CHECK(a.pressure == doctest::Approx(b.pressure).epsilon(1e-14));
}

}  // namespace

TEST_CASE("a flow that is the reference's goes on beyond the side") {
  for (const Side side : kSides)
    for (const double speed : {-0.4, 0.0, 0.4}) {
      const Primitive<double> q = flowing(side, speed);
      check_same(far_field(side, q, q, kGas), q);
      check_same(subsonic_outflow(side, q, q, kGas), q);
      check_same(subsonic_inflow(side, q, q, kGas), q);
    }
}

TEST_CASE("the invariant that leaves is that of the state inside") {
  for (const Side side : kSides)
    for (const double speed : {-0.3, 0.0, 0.5}) {
      const Primitive<double> inside = flowing(side, speed), reference = flowing(side, -0.2, 1.0, 1.1);
      CHECK(invariant(side, subsonic_outflow(side, inside, reference, kGas)) ==
            doctest::Approx(invariant(side, inside)).epsilon(1e-13));
      const Primitive<double> alike = with_sound_speed(flowing(side, -0.2), 1.02, kGas);  // of that entropy
      CHECK(invariant(side, far_field(side, flowing(side, speed), alike, kGas)) ==
            doctest::Approx(invariant(side, flowing(side, speed))).epsilon(1e-13));
    }
}

TEST_CASE(
    "a subsonic outflow has the pressure given and the entropy inside; a supersonic one all from inside") {
  for (const Side side : kSides) {
    const Primitive<double> reference{1, 0, 0, 0, 0.7}, inside = flowing(side, 0.5),
                                                        fast = flowing(side, 1.5);
    const Primitive<double> q = subsonic_outflow(side, inside, reference, kGas);
    CHECK(q.pressure == 0.7);
    CHECK(entropy(q) == doctest::Approx(entropy(inside)).epsilon(1e-13));
    check_same(subsonic_outflow(side, fast, reference, kGas), fast);
    check_same(far_field(side, fast, reference, kGas), fast);
  }
}

TEST_CASE("a subsonic inflow has the velocity and the temperature given") {
  for (const Side side : kSides) {
    const Primitive<double> reference = flowing(side, -0.3, 1, 1.25);
    const Primitive<double> q = subsonic_inflow(side, flowing(side, -0.1), reference, kGas);
    check_same({1, q.u, q.v, q.w, q.pressure / q.density}, reference);
    // Its pressure is that of gas from inside that has been brought to this velocity.
    const Primitive<double> inside = flowing(side, -0.1);
    Primitive<double> stopped = with_sound_speed(inside, std::pow(q.pressure / 0.9, 0.2 / 1.4), kGas);
    side.set_outward(stopped, -0.3);
    CHECK(invariant(side, stopped) == doctest::Approx(invariant(side, inside)).epsilon(1e-13));
    // Gas that flees the side faster than it can expand leaves no pressure: the state is refused, not made
    // up.
    CHECK_FALSE(subsonic_inflow(side, flowing(side, -9), reference, kGas).pressure > 0);
  }
}

TEST_CASE("gas from a reservoir has its entropy and its total enthalpy, and is never faster than sound") {
  for (const Side side : kSides) {
    const Primitive<double> rest{1.1, 0, 0, 0, 1.3};
    for (const double speed : {-2.0, -0.5, -0.1, 0.1}) {
      const Primitive<double> q = reservoir(side, flowing(side, speed), rest, kGas);
      CHECK(entropy(q) == doctest::Approx(entropy(rest)).epsilon(1e-13));
      CHECK(total_enthalpy(q) == doctest::Approx(total_enthalpy(rest)).epsilon(1e-13));
      CHECK(side.outward(q) <= 0);
      CHECK(-side.outward(q) <= speed_of_sound(q, kGas) * (1 + 1e-13));
      if (-side.outward(q) < 0.99 * speed_of_sound(q, kGas) && side.outward(q) < 0)
        CHECK(invariant(side, q) == doctest::Approx(invariant(side, flowing(side, speed))).epsilon(1e-13));
    }
    check_same(reservoir(side, flowing(side, 3), rest, kGas), rest);  // gas that pushes back finds it at rest
  }
}

TEST_CASE(
    "a far field has each side's invariant at its entropy; a contact passes, and no gas runs to vacuum") {
  for (const Side side : kSides) {
    for (const double speed : {-0.3, 0.5}) {
      const Primitive<double> inside = flowing(side, speed, 1.3, 1.0),
                              reference = flowing(side, speed, 1.0, 0.95);
      const Primitive<double> q = far_field(side, inside, reference, kGas);
      CHECK(entropy(q) == doctest::Approx(entropy(speed > 0 ? inside : reference)).epsilon(1e-13));
      if (speed > 0)
        CHECK(invariant(side, q) == doctest::Approx(invariant(side, inside)).epsilon(1e-13));
      else
        CHECK(incoming(side, q) == doctest::Approx(incoming(side, reference)).epsilon(1e-13));
      const Primitive<double> fast = flowing(side, -1.5);
      check_same(far_field(side, inside, fast, kGas), fast);
      const Primitive<double> light = flowing(side, speed, 0.25, 1.0), heavy = flowing(side, speed, 1.0, 1.0);
      check_same(far_field(side, light, heavy, kGas), speed > 0 ? light : heavy);
    }
    const Primitive<double> apart = far_field(side, flowing(side, -20), flowing(side, 20), kGas);
    CHECK(apart.pressure > 0);
  }
}

namespace {

/// Returns the axis beside that of a side.
int tangential(Side side) { return (side.axis + 1) % 3; }
double& component(Primitive<double>& q, int axis) { return axis == 0 ? q.u : axis == 1 ? q.v : q.w; }

/// Returns a variation beside a side that is free of divergence, as that of a vortex: outwards the velocity
/// falls by `fall` per length.
Variation swirling(Side side, double fall, double distance) {
  Variation variation;
  variation.distance = distance;
  variation.extent = 1e30;  // no relaxation
  side.set_outward(variation.outwards, -fall * distance);
  component(variation.along[tangential(side)], tangential(side)) = fall;
  return variation;
}

}  // namespace

TEST_CASE("a far field lets out what a stream carries, and has no pressure for it") {
  for (const Side side : kSides) {
    const Primitive<double> stream = flowing(side, 0.5);
    const Variation variation = swirling(side, 0.3, 0.1);
    const Primitive<double> q = far_field(side, stream, stream, variation, kGas);
    check_same(q, flowing(side, 0.5 - 0.03));
    // Where the reference does not flow out its invariant holds.
    const Primitive<double> entering = flowing(side, -0.1);
    check_same(far_field(side, stream, entering, variation, kGas), far_field(side, stream, entering, kGas));
  }
}

TEST_CASE("sound along the normal goes on beyond a far field, and so does all that is faster than sound") {
  for (const Side side : kSides)
    for (const double speed : {0.4, 1.5}) {
      const Primitive<double> stream = flowing(side, speed);
      const double c = speed_of_sound(stream, kGas), rise = 1e-3;
      Variation variation;
      variation.distance = 0.1, variation.extent = 1e30;
      variation.outwards = {rise / (c * c), 0, 0, 0, rise};
      side.set_outward(variation.outwards, rise / (stream.density * c));
      Primitive<double> on = stream;
      on.pressure += rise, on.density += rise / (c * c);
      side.set_outward(on, speed + rise / (stream.density * c));
      check_same(far_field(side, stream, stream, variation, kGas), on);
    }
}

TEST_CASE("a far field pulls the incoming invariant to the reference's over the extent of the domain") {
  for (const Side side : kSides) {
    const Primitive<double> stream = flowing(side, 0.4), inside = flowing(side, 0.4, 1.2, 0.92);
    Variation variation;
    variation.distance = 0.1, variation.extent = 2;
    const Primitive<double> q = far_field(side, inside, stream, variation, kGas);
    const double impedance = 1.2 * speed_of_sound(inside, kGas);
    CHECK(q.pressure - impedance * side.outward(q) ==
          doctest::Approx(0.92 - impedance * 0.4 - 0.25 * 0.05 * 0.02).epsilon(1e-14));
    CHECK(q.pressure + impedance * side.outward(q) == doctest::Approx(0.92 + impedance * 0.4).epsilon(1e-14));
  }
}

TEST_CASE(
    "gas that comes back faster than the stream leaves meets the reference, without a jump on the way") {
  for (const Side side : kSides) {
    const Primitive<double> stream = flowing(side, 0.3);
    const Variation variation = swirling(side, 0.3, 0.1);
    const auto beyond = [&](double speed) {
      return far_field(side, flowing(side, speed), stream, variation, kGas);
    };
    for (const double speed : {-0.6, -0.9})
      check_same(beyond(speed), far_field(side, flowing(side, speed), stream, kGas));
    for (const double speed : {-0.6, -0.3})
      CHECK(side.outward(beyond(speed + 1e-9)) == doctest::Approx(side.outward(beyond(speed - 1e-9))));
    // Its tangential slopes do not go on: they would grow.
    Variation sheared = variation;
    component(sheared.outwards, tangential(side)) = 0.1;
    Primitive<double> q = far_field(side, flowing(side, -0.1), stream, sheared, kGas), p = stream;
    CHECK(component(q, tangential(side)) == component(p, tangential(side)));
  }
}

TEST_CASE("the slower a stream leaves, the more of the reference its far field meets") {
  for (const Side side : kSides) {
    const Variation variation = swirling(side, 0.3, 0.1);
    const double c = speed_of_sound(flowing(side, 0), kGas);
    const auto beyond = [&](double mach) {
      const Primitive<double> stream = flowing(side, mach * c);
      return side.outward(far_field(side, stream, stream, variation, kGas)) - mach * c;
    };
    CHECK(beyond(0.3) == doctest::Approx(-0.03).epsilon(1e-12));
    CHECK(beyond(0.125) == doctest::Approx(-0.015).epsilon(1e-12));
    CHECK(beyond(0) == doctest::Approx(0));
  }
}

TEST_CASE("beside a shock a far field takes no slope, and its state is one that gas has") {
  for (const Side side : kSides) {
    const Primitive<double> stream = flowing(side, 0.4);
    Variation variation;
    variation.distance = 0.1;
    variation.outwards = {-3, 0, 0, 0, -5};
    check_same(far_field(side, stream, stream, variation, kGas), stream);
    variation.along[tangential(side)] = {0, -1e6, -1e6, -1e6, 0};
    check_same(far_field(side, stream, stream, variation, kGas), far_field(side, stream, stream, kGas));
  }
}
