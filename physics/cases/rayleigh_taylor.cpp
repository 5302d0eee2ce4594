// Heavy gas above light gas: the Rayleigh-Taylor instability, begun with its own fastest mode.
#include "physics/cases/exact/rayleigh_taylor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/exact/quadrature.hpp"

namespace halfstep {
namespace {

class RayleighTaylor : public Case {
 public:
  explicit RayleighTaylor(const CaseSetup& setup)
      : mesh_(active(setup.mesh)),
        gas_(setup.gas),
        waves_(static_cast<double>(setup.parameters.integer("waves"))),
        interface_(setup.parameters.real("interface")),
        amplitude_(setup.parameters.real("amplitude")),
        mode_(mode({.lower = setup.parameters.real("lower_density"),
                    .upper = setup.parameters.real("upper_density"),
                    .thickness = setup.parameters.real("thickness"),
                    .pressure_at_interface = setup.parameters.real("pressure"),
                    .gravity = pull(setup.terms)})) {}

  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    const auto walls = [&](const auto& side) { return side == Boundary::reflecting; };
    if (axis == 1 && !(walls(sides[0]) && walls(sides[1])))
      return "walls bear the weight of the gas, and hold its mode: [reflecting, reflecting]";
    if (axis == 0 && sides[0] != Boundary::periodic && !(walls(sides[0]) && walls(sides[1])))
      return "whole waves go on beyond the sides: [periodic, periodic] or [reflecting, reflecting]";
    return "";
  }

  Conserved<double> initial(const Box& cell) const override {
    // Uses the mirror image, about the middle of the box and about its sides, nearest to the lower side.
    const double n = mesh_.cells[0];
    double a = in_mean_widths(mesh_, 0, cell.lower[0]), b = in_mean_widths(mesh_, 0, cell.upper[0]);
    const double shift = n * std::floor(0.5 * (a + b) / n);
    a -= shift, b -= shift;
    const bool mirrored = a + b > n, halved = a + b == n;
    if (mirrored) a = n - a, b = n - b, std::swap(a, b);
    Conserved<double> c = mean(a, b, cell.lower[1] - interface_, cell.upper[1] - interface_);
    c.mu = halved ? 0 : mirrored ? -c.mu : c.mu;
    return c;
  }

 private:
  static const Mesh& active(const Mesh& mesh) {
    if (!mesh.active(0) || !mesh.active(1))
      throw CaseError({"mesh.cells"},
                      "waves along x grow up and down y: mesh.cells needs more than one cell along both");
    return mesh;
  }
  static double pull(const RhsTerms& terms) {
    if (!(terms.gravity[1] < 0 && terms.gravity[0] == 0 && terms.gravity[2] == 0))
      throw CaseError({"gravity"},
                      "the weight is along y, downwards: give gravity as [0, g, 0] with g below 0");
    return -terms.gravity[1];
  }
  /// Returns the height of the lower wall above the interface.
  double bottom() const {
    if (!(interface_ > mesh_.lower[1]))
      throw CaseError({"case.interface", "mesh.lower"}, "case.interface is not between the mesh's y sides");
    return mesh_.lower[1] - interface_;
  }
  double top() const {
    if (!(interface_ < mesh_.upper[1]))
      throw CaseError({"case.interface", "mesh.upper"}, "case.interface is not between the mesh's y sides");
    return mesh_.upper[1] - interface_;
  }
  RayleighTaylorMode mode(const HeavyOverLight& rest) const {
    const char* blamed = !(rest.upper > rest.lower)    ? "case.upper_density"
                         : !(rest.pressure(top()) > 0) ? "case.pressure"
                                                       : "case.thickness";
    const double wavenumber = 2 * std::numbers::pi * waves_ / (mesh_.upper[0] - mesh_.lower[0]);
    return blaming(blamed, [&] { return RayleighTaylorMode(gas_, rest, wavenumber, bottom(), top()); });
  }

  /// Returns the state at rest, displaced by the growing mode and moving with it; s in mean widths along x, y
  /// above the interface.
  Primitive<double> at(double s, double y) const {
    const RayleighTaylorMode::Amplitudes mode = mode_.at(y);
    const HeavyOverLight& rest = mode_.at_rest();
    const double cos = cos_of_turn(s * waves_, mesh_.cells[0]);
    const double sin = cos_of_turn(s * waves_ - 0.25 * mesh_.cells[0], mesh_.cells[0]);
    const double displacement = amplitude_ / mode_.growth_rate();
    const double from = y - displacement * mode.up * cos, compression = displacement * mode.pressure * cos;
    const double density = rest.density(from), pressure = rest.pressure(from);
    return {density * (1 + compression / (gas_.gamma * pressure)), amplitude_ * mode.along * sin,
            amplitude_ * mode.up * cos, 0, pressure + compression};
  }

  /// Returns the mean over a <= s <= b and low <= y <= high, by strips no higher than the interface's
  /// thickness.
  Conserved<double> mean(double a, double b, double low, double high) const {
    static const GaussRule rule = gauss_rule(8);
    const int strips = static_cast<int>(std::min(std::ceil((high - low) / mode_.at_rest().thickness), 64.0));
    Conserved<double> sum{};
    for (int n = 0; n < strips; ++n)
      sum = sum + (1.0 / strips) * interval_average(rule, low + (high - low) * n / strips,
                                                    low + (high - low) * (n + 1) / strips, [&](double y) {
                                                      return interval_average(rule, a, b, [&](double s) {
                                                        return to_conserved(at(s, y), gas_);
                                                      });
                                                    });
    return sum;
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  double waves_, interface_, amplitude_;
  RayleighTaylorMode mode_;
};

const RegisterCase registered{{
    .name = "rayleigh_taylor",
    .summary = "heavy gas above light gas under gravity, begun with the fastest mode of linear theory",
    .reference =
        "Lord Rayleigh, Proc. London Math. Soc. 14 (1883) 170; S. Chandrasekhar, Hydrodynamic and "
        "Hydromagnetic Stability (1961), chapter 10; the mode: physics/cases/exact/rayleigh_taylor.hpp",
    .parameters =
        {
            {"lower_density", 1.0, "", "density of the light gas", positive()},
            {"upper_density", 2.0, "", "density of the heavy gas", positive()},
            {"pressure", 5.0, "", "pressure at the interface", positive()},
            {"interface", 0.0, "", "y of the interface"},
            {"thickness", 0.01, "", "of the interface: density goes as tanh(y / thickness)", positive()},
            {"waves", 1, "", "along x, in the box", between(1, 1024)},
            {"amplitude", 1.0e-3, "", "greatest y-velocity of the interface at the start", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<RayleighTaylor>(setup); },
}};

}  // namespace
}  // namespace halfstep
