// Compiled with the Riemann solver that CONTRIBUTING.md shows, and with the table changed as it says.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "physics/cases/exact/exact_riemann.hpp"
#include "physics/diagnostics/operation_count.hpp"
#include "physics/recovery/diagnose.hpp"

using namespace halfstep;

namespace {

const IdealGas<double> kGas;

Conserved<double> flux(const Primitive<double>& l, const Primitive<double>& r) {
  return any_checked_flux(value_of(kRiemanns, "van_leer"), l, r, l, r, kGas).flux;
}

}  // namespace

TEST_CASE("the line of CONTRIBUTING.md makes van_leer a choice of decks") {
  CHECK(name_of(kRiemanns, value_of(kRiemanns, "van_leer")) == "van_leer");
}

TEST_CASE("its operations are counted: of each side a sound speed and four quotients in all") {
  const Operations face = operations({.riemann = value_of(kRiemanns, "van_leer")}).face;
  CHECK(face.divisions == 2 * 4);
  CHECK(face.square_roots == 2);
}

TEST_CASE("the flux between equal states is that of the state") {
  for (const double u : {-3.0, -1.0, -0.4, 0.0, 0.3, 2.5}) {
    const Primitive<double> q = {1.2, u, 0.3, -0.2, 0.8};
    const Conserved<double> error = flux(q, q) - physical_flux(q, to_conserved(q, kGas));
    for (const double e : {error.density, error.mu, error.mv, error.mw, error.energy})
      CHECK(std::abs(e) < 1e-14);
  }
}

TEST_CASE("first-order steps with van_leer's fluxes approach Sod's exact solution") {
  const Primitive<double> left = {1, 0, 0, 0, 1}, right = {0.125, 0, 0, 0, 0.1};
  const int cells = 400;
  const double dx = 1.0 / cells, dt = 0.4 * dx, end = 0.2;  // |u| + c stays below 2.2
  std::vector<Conserved<double>> u(cells, to_conserved(right, kGas));
  for (int i = 0; i < cells / 2; ++i) u[i] = to_conserved(left, kGas);
  const int steps = static_cast<int>(std::lround(end / dt));
  for (int step = 0; step < steps; ++step) {
    std::vector<Conserved<double>> next = u;
    for (int face = 1; face < cells; ++face) {
      const Conserved<double> f = flux(to_primitive(u[face - 1], kGas), to_primitive(u[face], kGas));
      next[face - 1] = next[face - 1] - (dt / dx) * f;
      next[face] = next[face] + (dt / dx) * f;
    }
    // The waves do not reach the ends: the first and last cell keep their state.
    next.front() = u.front();
    next.back() = u.back();
    u = next;
  }
  const ExactRiemann exact(left, right, kGas);
  double l1 = 0;
  for (int i = 0; i < cells; ++i) {
    const double lower = (i * dx - 0.5) / end;
    l1 += std::abs(u[i].density - exact.average(lower, lower + dx / end).density) * dx;
  }
  CHECK(l1 < 0.012);
}
