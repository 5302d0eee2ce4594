// Functions of place that a user writes: muParser's language, with pi and e and numbers by name.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/base/parameter.hpp"

namespace halfstep {

/// Thrown for a text that is no expression, with a message for the user.
struct ExpressionError : std::invalid_argument {
  explicit ExpressionError(const std::string& message, std::string name = "")
      : invalid_argument(message), unknown_name(std::move(name)) {}
  std::string unknown_name;  ///< where such a name is the mistake
};

/// Returns the version of muParser; "" where the program was built without it, and every text is an
/// ExpressionError.
std::string muparser_version();

/// Returns what an expression may name beside the user's numbers: coordinates, constants and functions.
std::vector<std::string> names_in_expressions();

/// A function of x, y and z. Any number of threads may evaluate it at once.
class Expression {
 public:
  /// Compiles `text`. Throws ExpressionError where it is no expression in the coordinates and `names`.
  Expression(const std::string& text, const NamedNumbers& names);

  bool depends_on(int axis) const;
  bool is_constant() const { return !depends_on(0) && !depends_on(1) && !depends_on(2); }

  /// Returns the value at the place x, not finite where there is none.
  double operator()(const std::array<double, 3>& x) const;

 private:
  struct Source;
  std::shared_ptr<const Source> source_;
};

}  // namespace halfstep
