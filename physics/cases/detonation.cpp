// A steady detonation that runs along an axis into gas at rest: a shock sustained by the reaction behind it.
#include "physics/cases/case.hpp"
#include "physics/cases/exact/znd.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class Detonation : public Case {
 public:
  explicit Detonation(const CaseSetup& setup)
      : mesh_(setup.mesh),
        axis_(setup.parameters.word("axis")[0] - 'x'),
        position_(setup.parameters.real("position")),
        wave_(blaming("source.reaction.heat_release", [&] {
          return ZndDetonation(setup.gas, burning(setup.source).reaction, setup.parameters.real("overdrive"));
        })) {
    if (!mesh_.active(axis_))
      throw CaseError({"case.axis", "mesh.cells"},
                      "the wave runs along axis " + setup.parameters.word("axis") +
                          ", which has one cell: give mesh.cells more there, or set another case.axis");
  }

  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }
  double initial_reactant(const Box& cell) const override { return exact_reactant(cell, 0); }
  SourceKind source() const override { return SourceKind::reaction; }
  bool has_reactant() const override { return true; }

  bool has_exact(double) const override { return true; }
  /// Holds as long as the shock is inside. The gas ahead is at rest, that behind follows the wave.
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    if (time > 0) {
      if (!stays_steady(boundary[axis_][0], true) || !stays_steady(boundary[axis_][1], false))
        return kBoundaryDisturbs;
      for (int n = 1; n < 3; ++n)
        if (mesh_.active((axis_ + n) % 3) && !stays_uniform(boundary[(axis_ + n) % 3], false))
          return kBoundaryDisturbs;
    }
    const double shock = shock_position(time);
    return shock >= mesh_.lower[axis_] && shock <= mesh_.upper[axis_] ? "" : kWaveAtBoundary;
  }
  Conserved<double> exact(const Box& cell, double time) const override {
    const Conserved<double> along = average(cell, time).flow;
    std::array<double, 3> momentum{};
    momentum[axis_] = along.mu;
    return {along.density, momentum[0], momentum[1], momentum[2], along.energy};
  }
  double exact_reactant(const Box& cell, double time) const override { return average(cell, time).reactant; }

 private:
  static const Source& burning(const Source& source) {
    if (source.kind != SourceKind::reaction)
      throw CaseError({"source.kind"}, "a detonation needs source.kind: reaction");
    return source;
  }
  double shock_position(double time) const { return position_ + time * wave_.speed(); }
  ReactingAverage average(const Box& cell, double time) const {
    const double shock = shock_position(time);
    return wave_.average(shock - cell.upper[axis_], shock - cell.lower[axis_]);
  }

  Mesh mesh_;
  int axis_;
  double position_;
  ZndDetonation wave_;
};

const RegisterCase registered{{
    .name = "detonation",
    .summary = "a steady detonation runs into gas at rest (density 1, pressure 1), with the exact solution",
    .reference =
        "W. Fickett & W. C. Davis, Detonation (1979), chapter 2; A. Bourlioux, A. J. Majda & V. Roytburd, "
        "SIAM J. Appl. Math. 51 (1991) 303",
    .parameters =
        {
            {"overdrive", 1.0, "", "(D / D_CJ)^2 of the wave's speed D; 1 is the wave of Chapman and Jouguet",
             at_least(1)},
            {"position", 0.0, "", "coordinate along the axis of the shock at the start"},
            {.name = "axis",
             .fallback = "x",
             .unit = "",
             .meaning = "axis the wave runs along, upwards",
             .choices = {"x", "y", "z"}},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<Detonation>(setup); },
}};

}  // namespace
}  // namespace halfstep
