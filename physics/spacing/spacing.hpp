// How wide the cells of an axis are, as a deck gives it.
#pragma once

#include <stdexcept>
#include <vector>

#include "physics/base/parameter.hpp"

namespace halfstep {

/// The key of a spacing's word in a block with values.
inline constexpr const char* kSpacingKey = "kind";
/// The spacing of cells of one width.
inline constexpr const char* kUniformSpacing = "uniform";

/// Reported for a spacing that the mesh cannot have: message() says why, remedy() what to do.
class SpacingError : public std::invalid_argument {
 public:
  SpacingError(const std::string& message, std::string remedy)
      : std::invalid_argument(message), remedy_(std::move(remedy)) {}
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

/// Returns the spacings with the values that each takes.
std::vector<ItemKind> spacing_kinds();

/// Returns one block, of cells of one width.
Items uniform_spacing();

/// The largest ratio of the widths of two neighbouring cells. Schemes take the widths for a smooth function
/// of the cell's number, and are of second order for such alone.
inline constexpr double kMostGrowth = 1.5;

/// Returns the faces of `cells` cells between two places, strictly increasing, exact at both ends; none for
/// cells of one width. Throws SpacingError where neighbours differ by more than kMostGrowth, or a table does
/// not fit.
std::vector<double> faces_of(const Values& spacing, int cells, double lower, double upper);

}  // namespace halfstep
