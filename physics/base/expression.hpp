// Functions of place, and of time, that a user writes: muParser's language, with pi and e and numbers by
// name.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/base/formula.hpp"
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

/// What an expression is a function of, beside the numbers by name.
enum class Coordinates { place /* x, y, z */, place_and_time /* and t */ };

/// A function of x, y and z. Any number of threads may evaluate it at once.
class Expression {
 public:
  /// Compiles `text`. Throws ExpressionError where it is no expression in the variables and `names`.
  Expression(const std::string& text, const NamedNumbers& names,
             Coordinates coordinates = Coordinates::place);

  bool depends_on(int axis) const;
  bool is_constant() const {
    return !depends_on(0) && !depends_on(1) && !depends_on(2) && !depends_on_time();
  }
  bool depends_on_time() const;

  /// Returns the value at the place x and time 0, not finite where there is none.
  double operator()(const std::array<double, 3>& x) const;

 private:
  struct Source;
  std::shared_ptr<const Source> source_;
};

/// Writes an expression in x, y, z, t and `names` as a formula, which host and device evaluate to the same
/// bits. Throws ExpressionError where it is none, or has what formulas have not, and std::length_error where
/// it is too long.
Formula formula_of(const std::string& text, const NamedNumbers& names, Formulas& formulas);

}  // namespace halfstep
