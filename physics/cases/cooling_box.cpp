// A uniform radiating gas: every cell follows the same ordinary differential equation.
#include "physics/cases/case.hpp"
#include "physics/cases/exact/cooling.hpp"
#include "physics/cases/unbounded.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {
namespace {

class CoolingBox : public Case {
 public:
  explicit CoolingBox(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        start_(state(setup.parameters)),
        temperature_(radiating(setup.source).cooling, start_.density, setup.gas.gamma,
                     start_.pressure / start_.density) {}

  Conserved<double> initial(const Box&) const override { return to_conserved(start_, gas_); }
  SourceKind source() const override { return SourceKind::cooling; }
  bool has_exact(double) const override { return true; }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    const double velocity[3] = {start_.u, start_.v, start_.w};
    for (int k = 0; k < 3; ++k)
      if (time > 0 && mesh_.active(k) && !stays_uniform(boundary[k], velocity[k] != 0))
        return kBoundaryDisturbs;
    return "";
  }
  Conserved<double> exact(const Box&, double time) const override {
    Primitive<double> q = start_;
    if (time > 0) q.pressure = q.density * temperature_.temperature(time);
    return to_conserved(q, gas_);
  }

 private:
  static Primitive<double> state(const Values& p) {
    const auto& velocity = p.reals("velocity");
    return {p.real("density"), velocity[0], velocity[1], velocity[2],
            p.real("density") * p.real("temperature")};
  }
  static const Source& radiating(const Source& source) {
    if (source.kind != SourceKind::cooling)
      throw CaseError({"source.kind"}, "a gas that cools needs source.kind: cooling");
    return source;
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  Primitive<double> start_;
  ExactCooling temperature_;
};

const RegisterCase registered{{
    .name = "cooling_box",
    .summary = "a uniform gas that cools by radiation, with the exact solution",
    .reference = "exact: the time to cool is an integral over temperature; G. B. Rybicki & A. P. Lightman, "
                 "Radiative Processes in Astrophysics (1979), section 5.2",
    .parameters =
        {
            {"density", 1.0, "", "density of the gas", positive()},
            {"velocity", std::vector<double>{0, 0, 0}, "", "velocity of the gas"},
            {"temperature", 100.0, "", "p / density of the gas at the start", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<CoolingBox>(setup); },
}};

}  // namespace
}  // namespace halfstep
