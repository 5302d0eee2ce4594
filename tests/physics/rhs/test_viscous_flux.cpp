// Stress and heat flux through a face: known gradients, axes permuted, and whole flows against plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "physics/flux/face_flux.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/gas/transport.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/rhs/viscous_flux.hpp"
#include "tests/support/viscous_flow.hpp"

using namespace halfstep;

namespace {

constexpr double kViscosity = 0.3, kPrandtl = 0.72, kGamma = 1.4;
const Transport<double> kTransport = transport(kViscosity, kPrandtl, IdealGas<double>{kGamma});
const FaceVelocity<double> kVelocity{1, 3, -2};

/// The viscous flux through every face of a flow, as the stages compute it from memory with ghost cells.
class FaceFluxes {
 public:
  explicit FaceFluxes(const PeriodicFlow& flow)
      : flow_(flow),
        arguments_{Layout(flow.mesh, 2), nullptr, nullptr, nullptr, 1, 0, {}, {kGamma}, false, false},
        memory_(arguments_.layout.values()) {
    Boundaries periodic;
    for (auto& axis : periodic) axis = {Boundary::periodic, Boundary::periodic};
    const BoundaryConditions<double> rules(arguments_.layout, flow.mesh, periodic, {}, {{kGamma}});
    for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
      store(arguments_.layout, memory_.data(), c[0], c[1], c[2],
            to_conserved(flow.at(c), IdealGas<double>{kGamma}));
    });
    const GhostCells ghosts(arguments_.layout);
    for (std::int64_t n = 0; n < ghosts.count(); ++n) {
      int i, j, k;
      ghosts.cell(arguments_.layout, n, i, j, k);
      fill_ghost(rules, memory_.data(), i, j, k, 0);
    }
    arguments_.in = memory_.data();
    for (int d = 0; d < 3; ++d) arguments_.inverse_dx[d] = flow.mesh.active(d) ? 1 / flow.mesh.spacing(d) : 0;
  }
  FaceFluxes(const FaceFluxes&) = delete;

  /// Returns the rotated flux through the lower face of `cell`.
  Conserved<double> through(const std::array<int, 3>& cell, int axis) const {
    return viscous_face_flux(arguments_, kTransport, arguments_.layout.index(cell[0], cell[1], cell[2]), axis,
                             rotated(flow_.at(cell, axis, -1), axis), rotated(flow_.at(cell), axis));
  }

 private:
  const PeriodicFlow& flow_;
  StageArguments<double> arguments_;
  std::vector<double> memory_;
};

}  // namespace

TEST_CASE("Shear drags the faster fluid's momentum to the slower, and does work at the face's velocity") {
  const Conserved<double> f = viscous_flux<double>({.v_normal = 2}, kVelocity, kTransport);
  CHECK(f.density == 0);
  CHECK(f.mu == 0);
  CHECK(f.mv == doctest::Approx(-kViscosity * 2));
  CHECK(f.mw == 0);
  CHECK(f.energy == doctest::Approx(-kViscosity * 2 * 3));
  // The stress is symmetric: it does not matter which of the two velocities changes along which axis.
  CHECK(viscous_flux<double>({.u_first = 2}, kVelocity, kTransport).mv == f.mv);
  CHECK(viscous_flux<double>({.u_second = 2}, kVelocity, kTransport).mw ==
        viscous_flux<double>({.w_normal = 2}, kVelocity, kTransport).mw);
}

TEST_CASE("The stress has no trace: uniform expansion meets none, expansion along one axis 4/3 of mu") {
  const Conserved<double> all =
      viscous_flux<double>({.u_normal = 5, .v_first = 5, .w_second = 5}, kVelocity, kTransport);
  CHECK(all.mu == doctest::Approx(0).epsilon(1e-15));
  CHECK(all.energy == doctest::Approx(0).epsilon(1e-15));
  const double along = viscous_flux<double>({.u_normal = 5}, kVelocity, kTransport).mu;
  const double across = viscous_flux<double>({.v_first = 5}, kVelocity, kTransport).mu;
  CHECK(along == doctest::Approx(-4.0 / 3 * kViscosity * 5));
  CHECK(across == doctest::Approx(2.0 / 3 * kViscosity * 5));
  CHECK(along + 2 * across == doctest::Approx(0).epsilon(1e-15));
}

TEST_CASE("Heat flows from warm to cold, by mu c_p / Pr") {
  const Conserved<double> f = viscous_flux<double>({.temperature_normal = 10}, kVelocity, kTransport);
  CHECK(f.energy < 0);  // the gas is warmer above
  CHECK(f.energy == doctest::Approx(-10 * kViscosity * (kGamma / (kGamma - 1)) / kPrandtl));
  CHECK(f.mu == 0);
  CHECK(temperature(Primitive<double>{4, 0, 0, 0, 2}) == 0.5);
  CHECK(transport(0.0, kPrandtl, IdealGas<double>{kGamma}).conductivity == 0);
}

TEST_CASE("viscous fluxes of a periodic flow have the divergence of the whole stress tensor") {
  for (const std::array<int, 3>& cells : kPeriodicMeshes) {
    INFO("cells[0] ", cells[0], ", cells[1] ", cells[1], ", cells[2] ", cells[2]);
    const PeriodicFlow flow = smooth_flow(cells);
    const FaceFluxes fluxes(flow);
    const std::vector<Conserved<double>> expected =
        viscous_divergence(flow, kTransport.viscosity, kTransport.conductivity);
    double worst = 0, largest = 0;
    std::size_t n = 0;
    for_every_cell(flow.mesh, [&](std::array<int, 3> cell) {
      Conserved<double> sum{};
      for (int axis = 0; axis < 3; ++axis) {
        if (!flow.mesh.active(axis)) continue;
        std::array<int, 3> above = cell;
        above[axis] += 1;
        sum = sum + 1 / flow.mesh.spacing(axis) *
                        unrotated(fluxes.through(above, axis) - fluxes.through(cell, axis), axis);
      }
      worst = std::max(worst, largest_component(sum - expected[n]));
      largest = std::max({largest, std::abs(expected[n].mu), std::abs(expected[n].energy)});
      ++n;
    });
    CHECK(largest > 1);
    CHECK(worst < 1e-12 * largest);
  }
}

TEST_CASE("A flow whose axes are exchanged has the same viscous fluxes, exchanged") {
  const PeriodicFlow flow = smooth_flow({8, 9, 10});
  const FaceFluxes fluxes(flow);
  // Turns the axes: x becomes y, y becomes z, z becomes x.
  PeriodicFlow turned{{{10, 8, 9}, {0, 0, 0}, {0.7, 1, 1.5}}, {}};
  for_every_cell(turned.mesh, [&](std::array<int, 3> c) {
    const Primitive<double> q = flow.at({c[1], c[2], c[0]});
    turned.states.push_back({q.density, q.w, q.u, q.v, q.pressure});
  });
  const FaceFluxes turned_fluxes(turned);
  for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
    for (int axis = 0; axis < 3; ++axis) {
      const Conserved<double> f = unrotated(fluxes.through(c, axis), axis);
      const int turned_axis = (axis + 1) % 3;
      const Conserved<double> g =
          unrotated(turned_fluxes.through({c[2], c[0], c[1]}, turned_axis), turned_axis);
      CHECK(std::abs(g.mv - f.mu) + std::abs(g.mw - f.mv) + std::abs(g.mu - f.mw) +
                std::abs(g.energy - f.energy) <
            1e-12);
    }
  });
}
