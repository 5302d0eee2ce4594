// A uniform flow, which every scheme must preserve to the last bit.
#include "physics/cases/case.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class Uniform : public Case {
 public:
  explicit Uniform(const CaseSetup& setup) : mesh_(setup.mesh) {
    const Values& p = setup.parameters;
    const auto& velocity = p.reals("velocity");
    state_ = to_conserved({p.real("density"), velocity[0], velocity[1], velocity[2], p.real("pressure")},
                          setup.gas);
  }
  Conserved<double> initial(const Box&) const override { return state_; }
  bool has_exact(double) const override { return true; }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    const double momentum[3] = {state_.mu, state_.mv, state_.mw};
    for (int k = 0; k < 3; ++k)
      for (const Boundary side : boundary[k])
        if (time > 0 && mesh_.active(k) && side != Boundary::periodic &&
            !stays_steady(side, momentum[k] != 0))
          return kBoundaryDisturbs;
    return "";
  }

 private:
  Mesh mesh_;
  Conserved<double> state_;
};

const RegisterCase registered{{
    .name = "uniform",
    .summary = "uniform flow: the free stream that every scheme must preserve",
    .reference = "P. D. Thomas & C. K. Lombard, AIAA J. 17 (1979) 1030",
    .parameters =
        {
            {"density", 1.0, "", "density of the gas", positive()},
            {"velocity", std::vector<double>{1, 0, 0}, "", "velocity of the gas"},
            {"pressure", 1.0, "", "pressure of the gas", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<Uniform>(setup); },
}};

}  // namespace
}  // namespace halfstep
