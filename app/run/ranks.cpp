#include "app/run/ranks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/base/error_text.hpp"
#include "app/base/exit_codes.hpp"
#include "app/deck/deck.hpp"
#include "app/output/file_of_ranks.hpp"
#include "app/run/backend.hpp"
#include "app/run/signals.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/hexahedra/part_of_mesh.hpp"
#include "physics/ranks/ranked_solver.hpp"
#include "physics/solver/over_ranks.hpp"
#include "physics/solver/state_survey.hpp"
#include "runtime/exchange/heartbeat.hpp"

namespace halfstep {

namespace {

using exchange::Ranks;

/// What the first rank tells the others to solve.
struct Task {
  bool goes_on;   ///< false: nothing more will come
  int exit_code;  ///< of all ranks, at the end
  bool on_cuda, share_devices;
  int threads;
  std::array<int, 3> blocks;
  std::int64_t clock;  ///< of the first rank, in milliseconds
  std::uint64_t deck_bytes;
};

/// Chooses the device of this rank, by its number on its machine.
void choose_device(bool share) {
  const Ranks& ranks = Ranks::all();
  const int devices = cuda_device_count(), own = ranks.rank_on_machine();
  if (devices == 0 || (ranks.size_on_machine() > devices && !share))
    throw UsageError(fmt::format("{} ranks on {}, which has {} CUDA device{}", ranks.size_on_machine(),
                                 Ranks::machine(), devices, devices == 1 ? "" : "s"),
                     "use as many ranks as devices, or --share-devices for a test");
  use_cuda_device(own % devices);
}

/// Returns the cut that the first rank has made, on the others. That of curved elements comes after the deck.
exchange::Decomposition received_cut(const RunConfig& config, const Task& task) {
  if (!config.problem.has_hexahedra()) return exchange::decompose(cut_rules(config.problem), task.blocks);
  const Ranks& ranks = Ranks::all();
  const exchange::Index& cells = config.problem.mesh.cells;
  std::vector<std::int32_t> owners(static_cast<std::size_t>(cells[1]));
  ranks.broadcast(owners.data(), owners.size() * sizeof owners[0]);
  return exchange::decompose(cells, graph_of(*config.problem.hexahedra), owners, ranks.size());
}

/// Sends it to them.
void send_cut(const exchange::Decomposition& cut) {
  if (cut.rows.empty()) return;
  std::vector<std::int32_t> owners = exchange::owners_of(cut);
  Ranks::all().broadcast(owners.data(), owners.size() * sizeof owners[0]);
}

/// Returns the cut of curved elements by METIS.
exchange::Decomposition cut_of_elements(const Problem& problem, int ranks) {
  if (exchange::metis_version().empty())
    throw UsageError(
        fmt::format("elements of 'mesh.map' and 'mesh.file' on {} ranks, and this program was built without "
                    "METIS, which cuts their mesh",
                    ranks),
        "install it (Debian: libmetis-dev) and build again, or run on one rank");
  const exchange::RowGraph graph = graph_of(*problem.hexahedra);
  return exchange::decompose(problem.mesh.cells, graph, exchange::cut_rows(graph, ranks), ranks);
}

/// Returns the solver of this rank's block.
std::unique_ptr<Solver> make_block_solver(const RunConfig& config, const Split& split, const Task& task) {
  if (task.on_cuda) choose_device(task.share_devices);
  const Problem block = block_of(config.problem, split);
  return task.on_cuda ? make_cuda_solver(block) : make_host_solver(block, task.threads);
}

/// The watch over the ranks, from the first deck on.
std::unique_ptr<exchange::Heartbeat> heartbeat;

/// Begins the watch anew, as the deck has it, on all ranks at once.
void watch_ranks(const RunConfig& config) {
  heartbeat.reset();
  if (config.watchdog_seconds == 0) return;
  heartbeat = std::make_unique<exchange::Heartbeat>(
      Ranks::all(), config.watchdog_seconds, [](const std::string& what) {
        fail_all_ranks(std::runtime_error(
            what +
            "; is it stopped, or does its machine hang? Go on from the last checkpoint, with any "
            "number of ranks: halfstep run --restart DIRECTORY"));
      });
}

/// How far this rank's clock is ahead of the first rank's, in milliseconds.
std::int64_t clock_lead = 0;

/// Returns a signal and the time of its arrival by the first rank's clock, as a word to that rank.
constexpr std::int64_t word_of(int signal, std::int64_t when) { return when << 8 | signal; }

/// Tells the first rank of a signal that this one was sent. All ranks may get one signal: it stops a run
/// once.
void pass_on_signals() {
  static bool passed_on_stop = false;
  if (const auto when = RunSignals::take_checkpoint())
    Ranks::all().tell_first(word_of(SIGUSR1, *when - clock_lead));
  if (RunSignals::stop() && !std::exchange(passed_on_stop, true))
    Ranks::all().tell_first(word_of(SIGTERM, 0));
}

/// Serves one deck; returns the exit code when there is none left.
std::optional<int> serve_a_deck() {
  const Ranks& ranks = Ranks::all();
  Task task{};
  ranks.broadcast(&task, sizeof task);
  if (!task.goes_on) return task.exit_code;
  clock_lead = RunSignals::milliseconds() - task.clock;
  std::string deck(task.deck_bytes, ' ');
  ranks.broadcast(deck.data(), deck.size());
  const RunConfig config = parse_deck(deck, "the first rank's deck");
  RunSignals::install();
  exchange::Decomposition cut = received_cut(config, task);
  watch_ranks(config);  // a copy of the communicator, which all ranks make after the cut has been sent
  const Split split{ranks.duplicate(), std::move(cut)};
  const std::unique_ptr<Solver> solver = make_block_solver(config, split, task);
  try {
    SolidFields solids(config.problem);
    const auto carry_out = [&](const std::string& order, const SnapshotBlock& block) {
      write_own_block(order, config, solids, block);
    };
    const Problem& problem = config.problem;
    InitialState initial(*config.flow_case, config.scalars, problem.mesh, problem.gases());
    const auto initial_state = [&](double time) {
      return SurveyedRows(initial, problem, time).of_block(split);
    };
    serve_first_rank(*solver, split, {pass_on_signals, carry_out, fail_all_ranks, initial_state});
  } catch (const std::exception& error) {
    fail_all_ranks(error);  // here: the solver's memory waits for kernels that wait for other ranks
  }
  return std::nullopt;
}

}  // namespace

void take_signals_of_ranks() {
  while (const std::optional<std::int64_t> word = Ranks::all().told())
    RunSignals::receive(static_cast<int>(*word & 0xff), *word >> 8);
}

bool take_checkpoint_signal() {
  constexpr std::int64_t together = 1000;  // milliseconds
  static std::int64_t last = 0;            // that was answered
  const std::optional<std::int64_t> when = RunSignals::take_checkpoint();
  if (!when || (rank_count() > 1 && *when < last + together)) return false;
  last = *when;
  return true;
}

exchange::Decomposition cut_of(const RunConfig& config, int ranks) {
  const auto& [x, y, z] = config.ranks;
  const bool is_chosen = x == 0 && y == 0 && z == 0, has_elements = config.problem.has_hexahedra();
  if (!is_chosen && has_elements && ranks > 1)
    throw UsageError(fmt::format("mesh.ranks is [{}, {}, {}], and elements of 'mesh.map' and 'mesh.file' "
                                 "have no blocks along axes",
                                 x, y, z),
                     "give mesh.ranks=[0,0,0] to have METIS cut their mesh");
  if (!is_chosen && std::int64_t{x} * y * z != ranks)
    throw UsageError(fmt::format("mesh.ranks is [{}, {}, {}], which is not the {} rank{} of this run", x, y,
                                 z, ranks, ranks == 1 ? "" : "s"),
                     "give mesh.ranks=[0,0,0] to have the blocks chosen");
  const exchange::CutRules rules = cut_rules(config.problem);
  try {
    if (has_elements && ranks > 1) return cut_of_elements(config.problem, ranks);
    return is_chosen ? exchange::decompose(rules, ranks) : exchange::decompose(rules, config.ranks);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what(), "use fewer ranks or more cells");
  }
}

int rank_count() { return Ranks::all().size(); }
int ranks_on_first_machine() { return Ranks::all().size_on_machine(); }

std::unique_ptr<Solver> make_solver(const RunConfig& config, const RankOptions& options) {
  const Ranks& ranks = Ranks::all();
  const bool on_cuda = uses_cuda(options.backend);
  if (ranks.size() == 1) return make_solver(config.problem, options.backend, options.threads);
  const exchange::Decomposition cut = cut_of(config, ranks.size());
  Task task{
      true, kFinished, on_cuda, options.share_devices, options.threads, cut.ranks, 0, config.resolved.size()};
  if (on_cuda)
    choose_device(options.share_devices);  // an error here is the user's; the others are not asked yet
  task.clock = RunSignals::milliseconds();
  ranks.broadcast(&task, sizeof task);
  std::string deck = config.resolved;
  ranks.broadcast(deck.data(), deck.size());
  send_cut(cut);
  watch_ranks(config);
  const Split split{ranks.duplicate(), cut};
  return make_ranked_solver(make_block_solver(config, split, task), config.problem, split);
}

int serve_as_rank() {
  try {
    std::optional<int> code;
    while (!code) code = serve_a_deck();
    heartbeat.reset();
    return *code;
  } catch (const std::exception& error) {
    fail_all_ranks(error);
  }
  return kFailed;
}

void fail_all_ranks(const std::exception& error) {
  const Ranks& ranks = Ranks::all();
  if (ranks.size() == 1) return;
  const auto [message, help] = error_text(error);
  std::string said =
      fmt::format("halfstep: error: rank {} on {}: {}\n", ranks.rank(), Ranks::machine(), message);
  if (!help.empty()) said += fmt::format("      = {}\n", help);
  std::fputs(said.c_str(), stderr);
  ranks.abort(kFailed);
}

void end_ranks(int exit_code) {
  const Ranks& ranks = Ranks::all();
  if (ranks.size() == 1) return;
  std::fflush(stdout);
  if (exit_code == kFailed) ranks.abort(exit_code);
  try {
    Task none{};
    none.exit_code = exit_code;
    ranks.broadcast(&none, sizeof none);
    heartbeat.reset();
  } catch (const std::exception& error) {
    fail_all_ranks(error);
  }
}

}  // namespace halfstep
