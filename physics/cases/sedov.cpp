// A strong blast from a point: energy deposited in a ball of a few cells.
#include "physics/cases/exact/sedov.hpp"

#include <algorithm>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/exact/sphere_average.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class Sedov : public Case {
 public:
  explicit Sedov(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        swept_{mesh_.active(0), mesh_.active(1), mesh_.active(2)},
        energy_(setup.parameters.real("energy")),
        density_(setup.parameters.real("density")),
        pressure_(setup.parameters.real("pressure")),
        blast_(blaming("gas.gamma",
                       [&] { return SedovBlast(std::max(1, mesh_.dimensions()), setup.gas.gamma); })) {
    if (mesh_.dimensions() == 0)
      throw CaseError({"mesh.cells"},
                      "the blast needs at least one axis with more than one cell in mesh.cells");
    double width = 0;
    for (int k = 0; k < 3; ++k) {
      centre_[k] = setup.parameters.reals("centre")[k];
      if (swept_[k]) width = std::max(width, mesh_.spacing(k));
    }
    radius_ = setup.parameters.real("radius") * width;
    energy_density_ = energy_ / ball_volume();
  }

  Conserved<double> initial(const Box& cell) const override {
    return {density_, 0, 0, 0, pressure_ / (gas_.gamma - 1) + energy_density_ * ball_share(cell)};
  }

  /// exact() is the blast from a point, while the start is a ball. The quadrature cannot average over cells
  /// much wider than the shell behind the shock.
  bool has_exact(double time) const override {
    if (!(time > 0)) return false;
    return RadialExtent(mesh_.cell(0, 0, 0), swept_).diagonal < 4 * shell(time);
  }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    return lost_about_centre(
        mesh_, centre_, boundary, blast_.shock_radius(energy_, density_, time),
        [](Boundary side) { return side == Boundary::periodic || stays_steady(side, false); });
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    static const GaussRule few = gauss_rule(4), many = gauss_rule(8);
    const SymmetricImage image(cell, centre_, mesh_);
    const double shock = blast_.shock_radius(energy_, density_, time);
    const RadialExtent extent(image.box, swept_);
    if (extent.nearest >= shock) return {density_, 0, 0, 0, pressure_ / (gas_.gamma - 1)};
    const GaussRule& rule = extent.diagonal < 0.6 * shell(time) ? few : many;
    return image.to_cell(sphere_average(rule, image.box, swept_, shock, [&](const std::array<double, 3>& x) {
      const double r = swept_norm(x, swept_);
      Primitive<double> q = blast_.sample(r, energy_, density_, time);
      q.pressure = std::max(q.pressure, pressure_);
      const double momentum = r > 0 ? q.density * q.u / r : 0;
      return Conserved<double>{q.density, swept_[0] ? momentum * x[0] : 0, swept_[1] ? momentum * x[1] : 0,
                               swept_[2] ? momentum * x[2] : 0,
                               q.pressure / (gas_.gamma - 1) + kinetic_energy(q)};
    }));
  }

 private:
  /// Returns the thickness of the shell behind the shock in which the profile varies, times the dimensions.
  double shell(double time) const {
    return blast_.thickness() * blast_.shock_radius(energy_, density_, time);
  }

  /// Returns the fraction of the cell inside the ball, 0 to 1.
  double ball_share(const Box& cell) const {
    const SymmetricImage image(cell, centre_, mesh_);
    const RadialExtent extent(image.box, swept_);
    if (extent.nearest >= radius_) return 0;
    if (extent.farthest <= radius_) return 1;
    static const GaussRule rule = gauss_rule(12);
    return sphere_average(rule, image.box, swept_, radius_, [&](const std::array<double, 3>& x) {
      return swept_norm(x, swept_) < radius_ ? 1.0 : 0.0;
    });
  }

  /// Returns the ball's volume, summed over the cells like the states, so that the requested energy is
  /// deposited to round-off. Cells outside the domain count: an octant with reflecting sides holds an eighth.
  double ball_volume() const {
    std::array<int, 3> first{}, last{};
    double volume = 1;
    for (int k = 0; k < 3; ++k) {
      if (!swept_[k]) continue;
      const double middle = in_cells(mesh_, k, centre_[k]), reach = radius_ / mesh_.spacing(k);
      first[k] = static_cast<int>(std::floor(middle - reach));
      last[k] = static_cast<int>(std::ceil(middle + reach));
      volume *= mesh_.spacing(k);
    }
    double sum = 0;
    for (int k = first[2]; k <= last[2]; ++k)
      for (int j = first[1]; j <= last[1]; ++j)
        for (int i = first[0]; i <= last[0]; ++i) sum += ball_share(mesh_.cell(i, j, k));
    return sum * volume;
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  std::array<bool, 3> swept_;
  double energy_, density_, pressure_;
  SedovBlast blast_;
  std::array<double, 3> centre_{};
  double radius_ = 0, energy_density_ = 0;
};

const RegisterCase registered{{
    .name = "sedov",
    .summary = "a blast wave from a point (3D), a line (2D) or a plane (1D), with the exact solution",
    .reference = "L. I. Sedov, Similarity and Dimensional Methods in Mechanics (1959); "
                 "J. R. Kamm & F. X. Timmes, LA-UR-07-2849 (2007)",
    .parameters =
        {
            {"energy", 1.0, "", "energy of the blast; per length along each axis that is not swept",
             positive()},
            {"density", 1.0, "", "density of the gas", positive()},
            {"pressure", 1.0e-5, "", "pressure of the gas, which the exact solution takes for small",
             positive()},
            {"radius", 3.0, "cells",
             "radius of the ball that gets the energy, in widths of a cell (of the widest axis)",
             Range{.low = 0.5, .high = 1000}},
            {"centre", std::vector<double>{0, 0, 0}, "", "where the blast is"},
        },
    .needs_uniform_mesh = true,  // the ball is one of so many cells
    .make = [](const CaseSetup& setup) { return std::make_unique<Sedov>(setup); },
}};

}  // namespace
}  // namespace halfstep
