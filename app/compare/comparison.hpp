// Comparison of two files of the same kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/compare/contents.hpp"
#include "physics/accuracy/difference.hpp"

namespace halfstep {

enum class Agreement { identical, within_tolerance, different };
/// Returns "identical", "equal within the tolerance" or "different".
std::string_view name_of(Agreement agreement);

struct QuantityComparison {
  std::string name;
  std::size_t values = 0;
  Difference difference;
  std::string worst;  ///< place and values of the largest difference; "" if all bits are equal
};

struct Comparison {
  std::vector<QuantityComparison> quantities;
  std::vector<std::string>
      problems;                      ///< non-numerical differences: other meshes, quantities in one file only
  std::vector<std::string> remarks;  ///< differences that do not concern the flow

  Agreement agreement() const;
};

/// Compares the quantities that both have: fields cell by cell on the same mesh, tables by rows of equal
/// label.
Comparison compare(const Contents& a, const Contents& b, const Tolerance& tolerance);

/// Returns the values in which two resolved decks differ, except the output directory: "deck: time.cfl is 0.4
/// in A, 0.3 in B".
std::vector<std::string> deck_remarks(const std::string& deck_a, const std::string& deck_b);

/// Returns a table of the quantities that are not bitwise equal, then problems and remarks; each line begins
/// with `indent` and has its end-of-line.
std::string comparison_text(const Comparison& comparison, const std::string& indent);

}  // namespace halfstep
