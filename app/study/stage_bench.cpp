#include "app/study/stage_bench.hpp"

#include <stdexcept>

#include "app/deck/deck.hpp"
#include "physics/cases/initial_state.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {
namespace {

constexpr const char* kWave =
    "case: {name: linear_wave, amplitude: 0.1, waves: [1, 1, 1], velocity: [0.1, 0.2, 0.3]}\n"
    "mesh: {cells: [256, 256, 256], boundary: {x: [periodic, periodic], y: [periodic, periodic], "
    "z: [periodic, periodic]}}\n"
    "time: {end: 1}\n";

/// Observer that accepts rejected steps, which are redone.
struct Observer : QuietObserver {
  void rejected(const StepPlan&, const Diagnosis&, const StepPlan*) const {}
};

RunConfig parsed(const std::string& deck) {
  std::string why;
  if (!cuda_available(&why))
    throw std::runtime_error("the study only times kernels, which needs a CUDA device: " + why);
  return parse_deck(deck, "the deck of the study", {});
}

}  // namespace

std::vector<Scheme> stage_schemes() {
  std::vector<Scheme> all;
  for (const auto& reconstruction : kReconstructions)
    for (const auto& variables : kVariables)
      for (const auto& riemann : kRiemanns)
        for (const auto& precision : kPrecisions)
          if (facts_of(reconstruction.value).radius > 0 || variables.value == Variables::primitive)
            all.push_back({.reconstruction = reconstruction.value,
                           .variables = variables.value,
                           .riemann = riemann.value,
                           .precision = precision.value});
  return all;
}

StageBench::StageBench() : StageBench(kWave) {}
StageBench::StageBench(const std::string& deck) : deck_(parsed(deck)) {}

std::unique_ptr<Solver> StageBench::solver(const Scheme& scheme) {
  Problem problem = deck_.problem;
  problem.scheme = scheme;
  if (const int layers = ghost_layers(scheme.reconstruction); layers != layers_) {
    extended_ = extended_initial_fields(*deck_.flow_case, problem.mesh, {{problem.gamma}}, layers);
    interior_ = interior_of(extended_, problem.mesh, layers);
    layers_ = layers;
  }
  auto made = make_cuda_solver(problem);
  made->set_state(interior_, extended_, 0);
  return made;
}

Fields StageBench::advanced(const Scheme& scheme, const FluxKernel& variant, int steps) {
  const std::unique_ptr<Solver> made = solver(scheme);
  Solver& solver = *made;
  solver.instruments().use_flux_kernel(variant);
  StepLimits limits = deck_.limits;
  limits.max_steps = steps;
  StepState state;
  double rate = solver.cfl_rate();
  std::uint64_t epoch = 0;
  Observer observer;
  drive<Attempt>(solver, observer, limits, 1, state, rate, epoch);
  Fields fields;
  solver.get_state(fields);
  return fields;
}

std::vector<std::vector<double>> launch_seconds(Solver& solver, const std::vector<FluxKernel>& variants,
                                                int stages, int rounds) {
  std::vector<std::vector<double>> seconds(variants.size());
  for (int round = -1; round < rounds; ++round)  // round -1 warms up
    for (std::size_t turn = 0; turn < variants.size(); ++turn) {
      const std::size_t n = (turn + static_cast<std::size_t>(round + 1)) % variants.size();
      solver.instruments().use_flux_kernel(variants[n]);
      const double taken = solver.instruments().flux_seconds() / stages;
      if (round >= 0) seconds[n].push_back(taken);
    }
  solver.instruments().use_flux_kernel({});
  return seconds;
}

}  // namespace halfstep
