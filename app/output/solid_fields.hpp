// What dumps of a run with bodies have beside the flow: which cells lie in bodies, and the distance from the
// nearest surface.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/output/cell_region.hpp"
#include "physics/solver/problem.hpp"

namespace halfstep {

struct SolidValues {
  std::vector<std::uint8_t> solid;  ///< of each cell, x fastest: 0 in the gas, else the body's number + 1
  std::vector<double> distance;     ///< of its centre from the nearest surface, negative inside
};

/// Keeps these values of one region at a time: distances can take much longer than a dump. One thread at a
/// time may use it.
class SolidFields {
 public:
  /// Returns the bytes that it holds for a cell.
  static constexpr std::int64_t kBytesPerCell = sizeof(std::uint8_t) + sizeof(double);

  /// `problem`: of the whole mesh. It has to outlive this.
  explicit SolidFields(const Problem& problem) : problem_(problem) {}
  /// Returns the values in cells of the region, until the next call; nullptr in a run without bodies.
  const SolidValues* in(const CellRegion& region);

 private:
  const Problem& problem_;
  CellRegion region_;
  std::optional<SolidValues> values_;  // of the cells of region_
};

}  // namespace halfstep
