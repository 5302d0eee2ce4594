// A smooth periodic flow and its viscous and heat fluxes: plain loops over the whole stress tensor that share
// nothing with the program but its structs.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "physics/gas/state.hpp"
#include "physics/mesh/mesh.hpp"
#include "tests/support/cells.hpp"

namespace halfstep {

struct PeriodicFlow {
  Mesh mesh;
  std::vector<Primitive<double>> states;  ///< x fastest

  /// Returns the state of a cell with any indices: the flow is periodic.
  const Primitive<double>& at(std::array<int, 3> cell) const {
    for (int d = 0; d < 3; ++d) cell[d] = ((cell[d] % mesh.cells[d]) + mesh.cells[d]) % mesh.cells[d];
    return states[cell[0] + mesh.cells[0] * (cell[1] + std::size_t(mesh.cells[1]) * cell[2])];
  }
  /// Returns the state `shift` cells away along `axis`.
  const Primitive<double>& at(std::array<int, 3> cell, int axis, int shift) const {
    cell[axis] += shift;
    return at(cell);
  }
};

/// Cell counts of meshes with every set of active axes.
inline constexpr std::array<int, 3> kPeriodicMeshes[] = {{17, 1, 1}, {1, 12, 1}, {1, 1, 9}, {11, 14, 1},
                                                         {10, 1, 8}, {1, 7, 12}, {9, 12, 7}};

/// Returns a flow with waves of every field along every axis, in a box whose cells are no cubes.
inline PeriodicFlow smooth_flow(std::array<int, 3> cells) {
  PeriodicFlow flow{{cells, {0, 0, 0}, {1, 1.5, 0.7}}, {}};
  for_every_cell(flow.mesh, [&](std::array<int, 3> cell) {
    double phase[3];
    for (int d = 0; d < 3; ++d) phase[d] = 2 * std::acos(-1.0) * (cell[d] + 0.5) / cells[d];
    const auto wave = [&](double x, double y, double z) {
      return std::sin(phase[0] + x) + std::cos(phase[1] + y) + std::sin(phase[2] + z) +
             0.5 * std::sin(phase[0] + phase[1] + x) * std::cos(phase[1] - phase[2] + z);
    };
    flow.states.push_back({1.5 + 0.1 * wave(0, 1, 2), 0.3 * wave(1, 3, 0), 0.2 * wave(2, 0, 4),
                           0.25 * wave(5, 2, 1), 2 + 0.2 * wave(3, 5, 4)});
  });
  return flow;
}

/// Returns the divergence of the viscous flux of each conserved field, per cell, x fastest.
inline std::vector<Conserved<double>> viscous_divergence(const PeriodicFlow& flow, double viscosity,
                                                         double conductivity) {
  const Mesh& mesh = flow.mesh;
  const auto velocity = [](const Primitive<double>& q, int d) { return d == 0 ? q.u : d == 1 ? q.v : q.w; };
  // Returns the flux through the lower face along n of a cell: momentum in x, y, z, then energy.
  const auto flux = [&](const std::array<int, 3>& cell, int n) -> std::array<double, 4> {
    const Primitive<double>&lower = flow.at(cell, n, -1), &upper = flow.at(cell);
    double gradient[3][3];  // of component c by x_d
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        if (d == n) {
          gradient[c][d] = (velocity(upper, c) - velocity(lower, c)) / mesh.spacing(d);
        } else {
          double sum = 0;
          for (int side = -1; side <= 0; ++side) {
            std::array<int, 3> beside = cell;
            beside[n] += side;
            sum += (velocity(flow.at(beside, d, 1), c) - velocity(flow.at(beside, d, -1), c)) /
                   (2 * mesh.spacing(d));
          }
          gradient[c][d] = mesh.active(d) ? sum / 2 : 0;
        }
    const double divergence = gradient[0][0] + gradient[1][1] + gradient[2][2];
    std::array<double, 4> out{};
    for (int c = 0; c < 3; ++c) {
      const double stress = viscosity * (gradient[c][n] + gradient[n][c] - (c == n ? 2 * divergence / 3 : 0));
      out[c] = -stress;
      out[3] -= stress * (velocity(lower, c) + velocity(upper, c)) / 2;
    }
    out[3] -=
        conductivity * (upper.pressure / upper.density - lower.pressure / lower.density) / mesh.spacing(n);
    return out;
  };
  std::vector<Conserved<double>> divergence;
  for_every_cell(mesh, [&](std::array<int, 3> cell) {
    double sum[4] = {0, 0, 0, 0};
    for (int n = 0; n < 3; ++n) {
      if (!mesh.active(n)) continue;
      std::array<int, 3> above = cell;
      above[n] += 1;
      const std::array<double, 4> in = flux(cell, n), out = flux(above, n);
      for (int c = 0; c < 4; ++c) sum[c] += (out[c] - in[c]) / mesh.spacing(n);
    }
    divergence.push_back({0, sum[0], sum[1], sum[2], sum[3]});
  });
  return divergence;
}

}  // namespace halfstep
