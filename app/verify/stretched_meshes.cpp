// Flows on meshes whose cells differ in width.
#include <algorithm>
#include <cmath>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"

namespace halfstep {
namespace {

constexpr const char* kSecond = "the formal order on stretched axes; exact solution";

Check vortex(const std::string& reconstruction) {
  return {
      .name = "stretched_vortex_" + reconstruction,
      .deck = "isentropic_vortex",
      .overrides = {"scheme.reconstruction=" + reconstruction, "time.end=2", "output.every=0",
                    "mesh.spacing.x={kind: tanh, strength: 1}", "mesh.spacing.y={kind: tanh, strength: 1.5}"},
      .runs = {{cells(64, 64)}, {cells(128, 128)}},
      .judged = {order(no_less_than(1.9), kSecond)}};
}

Check channel(const std::string& deck, const std::string& spacing, const Overrides& coarse,
              const Overrides& fine) {
  return {.name = "stretched_" + deck,
          .deck = deck,
          .overrides = {"mesh.spacing.y=" + spacing, "time.end=2", "output.every=0"},
          .runs = {coarse, fine},
          .judged = {order(no_less_than(1.9), kSecond)},
          .error_of = "velocity",
          .error = [](const DeckRun& run) -> std::optional<Norms> {
            return exact_error(run.fields, *run.config.flow_case, run.mesh(), run.gas(), run.time)[1].second;
          }};
}

Check free_stream() {
  return {.name = "stretched_free_stream",
          .deck = "uniform",
          .overrides = {cells(16, 12, 10), "mesh.spacing.x={kind: geometric, ratio: 1.2}",
                        "mesh.spacing.y={kind: tanh, strength: 1}", "mesh.spacing.z={kind: geometric}",
                        "output.every=0"},
          .judged = {{"largest error", [](const Results& r) { return r.error().linf; }, no_more_than(1e-13),
                      "round-off; exact solution"}}};
}

// --- The boundary layer on a flat plate --------------------------------------------------------------------

/// Returns u / U of Blasius' layer at y sqrt(U / (nu x)): f' of 2 f''' + f f'' = 0, with f''(0) =
/// 0.33205733621519630 (J. P. Boyd, SIAM Rev. 50 (2008) 791), by the classical method of Runge and Kutta.
double blasius(double eta) {
  double f[3] = {0, 0, 0.33205733621519630};
  const int steps = std::max(1, static_cast<int>(std::ceil(eta / 0.01)));
  const double h = eta / steps;
  for (int n = 0; n < steps; ++n) {
    double sum[3] = {}, rate[3] = {};
    for (const auto& [ahead, weight] :
         {std::pair(0.0, 1.0), std::pair(0.5, 2.0), std::pair(0.5, 2.0), std::pair(1.0, 1.0)}) {
      const double at[3] = {f[0] + ahead * h * rate[0], f[1] + ahead * h * rate[1],
                            f[2] + ahead * h * rate[2]};
      rate[0] = at[1], rate[1] = at[2], rate[2] = -0.5 * at[0] * at[2];
      for (int m = 0; m < 3; ++m) sum[m] += weight * rate[m];
    }
    for (int m = 0; m < 3; ++m) f[m] += h / 6 * sum[m];
  }
  return f[1];
}

/// Returns the profile in the middle of the domain: u over the similarity coordinate, and Blasius' there.
Curve layer(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  int i = 0;
  while (mesh.center(i, 0, 0)[0] < 0.5 * (mesh.lower[0] + mesh.upper[0])) ++i;
  const double viscosity = run.config.problem.terms.transport.reference.viscosity;
  Curve curve{.across = "y sqrt(U / (nu x))", .up = "u / U"};
  for (int j = 0; j < mesh.cells[1]; ++j) {
    const auto [x, y, z] = mesh.center(i, j, 0);
    const double eta = y / std::sqrt(viscosity * x);
    if (eta > 8) break;
    const std::size_t n = static_cast<std::size_t>(j) * mesh.cells[0] + i;
    curve.x.push_back(eta);
    curve.y.push_back(run.fields.conserved[1][n] / run.fields.conserved[0][n]);
    curve.line_x.push_back(eta);
    curve.line_y.push_back(blasius(eta));
  }
  return curve;
}

Check boundary_layer() {
  return {.name = "boundary_layer",
          .deck = "boundary_layer",
          .overrides = {"output.every=0"},
          .judged = {{"largest error of u / U",
                      [](const Results& r) {
                        const Curve curve = layer(r.last());
                        return difference_norms(curve.y, curve.line_y).linf;
                      },
                      no_more_than(0.01), "a bar of this project, 1 %; Blasius (1908)"}},
          .curve = layer};
}

}  // namespace

CheckGroup stretched_meshes() {
  return {"stretched",
          "cells of different widths: free stream, orders, channels, Blasius' boundary layer",
          {free_stream(), vortex("plm"), vortex("weno5z"),
           channel("couette", "{kind: tanh, strength: 1.5}", {cells(1, 16)}, {cells(1, 32)}),
           channel("poiseuille", "{kind: tanh, strength: 1.5}", {cells(4, 16)}, {cells(4, 32)}),
           boundary_layer()}};
}

}  // namespace halfstep
