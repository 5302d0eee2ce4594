#include "app/deck/solid_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/embedded.hpp"
#include "physics/curved/wall_of_mesh.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/solids/bodies.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solids.hpp"

namespace halfstep {

namespace {

/// Returns the bytes of an STL file by its path, or of one that the program carries after `carried:`.
std::string stl_file(const std::string& name) {
  constexpr std::string_view prefix = "carried:", folder = "inputs/", ending = ".stl";
  if (!name.starts_with(prefix)) return bytes_of_file(name);
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with(folder) && file.path.ends_with(ending)) {
      names.emplace_back(file.path.substr(folder.size()));
      if (names.back() == name.substr(prefix.size())) return std::string(file.text);
    }
  throw ShapeError("file", "the program carries no STL file '" + name.substr(prefix.size()) + "'",
                   fmt::format("it carries {}", fmt::join(names, ", ")));
}

}  // namespace

void set_solids(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  if (deck.config.solids.empty()) return;
  try {
    const int layers = ghost_layers(problem.scheme.reconstruction);
    const BoundaryConditions<double> rules(Layout(problem.mesh, layers), problem.mesh, problem.boundary,
                                           problem.dirichlet, problem.gases(), problem.terms.gravity);
    problem.solids = std::make_shared<Solids>(
        make_bodies(deck.config.solids, deck.names, problem.mesh, problem.terms.viscous(), stl_file),
        problem.mesh, rules,
        SolidReach{layers, problem.terms.viscous() ? problem.terms.viscous_order / 2 : 0,
                   problem.has_fourth_order_flux()});
  } catch (const SolidError& e) {
    const std::string name = fmt::format("solids[{}]", e.entry);
    errors.error(deck.place_of(e.key.empty() ? name : name + "." + e.key),
                 fmt::format("'{}': {}", name, e.what()), e.remedy);
  }
}

namespace {

/// Refuses a fault in a body, whose cells are filled anew after every stage.
void check_fault(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  const Fault& fault = deck.config.fault;
  if (!deck.sound({"inject.cell", "inject.step"}) || fault.step == 0) return;
  const auto& n = problem.mesh.cells;
  const auto [i, j, k] = fault.cell;
  if (i >= n[0] || j >= n[1] || k >= n[2]) return;  // check_injection() refuses it
  const auto at = static_cast<std::size_t>((std::int64_t{k} * n[1] + j) * n[0] + i);
  if (const int body = problem.solids->cells().mask[at]; body > 0)
    errors.error(deck.place_of("inject.cell"),
                 fmt::format("the cell [{}, {}, {}] lies in the body '{}'", i, j, k,
                             problem.solids->bodies()[static_cast<std::size_t>(body - 1)].name),
                 "choose a cell in the gas: those in bodies are filled anew after every stage");
}

/// Refuses references of loads that are not all there, or that there are no bodies for.
void check_loads(const ValidatedDeck& deck, Diagnostics& errors) {
  const LoadReference& own = deck.config.output.loads;
  const std::pair<const char*, double> parts[] = {{"output.loads.density", own.density},
                                                  {"output.loads.velocity", own.velocity},
                                                  {"output.loads.area", own.area},
                                                  {"output.loads.length", own.length}};
  const auto is_given = [](const auto& part) { return part.second > 0; };
  const auto given = std::find_if(std::begin(parts), std::end(parts), is_given);
  const auto absent = std::find_if_not(std::begin(parts), std::end(parts), is_given);
  if (given == std::end(parts) || !deck.sound({"solids"})) return;
  const Problem& problem = deck.config.problem;
  const bool has_walls = problem.hexahedra && !walls_of_mesh(*problem.hexahedra, problem.boundary).empty();
  if (deck.config.solids.empty() && !has_walls)
    errors.error(deck.place_of(given->first), "there are no bodies whose loads could have coefficients",
                 "'solids' lists bodies; walls of 'mesh.map' and 'mesh.file' have loads, too");
  else if (absent != std::end(parts) && deck.sound({absent->first}))
    errors.error(deck.place_of("output.loads"), fmt::format("coefficients need '{}', too", absent->first),
                 "they need the density and the velocity of a stream, an area and a length");
}

}  // namespace

void check_solids(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  check_loads(deck, errors);
  if (!problem.has_solids()) return;
  if (const std::size_t bodies = problem.solids->bodies().size(); bodies > kMaxBodies)
    errors.error(deck.place_of("solids"),
                 fmt::format("'solids' has {} bodies, at most {} can be told apart", bodies, kMaxBodies),
                 "entries with one name are one body");
  const auto refuse = [&](const std::string& key, bool is_there, const std::string& message,
                          const std::string& help) {
    if (deck.sound({key}) && is_there) errors.error(deck.place_of(key), message, help);
  };
  refuse("soft_error.face", problem.detection.raise_bad_faces,
         "faces raise soft errors in bodies, too, where they mean nothing", "leave it at repair");
  check_fault(deck, errors);
}

}  // namespace halfstep
