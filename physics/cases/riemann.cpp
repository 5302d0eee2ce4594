// Two constant states side by side: shock tubes.
#include <algorithm>
#include <cmath>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/exact/exact_riemann.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class RiemannProblem : public Case {
 public:
  explicit RiemannProblem(const CaseSetup& setup)
      : mesh_(setup.mesh),
        axis_(setup.parameters.word("axis")[0] - 'x'),
        position_(setup.parameters.real("position")),
        left_(side(setup.parameters, "left")),
        right_(side(setup.parameters, "right")),
        gas_(setup.gas),
        solution_(left_, right_, gas_) {
    if (!mesh_.active(axis_))
      throw CaseError({"case.axis", "mesh.cells"},
                      "the tube lies along axis " + setup.parameters.word("axis") +
                          ", which has one cell: give mesh.cells more there, or set another case.axis");
  }

  Conserved<double> initial(const Box& cell) const override {
    const double low = in_cells(mesh_, axis_, cell.lower[axis_]),
                 high = in_cells(mesh_, axis_, cell.upper[axis_]);
    const double share = std::clamp((in_cells(mesh_, axis_, position_) - low) / (high - low), 0.0, 1.0);
    return to_mesh(share * to_conserved(left_, gas_) + (1 - share) * to_conserved(right_, gas_));
  }

  bool has_exact(double) const override { return true; }
  /// Holds as long as both outer waves are inside the domain.
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    if (time <= 0) return "";
    if (!stays_steady(boundary[axis_][0], left_.u != 0) || !stays_steady(boundary[axis_][1], right_.u != 0))
      return kBoundaryDisturbs;
    const double velocities[2] = {std::max(std::abs(left_.v), std::abs(right_.v)),
                                  std::max(std::abs(left_.w), std::abs(right_.w))};
    for (int n = 1; n < 3; ++n) {
      const int across = (axis_ + n) % 3;
      if (mesh_.active(across) && !stays_uniform(boundary[across], velocities[n - 1] != 0))
        return kBoundaryDisturbs;
    }
    for (const auto& wave : {solution_.left_wave(), solution_.right_wave()}) {
      const double head = position_ + time * wave.head;
      if (head < mesh_.lower[axis_] || head > mesh_.upper[axis_]) return kWaveAtBoundary;
    }
    return "";
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    if (time <= 0) return initial(cell);
    return to_mesh(
        solution_.average((cell.lower[axis_] - position_) / time, (cell.upper[axis_] - position_) / time));
  }

 private:
  /// Returns the state of a side: u along the tube, v and w along the next axes in cyclic order.
  Primitive<double> side(const Values& p, const std::string& name) const {
    const auto& velocity = p.reals(name + ".velocity");
    return {p.real(name + ".density"), velocity[axis_], velocity[(axis_ + 1) % 3], velocity[(axis_ + 2) % 3],
            p.real(name + ".pressure")};
  }
  Conserved<double> to_mesh(const Conserved<double>& tube) const {
    std::array<double, 3> momentum{};
    momentum[axis_] = tube.mu;
    momentum[(axis_ + 1) % 3] = tube.mv;
    momentum[(axis_ + 2) % 3] = tube.mw;
    return {tube.density, momentum[0], momentum[1], momentum[2], tube.energy};
  }

  Mesh mesh_;
  int axis_;
  double position_;
  Primitive<double> left_, right_;
  IdealGas<double> gas_;
  ExactRiemann solution_;
};

const RegisterCase registered{{
    .name = "riemann",
    .summary = "two constant states side by side: Sod's and other shock tubes, with the exact solution",
    .reference =
        "E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd ed. (2009), chapter 4",
    .parameters =
        {
            {.name = "axis",
             .fallback = "x",
             .unit = "",
             .meaning = "axis the tube lies along",
             .choices = {"x", "y", "z"}},
            {"position", 0.5, "", "coordinate along the tube where the two states meet"},
            {"left.density", 1.0, "", "density on the lower side", positive()},
            {"left.velocity", std::vector<double>{0, 0, 0}, "", "velocity (x, y, z) on the lower side"},
            {"left.pressure", 1.0, "", "pressure on the lower side", positive()},
            {"right.density", 0.125, "", "density on the upper side", positive()},
            {"right.velocity", std::vector<double>{0, 0, 0}, "", "velocity (x, y, z) on the upper side"},
            {"right.pressure", 0.1, "", "pressure on the upper side", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<RiemannProblem>(setup); },
}};

}  // namespace
}  // namespace halfstep
