// Flux reconstruction in elements, straight and bent: orders, the free stream, conservation, viscous flows,
// and a tube that needs the ladder.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/verify/checks.hpp"
#include "app/verify/loads_on_bodies.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/shells.hpp"

namespace halfstep {
namespace {

constexpr const char* kOrder = "degree + 1; exact solution";
constexpr const char* kRoundOff = "round-off";

Overrides elements_of_degree(int degree) {
  return {"scheme.method=flux_reconstruction", fmt::format("scheme.degree={}", degree), "output.every=0"};
}

/// Returns runs of two meshes, with dt ~ h^((degree + 1) / 3), so that third order in time is no less than
/// the order in space. `dt`: on the coarse mesh.
std::vector<Overrides> two_meshes(int degree, int coarse, int dimensions, double dt) {
  std::vector<Overrides> runs;
  for (const int n : {coarse, 2 * coarse})
    runs.push_back({cells(n, dimensions > 1 ? n : 1),
                    fmt::format("time.dt={}", dt * std::pow(double(coarse) / n, (degree + 1) / 3.0))});
  return runs;
}

Check entropy_wave(int degree, int elements, double dt) {
  return {.name = fmt::format("entropy_wave_degree_{}", degree),
          .deck = "entropy_wave",
          .overrides = elements_of_degree(degree),
          .runs = two_meshes(degree, elements, 1, dt),
          .judged = {order(within(0.2, degree + 1), kOrder)}};
}

Check vortex(int degree, int elements, double dt) {
  Check check{.name = fmt::format("vortex_degree_{}", degree),
              .deck = "isentropic_vortex",
              .overrides = elements_of_degree(degree),
              .runs = two_meshes(degree, elements, 2, dt),
              .judged = {order(within(0.2, degree + 1), kOrder)}};
  check.overrides.insert(check.overrides.end(),
                         {"mesh.lower=[-7,-7,0]", "mesh.upper=[7,7,1]", "time.end=0.5"});
  return check;
}

/// Returns the check in elements bent by a smooth map.
Check bent(Check check, int order, double amplitude = 0.05) {
  check.name = "bent_" + check.name;
  check.overrides.insert(check.overrides.end(),
                         {fmt::format("mesh.map={{kind: bend, amplitude: {}}}", amplitude),
                          fmt::format("mesh.order={}", order)});
  return check;
}

/// Couette's flow, whose temperature is no polynomial of the elements' coordinates.
Check couette(int degree, int elements) {
  Check check{.name = fmt::format("couette_degree_{}", degree),
              .deck = "couette",
              .overrides = elements_of_degree(degree),
              .judged = {order(within(0.4, degree + 1), kOrder)}};
  for (const int n : {elements, 2 * elements}) check.runs.push_back({cells(n, n)});
  check.overrides.insert(check.overrides.end(), {"time.end=1"});
  return check;
}

constexpr const char* kBetweenStates =
    "mesh.boundary.x=[{kind: state, density: 1, velocity: [2.5, 0, 0], pressure: 0.7142857142857143}, "
    "{kind: state, density: 2.6666666666666665, velocity: [1.25, 0, 0], pressure: 3.2142857142857144}]";

/// Becker's shock, which is smooth.
Check viscous_shock(int degree, int elements) {
  Check check{.name = fmt::format("viscous_shock_degree_{}", degree),
              .deck = "viscous_shock",
              .overrides = elements_of_degree(degree),
              .judged = {order(no_less_than(degree + 0.6), "degree + 1; exact solution (Becker 1922)")}};
  for (const int n : {elements, 2 * elements}) check.runs.push_back({cells(n, n / 8)});
  check.overrides.insert(check.overrides.end(), {"time.end=0.05", kBetweenStates});
  return check;
}

/// The same in elements four times as high as they are wide. A penalty of the viscous terms that is just
/// large enough for straight ones lets noise grow there.
Check viscous_shock_in_high_elements() {
  Check check{.name = "viscous_shock_in_high_elements",
              .deck = "viscous_shock",
              .overrides = elements_of_degree(4),
              .judged = {{"rejections", [](const Results& r) { return double(r.last().rejections); },
                          no_more_than(0), "the flow is smooth"}}};
  check.overrides.insert(check.overrides.end(), {cells(32, 2), "time.end=0.3", "mesh.order=4",
                                                 "mesh.map={kind: bend, amplitude: 0.02}", kBetweenStates});
  return check;
}

Check free_stream() {
  Check check{.name = "free_stream_in_elements",
              .deck = "uniform",
              .overrides = elements_of_degree(3),
              .judged = {{"largest error", [](const Results& r) { return r.error().linf; },
                          no_more_than(1e-13), kRoundOff}}};
  check.overrides.push_back(cells(4, 3, 2));
  return check;
}

Check bent_free_stream(int order) {
  Check check = bent(free_stream(), order);
  check.name += fmt::format("_order_{}", order);
  return check;
}

Check conservation() {
  Check check{.name = "conservation_in_elements",
              .deck = "kelvin_helmholtz",
              .overrides = elements_of_degree(4),
              .judged = {{"drift of mass",
                          [](const Results& r) { return r.last().after.mass / r.last().before.mass - 1; },
                          within(1e-13, 0), kRoundOff},
                         {"drift of energy",
                          [](const Results& r) { return r.last().after.energy / r.last().before.energy - 1; },
                          within(1e-13, 0), kRoundOff}}};
  check.overrides.insert(check.overrides.end(), {cells(8, 8), "time.max_steps=50"});
  return check;
}

Check sod() {
  return {.name = "sod_in_elements",
          .deck = "sod_elements",
          .judged = {{"L1", [](const Results& r) { return r.error().l1; }, no_more_than(5e-3),
                      "measured 2026-11-26, and a quarter"},
                     {"rejections", [](const Results& r) { return double(r.last().rejections); },
                      no_less_than(1), "the deck is there to need the ladder"}},
          .curve = density_along_x};
}

Check cylinder() {
  return {.name = "cylinder_in_elements",
          .deck = "cylinder_elements",
          .overrides = {"output.every=0", "time.end=150"},
          .judged = {{"Strouhal number", [](const Results& r) { return frequency(r.last().samples, 90); },
                      within(0.003, 0.164), "Williamson (1996): 0.164"},
                     {"mean drag coefficient",
                      [](const Results& r) { return 2 * mean(r.last().second_samples, 90); },
                      within(0.03, 1.34), "Linnick & Fasel (2005): 1.34; Park, Kwon & Choi (1998): 1.33"}},
          .extent = Extent::full,
          .probe = Probe{0.25, lift_now, drag_now}};
}

/// Returns the error of the entropy p / rho^gamma, which is 1 in the reservoir, averaged over the mesh.
std::optional<Norms> error_of_entropy(const DeckRun& run) {
  const std::vector<double>& volume = run.mesh().points->volume;
  Norms norms;
  double all = 0;
  for (std::size_t n = 0; n < volume.size(); ++n) {
    const Primitive<double> q = state_at(run, n);
    const double error = std::abs(q.pressure / std::pow(q.density, run.gas().gamma) - 1);
    norms.l1 += volume[n] * error;
    norms.l2 += volume[n] * error * error;
    norms.linf = std::max(norms.linf, error);
    all += volume[n];
  }
  norms.l1 /= all;
  norms.l2 = std::sqrt(norms.l2 / all);
  return norms;
}

/// Case C1.1 of the workshops on high-order methods. The largest error is at the wall behind the bump. Waves
/// of the start go to and fro across the channel for long, and their small error everywhere is in the means.
Check bump(int degree, int coarse) {
  Check check{.name = fmt::format("bump_degree_{}", degree),
              .deck = "bump",
              .overrides = elements_of_degree(degree),
              .judged = {{"order of Linf",
                          [](const Results& r) {
                            return observed_order(r.errors[0].linf, r.errors[1].linf,
                                                  refinement(r.runs[0], r.runs[1]));
                          },
                          no_less_than(degree + 0.8), "degree + 1; the entropy is uniform"}},
              .extent = Extent::full,
              .error_of = "entropy",
              .error = error_of_entropy};
  for (const int n : {coarse, 2 * coarse}) check.runs.push_back({cells(3 * n, n)});
  return check;
}

/// Returns where the first shock on the row of points nearest to y stands: where the pressure passes 3.
double first_shock(const DeckRun& run, double y) {
  const std::vector<Point>& place = run.mesh().points->place;
  double nearest = place[0][1];
  for (const Point& at : place)
    if (std::abs(at[1] - y) < std::abs(nearest - y)) nearest = at[1];
  std::map<double, double> pressure;  // by x
  for (std::size_t n = 0; n < place.size(); ++n)
    if (std::abs(place[n][1] - nearest) < 1e-9) pressure[place[n][0]] = state_at(run, n).pressure;
  std::vector<double> x, values;
  for (const auto& [at, value] : pressure) {
    x.push_back(at);
    values.push_back(value);
  }
  return first_crossing(x, values, 3);
}

/// The step of Woodward & Colella, which needs the ladder: an element is as wide as eight cells of the
/// reference.
Check forward_step() {
  const auto shock = [](const std::string& what, double y, double x) {
    return Judged{what, [y](const Results& r) { return first_shock(r.last(), y); }, within(0.05, x),
                  "an element; 480 x 160 cells of ppm"};
  };
  return {.name = "forward_step_in_elements",
          .deck = "forward_step_elements",
          .overrides = {"output.every=0"},
          .judged = {{"rejections", [](const Results& r) { return double(r.last().rejections); },
                      no_less_than(1), "the deck is there to need the ladder"},
                     shock("bow shock at the floor", 0, 0.312),
                     shock("bow shock half-way up", 0.51, 0.436),
                     shock("Mach stem at the ceiling", 0.98, 0.615)},
          .extent = Extent::full};
}

}  // namespace

CheckGroup elements() {
  CheckGroup group{
      "elements",
      "flux reconstruction: orders, free stream, conservation, Sod's tube, a step, a bump, a cylinder",
      {}};
  const auto add = [&](const Check& check) { group.checks.push_back(check); };
  add(entropy_wave(1, 32, 2e-3));
  add(entropy_wave(2, 16, 2e-3));
  add(entropy_wave(3, 8, 2e-3));
  add(entropy_wave(4, 6, 1e-3));
  add(entropy_wave(5, 4, 1e-3));
  add(vortex(1, 40, 0.01));
  add(vortex(2, 32, 0.01));
  add(vortex(3, 16, 0.01));
  add(vortex(4, 12, 0.005));
  add(vortex(5, 14, 0.004));
  add(bent(vortex(1, 28, 0.01), 4));
  add(bent(vortex(2, 24, 0.01), 4));
  add(bent(vortex(3, 20, 0.01), 4));
  add(bent(vortex(4, 16, 0.01), 4));
  add(bent(vortex(5, 16, 0.006), 4));
  add(free_stream());
  for (const int order : {1, 2, 3, 4}) add(bent_free_stream(order));
  for (const int degree : {1, 2, 3}) add(bent(couette(degree, 4), 4));
  // The box is four times as long as high, so that the map shifts elements by their widths already.
  add(bent(viscous_shock(1, 64), 4, 0.01));
  add(bent(viscous_shock(2, 48), 4, 0.01));
  add(bent(viscous_shock(3, 32), 4, 0.01));
  add(bent(viscous_shock(4, 24), 4, 0.01));
  add(viscous_shock_in_high_elements());
  add(conservation());
  add(sod());
  add(forward_step());
  add(bump(2, 8));
  add(bump(3, 8));
  add(cylinder());
  return group;
}

}  // namespace halfstep
