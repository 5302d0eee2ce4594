// The positivity limiter as a pure function of a face. Compiled without contraction: the tests compare bits
// of one function inlined in several places.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "physics/flux/positivity.hpp"
#include "physics/flux/riemann/hllc.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/stage/stage.hpp"
#include "tests/support/cells.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kGas{1.4};

/// Two neighbours that may differ by many orders of magnitude, and a high-order flux between them.
struct Face {
  Primitive<double> l, r;
  Conserved<double> high;
  /// Returns the larger Courant number of the two cells.
  double courant(const FaceStep<double>& step) const {
    const auto of_cell = [&](const Primitive<double>& q) {
      const double c = sound_speed(q.density, q.pressure, kGas);
      return step.normal * (std::abs(q.u) + c) + step.first * (std::abs(q.v) + (step.first > 0 ? c : 0)) +
             step.second * (std::abs(q.w) + (step.second > 0 ? c : 0));
    };
    return std::max(of_cell(l), of_cell(r));
  }
};

class Faces {
 public:
  /// Draws a face. `decades` is the spread of the states, `error` the relative error of edge states.
  Face draw(double decades, double error) {
    Face face{state(decades), state(decades), {}};
    face.high = Hllc::flux(disturbed(face.l, error), disturbed(face.r, error), kGas);
    return face;
  }

  /// Draws neighbours that hardly differ, up to Mach 1.7. (At Mach 1000 one percent of the kinetic energy is
  /// many times the internal energy.)
  Face smooth() {
    const Primitive<double> l = state(0), r = disturbed(l, 0.01);
    return {l, r, Hllc::flux(disturbed(l, 0.01), disturbed(r, 0.01), kGas)};
  }

  /// Returns a step of that Courant number, on cells that are no cubes.
  FaceStep<double> step(const Face& face, int active_axes, double courant) {
    FaceStep<double> step{std::pow(10, number()), active_axes > 1 ? std::pow(10, number()) : 0,
                          active_axes > 2 ? std::pow(10, number()) : 0, 0.5 / active_axes};
    const double scale = courant / face.courant(step);
    return {scale * step.normal, scale * step.first, scale * step.second, step.even_share};
  }

 private:
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Primitive<double> state(double decades) {
    const double density = std::pow(10, decades * number()), pressure = std::pow(10, decades * number());
    const double scale = std::pow(10, decades * number()) * sound_speed(density, pressure, kGas);
    return {density, scale * number(), scale * number(), scale * number(), pressure};
  }
  Primitive<double> disturbed(const Primitive<double>& q, double error) {
    const auto factor = [&] { return std::exp(error * number()); };
    return {q.density * factor(), q.u * factor(), q.v * factor(), q.w * factor(), q.pressure * factor()};
  }
  std::mt19937 random_{11};
};

/// Returns the share of its density or internal energy, whichever is less, that a cell keeps after the flux.
double kept(const PartialUpdate<double>& update, const Conserved<double>& flux) {
  const Conserved<double> after = update.after(flux);
  const double density = after.density / update.before.density;
  return density > 0 ? std::min(density, internal_energy(after) / internal_energy(update.before)) : density;
}
double kept(const Face& face, const FaceStep<double>& step, const Conserved<double>& flux) {
  return std::min(kept({face.l, 1.0, step, kGas}, flux), kept({face.r, -1.0, step, kGas}, flux));
}
Conserved<double> limited(const Face& face, const FaceStep<double>& step) {
  return positive_flux(face.high, face.l, face.r, step, kGas);
}

}  // namespace

TEST_CASE("a flux that leaves both cells positive is the same to the bit") {
  Faces faces;
  for (int active = 1; active <= 3; ++active)
    for (int n = 0; n < 5000; ++n) {
      const Face face = faces.smooth();
      REQUIRE(same_bits(limited(face, faces.step(face, active, 0.8 * positive_cfl(active, kGas.gamma))),
                        face.high));
    }
}

TEST_CASE("a limited flux leaves both cells positive, whatever the high-order one was") {
  Faces faces;
  for (int active = 1; active <= 3; ++active) {
    int changed = 0;
    const double most = positive_cfl(active, kGas.gamma);
    CHECK(most >= 0.5 / active);
    for (int n = 0; n < 20000; ++n) {
      const Face face = faces.draw(3, 2);
      const FaceStep<double> longest = faces.step(face, active, most),
                             step = faces.step(face, active, 0.9 * most);
      REQUIRE(kept(face, longest, Rusanov::flux(face.l, face.r, kGas)) > -1e-12);
      REQUIRE(kept(face, longest, limited(face, longest)) > -1e-12);
      REQUIRE(kept(face, step, limited(face, step)) > 0);
      changed += !same_bits(limited(face, step), face.high);
    }
    CHECK(changed > 4000);
    CHECK(changed < 16000);
  }
}

TEST_CASE("parts of a cell's update are all of it; a fast stream gives most to the face it leaves by") {
  const Primitive<double> q{2, 30, -4, 3, 1};
  const FaceStep<double> along_x{0.025, 0.01, 0.02, 1.0 / 6}, along_y{0.01, 0.025, 0.02, 1.0 / 6},
      along_z{0.02, 0.025, 0.01, 1.0 / 6};
  const Primitive<double> by_y{2, -4, 30, 3, 1}, by_z{2, 3, 30, -4, 1};
  double sum = 0;
  for (const double out : {1.0, -1.0})
    for (const PartialUpdate<double>& part : {PartialUpdate<double>{q, out, along_x, kGas},
                                              {by_y, out, along_y, kGas},
                                              {by_z, out, along_z, kGas}})
      sum += part.before.density;
  CHECK(sum == doctest::Approx(q.density));
  CHECK(PartialUpdate<double>(q, 1.0, along_x, kGas).before.density > 0.75 * q.density);
  // The flow is uniform and supersonic, at a Courant number of 0.9: its flux takes no more than there is.
  const Conserved<double> flux = Hllc::flux(q, q, kGas);
  CHECK(same_bits(positive_flux(flux, q, q, along_x, kGas), flux));
}

TEST_CASE("no more is limited than it takes") {
  // The gas is at rest in both cells; the high-order flux takes too much of one field from the lower cell.
  const Primitive<double> q{1, 0, 0, 0, 1};
  const FaceStep<double> step{0.02 / sound_speed(q.density, q.pressure, kGas), 0, 0, 0.5};
  const PartialUpdate<double> below(q, 1.0, step, kGas);
  const Conserved<double> at_rest = Hllc::flux(q, q, kGas);
  for (const double factor : {1.01, 2.0, 1e3, 1e9}) {
    Conserved<double> mass = at_rest, energy = at_rest;
    mass.density = factor * below.before.density / step.normal;
    energy.energy = factor * below.before.energy / step.normal;
    CHECK(below.after(positive_flux(mass, q, q, step, kGas)).density == doctest::Approx(below.least_density));
    // The partial update has momentum, so its internal energy is a little less than linear.
    const double left = internal_energy(below.after(positive_flux(energy, q, q, step, kGas)));
    CHECK(left >= below.least_energy * (1 - 1e-9));
    CHECK(left == doctest::Approx(below.least_energy).epsilon(0.2));
  }
}

TEST_CASE("the limiter sees no difference between left and right") {
  Faces faces;
  for (int n = 0; n < 5000; ++n) {
    const Face face = faces.draw(2, 1);
    const FaceStep<double> step = faces.step(face, 3, 0.2);
    const auto mirrored = [](Primitive<double> q) {
      q.u = -q.u;
      return q;
    };
    const Conserved<double>& h = face.high;
    const Face other{mirrored(face.r), mirrored(face.l), {-h.density, h.mu, -h.mv, -h.mw, -h.energy}};
    const Conserved<double> f = limited(face, step), back = limited(other, step);
    REQUIRE(same_bits({-back.density, back.mu, -back.mv, -back.mw, -back.energy}, f));
  }
}

TEST_CASE("a high-order flux that is not finite is replaced by Rusanov's") {
  const Primitive<double> l{1, 0.3, 0, 0, 1}, r{0.5, -0.1, 0.2, 0, 2};
  const Conserved<double> low = Rusanov::flux(l, r, kGas);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (double Conserved<double>::*field :
         {&Conserved<double>::density, &Conserved<double>::mu, &Conserved<double>::mv, &Conserved<double>::mw,
          &Conserved<double>::energy}) {
      Conserved<double> high = Hllc::flux(l, r, kGas);
      high.*field = bad;
      CHECK(same_bits(positive_flux<double>(high, l, r, {0.1, 0, 0, 0.5}, kGas), low));
    }
}

TEST_CASE("a step along a face counts the swept axes") {
  const Mesh mesh{{8, 1, 8}};
  const StageArguments<double> a{.layout = Layout(mesh, 1),
                                 .start = nullptr,
                                 .in = nullptr,
                                 .out = nullptr,
                                 .beta = 1,
                                 .dt = 0.1,
                                 .inverse_dx = {10, 0, 20},
                                 .gas = kGas,
                                 .raise_bad_faces = false,
                                 .wants_rate = false};
  const FaceStep<double> x = face_step(a, a.dt, 0), z = face_step(a, a.dt, 2);
  CHECK(x.even_share == 0.25);
  CHECK(x.normal == doctest::Approx(1));
  CHECK(x.first == 0);
  CHECK(x.second == doctest::Approx(2));
  CHECK(z.normal == doctest::Approx(2));
  CHECK(z.first == doctest::Approx(1));
  CHECK(z.second == 0);
}
