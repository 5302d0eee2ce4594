#include "app/deck/sponge_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/deck/spelling.hpp"
#include "physics/cases/sponges.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {
namespace {

/// Returns what a sponge does in the first cell looked at for which fails(relaxation) is true, with the cell.
std::optional<std::pair<Relaxation, Box>> first_of(const Sponge& sponge, const Mesh& mesh,
                                                   const std::function<bool(const Relaxation&)>& fails) {
  constexpr std::int64_t kLooks = 1 << 14;
  const std::int64_t count = mesh.cell_count(), looks = std::min(count, kLooks);
  for (std::int64_t look = 0; look < looks; ++look) {
    const std::int64_t n = look * (count / looks) + look * (count % looks) / looks;
    const Box cell =
        mesh.cell(static_cast<int>(n % mesh.cells[0]), static_cast<int>(n / mesh.cells[0] % mesh.cells[1]),
                  static_cast<int>(n / mesh.cells[0] / mesh.cells[1]));
    const Relaxation own = sponge.in(cell);
    if (own.rate != 0 && fails(own)) return std::pair{own, cell};
  }
  return std::nullopt;
}

std::string text_of(const Box& cell) {
  return fmt::format("at ({:.6g}, {:.6g}, {:.6g})", cell.center(0), cell.center(1), cell.center(2));
}

template <class Real>
bool is_held(const Conserved<double>& c, double gamma) {
  return is_admissible(Conserved<Real>{Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)},
                       IdealGas<Real>{Real(gamma)});
}

}  // namespace

void set_sponges(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  const Mesh& mesh = problem.mesh;
  const bool is_single = problem.scheme.precision == Precision::single_precision;
  const auto shared = std::make_shared<std::vector<Sponge>>();
  std::vector<Sponge>& sponges = *shared;
  for (const Values& values : deck.config.sponges) {
    const std::string name = fmt::format("sponges[{}]", sponges.size());
    try {
      sponges.emplace_back(values, deck.names, mesh, IdealGas<double>{problem.gamma});
    } catch (const std::invalid_argument& e) {
      return errors.error(deck.place_of(name), fmt::format("'{}': {}", name, e.what()));
    }
    if (const auto at = first_of(sponges.back(), mesh, [](const Relaxation& own) {
          return !(own.rate >= 0 && std::isfinite(own.rate));
        }))
      errors.error(deck.place_of(name + ".rate"),
                   fmt::format("'{}.rate' is {} {}", name, at->first.rate, text_of(at->second)),
                   "it must be finite and at least 0");
    if (const auto at = first_of(sponges.back(), mesh, [&](const Relaxation& own) {
          return !(is_single ? is_held<float>(own.target, problem.gamma)
                             : is_held<double>(own.target, problem.gamma));
        }))
      errors.error(deck.place_of(name + ".target"),
                   fmt::format("'{}.target' is no admissible state in {} precision {}", name,
                               is_single ? "single" : "double", text_of(at->second)),
                   "density and pressure must be positive, and all numbers finite");
  }
  if (!sponges.empty()) problem.sponge_cells = [shared, mesh] { return cells_in(*shared, mesh); };
}

}  // namespace halfstep
