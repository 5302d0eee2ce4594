// A jet of cold gas at a Mach number of thousands into a thin gas at rest.
#include <algorithm>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"

namespace halfstep {
namespace {

class Jet : public Case {
 public:
  explicit Jet(const CaseSetup& setup) : mesh_(setup.mesh), half_width_(setup.parameters.real("half_width")) {
    const Values& p = setup.parameters;
    const double pressure = p.real("pressure");
    ambient_ = to_conserved<double>({p.real("ambient_density"), 0, 0, 0, pressure}, setup.gas);
    jet_ = to_conserved<double>({p.real("density"), p.real("speed"), 0, 0, pressure}, setup.gas);
    if (!mesh_.active(0) || !mesh_.active(1))
      throw CaseError(
          {"mesh.cells"},
          "the jet flies along x and has its width along y: mesh.cells needs more than one cell along both");
    if (half_width_ >= std::min(mesh_.upper[1], -mesh_.lower[1]))
      throw CaseError({"case.half_width", "mesh.lower", "mesh.upper"},
                      "the jet, |y| < case.half_width, does not fit between the mesh's y sides");
  }

  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (axis != 0 || sides[0] == Boundary::inflow) return "";
    return "the jet comes in from the lower side: [inflow, outflow]";
  }

  /// Returns gas at rest in the domain, and the jet in the ghost cells of `boundary: inflow` at the lower x
  /// side. The jet covers whole columns of the mesh but for the two that its edges cut.
  Conserved<double> initial(const Box& cell) const override {
    if (cell.center(0) > mesh_.lower[0]) return ambient_;
    const double low = in_cells(mesh_, 1, cell.lower[1]), high = in_cells(mesh_, 1, cell.upper[1]);
    const double inside =
        std::min(high, in_cells(mesh_, 1, half_width_)) - std::max(low, in_cells(mesh_, 1, -half_width_));
    const double share = std::clamp(inside / (high - low), 0.0, 1.0);
    return share * jet_ + (1 - share) * ambient_;
  }

 private:
  Mesh mesh_;
  double half_width_;
  Conserved<double> ambient_, jet_;
};

const RegisterCase registered{{
    .name = "jet",
    .summary = "an astrophysical jet: cold gas at Mach 2000 is shot into thin gas at rest",
    .reference =
        "Y. Ha, C. L. Gardner, A. Gelb & C.-W. Shu, J. Sci. Comput. 24 (2005) 29; X. Zhang & C.-W. Shu, "
        "J. Comput. Phys. 229 (2010) 8918",
    .parameters =
        {
            {"density", 5.0, "", "density of the jet", positive()},
            {"speed", 800.0, "", "velocity of the jet, along x; over its sound speed it is the Mach number",
             positive()},
            {"half_width", 0.05, "", "the jet enters at |y| below this, through the lower x side",
             positive()},
            {"ambient_density", 0.5, "", "density of the gas at rest", positive()},
            {"pressure", 0.4127, "", "pressure of both", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<Jet>(setup); },
}};

}  // namespace
}  // namespace halfstep
