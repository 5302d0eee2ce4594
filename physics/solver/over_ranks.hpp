// A problem that several ranks solve: the part of each, and what they find together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/diagnostics/cell_bins.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/solids/solid_state.hpp"
#include "physics/solver/problem.hpp"
#include "runtime/device/exact_sum.hpp"

namespace halfstep {

/// Returns the layers of ghost cells of the blocks of a problem.
int layers_of_blocks(const Problem& whole);

/// Returns what a cut of the problem's mesh must obey.
exchange::CutRules cut_rules(const Problem& problem);

/// Returns which ghost cells of other ranks the problem's scheme reads.
exchange::HaloReach halo_reach(const Problem& problem);

/// Returns how many cells a rank sends after a stage.
std::int64_t cells_sent(const Problem& problem, const exchange::Decomposition& cut, int rank);

/// Returns the problem of this rank's block.
Problem block_of(const Problem& whole, const Split& split);

/// Returns the indices in this rank's block of a cell of the whole mesh, outside of it if another one has it.
std::array<int, 3> own_cell(const Problem& problem, const std::array<int, 3>& cell);

// The following return or make the result of all ranks of the problem. They are collective calls; with one
// rank nothing changes.

bool on_all_ranks(const Problem& problem, bool here);
bool on_any_rank(const Problem& problem, bool here);
void reduce_over_ranks(const Problem& problem, std::int64_t* words, std::size_t count,
                       exchange::Reduction reduction);
Extrema extrema_of_ranks(const Problem& problem, const Extrema& own);
void add_counts_of_ranks(const Problem& problem, std::vector<std::int64_t>& counts);
void merge_over_ranks(const Problem& problem, Defects& defects);

/// Returns the state of deep cells in bodies: at rest, with density and pressure of their sample, which one
/// rank has.
template <class Real>
Conserved<Real> state_of_deep_cells(const Problem& problem, const std::optional<Conserved<double>>& sample) {
  const IdealGas<double> gas = problem.gases().first;
  Conserved<double> rest{};
  if (sample) rest = at_rest(to_primitive(*sample, gas), gas);
  if (problem.split) {
    rest.density = problem.split->ranks.max(rest.density);
    rest.energy = problem.split->ranks.max(rest.energy);
  }
  return {Real(rest.density), 0, 0, 0, Real(rest.energy)};
}

/// Adds up structs of exact sums, or takes the largest of each of their words.
template <class Words>
void sum_over_ranks(const Problem& problem, Words& own) {
  for (int n = 0; n < kSums<Words>; ++n) carry_sum(own, n);
  reduce_over_ranks(problem, words(own), kWords<Words>, exchange::Reduction::sum);
}
template <class Words>
void max_over_ranks(const Problem& problem, Words& own) {
  reduce_over_ranks(problem, words(own), kWords<Words>, exchange::Reduction::max);
}

}  // namespace halfstep
