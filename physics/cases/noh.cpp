// Cold gas flowing to a point: an infinitely strong shock runs outwards.
#include <algorithm>
#include <array>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/exact/sphere_average.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class Noh : public Case {
 public:
  explicit Noh(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        swept_{mesh_.active(0), mesh_.active(1), mesh_.active(2)},
        dimensions_(mesh_.dimensions()),
        density_(setup.parameters.real("density")),
        speed_(setup.parameters.real("speed")),
        pressure_(setup.parameters.real("pressure")) {
    if (dimensions_ == 0)
      throw CaseError({"mesh.cells"},
                      "the flow needs at least one axis with more than one cell in mesh.cells");
    std::copy_n(setup.parameters.reals("centre").begin(), 3, centre_.begin());
  }

  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }
  bool has_exact(double) const override { return true; }
  /// Ahead of the shock the density grows, except in one dimension.
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    if (time <= 0) return "";
    return lost_about_centre(
        mesh_, centre_, boundary, 0.5 * (gas_.gamma - 1) * speed_ * time, [&](Boundary side) {
          return side == Boundary::prescribed || (dimensions_ == 1 && stays_steady(side, true));
        });
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    const SymmetricImage image(cell, centre_, mesh_);
    return image.to_cell(mean(image.box, time, 0));
  }

  /// Gas that falls in, denser where its streams have converged: density d (1 + speed t / r)^(n - 1), n axes.
  DirichletState dirichlet() const override {
    DirichletState d;
    const Formula t = d.formulas.time(), zero = d.formulas.constant(0);
    std::array<Formula, 3> offset = {zero, zero, zero};
    Formula r2 = zero;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!swept_[a]) continue;
      offset[a] = d.formulas.coordinate(static_cast<int>(a)) - centre_[a];
      r2 = r2 + offset[a] * offset[a];
    }
    const Formula r = sqrt(r2), compression = 1 + speed_ * t / r, scale = -speed_ / r;
    Formula density = d.formulas.constant(density_);
    for (int n = 1; n < dimensions_; ++n) density = density * compression;
    d.set_state(density, {scale * offset[0], scale * offset[1], scale * offset[2]},
                d.formulas.constant(pressure_));
    return d;
  }

 private:
  /// Returns the state at x: at rest behind the shock, flowing inwards ahead of it. W. F. Noh (1987).
  Conserved<double> at(const std::array<double, 3>& x, double shock, double time) const {
    const double r = swept_norm(x, swept_);
    if (r < shock) return behind();
    double density = density_;
    for (int power = 1; power < dimensions_; ++power) density *= 1 + speed_ * time / r;
    const double momentum = -density * speed_ / r;
    return {density, swept_[0] ? momentum * x[0] : 0, swept_[1] ? momentum * x[1] : 0,
            swept_[2] ? momentum * x[2] : 0, pressure_ / (gas_.gamma - 1) + 0.5 * density * speed_ * speed_};
  }

  Conserved<double> behind() const {
    const double density = density_ * std::pow((gas_.gamma + 1) / (gas_.gamma - 1), dimensions_);
    return {density, 0, 0, 0, 0.5 * density * speed_ * speed_};
  }

  /// Returns the mean over a box relative to the centre. The direction of the flow is singular at the centre,
  /// so a box near it is halved, unless the shock is already larger, until the rest is negligible.
  Conserved<double> mean(const Box& box, double time, int depth) const {
    const double shock = 0.5 * (gas_.gamma - 1) * speed_ * time;
    const RadialExtent extent(box, swept_);
    if (extent.farthest <= shock) return behind();
    if (extent.nearest < extent.diagonal && extent.diagonal > shock && depth * dimensions_ < 54)
      return halves(box, time, depth);
    // Enough Gauss points for an error of round-off: fewer far from the centre.
    static const GaussRule few = gauss_rule(5), some = gauss_rule(7), many = gauss_rule(12);
    const double distance = extent.nearest / extent.diagonal;
    const GaussRule& rule = distance > 8 ? few : distance > 2.5 ? some : many;
    return sphere_average(rule, box, swept_, shock,
                          [&](const std::array<double, 3>& x) { return at(x, shock, time); });
  }

  /// Halves a box along its longest axes, so that no part of it stays elongated.
  Conserved<double> halves(const Box& box, double time, int depth) const {
    double longest = 0;
    for (int k = 0; k < 3; ++k)
      if (swept_[k]) longest = std::max(longest, box.width(k));
    Conserved<double> sum{};
    int parts = 0;
    for (int part = 0; part < 8; ++part) {
      Box half = box;
      bool counted = true;
      for (int k = 0; k < 3; ++k) {
        const bool upper = part >> k & 1;
        if (!swept_[k] || 2 * box.width(k) <= longest)
          counted = counted && !upper;
        else
          (upper ? half.lower : half.upper)[k] = box.center(k);
      }
      if (!counted) continue;
      sum = sum + mean(half, time, depth + 1);
      ++parts;
    }
    return (1.0 / parts) * sum;
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  std::array<bool, 3> swept_;
  int dimensions_;
  double density_, speed_, pressure_;
  std::array<double, 3> centre_{};
};

const RegisterCase registered{{
    .name = "noh",
    .summary =
        "cold gas falls on a plane (1D), a line (2D) or a point (3D): an infinitely strong shock, exact",
    .reference = "W. F. Noh, J. Comput. Phys. 72 (1987) 78",
    .parameters =
        {
            {"density", 1.0, "", "density at the start", positive()},
            {"speed", 1.0, "", "speed at which the gas falls towards the centre", positive()},
            {"pressure", 1.0e-6, "", "pressure of the falling gas, which the exact solution takes for small",
             positive()},
            {"centre", std::vector<double>{0, 0, 0}, "",
             "where the gas falls to: a corner of the mesh, or inside it"},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<Noh>(setup); },
}};

}  // namespace
}  // namespace halfstep
