#include "runtime/exchange/graph_cut.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#if HALFSTEP_HAS_METIS
#include <metis.h>
#endif

namespace halfstep::exchange {

#if HALFSTEP_HAS_METIS

namespace {

/// The graph as METIS reads it: no row is beside itself, and those that share several faces weigh as many.
struct MetisGraph {
  std::vector<idx_t> first{0}, beside, weight;

  explicit MetisGraph(const RowGraph& graph) {
    for (std::int32_t row = 0; row < graph.count(); ++row) {
      std::vector<std::int32_t> others(graph.beside.begin() + graph.first[row],
                                       graph.beside.begin() + graph.first[row + 1]);
      std::sort(others.begin(), others.end());
      for (const std::int32_t other : others) {
        if (other == row) continue;
        if (std::ssize(beside) > first.back() && beside.back() == other)
          weight.back() += 1;
        else
          beside.push_back(other), weight.push_back(1);
      }
      first.push_back(static_cast<idx_t>(beside.size()));
    }
  }
};

/// Whether every rank has a row.
bool is_dealt_to_all(const std::vector<idx_t>& owners, int ranks) {
  std::vector<bool> has(static_cast<std::size_t>(ranks));
  for (const idx_t rank : owners) has[static_cast<std::size_t>(rank)] = true;
  return std::find(has.begin(), has.end(), false) == has.end();
}

}  // namespace

std::string metis_version() {
  return std::to_string(METIS_VER_MAJOR) + "." + std::to_string(METIS_VER_MINOR) + "." +
         std::to_string(METIS_VER_SUBMINOR);
}

std::vector<std::int32_t> cut_rows(const RowGraph& graph, int ranks) {
  if (graph.count() < ranks)
    throw std::invalid_argument("a mesh of " + std::to_string(graph.count()) +
                                " elements cannot be cut for " + std::to_string(ranks) + " ranks");
  MetisGraph metis(graph);
  idx_t rows = graph.count(), constraints = 1, parts = ranks, cut = 0, options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same cut in every run
  std::vector<idx_t> owners(static_cast<std::size_t>(rows));
  if (ranks > 1 && METIS_PartGraphKway(&rows, &constraints, metis.first.data(), metis.beside.data(), nullptr,
                                       nullptr, metis.weight.data(), &parts, nullptr, nullptr, options, &cut,
                                       owners.data()) != METIS_OK)
    throw std::runtime_error("METIS cannot cut a mesh of " + std::to_string(rows) + " elements for " +
                             std::to_string(ranks) + " ranks");
  // With a handful of rows a rank METIS may leave some without.
  if (!is_dealt_to_all(owners, ranks))
    for (idx_t row = 0; row < rows; ++row)
      owners[static_cast<std::size_t>(row)] = static_cast<idx_t>(std::int64_t{row} * ranks / rows);
  return {owners.begin(), owners.end()};
}

#else

std::string metis_version() { return ""; }

std::vector<std::int32_t> cut_rows(const RowGraph&, int) {
  throw std::runtime_error("this program was built without METIS, which cuts curved elements among ranks");
}

#endif

namespace {

/// Returns the rows beside some rows that `is_there` does not have yet; it has them then.
std::vector<std::int32_t> rows_beside(const RowGraph& graph, const std::vector<std::int32_t>& owners,
                                      const std::vector<std::int32_t>& rows, std::vector<bool>& is_there) {
  std::vector<std::int32_t> found;
  for (const std::int32_t row : rows)
    for (std::int32_t n = graph.first[row]; n < graph.first[row + 1]; ++n) {
      const std::int32_t other = graph.beside[static_cast<std::size_t>(n)];
      if (is_there[static_cast<std::size_t>(other)]) continue;
      is_there[static_cast<std::size_t>(other)] = true;
      found.push_back(other);
    }
  const auto key = [&](std::int32_t row) { return std::pair(owners[static_cast<std::size_t>(row)], row); };
  std::sort(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  return found;
}

}  // namespace

Decomposition decompose(const Index& cells, const RowGraph& graph, const std::vector<std::int32_t>& owners,
                        int ranks) {
  std::vector<RowsOfRank> rows(static_cast<std::size_t>(ranks));
  for (std::int32_t row = 0; row < graph.count(); ++row)
    rows.at(static_cast<std::size_t>(owners.at(static_cast<std::size_t>(row)))).own.push_back(row);
  Decomposition cut{cells, {1, ranks, 1}, {}};
  for (RowsOfRank& of_rank : rows) {
    std::vector<bool> is_there(static_cast<std::size_t>(graph.count()));
    for (const std::int32_t row : of_rank.own) is_there[static_cast<std::size_t>(row)] = true;
    of_rank.near = rows_beside(graph, owners, of_rank.own, is_there);
    of_rank.far = rows_beside(graph, owners, of_rank.near, is_there);
    cut.rows.push_back(std::make_shared<const RowsOfRank>(std::move(of_rank)));
  }
  return cut;
}

std::vector<std::int32_t> owners_of(const Decomposition& cut) {
  std::vector<std::int32_t> owners(static_cast<std::size_t>(cut.cells[1]));
  for (std::int32_t rank = 0; rank < cut.size(); ++rank)
    for (const std::int32_t row : cut.rows[static_cast<std::size_t>(rank)]->own)
      owners[static_cast<std::size_t>(row)] = rank;
  return owners;
}

}  // namespace halfstep::exchange
