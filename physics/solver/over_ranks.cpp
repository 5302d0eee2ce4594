#include "physics/solver/over_ranks.hpp"

#include <algorithm>
#include <utility>

#include "physics/diagnostics/sums.hpp"
#include "physics/hexahedra/part_of_mesh.hpp"
#include "physics/mesh/flag_layout.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

namespace {

/// The sponges' cells in a block.
class SpongesOfBlock final : public Sponges {
 public:
  SpongesOfBlock(std::shared_ptr<const Sponges> whole, const exchange::Box& block)
      : whole_(std::move(whole)), block_(block) {}

  std::int64_t count() const override { return std::min(whole_->count(), block_.count()); }
  std::vector<SpongeCell> cells() const override {
    std::vector<SpongeCell> own;
    for (SpongeCell cell : whole_->cells()) {
      if (!block_.holds({cell.i, cell.j, cell.k})) continue;
      cell.i -= block_.first[0];
      cell.j -= block_.first[1];
      cell.k -= block_.first[2];
      own.push_back(cell);
    }
    return own;
  }

 private:
  std::shared_ptr<const Sponges> whole_;
  exchange::Box block_;
};

/// Returns the fault if it is to hit a cell of the block, in the block's indices.
std::optional<Fault> fault_in(const exchange::Block& block, std::optional<Fault> fault) {
  if (!fault || !block.holds(fault->cell)) return std::nullopt;
  fault->cell = block.own(fault->cell);
  return fault;
}

}  // namespace

int layers_of_blocks(const Problem& whole) {
  return std::max(layers_of(whole), whole.has_solids() ? whole.solids->cells().farthest : 0);
}

exchange::CutRules cut_rules(const Problem& problem) {
  exchange::CutRules rules{
      problem.mesh.cells, {}, std::max(layers_of_blocks(problem), flag_layers_of(problem))};
  const bool has_elements = problem.scheme.method == Method::flux_reconstruction;
  for (int axis = 0; axis < 3; ++axis) {
    rules.periodic[axis] = problem.boundary[axis][0] == Boundary::periodic;
    if (has_elements && problem.mesh.active(axis)) rules.together[axis] = problem.scheme.degree + 1;
  }
  return rules;
}

exchange::HaloReach halo_reach(const Problem& problem) {
  const bool reads_corners =
      problem.terms.viscous() || problem.has_fourth_order_flux() || problem.has_solids();
  return reads_corners ? exchange::HaloReach::corners : exchange::HaloReach::faces;
}

std::int64_t cells_sent(const Problem& problem, const exchange::Decomposition& cut, int rank) {
  if (cut.rows.empty())
    return exchange::halo_cells(
        exchange::halo_messages(cut, rank, layers_of_blocks(problem), halo_reach(problem)));
  std::int64_t rows = 0;
  for (const exchange::RowMessage& message : exchange::row_messages(cut, rank, false))
    rows += std::ssize(message.send);
  return rows * cut.cells[0];
}

Problem block_of(const Problem& whole, const Split& split) {
  const exchange::Block block = split.block();
  Problem problem = whole;
  problem.split = split;
  problem.mesh = block_of(whole.mesh, block);
  problem.fault = fault_in(block, whole.fault);
  if (block.rows)
    problem.hexahedra = std::make_shared<const Hexahedra>(part_of(*whole.hexahedra, *block.rows));
  if (whole.has_solids()) problem.solids = whole.solids->in_block(problem.mesh);
  if (whole.has_sponges()) problem.sponges = std::make_shared<SpongesOfBlock>(whole.sponges, block);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      exchange::Index step{};
      step[axis] = side == 0 ? -1 : 1;
      if (split.cut.is_cut(axis) && split.cut.neighbour(split.rank(), step))
        problem.boundary[axis][side] = Boundary::exchanged;
    }
  return problem;
}

std::array<int, 3> own_cell(const Problem& problem, const std::array<int, 3>& cell) {
  return problem.split ? problem.split->block().own(cell) : cell;
}

bool on_any_rank(const Problem& problem, bool here) {
  std::int64_t word = here;
  reduce_over_ranks(problem, &word, 1, exchange::Reduction::max);
  return word != 0;
}

bool on_all_ranks(const Problem& problem, bool here) { return !on_any_rank(problem, !here); }

void reduce_over_ranks(const Problem& problem, std::int64_t* words, std::size_t count,
                       exchange::Reduction reduction) {
  // Signed words add up as unsigned ones do; those of which the largest is sought have no sign.
  if (problem.split) problem.split->ranks.reduce({reinterpret_cast<std::uint64_t*>(words), count}, reduction);
}

Extrema extrema_of_ranks(const Problem& problem, const Extrema& own) {
  if (!problem.split) return own;
  std::uint64_t words[2] = {~ordered_bits(own.low), ordered_bits(own.high)};
  problem.split->ranks.reduce(words, exchange::Reduction::max);
  return {from_ordered_bits(~words[0]), from_ordered_bits(words[1])};
}

void add_counts_of_ranks(const Problem& problem, std::vector<std::int64_t>& counts) {
  if (!problem.split) return;
  std::vector<std::uint64_t> words(counts.begin(), counts.end());
  problem.split->ranks.reduce(words, exchange::Reduction::sum);
  std::copy(words.begin(), words.end(), counts.begin());
}

void merge_over_ranks(const Problem& problem, Defects& defects) {
  if (!problem.split) return;
  std::uint64_t counts[kSoftErrorKinds], key[1] = {defects.key};
  std::copy_n(defects.counts, kSoftErrorKinds, counts);
  problem.split->ranks.reduce(counts, exchange::Reduction::sum);
  problem.split->ranks.reduce(key, exchange::Reduction::min);
  std::copy_n(counts, kSoftErrorKinds, defects.counts);
  defects.key = key[0];
}

}  // namespace halfstep
