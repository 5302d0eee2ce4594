// Shocks that run into shocks, contacts, walls and a bubble: the flows of the case `regions`.
#include <cmath>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/asymmetry.hpp"
#include "physics/accuracy/shells.hpp"

namespace halfstep {
namespace {

constexpr const char* kConverged =
    "measured 2026-11-23 with weno5z on 6400 cells, and ppm on 3200 differs by 2e-4";

/// Returns density along x through the last cells along y.
Curve density_along_top(const DeckRun& run) {
  Curve curve{.across = "x", .up = "density"};
  const Mesh& mesh = run.mesh();
  const std::size_t row = static_cast<std::size_t>(mesh.cells[1] - 1) * mesh.cells[0];
  for (int i = 0; i < mesh.cells[0]; ++i) {
    curve.x.push_back(mesh.center(i, 0, 0)[0]);
    curve.y.push_back(run.fields.conserved[0][row + i]);
  }
  return curve;
}

/// Judges where density along `curve` last crosses `level`, in cells from the place it should.
Judged crossing(const std::string& what, Curve (*curve)(const DeckRun&), double level, double place,
                double cells, const std::string& source) {
  return {what + ", cells off",
          [=](const Results& r) {
            const Curve here = curve(r.last());
            return (outermost_crossing(here.x, here.y, level) - place) / r.last().mesh().spacing(0);
          },
          within(cells, 0), source};
}

Check two_blast_waves() {
  const auto drift = [](const Results& r) {
    const Totals &a = r.last().before, &b = r.last().after;
    return std::max(std::abs(b.mass / a.mass - 1), std::abs(b.energy / a.energy - 1));
  };
  const auto peak = [](const Results& r) {
    double most = 0;
    for (const double density : r.last().fields.conserved[0]) most = std::max(most, density);
    return most;
  };
  return {.name = "two_blast_waves",
          .deck = "two_blast_waves",
          .judged = {crossing("right contact", density_along_x, 3, 0.7982, 1, kConverged),
                     {"largest density", peak, within(0.35, 6.45),
                      kConverged + std::string("; to what 800 cells gave and a half")},
                     {"drift of mass and energy", drift, no_more_than(1e-13), "exact: closed at both ends"}},
          .curve = density_along_x};
}

/// Makes the check of a configuration with a shock between two `densities` along the upper side. `speed`: of
/// that shock, by the Rankine-Hugoniot relations.
Check riemann_2d(const std::string& deck, const std::array<double, 2>& densities, double speed) {
  const double end = deck == "riemann_2d_3" ? 0.3 : 0.25;
  return {.name = deck,
          .deck = deck,
          .overrides = {cells(100, 100)},
          .judged = {crossing("shock along the upper side", density_along_top,
                              0.5 * (densities[0] + densities[1]), 0.5 + speed * end, 0.5,
                              "exact: Rankine-Hugoniot relations"),
                     {"x and y exchanged",
                      [](const Results& r) {
                        return asymmetry(r.last().fields, r.last().mesh(), MeshSymmetry::exchange(0, 1));
                      },
                      no_more_than(1e-11), "exact; round-off of this build grows to 1e-11"}},
          .curve = density_along_top};
}

Check shock_bubble() {
  const double gamma = 5.0 / 3, mach = 10,
               behind = (gamma + 1) * mach * mach / ((gamma - 1) * mach * mach + 2);
  const double time = 0.3, place = -1.2 + mach * std::sqrt(gamma) * time;
  return {.name = "shock_bubble_one_gas",
          .deck = "shock_bubble_one_gas",
          .overrides = {cells(160, 60), "time.end=0.3"},
          .judged = {crossing("shock above the bubble", density_along_top, 0.5 * (1 + behind), place, 1,
                              "exact: Rankine-Hugoniot relations; the bow shock is still below")},
          .curve = density_along_top};
}

}  // namespace

CheckGroup interacting_shocks() {
  return {"interactions",
          "shocks that run into shocks, contacts, walls and a bubble",
          {two_blast_waves(), riemann_2d("riemann_2d_3", {0.5323, 1.5}, 0.5323 * 1.206 / (0.5323 - 1.5)),
           riemann_2d("riemann_2d_12", {1, 0.5313}, 0.7276 / (1 - 0.5313)), shock_bubble()}};
}

}  // namespace halfstep
