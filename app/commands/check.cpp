// `halfstep check`: checks a deck, prints all its values and the memory it needs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/readable_bytes.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/hopeless_steps.hpp"
#include "app/commands/options.hpp"
#include "app/deck/deck.hpp"
#include "app/output/given_fields.hpp"
#include "app/run/initial_state.hpp"
#include "app/run/memory.hpp"
#include "app/run/ranks.hpp"
#include "app/run/scheme_remarks.hpp"
#include "app/run/solid_remarks.hpp"
#include "physics/flux/positivity.hpp"
#include "physics/solver/over_ranks.hpp"

namespace halfstep {
namespace {

constexpr int kMostRanks = 1 << 20;

/// Returns remarks where the positivity limiter gives no guarantee: for right-hand-side terms, and for a time
/// step above its limit.
std::string limit_of_positivity(const RunConfig& config) {
  const int active = config.problem.mesh.dimensions();
  const double most = positive_cfl(active, config.problem.gamma), dt = config.limits.fixed_dt,
               cfl = config.limits.cfl;
  const std::string of_terms =
      config.problem.starts_from_rhs_terms()
          ? "# positivity is not sure with viscosity, gravity or averages of fourth order:\n"
            "#         only the fluxes of Riemann problems are limited\n"
          : "";
  if (dt <= 0 && cfl <= most) return of_terms;
  return of_terms +
         fmt::format("# positivity is sure up to a Courant number of {:.3g}, with {} swept {}; {} is {}\n",
                     most, active, active == 1 ? "axis" : "axes", dt > 0 ? "time.dt" : "time.cfl",
                     dt > 0 ? dt : cfl);
}

/// Returns the remarks of `run` on the initial state, for meshes small enough to be quick.
std::string remarks_on_state(const RunConfig& config, const std::string& deck) {
  constexpr std::int64_t quick = 1 << 20;  // cells
  const Problem& problem = config.problem;
  if (problem.mesh.cell_count() > quick) return "";
  expect_sponges(problem, deck);
  std::string text;
  std::vector<std::string> remarks = remarks_on_rounding(survey_of_initial_state(config, deck), problem);
  for (std::string& remark : config.flow_case->remarks()) remarks.push_back(std::move(remark));
  for (const std::string& remark : remarks) text += "# " + remark + "\n";
  return text;
}

/// Returns how wide the cells of stretched axes are.
std::string widths_of(const Mesh& mesh) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    if (!mesh.is_stretched(axis) || mesh.stretched[axis]->has_points()) continue;
    double least = mesh.width(axis, 0), most = least, growth = 1;
    for (int n = 1; n < mesh.cells[axis]; ++n) {
      const double own = mesh.width(axis, n), before = mesh.width(axis, n - 1);
      least = std::min(least, own);
      most = std::max(most, own);
      growth = std::max({growth, own / before, before / own});
    }
    text += fmt::format("# widths: {:.4g} to {:.4g} along {}, of neighbours by a factor of at most {:.3g}\n",
                        least, most, "xyz"[axis], growth);
  }
  return text;
}

/// Returns how many curved elements there are, and the faces on each side.
std::string text_of_elements(const Hexahedra& mesh) {
  std::vector<std::int64_t> faces(mesh.sides.size());
  for (const Neighbour& beyond : mesh.beyond)
    if (beyond.side >= 0) ++faces[static_cast<std::size_t>(beyond.side)];
  std::string text =
      fmt::format("# elements: {} of order {} in {} dimensions\n", mesh.count, mesh.order, mesh.dimensions);
  for (std::size_t side = 0; side < faces.size(); ++side)
    if (faces[side] > 0) text += fmt::format("#         {} faces on {}\n", faces[side], mesh.sides[side]);
  return text;
}

/// Returns remarks on gravity along an outflow boundary. Outflow copies the pressure of the adjacent cell,
/// where hydrostatic balance needs a gradient.
std::string limit_of_outflow(const RunConfig& config) {
  const Problem& problem = config.problem;
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& sides = problem.boundary[axis];
    if (problem.terms.gravity[axis] != 0 && (sides[0] == Boundary::outflow || sides[1] == Boundary::outflow))
      text += fmt::format(
          "# gravity along {0} with an outflow boundary there: it bears no weight, and gas at rest falls;\n"
          "#         set mesh.boundary.{0} to reflecting, no_slip or inflow, or gravity along {0} to 0\n",
          "xyz"[axis]);
  }
  return text;
}

/// Returns the blocks of a run of several ranks, and what they exchange.
std::string blocks_of_ranks(const RunConfig& config, int ranks) {
  const Problem& problem = config.problem;
  const exchange::Decomposition cut = cut_of(config, ranks);
  std::int64_t cells = 0, least = problem.mesh.cell_count(), sent = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t own = cut.block(rank).count();
    cells = std::max(cells, own);
    least = std::min(least, own);
    sent = std::max(sent, cells_sent(problem, cut, rank));
  }
  const RunMemory memory = memory_of_block(config, true, cut, 1);
  const std::int64_t bytes =
      sent * problem.fields() * static_cast<std::int64_t>(bytes_of_real(problem.scheme.precision));
  return fmt::format(
      "# ranks:  {} as {} of {} to {} cells; {} on the device of each\n"
      "#         each sends up to {} after every stage, {:.2g} % of its cells\n",
      ranks, exchange::text_of_blocks(cut), least, cells, readable_bytes(memory.device),
      readable_bytes(bytes), 100 * static_cast<double>(sent) / static_cast<double>(cells));
}

int check(const std::string& deck, const std::vector<std::string>& overrides, int ranks) {
  const RunConfig config = load_deck(deck, overrides, read_given_fields);
  const std::string remarks = remarks_on_state(config, deck);
  const MemoryNeed need = memory_need(config.problem);
  const char* precision =
      config.problem.scheme.precision == Precision::double_precision ? "double" : "single";
  fmt::print("# {}: valid; every default filled in\n{}", deck, config.resolved);
  fmt::print("# cells:  {} ({} with ghosts)\n", need.cells, need.cells_with_ghosts);
  fmt::print("{}", widths_of(config.problem.mesh));
  if (config.problem.hexahedra) fmt::print("{}", text_of_elements(*config.problem.hexahedra));
  if (config.problem.has_solids()) fmt::print("# solids: {}\n", extent_of_solids(config.problem));
  if (ranks > 1) fmt::print("{}", blocks_of_ranks(config, ranks));
  fmt::print(
      "# memory: {} on the device (host backend: main memory) for {} buffers of {} fields in {} precision\n",
      readable_bytes(need.state_bytes), need.buffers, config.problem.fields(), precision);
  fmt::print("#         {} more there for the copy that is written\n", readable_bytes(need.copy_bytes));
  if (need.terms_bytes > 0)
    fmt::print("#         {} more there for viscous terms, gravity and averages\n",
               readable_bytes(need.terms_bytes));
  if (need.element_bytes > 0)
    fmt::print("#         {} more there for the elements' geometry and faces\n",
               readable_bytes(need.element_bytes));
  if (need.averages_bytes > 0)
    fmt::print("#         up to {} more for averages with the host backend\n",
               readable_bytes(need.averages_bytes));
  if (need.sponge_bytes > 0)
    fmt::print("#         {} more there for the cells in sponges\n", readable_bytes(need.sponge_bytes));
  if (need.solid_bytes > 0)
    fmt::print("#         {} more there for the cells in bodies\n", readable_bytes(need.solid_bytes));
  const OutputsMemory outputs = memory_of_outputs(config);
  if (outputs.sums > 0)
    fmt::print("#         {} more there for averages over time, and with one rank {} states of past steps\n",
               readable_bytes(outputs.sums + outputs.past_states * (need.state_bytes / need.buffers)),
               outputs.past_states);
  fmt::print("#         {} of main memory besides, for setting up and files\n",
             readable_bytes(need.host_bytes));
  if (outputs.main > 0) fmt::print("#         {} more there for outputs\n", readable_bytes(outputs.main));
  if (const std::int64_t held = config.flow_case->bytes(); held > 0)
    fmt::print("#         {} more there for what the case holds\n", readable_bytes(held));
  if (config.problem.scheme.positivity != Positivity::none) fmt::print("{}", limit_of_positivity(config));
  for (const std::string& remark : remarks_on_scheme(config.problem.scheme)) fmt::print("# {}\n", remark);
  for (const std::string& remark : remarks_on_solids(config.problem)) fmt::print("# {}\n", remark);
  fmt::print("{}{}{}", limit_of_outflow(config), remarks_on_steps(config), remarks);
  return kFinished;
}

}  // namespace

std::function<int()> declare_check(CLI::App& command) {
  const auto arguments = std::make_shared<DeckArguments>();
  const auto ranks = std::make_shared<int>(1);
  arguments->declare(command);
  command.add_option("--ranks", *ranks, "Also print the blocks of a run of N ranks, and what they exchange")
      ->check(whole_number(1, kMostRanks))
      ->option_text("N");
  command.footer(
      "Examples:\n"
      "  halfstep check inputs/sod.yaml\n"
      "  halfstep check sedov_3d mesh.cells=512 --ranks 8\n"
      "  halfstep check inputs/sod.yaml mesh.cells=[1024,1024,1024]\n\n"
      "What it prints is a deck itself. Exit codes: 0 valid, 2 not valid.");
  return [=] {
    std::string deck;
    std::vector<std::string> overrides;
    arguments->sort("check", true, deck, overrides);
    return check(deck, overrides, *ranks);
  };
}

}  // namespace halfstep
