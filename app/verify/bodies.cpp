// Bodies in the flow: orders at surfaces that lie across the mesh, what leaks through them, shocks that they
// make, and wakes.
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "app/verify/checks.hpp"
#include "app/verify/loads_on_bodies.hpp"
#include "app/verify/measured.hpp"
#include "app/verify/shock_fitting.hpp"
#include "physics/accuracy/shells.hpp"
#include "physics/shapes/stl.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {
namespace {

constexpr const char* kSecond = "the order of the ghost cells; exact solution";

/// A field along x, in the cells of a row of the plane k = 0.
struct Row {
  std::vector<double> x, values;
};
Row row_of_cells(const DeckRun& run, int j, double Primitive<double>::*field) {
  const int cells = run.mesh().cells[0];
  Row row;
  for (int i = 0; i < cells; ++i) {
    row.x.push_back(run.mesh().center(i, j, 0)[0]);
    row.values.push_back(state_at(run, static_cast<std::size_t>(j) * cells + i).*field);
  }
  return row;
}

/// Returns where the pressure of a row first passes `level`.
double first_shock(const DeckRun& run, int j, double level) {
  const Row row = row_of_cells(run, j, &Primitive<double>::pressure);
  return first_crossing(row.x, row.values, level);
}

/// Returns the norms of the distance between the velocity in the gas and speed(r) around the middle of the
/// unit square.
template <class Speed>
std::optional<Norms> error_of_circles(const DeckRun& run, Speed speed) {
  const std::vector<std::uint8_t>& mask = run.config.problem.solids->cells().mask;
  Norms norms{};
  std::int64_t count = 0;
  for (int j = 0; j < run.mesh().cells[1]; ++j)
    for (int i = 0; i < run.mesh().cells[0]; ++i) {
      const std::size_t cell = static_cast<std::size_t>(j) * run.mesh().cells[0] + i;
      if (mask[cell] != 0) continue;
      const Point at = run.mesh().center(i, j, 0);
      const double x = at[0] - 0.5, y = at[1] - 0.5, r = std::hypot(x, y);
      const Primitive<double> q = state_at(run, cell);
      const double error = std::hypot(q.u + speed(r) * y / r, q.v - speed(r) * x / r);
      norms.l1 += error;
      norms.l2 += error * error;
      norms.linf = std::max(norms.linf, error);
      ++count;
    }
  norms.l1 /= static_cast<double>(count);
  norms.l2 = std::sqrt(norms.l2 / static_cast<double>(count));
  return norms;
}

/// What leaves through the wall in the whole run over what passes a radius of the box meanwhile.
double leak(const DeckRun& run) {
  const double mass_of_radius = 0.09 * (1 - std::exp(-0.4137 * 0.4137 / 0.09));  // of 2 r exp(-r^2 / 0.09)
  return std::abs(run.after.mass - run.before.mass) / (mass_of_radius * run.time);
}

Check round_box() {
  return {.name = "round_box",
          .deck = "round_box",
          .overrides = {"output.every=0"},
          .runs = {{cells(32, 32)}, {cells(64, 64)}, {cells(128, 128)}},
          .judged = {order(no_less_than(1.9), kSecond),
                     {"mass through the wall", [](const Results& r) { return leak(r.last()); },
                      no_more_than(1e-3), "exact: none"},
                     {"order of the mass through the wall",
                      [](const Results& r) { return std::log2(leak(r.runs[0]) / leak(r.runs[2])) / 2; },
                      no_less_than(1.8), kSecond}},
          .error = [](const DeckRun& run) {
            return error_of_circles(run, [](double r) { return 2 * r * std::exp(-r * r / 0.09); });
          }};
}

Check couette_cylinders() {
  return {.name = "couette_cylinders",
          .deck = "couette_cylinders",
          .overrides = {"output.every=0"},
          .runs = {{cells(32, 32)}, {cells(64, 64)}},
          .judged = {order(no_less_than(1.9), kSecond)},
          .error = [](const DeckRun& run) {
            return error_of_circles(run, [](double r) { return 0.00274067 / r - 0.0160135 * r; });
          }};
}

// --- The forward-facing step: P. Woodward & P. Colella, J. Comput. Phys. 54 (1984) 115
// ----------------------

/// `share`: of the channel's height.
Judged shock_of_step(const std::string& what, double share) {
  return {what + ", in cells of the coarse mesh",
          [share](const Results& r) {
            const auto place = [&](const DeckRun& run) {
              return first_shock(run, static_cast<int>(share * run.mesh().cells[1]), 3);
            };
            return std::abs(place(r.runs[0]) - place(r.runs[1])) / r.runs[0].mesh().spacing(0);
          },
          no_more_than(1), "a mesh four times as fine"};
}

Check forward_step() {
  return {.name = "forward_step",
          .deck = "forward_step",
          .overrides = {"output.every=0"},
          .runs = {{cells(240, 80)}, {cells(960, 320)}},
          .judged = {shock_of_step("bow shock at the floor", 0),
                     shock_of_step("bow shock half-way up", 0.5),
                     shock_of_step("Mach stem at the ceiling", 0.975)},
          .extent = Extent::full};
}

// --- Shocks before blunt bodies: F. S. Billig, J. Spacecr. Rockets 4 (1967) 822
// -----------------------------

/// Returns how far the bow shock stands off before a body whose nose is at x = -0.5, in its radii of 0.5:
/// where the pressure in the lowest row passes the mean of its values on both sides of the shock.
double stand_off(const DeckRun& run) {
  const double behind = 2 / 2.4 * 1.4 * 9 - 0.4 / 2.4;
  return (-0.5 - first_shock(run, 0, 0.5 * (1 + behind))) / 0.5;
}

/// Judges the stand-off by that of the same flow with a fitted shock, which is good to 0.2 %.
Judged stand_off_of_fitted_shock(BluntBody body) {
  return {"stand-off over that of a fitted shock",
          [body](const Results& r) { return stand_off(r.last()) / shock_stand_off(body, 3, 16); },
          within(0.03, 1), "the same equations between body and shock; G. Moretti & M. Abbett (1966)"};
}

Check sphere() {
  return {.name = "sphere_mach3",
          .deck = "sphere_mach3",
          .overrides = {"output.every=0", cells(128, 128, 128)},
          .judged = {stand_off_of_fitted_shock(BluntBody::sphere),
                     {"stand-off over Lobb's",
                      [](const Results& r) { return stand_off(r.last()) / (2 * 0.41 * 7 / 27); },
                      within(0.03, 1), "0.41 diameters over the ratio of densities; R. K. Lobb (1964)"},
                     {"stand-off over Billig's",
                      [](const Results& r) { return stand_off(r.last()) / (0.143 * std::exp(3.24 / 9)); },
                      within(0.07, 1), "a fit to measured shocks, 5 % below the fitted shock here"}},
          .extent = Extent::full};
}

/// Returns the pressure at the nose, on the axis.
double pressure_at_nose(const DeckRun& run) {
  int i = 0;
  while (run.mesh().center(i + 1, 0, 0)[0] < -0.5) ++i;
  return state_at(run, i).pressure;
}

/// The front half of the cylinder alone: it is symmetric, and what happens behind it does not come back.
Check cylinder_mach3() {
  return {
      .name = "cylinder_mach3",
      .deck = "cylinder_mach3",
      .overrides = {"output.every=0", "mesh={cells: [80, 100, 1], lower: [-1.2, 0, 0], upper: [0.4, 2, 1]}",
                    "mesh.boundary.y=[reflecting, outflow]", "time.end=8"},
      .judged = {stand_off_of_fitted_shock(BluntBody::cylinder),
                 {"pressure at the nose / 12.06",
                  [](const Results& r) { return pressure_at_nose(r.last()) / 12.061; }, within(0.02, 1),
                  "exact, behind a normal shock; Rayleigh's Pitot formula"},
                 {"stand-off over Billig's",
                  [](const Results& r) { return stand_off(r.last()) / (0.386 * std::exp(4.67 / 9)); },
                  within(0.12, 1), "a fit to measured shocks, 7 % below the fitted shock here"}},
      .extent = Extent::full};
}

/// The same sphere twice: as a ball, and from the STL file.
Check sphere_stl() {
  return {.name = "sphere_stl",
          .deck = "sphere_stl",
          .overrides = {"output.every=0"},
          .runs = {{"solids=[{shape: ball, name: sphere, center: [0, 0, 0], radius: 0.5}]"}, {}},
          .judged = {{"stand-off over that of a ball",
                      [](const Results& r) { return stand_off(r.runs[1]) / stand_off(r.runs[0]); },
                      within(0.02, 1), "the same body as triangles"}},
          .extent = Extent::full};
}

// --- Wakes -------------------------------------------------------------------------------------------------

/// Returns the coefficient of the drag on half of the cylinder.
double drag_of_half(const DeckRun& run) { return 4 * drag(run.after); }

/// Returns the length of the wake in diameters: from the cylinder to where the gas on the axis stops flowing
/// back.
double wake_length(const DeckRun& run) {
  const Row row = row_of_cells(run, 0, &Primitive<double>::u);
  return outermost_crossing(row.x, row.values, 0) - 0.5;
}

constexpr const char* kLinnick = "M. N. Linnick & H. F. Fasel, J. Comput. Phys. 204 (2005) 157";

Check cylinder_re40() {
  return {
      .name = "cylinder_re40",
      .deck = "cylinder_re40",
      .overrides = {"output.every=0"},
      .judged = {{"length of the wake / 2.28 diameters",
                  [](const Results& r) { return wake_length(r.last()) / 2.28; }, within(0.03, 1), kLinnick},
                 {"drag coefficient / 1.54", [](const Results& r) { return drag_of_half(r.last()) / 1.54; },
                  within(0.03, 1), kLinnick}},
      .extent = Extent::full};
}

Check cylinder_re100() {
  return {.name = "cylinder_re100",
          .deck = "cylinder_re100",
          .overrides = {"output.every=0"},
          .judged = {{"Strouhal number",
                      [](const Results& r) { return frequency(r.last().samples, 90); },
                      {0.160, 0.170},
                      "Williamson (1996): 0.164"},
                     {"mean drag coefficient",
                      [](const Results& r) { return 2 * mean(r.last().second_samples, 90); },
                      {1.30, 1.40},
                      "Park, Kwon & Choi (1998): 1.33; Linnick & Fasel (2005): 1.34"}},
          .extent = Extent::full,
          .probe = Probe{0.25, lift_now, drag_now}};
}

}  // namespace

CheckGroup bodies() {
  std::vector<Check> all{round_box(), couette_cylinders(), forward_step(),  cylinder_mach3(),
                         sphere(),    cylinder_re40(),     cylinder_re100()};
  if (!stl_libraries().empty()) all.push_back(sphere_stl());
  return {"bodies", "surfaces across the mesh; a step, shocks before blunt bodies, wakes of cylinders", all};
}

}  // namespace halfstep
