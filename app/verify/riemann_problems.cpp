// Riemann problems against their exact solutions: cell averages of density.
#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/scheme.hpp"

namespace halfstep {
namespace {

constexpr const char* kAthenaK =
    "a bar of this project: 0.7 of the 2.7e-3 that AthenaK's default scheme leaves at 256 cells";
constexpr const char* kMeasured = "measured 2026-11-21, and a quarter";
constexpr const char* kGodunov = "first order with the same Riemann solver must not be better (Godunov 1959)";

/// L1 bars, of the deck's own scheme (weno5z hllc ssprk3) and with plm in its place.
struct Tube {
  const char* deck;
  double weno5z;
  const char* source;
  double plm;
};
constexpr Tube kTubes[] = {
    {"sod", 1.9e-3, kAthenaK, 2.4e-3},      {"lax", 7.7e-3, kMeasured, 1.12e-2},
    {"toro_1", 2.5e-3, kMeasured, 3.6e-3},  {"toro_2", 4.0e-3, kMeasured, 3.4e-3},
    {"toro_3", 6.4e-2, kMeasured, 8.8e-2},  {"toro_4", 2.1e-1, kMeasured, 2.8e-1},
    {"toro_5", 2.1e-2, kMeasured, 1.95e-2}, {"leblanc", 5.7e-4, kMeasured, 7.6e-4},
};

/// L1 as a part of that of the first of two runs.
Judged of_first_run(const Bar& bar, const std::string& source) {
  return {"L1 / first order's", [](const Results& r) { return r.errors.back().l1 / r.errors.front().l1; },
          bar, source};
}

}  // namespace

CheckGroup riemann_problems() {
  CheckGroup group{"riemann", "shock tubes against exact solutions of the Riemann problem", {}};
  for (const Tube& tube : kTubes) {
    const std::string name = tube.deck;
    group.checks.push_back({.name = name,
                            .deck = name,
                            .judged = {l1(no_more_than(tube.weno5z), tube.source)},
                            .curve = density_along_x});
    group.checks.push_back({.name = name + "_plm",
                            .deck = name,
                            .overrides = {"scheme.reconstruction=plm"},
                            .judged = {l1(no_more_than(tube.plm), kMeasured)}});
  }
  for (const Tube& tube : kTubes)
    for (const auto& reconstruction : kReconstructions)
      for (const auto& riemann : kRiemanns) {
        const std::string deck = tube.deck, r = std::string(reconstruction.name),
                          s = std::string(riemann.name);
        const Overrides higher = {"scheme.reconstruction=" + r};
        group.checks.push_back({.name = deck + "_" + r + "_" + s,
                                .deck = deck,
                                .overrides = {"scheme.riemann=" + s},
                                .runs = {{"scheme.reconstruction=constant"}, higher},
                                .judged = {of_first_run(no_more_than(1), kGodunov)},
                                .extent = Extent::full});
      }
  return group;
}

}  // namespace halfstep
