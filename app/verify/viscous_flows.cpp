// Flows with viscosity and conduction, and gas under gravity.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "app/base/embedded.hpp"
#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/norms.hpp"

namespace halfstep {
namespace {

constexpr const char* kSecond = "the formal order of the scheme beside walls; exact solution";

Norms temperature_error(const DeckRun& run) {
  const Fields exact = exact_fields(*run.config.flow_case, run.mesh(), run.time);
  const auto temperatures = [&](const Fields& fields) {
    std::vector<double> all;
    for (std::size_t n = 0; n < fields.conserved[0].size(); ++n) {
      const auto& u = fields.conserved;
      const auto q = to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}, run.gas());
      all.push_back(q.pressure / q.density);
    }
    return all;
  };
  return difference_norms(temperatures(run.fields), temperatures(exact));
}

Check steady_channel(const std::string& deck, const std::string& viscous_order, const Overrides& coarse,
                     const Overrides& fine, Extent extent) {
  return {.name = viscous_order == "2" ? deck : deck + "_4",
          .deck = deck,
          .overrides = {"scheme.viscous_order=" + viscous_order, "time.end=2", "output.every=0"},
          .runs = {coarse, fine},
          .judged = {order(no_less_than(1.9), kSecond),
                     {"order of temperature",
                      [](const Results& r) {
                        return observed_order(temperature_error(r.runs[0]).l1,
                                              temperature_error(r.runs[1]).l1,
                                              refinement(r.runs[0], r.runs[1]));
                      },
                      no_less_than(1.8),
                      "the formal order beside walls, less a tenth on meshes so coarse; exact"}},
          .extent = extent,
          .error_of = "velocity",
          .error = [](const DeckRun& run) -> std::optional<Norms> {
            return exact_error(run.fields, *run.config.flow_case, run.mesh(), run.gas(), run.time)[1].second;
          }};
}

// --- The Taylor-Green vortex at Re 1600 -------------------------------------------------------------------

/// Returns the kinetic energy relative to unit density and speed in the whole box.
double kinetic_energy(const RunConfig& config, Solver& solver) {
  double volume = 1;
  for (int a = 0; a < 3; ++a) volume *= config.problem.mesh.upper[a] - config.problem.mesh.lower[a];
  const Values& p = config.case_parameters;
  return solver.totals().kinetic_energy / (volume * p.real("density") * std::pow(p.real("speed"), 2));
}

/// Returns -dE/dt by central differences at all samples but the first and the last.
std::vector<Sample> dissipation(const DeckRun& run) {
  const std::vector<Sample>& e = run.samples;
  std::vector<Sample> rates;
  for (std::size_t n = 1; n + 1 < e.size(); ++n)
    rates.push_back({e[n].time, (e[n - 1].value - e[n + 1].value) / (e[n + 1].time - e[n - 1].time)});
  return rates;
}

/// Returns -dE/dt by direct numerical simulation; the file gives its source and units.
std::vector<Sample> dns_dissipation() {
  std::istringstream text{std::string(embedded_text("tests/reference/taylor_green_re1600.csv"))};
  std::vector<Sample> rates;
  for (std::string line; std::getline(text, line);)
    if (line.find_first_of("0123456789") == 0)  // time, kinetic energy (may be empty), dissipation
      rates.push_back({std::stod(line), std::stod(line.substr(line.rfind(',') + 1))});
  return rates;
}

Sample peak(const std::vector<Sample>& rates) {
  return *std::max_element(rates.begin(), rates.end(),
                           [](const Sample& a, const Sample& b) { return a.value < b.value; });
}

Check taylor_green(int n, double tolerance, double time_tolerance, const std::string& what_for) {
  const Sample dns = peak(dns_dissipation());
  const std::string source = fmt::format(
      "spectral direct simulation, {} at {} (W. M. van Rees et al., J. Comput. Phys. 230 (2011) 2794): {}",
      dns.value, dns.time, what_for);
  return {.name = "taylor_green_re1600_" + std::to_string(n),
          .deck = "taylor_green_re1600",
          // Steps as long as is stable: their error is far below the mesh's.
          .overrides = {cells(n, n, n), "output.enstrophy=false", "time.cfl=1.0", "soft_error.cfl_limit=1.6"},
          .judged = {{fmt::format("peak of -dE/dt / {}", dns.value),
                      [dns](const Results& r) { return peak(dissipation(r.last())).value / dns.value; },
                      within(tolerance, 1), source},
                     {"time of the peak", [](const Results& r) { return peak(dissipation(r.last())).time; },
                      within(time_tolerance, dns.time), source}},
          .extent = Extent::full,
          .probe = Probe{.every = 0.1, .value = kinetic_energy},
          .curve = [](const DeckRun& run) {
            Curve curve{.across = "time", .up = "-dE/dt"};
            for (const Sample& s : dns_dissipation()) {
              curve.line_x.push_back(s.time);
              curve.line_y.push_back(s.value);
            }
            for (const Sample& s : dissipation(run)) {
              curve.x.push_back(s.time);
              curve.y.push_back(s.value);
            }
            return curve;
          }};
}

/// The same flow in straight elements. Ten stages of ssprk4 go five times as far as three of ssprk3.
Check taylor_green_in_elements(int degree, int points, double tolerance, double time_tolerance) {
  const int elements = points / (degree + 1);
  Check check = taylor_green(elements, tolerance, time_tolerance,
                             fmt::format("{} elements, {} points", elements, points));
  check.name = fmt::format("taylor_green_re1600_degree_{}_{}", degree, points);
  for (const char* change : {"scheme.method=flux_reconstruction", "mesh.map=straight",
                             "scheme.integrator=ssprk4", "time.cfl=4", "soft_error.cfl_limit=6"})
    check.overrides.push_back(change);
  check.overrides.push_back(fmt::format("scheme.degree={}", degree));
  return check;
}

}  // namespace

CheckGroup viscous_flows() {
  CheckGroup group{
      "viscous", "channels, Becker's shock, Taylor and Green's vortex: viscosity, conduction, walls", {}};
  for (const std::string viscous_order : {"2", "4"}) {
    const Extent extent = viscous_order == "2" ? Extent::quick : Extent::full;
    group.checks.push_back(steady_channel("couette", viscous_order, {cells(1, 16)}, {cells(1, 32)}, extent));
    group.checks.push_back(
        steady_channel("poiseuille", viscous_order, {cells(4, 16)}, {cells(4, 32)}, extent));
    group.checks.push_back(
        {.name = viscous_order == "2" ? "viscous_shock" : "viscous_shock_4",
         .deck = "viscous_shock",
         .overrides = {"scheme.viscous_order=" + viscous_order},
         .runs = {{cells(64)}, {cells(128)}},
         .judged = {viscous_order == "2"
                        ? order(no_less_than(1.9),
                                "the formal order of its terms; exact solution (Becker 1922)")
                        : order(
                              no_less_than(2.25),
                              "more than second-order terms can have; converting averages as points, second "
                              "order too, is the smaller error here; exact solution (Becker 1922)")},
         .curve = density_along_x});
  }
  group.checks.push_back(taylor_green(128, 0.15, 1.0, "128 cells make it early, at 8.2 on 2026-11-21"));
  group.checks.push_back(taylor_green(256, 0.05, 0.3, "a bar of this project, 5 % and 0.3"));
  for (const auto& [degree, points] : {std::pair{3, 128}, {5, 126}})
    group.checks.push_back(taylor_green_in_elements(degree, points, 0.05, 0.3));
  for (const auto& [degree, points] : {std::pair{3, 256}, {5, 252}})
    group.checks.push_back(taylor_green_in_elements(degree, points, 0.02, 0.15));
  return group;
}

}  // namespace halfstep
