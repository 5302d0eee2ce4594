// Invariants of every scheme: a uniform stream, the totals of a periodic box, the symmetries of the mesh.
#include <cmath>
#include <numbers>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/asymmetry.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {
namespace {

// --- A uniform stream -------------------------------------------------------------------------------------

Check free_stream(const std::string& reconstruction, const std::string& riemann) {
  return {.name = "free_stream_" + reconstruction + "_" + riemann,
          .deck = "uniform",
          .overrides = {cells(12, 10, 8), "time.max_steps=20", "scheme.reconstruction=" + reconstruction,
                        "scheme.riemann=" + riemann},
          .judged = {{"Linf", [](const Results& r) { return r.error().linf; }, no_more_than(1e-14),
                      "exact: uniform (Thomas & Lombard 1979), to round-off"}},
          .error_of = "conserved fields",
          .error = conserved_error};
}

/// An advected density wave that differs along all axes. (In a uniform stream all cells are alike, so that it
/// cannot show that a scheme reads the wrong cell.)
Check carried_wave(const std::string& reconstruction, const std::string& riemann) {
  const auto uniform = [](const std::string& what, int field) {
    return Judged{what + ", Linf",
                  [field](const Results& r) {
                    const DeckRun& run = r.last();
                    return exact_error(run.fields, *run.config.flow_case, run.mesh(), run.gas(),
                                       run.time)[field]
                        .second.linf;
                  },
                  no_more_than(1e-13), "exact: uniform beside a contact, to round-off"};
  };
  return {.name = "carried_wave_" + reconstruction + "_" + riemann,
          .deck = "linear_wave_3d",
          .overrides = {cells(10, 9, 8), "case.family=entropy", "case.amplitude=0.1",
                        "case.velocity=[1,0.7,0.4]", "time.end=100", "time.max_steps=5", "output.every=0",
                        "scheme.reconstruction=" + reconstruction, "scheme.riemann=" + riemann},
          .judged = {uniform("velocity", 1), uniform("pressure", 2),
                     l1(no_more_than(0.1 / std::numbers::pi),
                        "half of what a wave leaves that is gone altogether: 2 / pi of its amplitude")}};
}

// --- Totals -----------------------------------------------------------------------------------------------

/// Returns the largest change of mass, momentum and energy per thousand steps, relative; momenta relative to
/// sqrt(2 E_kin m).
double drift(const DeckRun& run) {
  const Totals &a = run.before, &b = run.after;
  const double moving = std::sqrt(2 * a.kinetic_energy * a.mass);
  double worst = std::max(std::abs(b.mass / a.mass - 1), std::abs(b.energy / a.energy - 1));
  for (int axis = 0; axis < 3; ++axis)
    worst = std::max(worst, std::abs(b.momentum[axis] - a.momentum[axis]) / moving);
  return worst * 1000 / static_cast<double>(run.steps);
}

Check conservation(const std::string& name, const std::string& deck, const Overrides& overrides) {
  Check check{.name = name,
              .deck = deck,
              .overrides = {"time.max_steps=1000", "time.end=1000", "output.every=0"},
              .judged = {{"drift in 1000 steps", [](const Results& r) { return drift(r.last()); },
                          no_more_than(1e-13), "exact: conservative, to round-off"}},
              .error = [](const DeckRun&) { return std::nullopt; }};
  check.overrides.insert(check.overrides.end(), overrides.begin(), overrides.end());
  return check;
}

// --- Symmetries -------------------------------------------------------------------------------------------

/// Requires exact symmetry in a strict build with a Riemann solver that treats both sides alike, 1e-12
/// otherwise.
Judged symmetric(const std::string& what, const std::string& riemann, const MeshSymmetry& symmetry) {
  const bool to_the_bit = HALFSTEP_STRICT_FP && (riemann == "rusanov" || riemann == "hll" ||
                                                 riemann == "hllc" || riemann == "lhllc");
  return {what, [=](const Results& r) { return asymmetry(r.last().fields, r.last().mesh(), symmetry); },
          no_more_than(to_the_bit ? 0 : 1e-12),
          to_the_bit ? "exact, to the last bit in a strict build"
                     : "exact; round-off of this build grows to 1e-12"};
}

Check symmetry(const std::string& reconstruction, const std::string& riemann) {
  return {.name = "symmetry_" + reconstruction + "_" + riemann,
          .deck = "sedov_2d",
          .overrides = {cells(48, 48), "time.end=0.3", "scheme.reconstruction=" + reconstruction,
                        "scheme.riemann=" + riemann},
          .judged = {symmetric("mirror in x", riemann, MeshSymmetry::mirror(0)),
                     symmetric("mirror in y", riemann, MeshSymmetry::mirror(1)),
                     symmetric("x and y exchanged", riemann, MeshSymmetry::exchange(0, 1))}};
}

/// Sums over three axes depend on their order: exchanging two axes changes round-off even in a strict build.
Check symmetry_3d() {
  const auto judged = [](const std::string& what, const MeshSymmetry& symmetry) {
    return symmetric(what, "", symmetry);
  };
  return {.name = "symmetry_3d",
          .deck = "sedov_3d",
          .overrides = {cells(24, 24, 24), "time.end=0.1"},
          .judged = {judged("mirror in z", MeshSymmetry::mirror(2)),
                     judged("x and y exchanged", MeshSymmetry::exchange(0, 1)),
                     judged("x and z exchanged", MeshSymmetry::exchange(0, 2))}};
}

}  // namespace

CheckGroup invariants() {
  CheckGroup group{"invariants", "free stream, conservation, mirror images", {}};
  for (const auto& reconstruction : kReconstructions)
    for (const auto& riemann : kRiemanns) {
      const std::string r = std::string(reconstruction.name), s = std::string(riemann.name);
      Check stream = free_stream(r, s), wave = carried_wave(r, s), image = symmetry(r, s);
      if (r != "plm" && r != "weno5z") image.extent = Extent::full;
      group.checks.push_back(std::move(stream));
      group.checks.push_back(std::move(wave));
      group.checks.push_back(std::move(image));
    }
  const std::string fourth = "scheme.averages=fourth_order";
  Check corrected = symmetry("weno5z", "hllc");
  corrected.name = "symmetry_fourth_order";
  corrected.overrides.push_back(fourth);
  group.checks.push_back(std::move(corrected));
  group.checks.push_back(symmetry_3d());
  group.checks.push_back(conservation("conservation_vortex", "isentropic_vortex", {cells(32, 32)}));
  group.checks.push_back(
      conservation("conservation_fourth_order", "isentropic_vortex", {cells(32, 32), fourth}));
  group.checks.push_back(conservation("conservation_shear_layers", "kelvin_helmholtz", {cells(32, 32)}));
  Check redone =
      conservation("conservation_redone_steps", "near_vacuum", {"mesh.boundary.x=[periodic,periodic]"});
  redone.judged.push_back(
      {"steps under a remedy", [](const Results& r) { return static_cast<double>(r.last().remedied_steps); },
       no_less_than(1), "exact: with Roe's solver the vacuum fails at any dt (Einfeldt 1991)"});
  group.checks.push_back(std::move(redone));
  group.checks.push_back(conservation("conservation_taylor_green", "taylor_green", {cells(12, 12, 12)}));
  return group;
}

}  // namespace halfstep
