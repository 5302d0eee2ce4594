#include "app/study/detection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/deck/deck.hpp"
#include "app/run/backend.hpp"
#include "physics/initial.hpp"

namespace halfstep {
namespace {

constexpr int kPairs = 30;
/// A wave oblique to all axes on a stream along none of them: no field has zeros, whose divisions would take
/// another path through the kernel.
constexpr const char* kDeck =
    "case: {name: linear_wave, amplitude: 0.1, waves: [1, 1, 1], velocity: [0.1, 0.2, 0.3]}\n"
    "mesh: {cells: [256, 256, 256], boundary: {x: [periodic, periodic], y: [periodic, periodic], "
    "z: [periodic, periodic]}}\n"
    "scheme: {riemann: hllc}\n"
    "time: {end: 1}\n";

struct Quartiles {
  double low, median, high;
};

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * (values.size() - 1) + 0.5)];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

/// Seconds of `a` over seconds of `b`, in pairs whose order alternates.
Quartiles ratio(Solver& a, Solver& b) {
  std::vector<double> ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    double seconds[2];
    for (int turn = 0; turn < 2; ++turn) {
      const int which = (pair + turn) % 2;
      seconds[which] = (which == 0 ? a : b).stages_seconds();
    }
    ratios.push_back(seconds[0] / seconds[1]);
  }
  return quartiles(ratios);
}

}  // namespace

Table detection() {
  std::string why;
  if (!cuda_available(&why)) throw std::runtime_error("the study times CUDA kernels: " + why);
  Table table{
      .title = "Stage kernels with the soft-error channel against the same kernels without reports",
      .columns = {"kernel", "precision", "registers", "without", "local (B)", "without ", "occupancy (%)",
                  "without  ", "ms a step", "time ratio", "quartiles", "noise"},
      .rows = {},
      .notes = {
          fmt::format("256^3 cells, hllc, all three stages of a step; median of {} interleaved pairs of "
                      "launches.",
                      kPairs),
          "without: the same kernel that keeps its wave-speed reduction and reports nothing.",
          "noise: the quartiles of the same ratio for the reporting kernel against itself."}};
  for (const char* reconstruction : {"plm", "ppm", "weno5z"}) {
    const RunConfig deck =
        parse_deck(kDeck, "the deck of the study", {std::string("scheme.reconstruction=") + reconstruction});
    const int layers = ghost_layers(deck.problem.scheme.reconstruction);
    const Fields extended =
        extended_initial_fields(*deck.flow_case, deck.problem.mesh, {deck.problem.gamma}, layers);
    const Fields interior = interior_of(extended, deck.problem.mesh, layers);
    for (const auto& variables : kVariables)
      for (const auto& precision : kPrecisions) {
        Problem problem = deck.problem;
        problem.scheme.variables = variables.value;
        problem.scheme.precision = precision.value;
        const auto solver = [&](bool reports) {
          problem.reports = reports;
          auto made = make_cuda_solver(problem);
          made->set_state(interior, extended, 0);
          for (int n = 0; n < 3; ++n) made->stages_seconds();  // warm
          return made;
        };
        const auto reporting = solver(true), silent = solver(false);
        const KernelInfo with = reporting->kernel_info(), without = silent->kernel_info();
        const Quartiles cost = ratio(*reporting, *silent), noise = ratio(*reporting, *reporting);
        std::vector<double> seconds;
        for (int n = 0; n < kPairs; ++n) seconds.push_back(reporting->stages_seconds());
        table.rows.push_back({fmt::format("{} {}", reconstruction, variables.name),
                              std::string(precision.name), std::int64_t{with.registers},
                              std::int64_t{without.registers}, std::int64_t{with.local_bytes},
                              std::int64_t{without.local_bytes}, 100 * with.occupancy,
                              100 * without.occupancy, 1e3 * quartiles(seconds).median, cost.median,
                              fmt::format("{:.4f} to {:.4f}", cost.low, cost.high),
                              fmt::format("{:.4f} to {:.4f}", noise.low, noise.high)});
      }
  }
  return table;
}

}  // namespace halfstep
