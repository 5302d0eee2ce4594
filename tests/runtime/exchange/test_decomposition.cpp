#include <doctest/doctest.h>

#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "runtime/exchange/decomposition.hpp"

using namespace halfstep::exchange;

namespace {

CutRules rules_of(const Index& cells, int layers = 3, bool periodic = false) {
  return {cells, {periodic, periodic, periodic}, layers};
}

/// Returns how often each cell belongs to a block.
std::map<Index, int> owners(const Decomposition& cut) {
  std::map<Index, int> count;
  for (int rank = 0; rank < cut.size(); ++rank) {
    const Box box = cut.block(rank);
    for (int k = 0; k < box.cells[2]; ++k)
      for (int j = 0; j < box.cells[1]; ++j)
        for (int i = 0; i < box.cells[0]; ++i) {
          const Index cell = {box.first[0] + i, box.first[1] + j, box.first[2] + k};
          count[cell] += 1;
          CHECK(cut.rank_of(cell) == rank);
        }
  }
  return count;
}

Index wrapped(Index cell, const Index& cells) {
  for (int axis = 0; axis < 3; ++axis) cell[axis] = (cell[axis] + cells[axis]) % cells[axis];
  return cell;
}

}  // namespace

TEST_CASE("blocks cover the mesh once, whatever the remainder") {
  for (const Index& ranks : {Index{1, 1, 1}, {2, 1, 1}, {1, 3, 2}, {3, 2, 2}}) {
    const Decomposition cut = decompose(rules_of({11, 13, 9}), ranks);
    const auto count = owners(cut);
    CHECK(count.size() == 11 * 13 * 9);
    for (const auto& [cell, times] : count) CHECK(times == 1);
  }
}

TEST_CASE("blocks differ by a cell along each axis") {
  const Decomposition cut = decompose(rules_of({100, 1, 1}), Index{7, 1, 1});
  for (int rank = 0; rank < 7; ++rank) {
    CHECK(cut.block(rank).cells[0] >= 14);
    CHECK(cut.block(rank).cells[0] <= 15);
  }
}

TEST_CASE("no cut parts an element, and blocks differ by an element") {
  CutRules rules{{5 * 4, 7 * 4, 1}, {}, 8, {4, 4, 1}};
  for (const Index& ranks : {Index{2, 1, 1}, {1, 3, 1}, {2, 3, 1}}) {
    const Decomposition cut = decompose(rules, ranks);
    const auto count = owners(cut);
    CHECK(count.size() == 20 * 28);
    for (const auto& [cell, times] : count) CHECK(times == 1);
    for (int rank = 0; rank < cut.size(); ++rank)
      for (int axis = 0; axis < 2; ++axis) {
        const Box box = cut.block(rank);
        CHECK(box.first[axis] % 4 == 0);
        CHECK(box.cells[axis] % 4 == 0);
        CHECK(box.cells[axis] <= cut.largest()[axis]);
        CHECK(box.cells[axis] + 4 >= cut.largest()[axis]);
      }
  }
  CHECK_THROWS_WITH_AS(
      decompose(rules, 8),
      "a mesh of 5 x 7 x 1 elements cannot be cut into 8 blocks of at least 2 elements along "
      "each cut axis; 6 ranks are possible",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(decompose(rules, Index{3, 1, 1}),
                       "3 blocks along x are more than its 5 elements allow: 2 of at least 2 elements",
                       std::invalid_argument);
}

TEST_CASE("a cut is chosen by what it exchanges, whole planes along z first") {
  CHECK(decompose(rules_of({256, 256, 256}), 2).ranks == Index{1, 1, 2});
  CHECK(decompose(rules_of({512, 512, 512}), 8).ranks == Index{1, 1, 8});
  CHECK(decompose(rules_of({64, 4096, 64}), 4).ranks == Index{1, 4, 1});
  CHECK(decompose(rules_of({300, 200, 1}), 2).ranks == Index{1, 2, 1});
  CHECK(decompose(rules_of({400, 1, 1}), 5).ranks == Index{5, 1, 1});
  const Index many = decompose(rules_of({1024, 1024, 1024}), 4096).ranks;  // slabs would be too thin
  CHECK(many[0] * many[1] * many[2] == 4096);
  CHECK(many[2] >= many[1]);
  CHECK(many[1] >= many[0]);
}

TEST_CASE("a mesh that cannot be cut so far is an error that says what can") {
  CHECK_THROWS_WITH_AS(
      decompose(rules_of({8, 1, 1}), 4),
      "a mesh of 8 x 1 x 1 cells cannot be cut into 4 blocks of at least 3 cells along each cut "
      "axis; 2 ranks are possible",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      decompose(rules_of({4, 4, 1}), 7),
      "a mesh of 4 x 4 x 1 cells cannot be cut into 7 blocks of at least 3 cells along each cut "
      "axis; 1 rank is possible",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS(decompose(rules_of({64, 64, 8}), Index{1, 2, 4}),
                       "4 blocks along z are more than its 8 cells allow: 2 of at least 3 cells",
                       std::invalid_argument);
}

TEST_CASE("the n-th message to a peer is the n-th that it takes, and its cells are the ghosts' own") {
  for (const bool periodic : {false, true})
    for (const Index& ranks : {Index{1, 1, 2}, {2, 2, 1}, {3, 1, 2}, {2, 2, 2}}) {
      const Index cells = {12, 10, 9};
      const Decomposition cut = decompose(rules_of(cells, 3, periodic), ranks);
      std::map<std::pair<int, int>, std::vector<HaloMessage>> sent, taken;
      for (int rank = 0; rank < cut.size(); ++rank)
        for (const HaloMessage& m : halo_messages(cut, rank, 3, HaloReach::corners)) {
          if (m.to >= 0) sent[{rank, m.to}].push_back(m);
          if (m.from >= 0) taken[{m.from, rank}].push_back(m);
        }
      REQUIRE(sent.size() == taken.size());
      for (const auto& [ends, messages] : sent) {
        const auto& other = taken.at(ends);
        REQUIRE(messages.size() == other.size());
        for (std::size_t n = 0; n < messages.size(); ++n) {
          const Box out = messages[n].send, in = other[n].receive;
          REQUIRE(out.cells == in.cells);
          Index from, to;
          for (int axis = 0; axis < 3; ++axis) {
            from[axis] = cut.block(ends.first).first[axis] + out.first[axis];
            to[axis] = cut.block(ends.second).first[axis] + in.first[axis];
          }
          CHECK(wrapped(to, cells) == from);
        }
      }
    }
}

TEST_CASE("ghost cells beside faces alone need a message a face") {
  const Decomposition cut = decompose(rules_of({30, 30, 30}, 2, true), Index{3, 3, 3});
  CHECK(halo_messages(cut, 13, 2, HaloReach::faces).size() == 6);
  CHECK(halo_messages(cut, 13, 2, HaloReach::corners).size() == 26);
  CHECK(halo_cells(halo_messages(cut, 13, 2, HaloReach::faces)) == 6 * 2 * 10 * 10);
  const Decomposition slabs = decompose(rules_of({30, 30, 30}, 2), Index{1, 1, 3});
  CHECK(halo_messages(slabs, 0, 2, HaloReach::faces).size() == 2);  // one goes up, one comes down
  CHECK(halo_cells(halo_messages(slabs, 0, 2, HaloReach::faces)) == 2 * 30 * 30);
}

TEST_CASE("10^13 cells on 10^5 ranks: indices hold, and no call needs memory for all ranks") {
  const CutRules rules = rules_of({22000, 22000, 21000});
  const Decomposition cut = decompose(rules, 100000);
  CHECK(cut.size() == 100000);
  std::int64_t cells = 0;
  for (int rank = 0; rank < cut.size(); ++rank) {
    const Box box = cut.block(rank);
    cells += box.count();
    CHECK(cut.rank_of(box.first) == rank);
  }
  CHECK(cells == std::int64_t{22000} * 22000 * 21000);
  for (const int rank : {0, 4711, 99999}) {
    const auto messages = halo_messages(cut, rank, 3, HaloReach::faces);
    CHECK(messages.size() <= 6);
    for (const HaloMessage& m : messages) CHECK(m.send.count() > 0);
  }
}
