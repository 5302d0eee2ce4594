// A program for `mpirun -n N`: runs every test deck on one rank and over all of them, and compares every bit:
// time steps, totals after every step, repaired faces, floors, soft errors and the last state. Over all ranks
// each deck runs three times: with the blocks that halfstep chooses, with those that are cut most along x,
// and with these in slices. Curved elements, which METIS cuts, run twice, and in more decks.
//
//   same_bits host|cuda [DECK...]      DECK: the name of one in inputs/, bent_blast or mesh_file
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "app/base/embedded.hpp"
#include "app/base/exit_codes.hpp"
#include "app/regress/test_decks.hpp"
#include "app/run/ranks.hpp"
#include "physics/solver/over_ranks.hpp"
#include "runtime/exchange/ranks.hpp"
#include "tests/ranks/mesh_file.hpp"
#include "tests/support/run_case.hpp"
#include "tests/support/temporary_directory.hpp"

namespace halfstep {
namespace {

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_fields(const Fields& a, const Fields& b) {
  if (a.count() != b.count()) return false;
  for (int f = 0; f < a.count(); ++f)
    if (a.field(f).size() != b.field(f).size() ||
        std::memcmp(a.field(f).data(), b.field(f).data(), a.field(f).size() * sizeof(double)) != 0)
      return false;
  return true;
}

bool same_floors(const FloorSums& a, const FloorSums& b) {
  return a.cells == b.cells && same(a.mass, b.mass) && same(a.energy, b.energy) &&
         same(a.momentum, b.momentum);
}

bool same_rejection(const Rejection& a, const Rejection& b) {
  const Replay &r = a.replay, &s = b.replay;
  if (r.faces.size() != s.faces.size() || r.reproduced != s.reproduced) return false;
  for (int axis = 0; axis < 3; ++axis) {
    if (r.stencil[axis].size() != s.stencil[axis].size()) return false;
    for (std::size_t n = 0; n < r.stencil[axis].size(); ++n)
      if (!same(r.stencil[axis][n], s.stencil[axis][n])) return false;
  }
  for (std::size_t n = 0; n < r.faces.size(); ++n)
    if (!same(r.faces[n].left, s.faces[n].left) || !same(r.faces[n].flux, s.faces[n].flux)) return false;
  return a.error.kind == b.error.kind && a.error.stage == b.error.stage && a.error.cell == b.error.cell &&
         a.error.counts == b.error.counts && same(a.error.value, b.error.value) && a.step == b.step &&
         same(a.dt, b.dt) && same(r.before, s.before) && same(r.after, s.after) && same(r.stored, s.stored);
}

/// Returns what differs between two runs; "" if nothing does.
std::string difference(const CaseRun& one, const CaseRun& all) {
  if (one.steps.size() != all.steps.size())
    return std::to_string(one.steps.size()) + " and " + std::to_string(all.steps.size()) + " steps";
  for (std::size_t n = 0; n < one.steps.size(); ++n)
    if (!same(one.steps[n].dt, all.steps[n].dt)) return "dt of step " + std::to_string(n + 1);
  if (one.rejections.size() != all.rejections.size()) return "number of rejections";
  for (std::size_t n = 0; n < one.rejections.size(); ++n)
    if (!same_rejection(one.rejections[n], all.rejections[n])) return "rejection " + std::to_string(n + 1);
  if (one.repaired_faces != all.repaired_faces) return "repaired faces";
  if (one.remedied.size() != all.remedied.size()) return "steps with a remedy";
  for (std::size_t n = 0; n < one.remedied.size(); ++n)
    if (!same_floors(one.remedied[n].floored, all.remedied[n].floored)) return "what floors added";
  if (!same(one.sponged, all.sponged)) return "what sponges added";
  if (!identical(one.budget, all.budget)) return "the budget";
  if (!same_fields(one.fields(), all.fields())) return "the last state";
  for (std::size_t n = 0; n < one.totals.size(); ++n)
    if (!(one.totals[n] == all.totals[n])) return "totals after step " + std::to_string(n + 1);
  return "";
}

enum class Comparison { same, differs, skipped };

/// Returns decks of curved elements beside those of test_decks(): each degree, in the plane and in space,
/// under each map, viscous and not, in both forms, with each rung of the ladder.
std::vector<TestDeck> curved_decks() {
  const std::vector<std::string> ring = {"scheme.method=flux_reconstruction",
                                         "mesh.cells=[3,8,1]",
                                         "mesh.map={kind: annulus, inner: 1, outer: 2}",
                                         "mesh.order=3",
                                         "time.max_steps=6",
                                         "time.end=1"};
  const auto in_ring = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = ring;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string walls = "mesh.boundary={x: no_slip, y: periodic, z: periodic}";
  const std::string tube = "mesh.boundary={x: outflow, y: reflecting, z: outflow}";
  std::vector<TestDeck> decks;
  for (int degree = 1; degree <= 5; ++degree) {
    const std::string own = "scheme.degree=" + std::to_string(degree), steps = "time.max_steps=6";
    decks.push_back({"vortex_bent", {"mesh.cells=[5,6,1]", own, steps}});
    decks.push_back({"vortex_bent",
                     {"mesh.cells=[4,3,3]", own, steps, "mesh.order=2", "gas.viscosity=0.05",
                      degree % 2 == 0 ? "scheme.dealiasing=split_form" : "scheme.precision=single"}});
    decks.push_back({"uniform", in_ring({own, walls, "gas.viscosity=0.01", "case.velocity=[0.2,0.1,0]"})});
    decks.push_back({"cylinder_elements", {"mesh.cells=[4,6,1]", own, steps, "time.cfl=0.4"}});
  }
  // Two elements around a periodic axis are beside each other twice.
  decks.push_back({"vortex_bent", {"mesh.cells=[8,2,1]", "time.max_steps=6"}});
  for (const char* rung : {"abort", "scaling", "first_order", "floor"})
    for (const char* face : {"raise", "repair"})
      decks.push_back(
          {"sod",
           {"scheme.method=flux_reconstruction", "scheme.degree=3", "mesh.map={kind: bend, amplitude: 0.05}",
            "mesh.order=3", "mesh.cells=[12,4,1]", tube, "time.max_steps=25", "case.left.pressure=100",
            "soft_error.max_halvings=1", std::string("soft_error.on_exhausted=") + rung,
            std::string("soft_error.face=") + face}});
  decks.push_back({"vortex_bent",
                   {"mesh.cells=[5,5,1]", "time.max_steps=8", "soft_error.max_halvings=0",
                    "inject={step: 4, stage: 2, cell: [7,12,0], kind: negative_pressure}"}});
  decks.push_back({"spike_elements", {"mesh.cells=[16,4,1]", "time.max_steps=60"}});
  decks.push_back({"forward_step_elements", {"mesh.cells=[15,5,1]", "time.max_steps=40"}});
  return decks;
}

/// Returns the blocks that are chosen, and those of a possible cut with the most along x, then y.
std::vector<exchange::Index> cuts_of(const RunConfig& config, int ranks) {
  std::vector<exchange::Index> cuts = {cut_of(config, ranks).ranks};
  if (config.problem.has_hexahedra()) return {exchange::Index{}};
  for (int x = ranks; x >= 1; --x)
    for (int y = ranks / x; y >= 1; --y) {
      const exchange::Index cut = {x, y, ranks / x / y};
      if (cut[0] * cut[1] * cut[2] != ranks || cut == cuts[0]) continue;
      try {
        exchange::decompose(cut_rules(config.problem), cut);
      } catch (const std::invalid_argument&) {
        continue;
      }
      cuts.push_back(cut);
      return cuts;
    }
  return cuts;
}

/// Compares runs of a deck. `key`: its name in what is printed.
Comparison compare(RunConfig config, const std::string& key, const std::string& backend) {
  std::vector<exchange::Index> cuts;
  try {
    cuts = cuts_of(config, rank_count());
  } catch (const UsageError& error) {
    std::printf("skipped  %s: %s\n", key.c_str(), error.what());
    return Comparison::skipped;
  }
  CaseRun one(config, 1, backend);
  one.wants_totals = true;
  const DriveEnd end = one.run();
  std::vector<RunConfig> ways;
  for (const exchange::Index& cut : cuts) {
    config.ranks = cut;
    ways.push_back(config);
  }
  ways.push_back(
      parse_deck(config.resolved, key, {"interruptible.enabled=true", "interruptible.launch_budget_ms=0.2"}));
  ways.back().ranks = config.ranks;
  for (const RunConfig& way : ways) {
    CaseRun all(way, make_solver(way, {backend, 1, true}));
    all.wants_totals = true;
    const std::string what = all.run() == end ? difference(one, all) : "how they end";
    if (what.empty()) continue;
    const auto& [x, y, z] = way.ranks;
    std::printf("DIFFERS  %s, %d x %d x %d blocks%s: %s\n", key.c_str(), x, y, z,
                way.interruptible ? " in slices" : "", what.c_str());
    return Comparison::differs;
  }
  return Comparison::same;
}

Comparison compare(const TestDeck& deck, const std::string& backend) {
  if (const std::string why = deck.skipped(); !why.empty()) {
    std::printf("skipped  %s\n", why.c_str());
    return Comparison::skipped;
  }
  const std::string path = "inputs/" + deck.name + ".yaml";
  return compare(parse_deck(std::string(embedded_text(path)), path, deck.overrides), deck.key(), backend);
}

/// A blast in bent elements, whose remedies reach from one rank's elements two elements into another's.
constexpr const char* kBentBlast = R"(
case:
  name: regions
  background: {density: 1, velocity: [0.3, 0.2, 0], pressure: 0.01}
  regions:
    - {shape: ball, center: [0.5, 0.5, 0], radius: 0.15, state: {density: 1, velocity: [0.3, 0.2, 0], pressure: 1000}}
mesh:
  cells: [9, 8, 1]
  map: {kind: bend, amplitude: 0.03}
  order: 3
  boundary: {x: periodic, y: periodic, z: outflow}
scheme: {method: flux_reconstruction, degree: 3}
time: {end: 1, max_steps: 25}
soft_error: {max_halvings: 1, on_exhausted: floor, face: raise}
output: {budgets: true}
)";

/// Compares runs in the mesh of a file.
Comparison compare_mesh_file(const std::string& backend) {
#if HALFSTEP_HAS_CGNS
  const TemporaryDirectory directory;
  const std::string file = directory / "shuffled.cgns";
  write_cgns(file, shuffled_mesh());
  return compare(parse_deck(deck_of_mesh(file), "the deck of a mesh file"), "a mesh file", backend);
#else
  std::printf("skipped  a mesh file: built without the CGNS library (%s)\n", backend.c_str());
  return Comparison::skipped;
#endif
}

int compare_all(const std::string& backend, const std::vector<std::string>& names) {
  int counts[3] = {};
  std::vector<TestDeck> decks = test_decks();
  for (TestDeck& deck : curved_decks()) decks.push_back(std::move(deck));
  for (const TestDeck& deck : decks) {
    if (!names.empty() && std::find(names.begin(), names.end(), deck.name) == names.end()) continue;
    counts[static_cast<int>(compare(deck, backend))] += 1;
    std::fflush(stdout);
  }
  const auto is_wanted = [&](const char* name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_wanted("bent_blast")) {
    const std::string key = "a blast in bent elements";
    counts[static_cast<int>(compare(parse_deck(kBentBlast, key), key, backend))] += 1;
  }
  if (is_wanted("mesh_file")) counts[static_cast<int>(compare_mesh_file(backend))] += 1;
  std::printf("%d ranks, %s: %d decks the same, %d differ, %d skipped\n", rank_count(), backend.c_str(),
              counts[0], counts[1], counts[2]);
  return counts[1] == 0 && counts[0] > 0 ? kFinished : kDifference;
}

}  // namespace
}  // namespace halfstep

int main(int argc, char** argv) {
  using namespace halfstep;
  const exchange::RanksAtEnd at_end;
  if (!exchange::Ranks::all().is_first()) return serve_as_rank();
  int code = kFailed;
  try {
    code = compare_all(argc > 1 ? argv[1] : "host", {argv + std::min(argc, 2), argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  end_ranks(code);
  return code;
}
