// Rows that are no box, cut among ranks by METIS: who has them, which are near and far, and their messages.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "runtime/exchange/graph_cut.hpp"

using namespace halfstep::exchange;

namespace {

constexpr int kWide = 12;

/// Returns the rows of a square that is closed along both axes, each beside its four neighbours.
RowGraph torus() {
  RowGraph graph;
  for (int y = 0; y < kWide; ++y)
    for (int x = 0; x < kWide; ++x) {
      for (const int step : {1, kWide - 1}) {
        graph.beside.push_back(y * kWide + (x + step) % kWide);
        graph.beside.push_back((y + step) % kWide * kWide + x);
      }
      graph.first.push_back(static_cast<std::int32_t>(graph.beside.size()));
    }
  return graph;
}

/// Returns a line of rows, the first and the last of which are beside themselves.
RowGraph line(int rows) {
  RowGraph graph;
  for (int row = 0; row < rows; ++row) {
    graph.beside.insert(graph.beside.end(), {std::max(row - 1, 0), std::min(row + 1, rows - 1)});
    graph.first.push_back(static_cast<std::int32_t>(graph.beside.size()));
  }
  return graph;
}

bool is_built_in() {
  if (metis_version().empty()) MESSAGE("skipped: built without METIS (package libmetis-dev)");
  return !metis_version().empty();
}

std::set<int> beside(const RowGraph& graph, const std::set<int>& rows) {
  std::set<int> found;
  for (const int row : rows)
    for (int n = graph.first[row]; n < graph.first[row + 1]; ++n)
      if (!rows.contains(graph.beside[n])) found.insert(graph.beside[n]);
  return found;
}

}  // namespace

TEST_CASE(
    "METIS deals all rows, about as many to each rank, with few neighbours elsewhere, and always the same") {
  if (!is_built_in()) return;
  const RowGraph graph = torus();
  for (const int ranks : {1, 2, 3, 4, 7}) {
    const std::vector<std::int32_t> owners = cut_rows(graph, ranks);
    CHECK(owners == cut_rows(graph, ranks));
    int parted = 0;
    for (int row = 0; row < graph.count(); ++row)
      for (int n = graph.first[row]; n < graph.first[row + 1]; ++n)
        parted += owners[row] != owners[graph.beside[n]];
    CHECK(parted <= 4 * kWide * ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto own = std::count(owners.begin(), owners.end(), rank);
      CHECK(own >= graph.count() / ranks * 0.85);
      CHECK(own <= graph.count() / ranks * 1.15 + 1);
    }
  }
}

TEST_CASE("every rank gets a row, if there are enough") {
  if (!is_built_in()) return;
  for (int rows = 1; rows <= 9; ++rows) {
    std::vector<std::int32_t> owners = cut_rows(line(rows), rows);
    std::sort(owners.begin(), owners.end());
    for (int rank = 0; rank < rows; ++rank) CHECK(owners[rank] == rank);
    CHECK_THROWS_AS(cut_rows(line(rows), rows + 1), std::invalid_argument);
  }
}

TEST_CASE("near rows are beside the own ones and far rows beside these, each once") {
  const RowGraph graph = torus();
  std::vector<std::int32_t> owners;
  for (int row = 0; row < graph.count(); ++row) owners.push_back(row * 7 % 5 % 3);
  const Decomposition cut = decompose({8, graph.count(), 1}, graph, owners, 3);
  CHECK(cut.size() == 3);
  CHECK(owners_of(cut) == owners);
  for (int rank = 0; rank < 3; ++rank) {
    const RowsOfRank& rows = *cut.block(rank).rows;
    std::set<int> own(rows.own.begin(), rows.own.end());
    const std::set<int> near = beside(graph, own);
    CHECK(near == std::set<int>(rows.near.begin(), rows.near.end()));
    own.insert(near.begin(), near.end());
    const std::set<int> far = beside(graph, own);
    CHECK(far == std::set<int>(rows.far.begin(), rows.far.end()));
    CHECK(rows.far.size() == far.size());
    CHECK(cut.block(rank).cells == Index{8, static_cast<int>(rows.own.size()), 1});
    for (std::size_t n = 0; n < rows.own.size(); ++n) {
      const Index cell = {3, rows.own[n], 0};
      CHECK(cut.rank_of(cell) == rank);
      CHECK(cut.block(rank).own(cell) == Index{3, static_cast<int>(n), 0});
      CHECK(cut.block(rank).row(static_cast<int>(n)) == rows.own[n]);
      CHECK_FALSE(cut.block((rank + 1) % 3).holds(cell));
    }
  }
}

TEST_CASE("what a rank sends is what the other one reads there") {
  const RowGraph graph = line(40);
  std::vector<std::int32_t> owners;
  for (int row = 0; row < graph.count(); ++row) owners.push_back(row / 3 % 4);
  const Decomposition cut = decompose({5, graph.count(), 1}, graph, owners, 4);
  for (const bool with_far : {false, true})
    for (int rank = 0; rank < 4; ++rank) {
      const RowsOfRank& rows = *cut.block(rank).rows;
      std::vector<std::int32_t> numbers = rows.own;
      numbers.insert(numbers.end(), rows.near.begin(), rows.near.end());
      numbers.insert(numbers.end(), rows.far.begin(), rows.far.end());
      std::size_t received = 0;
      for (const RowMessage& message : row_messages(cut, rank, with_far)) {
        const RowsOfRank& others = *cut.block(message.peer).rows;
        for (const RowMessage& back : row_messages(cut, message.peer, with_far)) {
          if (back.peer != rank) continue;
          REQUIRE(back.send.size() == message.receive.size());
          for (std::size_t n = 0; n < back.send.size(); ++n)
            CHECK(others.own[back.send[n]] == numbers[message.receive[n]]);
          received += back.send.size();
        }
      }
      CHECK(received == rows.near.size() + (with_far ? rows.far.size() : 0));
    }
}
