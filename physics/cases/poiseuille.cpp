// Plane Poiseuille flow: gas in a channel, driven by gravity.
#include "physics/cases/exact/poiseuille.hpp"

#include "physics/cases/channel.hpp"

namespace halfstep {
namespace {

class Poiseuille : public ChannelFlow {
 public:
  explicit Poiseuille(const CaseSetup& setup)
      : ChannelFlow(channel(setup), steady(setup), setup.parameters.real("disturbance"), false) {}

 private:
  static Steady steady(const CaseSetup& setup) {
    const RhsTerms& terms = setup.terms;
    if (!(terms.gravity[0] != 0 && terms.gravity[1] == 0 && terms.gravity[2] == 0))
      throw CaseError({"gravity"}, "gravity along x drives this flow: give gravity as [g, 0, 0]");
    const auto& [lower, upper] = terms.walls.temperature;
    if (!(lower > 0 && lower == upper))
      throw CaseError(
          {"wall.temperature_lower", "wall.temperature_upper"},
          "both walls have one temperature: give wall.temperature_lower and wall.temperature_upper the same");
    for (const auto& velocity : terms.walls.velocity)
      if (velocity[0] != 0 || velocity[2] != 0)
        throw CaseError(
            {"wall.velocity_lower", "wall.velocity_upper"},
            "the walls are at rest: leave wall.velocity_lower and wall.velocity_upper at [0, 0, 0]");
    const PoiseuilleFlow flow = blaming("gravity", [&, wall = lower] {
      return PoiseuilleFlow(setup.gas, terms.transport.reference.viscosity, prandtl_of(setup),
                            terms.gravity[0], 0.5 * (setup.mesh.upper[1] - setup.mesh.lower[1]), wall,
                            setup.parameters.real("pressure"));
    });
    return [flow](double eta) { return flow.state(2 * eta - 1); };
  }
};

const RegisterCase registered{{
    .name = "poiseuille",
    .summary =
        "compressible flow that gravity drives between the two walls across y, with the exact steady state",
    .reference =
        "derived in physics/cases/exact/poiseuille.hpp; F. M. White, Viscous Fluid Flow, 3rd ed. (2006), "
        "section 3-3, is its limit at low Mach number",
    .parameters = channel_parameters(),
    .make = [](const CaseSetup& setup) { return std::make_unique<Poiseuille>(setup); },
}};

}  // namespace
}  // namespace halfstep
