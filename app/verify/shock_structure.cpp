// Interacting shocks: fine structure behind them, their positions, and that they stay straight.
#include <cmath>
#include <numbers>
#include <sstream>

#include "app/base/embedded.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/accuracy/shells.hpp"

namespace halfstep {
namespace {

constexpr const char* kMeasured = "measured 2026-11-21, and a quarter";

// --- Shu and Osher's shock and entropy wave, against a fine grid ------------------------------------------

/// Returns the reference's cell averages of density; app/verify/shu_osher.txt says how it was made.
const std::vector<double>& shu_osher_reference() {
  static const std::vector<double> values = [] {
    std::istringstream text{std::string(embedded_text("app/verify/shu_osher.txt"))};
    std::vector<double> all;
    for (std::string line; std::getline(text, line);)
      if (!line.starts_with('#')) all.push_back(std::stod(line));
    return all;
  }();
  return values;
}

std::vector<double> shu_osher_exact(const DeckRun& run) {
  const std::vector<double>& fine = shu_osher_reference();
  Mesh mesh = run.mesh();
  mesh.cells[0] = static_cast<int>(fine.size());
  return coarsened(fine, mesh, run.mesh());
}

std::optional<Norms> shu_osher_error(const DeckRun& run) {
  return difference_norms(run.fields.conserved[0], shu_osher_exact(run));
}

Curve shu_osher_curve(const DeckRun& run) {
  Curve curve = density_along_x(run);
  curve.line_x = curve.x;
  curve.line_y = shu_osher_exact(run);
  return curve;
}

// --- Double Mach reflection -------------------------------------------------------------------------------

/// Returns the position of the foremost shock in the row of cells `j`: the outermost crossing of `level` by
/// the density.
double foremost_shock(const Mesh& mesh, const std::vector<double>& density, int j, double level) {
  std::vector<double> x, row;
  for (int i = 0; i < mesh.cells[0]; ++i) {
    x.push_back(mesh.center(i, j, 0)[0]);
    row.push_back(density[static_cast<std::size_t>(j) * mesh.cells[0] + i]);
  }
  return outermost_crossing(x, row, level);
}

constexpr double kHalfJump = 0.5 * (1.4 + 8);  // mean density across a Mach 10 shock into 1.4

/// Returns the distance of the Mach stem's foot from the start of the wall.
double stem(const RunConfig& config, Solver& solver) {
  Fields fields;
  solver.get_state(fields);
  const double x = foremost_shock(config.problem.mesh, fields.conserved[0], 0, kHalfJump);
  return std::isnan(x) ? 0 : x - config.case_parameters.real("foot");
}

double incident_shock_off(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  const int j = mesh.cells[1] * 9 / 10;  // below the row set by the boundary
  const double sound = std::sqrt(1.4 * run.config.case_parameters.real("pressure") /
                                 run.config.case_parameters.real("density"));
  const double along = 2 * run.config.case_parameters.real("mach") * sound * run.time;
  const double exact =
      run.config.case_parameters.real("foot") + (mesh.center(0, j, 0)[1] + along) * std::numbers::inv_sqrt3;
  return (foremost_shock(mesh, run.fields.conserved[0], j, kHalfJump) - exact) / mesh.spacing(0);
}

/// Returns how far the stem's foot is ahead of the stem at a twentieth of the domain's height, in cells.
double stem_kink(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  const std::vector<double>& density = run.fields.conserved[0];
  return (foremost_shock(mesh, density, 0, kHalfJump) -
          foremost_shock(mesh, density, mesh.cells[1] / 20, kHalfJump)) /
         mesh.spacing(0);
}

Check double_mach(const std::string& name, const Overrides& mesh) {
  return {
      .name = name,
      .deck = "double_mach",
      .overrides = mesh,
      .judged = {{"incident shock, cells off", [](const Results& r) { return incident_shock_off(r.last()); },
                  within(2, 0),
                  "exact: Mach 10 at 60 degrees, at nine tenths of the height; a captured shock is three "
                  "cells wide"},
                 {"stem at 0.2 / at 0.1",
                  [](const Results& r) { return r.last().samples[2].value / r.last().samples[1].value; },
                  within(0.04, 2),
                  "exact: the flow is self-similar (Woodward & Colella 1984), to a cell or two"},
                 {"stem's foot ahead, cells", [](const Results& r) { return stem_kink(r.last()); },
                  within(2, 0), "exact but for round-off of cells: a carbuncle kinks the stem (Quirk 1994)"}},
      .probe = Probe{.every = 0.1, .value = stem}};
}

// --- A planar shock on its way along the mesh -------------------------------------------------------------

/// Returns the deviation from a planar shock in Quirk's test, where a Mach 6 shock runs down a duct with one
/// cell disturbed by 2^-12 of its density: the largest difference of density between rows, relative to the
/// largest density in the column.
double crookedness(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  const std::vector<double>& density = run.fields.conserved[0];
  double worst = 0;
  for (int i = 0; i < mesh.cells[0]; ++i) {
    double least = density[i], largest = density[i];
    for (int j = 1; j < mesh.cells[1]; ++j) {
      const double here = density[static_cast<std::size_t>(j) * mesh.cells[0] + i];
      least = std::min(least, here);
      largest = std::max(largest, here);
    }
    worst = std::max(worst, (largest - least) / largest);
  }
  return worst;
}

Check planar_shock(const std::string& riemann, const std::string& reconstruction) {
  return {
      .name = "planar_shock_" + riemann + "_" + reconstruction,
      .deck = "sod",
      .overrides = {cells(320, 20), "mesh.upper=[320,20,1]", "case.position=10",
                    "case.left.density=7.375609756097561", "case.left.velocity=[4.861111111111111,0,0]",
                    "case.left.pressure=41.833333333333336", "case.right.density=1.4",
                    "case.right.pressure=1", "mesh.boundary.x=[inflow,outflow]", "time.end=48",
                    "output.every=0", "scheme.riemann=" + riemann, "scheme.reconstruction=" + reconstruction,
                    "inject.step=1", "inject.cell=[12,10,0]", "inject.kind=bit_flip", "inject.field=density",
                    "inject.bit=40"},
      .judged = {
          {"crookedness of the shock", [](const Results& r) { return crookedness(r.last()); },
           no_more_than(1e-2),
           "a disturbance of 2.4e-4 must not grow to a carbuncle (Quirk 1994); with hllc and roe it does"}}};
}

}  // namespace

CheckGroup shock_structure() {
  CheckGroup group{
      "shocks", "Shu and Osher's shock, double Mach reflection, shocks that must stay straight", {}};
  group.checks = {
      {.name = "shu_osher",
       .deck = "shu_osher",
       .runs = {{cells(200)}, {cells(400)}},
       .judged = {l1(no_more_than(2.1e-2), kMeasured),
                  order(no_less_than(1), "shocks are first order; the waves behind, more")},
       .error = shu_osher_error,
       .curve = shu_osher_curve},
      double_mach("double_mach", {cells(240, 60)}),
  };
  group.checks.push_back(
      {.name = "jet",
       .deck = "jet",
       .overrides = {cells(80, 40), "output.every=0"},
       .judged = {{"time reached / end",
                   [](const Results& r) { return r.last().time / r.last().config.limits.end; }, within(0, 1),
                   "Mach 2000 (Zhang & Shu 2010): the ladder up to first_order gets through"}}});
  for (const char* riemann : {"rusanov", "hll"})
    for (const char* reconstruction : {"plm", "weno5z"})
      group.checks.push_back(planar_shock(riemann, reconstruction));
  group.checks.push_back(double_mach("double_mach_fine", {cells(960, 240), "scheme.reconstruction=weno5z"}));
  group.checks.back().extent = Extent::full;
  return group;
}

}  // namespace halfstep
