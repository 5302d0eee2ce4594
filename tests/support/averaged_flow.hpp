// A smooth flow that varies along all axes, as exact cell averages with their exact rate of change.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "physics/cases/exact/quadrature.hpp"
#include "physics/flux/face_flux.hpp"
#include "physics/flux/riemann/physical_flux.hpp"
#include "physics/gas/rotate.hpp"
#include "tests/support/run_case.hpp"

namespace halfstep {

/// A flow that varies along the active axes and is periodic in the unit box.
class AveragedFlow {
 public:
  explicit AveragedFlow(const Mesh& mesh, const IdealGas<double>& gas) : mesh_(mesh), gas_(gas) {
    for (int axis = 0; axis < 3; ++axis) swept_[axis] = mesh.active(axis);
  }

  Fields averages() const {
    return fields_of_cells(mesh_, [&](const Box& cell) {
      return box_average(kRule, cell, swept_,
                         [&](const std::array<double, 3>& x) { return to_conserved(at(x), gas_); });
    });
  }

  /// Returns the exact rates of change of the averages: the net flux through each cell's faces.
  Fields rates() const {
    return fields_of_cells(mesh_, [&](const Box& cell) {
      Conserved<double> rate{};
      for (int axis = 0; axis < 3; ++axis)
        if (swept_[axis])
          rate = rate + (1 / cell.width(axis)) *
                            (flux(cell, axis, cell.lower[axis]) - flux(cell, axis, cell.upper[axis]));
      return rate;
    });
  }

 private:
  static inline const GaussRule kRule = gauss_rule(3);

  Primitive<double> at(const std::array<double, 3>& x) const {
    double phase[3];
    for (int axis = 0; axis < 3; ++axis) phase[axis] = swept_[axis] ? 2 * std::acos(-1.0) * x[axis] : 0.7;
    const auto wave = [&](double a, double b, double c) {
      return std::sin(phase[0] + a) + std::cos(phase[1] + b) + std::sin(phase[2] + c) +
             0.5 * std::sin(phase[0] + phase[1] - phase[2] + a + b);
    };
    return {1.5 + 0.15 * wave(0, 1, 2), 0.3 + 0.3 * wave(1, 3, 0), 0.2 * wave(2, 0, 4),
            -0.2 + 0.25 * wave(5, 2, 1), 2 + 0.2 * wave(3, 5, 4)};
  }

  /// Returns the average of the exact flux over a cell's face normal to `axis` at `place`.
  Conserved<double> flux(Box cell, int axis, double place) const {
    cell.lower[axis] = cell.upper[axis] = place;
    std::array<bool, 3> tangents = swept_;
    tangents[axis] = false;
    return box_average(kRule, cell, tangents, [&](const std::array<double, 3>& x) {
      const Primitive<double> q = rotated(at(x), axis);
      return unrotated(physical_flux(q, to_conserved(q, gas_)), axis);
    });
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  std::array<bool, 3> swept_;
};

/// Returns for each field the mean difference between a run's rates of change and the exact ones.
inline std::array<double, kFields> rate_errors(const std::array<int, 3>& cells, const Overrides& overrides) {
  const Overrides mesh = {"mesh.cells=[" + std::to_string(cells[0]) + "," + std::to_string(cells[1]) + "," +
                          std::to_string(cells[2]) + "]"};
  CaseRun run("uniform", with(with(mesh, {"scheme.integrator=euler"}), overrides), 0);
  const AveragedFlow flow(run.mesh(), run.gas());
  const Fields before = flow.averages(), rates = flow.rates();
  run.begin_from(before);
  const double dt = 1e-4;
  if (!run.attempt(dt, 0).accepted) throw std::runtime_error("a smooth flow raised a soft error");
  const Fields after = run.fields();
  std::array<double, kFields> errors{};
  const auto count = static_cast<double>(rates.conserved[0].size());
  for (int f = 0; f < kFields; ++f)
    for (std::size_t n = 0; n < rates.conserved[f].size(); ++n)
      errors[f] +=
          std::abs((after.conserved[f][n] - before.conserved[f][n]) / dt - rates.conserved[f][n]) / count;
  return errors;
}

}  // namespace halfstep
