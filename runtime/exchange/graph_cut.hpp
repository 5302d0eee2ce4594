// The cut of rows that are no box among ranks, by METIS: elements of a mesh that know their neighbours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/exchange/decomposition.hpp"

namespace halfstep::exchange {

/// Which rows are neighbours: those beside row n are beside[first[n]] to beside[first[n + 1] - 1].
struct RowGraph {
  std::vector<std::int32_t> first{0}, beside;

  std::int32_t count() const { return static_cast<std::int32_t>(first.size()) - 1; }
};

/// Returns the version of METIS; "" where the program was built without it.
std::string metis_version();

/// Returns the rank of each row: as many rows for each as can be, so that few rows have neighbours of other
/// ranks. The same rows and ranks have the same cut. Throws std::invalid_argument where there are fewer rows
/// than ranks, and std::runtime_error without METIS.
std::vector<std::int32_t> cut_rows(const RowGraph& graph, int ranks);

/// Returns the decomposition in which each rank has the rows along x, of cells[0] cells, that `owners` gives
/// to it.
Decomposition decompose(const Index& cells, const RowGraph& graph, const std::vector<std::int32_t>& owners,
                        int ranks);
/// Returns the rank of each row, the inverse.
std::vector<std::int32_t> owners_of(const Decomposition& cut);

}  // namespace halfstep::exchange
