// Two files of one kind against each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/compare/contents.hpp"
#include "physics/measure/difference.hpp"

namespace halfstep {

enum class Agreement { identical, within_tolerance, different };
/// "identical", "equal within the tolerance", "different"
std::string_view name_of(Agreement agreement);

struct QuantityComparison {
  std::string name;
  std::size_t values = 0;
  Difference difference;
  std::string worst;  ///< where they are furthest apart, and both values; "" where all bits are the same
};

struct Comparison {
  std::vector<QuantityComparison> quantities;
  std::vector<std::string> problems;  ///< differences that are no numbers: other meshes, what only one has
  std::vector<std::string> remarks;   ///< worth knowing, but no difference of the flow

  Agreement agreement() const;
};

/// What both have is compared: of fields, cell by cell on the same mesh; of tables, row by row, those of the
/// same label.
Comparison compare(const Contents& a, const Contents& b, const Tolerance& tolerance);

/// In which values two resolved decks differ, but for where they write: "deck: time.cfl is 0.4 in A, 0.3 in
/// B".
std::vector<std::string> deck_remarks(const std::string& deck_a, const std::string& deck_b);

/// A table of the quantities that differ by a bit, if there are any, then problems and remarks; each line is
/// ended and begins with `indent`.
std::string comparison_text(const Comparison& comparison, const std::string& indent);

}  // namespace halfstep
