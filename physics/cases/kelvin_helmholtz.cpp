// Two smooth shear layers that roll up: the resolved Kelvin-Helmholtz instability.
#include <algorithm>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/exact/quadrature.hpp"

namespace halfstep {
namespace {

class KelvinHelmholtz : public Case {
 public:
  explicit KelvinHelmholtz(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        outer_density_(setup.parameters.real("outer.density")),
        outer_speed_(setup.parameters.real("outer.speed")),
        inner_density_(setup.parameters.real("inner.density")),
        inner_speed_(setup.parameters.real("inner.speed")),
        thickness_(setup.parameters.real("thickness")),
        amplitude_(setup.parameters.real("amplitude")),
        pressure_(setup.parameters.real("pressure")) {
    if (!mesh_.active(0) || !mesh_.active(1))
      throw CaseError(
          {"mesh.cells"},
          "the layers lie along x and roll up in y: mesh.cells needs more than one cell along both");
  }

  Conserved<double> initial(const Box& cell) const override {
    const Layer layer =
        layer_mean(in_mean_widths(mesh_, 1, cell.lower[1]), in_mean_widths(mesh_, 1, cell.upper[1]));
    const double a = in_mean_widths(mesh_, 0, cell.lower[0]), b = in_mean_widths(mesh_, 0, cell.upper[0]);
    const double v = amplitude_ * mean_sin(a, b, mesh_.cells[0], 2);
    const double v2 = amplitude_ * amplitude_ * 0.5 * (1 - mean_cos(a, b, mesh_.cells[0], 4));
    return {layer.density, layer.momentum, layer.density * v, 0,
            pressure_ / (gas_.gamma - 1) + layer.kinetic + 0.5 * layer.density * v2};
  }

 private:
  /// Density, x-momentum and its kinetic energy at some y.
  struct Layer {
    double density = 0, momentum = 0, kinetic = 0;
    friend Layer operator+(const Layer& a, const Layer& b) {
      return {a.density + b.density, a.momentum + b.momentum, a.kinetic + b.kinetic};
    }
    friend Layer operator*(double s, const Layer& a) {
      return {s * a.density, s * a.momentum, s * a.kinetic};
    }
  };

  /// Returns the profile of McNally et al. (2012), section 2, which is even about the middle of the box; s in
  /// mean widths.
  Layer at(double s) const {
    const double from_layer = 0.25 - std::abs(s / mesh_.cells[1] - 0.5);  // > 0 within the inner stream
    const double half = 0.5 * std::exp(-std::abs(from_layer) / thickness_);
    const auto profile = [&](double outer, double inner) {
      return from_layer > 0 ? inner + half * (outer - inner) : outer - half * (outer - inner);
    };
    const double density = profile(outer_density_, inner_density_), u = profile(outer_speed_, inner_speed_);
    return {density, density * u, 0.5 * density * u * u};
  }

  /// Returns the mean over a <= s <= b in mean widths, integrated piecewise between the profile's kinks.
  Layer layer_mean(double a, double b) const {
    static const GaussRule rule = gauss_rule(16);
    const double n = mesh_.cells[1];
    const double shift = n * std::floor(0.5 * (a + b) / n);  // ghost cells: the periodic image
    a -= shift, b -= shift;
    if (a + b > n) {  // the lower of the two mirror images
      const double lower = n - b;
      b = n - a, a = lower;
    }
    const std::array<double, 4> cuts{a, std::clamp(0.25 * n, a, b), std::clamp(0.5 * n, a, b), b};
    Layer sum;
    for (int i = 0; i < 3; ++i)
      if (cuts[i] < cuts[i + 1])
        sum = sum + ((cuts[i + 1] - cuts[i]) / (b - a)) *
                        interval_average(rule, cuts[i], cuts[i + 1], [&](double s) { return at(s); });
    return sum;
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  double outer_density_, outer_speed_, inner_density_, inner_speed_;
  double thickness_, amplitude_, pressure_;
};

const RegisterCase registered{{
    .name = "kelvin_helmholtz",
    .summary = "two smooth shear layers roll up: the resolved Kelvin-Helmholtz instability",
    .reference = "C. P. McNally, W. Lyra & J.-C. Passy, Astrophys. J. Suppl. 201 (2012) 18",
    .parameters =
        {
            {"outer.density", 1.0, "", "density of the stream at the lower and upper sides", positive()},
            {"outer.speed", 0.5, "", "x-velocity of the stream at the lower and upper sides"},
            {"inner.density", 2.0, "", "density of the middle stream", positive()},
            {"inner.speed", -0.5, "", "x-velocity of the middle stream"},
            {"thickness", 0.025, "", "thickness of the layers, as a part of the box's height", positive()},
            {"amplitude", 0.01, "", "y-velocity of the disturbance, two waves along x"},
            {"pressure", 2.5, "", "pressure throughout", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<KelvinHelmholtz>(setup); },
}};

}  // namespace
}  // namespace halfstep
