// Plane Couette flow: gas between two walls that slide past each other.
#include "physics/cases/exact/couette.hpp"

#include "physics/cases/channel.hpp"

namespace halfstep {
namespace {

SlidingWall wall(const Walls& walls, int side) {
  return {walls.velocity[side][0], walls.velocity[side][2], walls.temperature[side]};
}

class Couette : public ChannelFlow {
 public:
  explicit Couette(const CaseSetup& setup)
      : ChannelFlow(channel(setup), steady(setup), setup.parameters.real("disturbance"), adiabatic(setup)) {
    if (setup.terms.has_gravity())
      throw CaseError(
          {"gravity"},
          "walls alone drive this flow: leave gravity at [0, 0, 0], or take case.name: poiseuille");
  }

 private:
  static bool adiabatic(const CaseSetup& setup) {
    const auto& temperature = setup.terms.walls.temperature;
    return temperature[0] == 0 || temperature[1] == 0;
  }
  static Steady steady(const CaseSetup& setup) {
    const CouetteFlow flow = blaming("wall.temperature_lower", [&] {
      return CouetteFlow(setup.gas, prandtl_of(setup), setup.parameters.real("pressure"),
                         wall(setup.terms.walls, 0), wall(setup.terms.walls, 1));
    });
    return [flow](double eta) { return flow.state(eta); };
  }
};

const RegisterCase registered{{
    .name = "couette",
    .summary = "compressible Couette flow between the two walls across y, with the exact steady state",
    .reference = "F. M. White, Viscous Fluid Flow, 3rd ed. (2006), section 3-2",
    .parameters = channel_parameters(),
    .make = [](const CaseSetup& setup) { return std::make_unique<Couette>(setup); },
}};

}  // namespace
}  // namespace halfstep
