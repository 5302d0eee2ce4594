// The scalars of a flow: mass fractions that a deck gives by name, and the reactant of a case. With a second
// gas also its volume fraction.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/cases/case.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// The name of the scalar that a reaction burns; where there is one it is the first.
inline constexpr const char* kReactant = "reactant";

class Scalars {
 public:
  Scalars() = default;
  /// `fractions`: the mass fractions at time 0 by name. `names`: numbers that their expressions may use.
  /// `of_case`: the case holds reactant, too. `second_gas`: its volume fraction, if there is one. Throws
  /// ExpressionError for what is no expression in `names`.
  Scalars(const NamedFields& fractions, const NamedNumbers& names, const Mesh& mesh, bool of_case,
          const std::optional<FieldValue>& second_gas = {});

  /// Returns the names, that of a second gas last.
  const std::vector<std::string>& names() const { return names_; }
  int count() const { return static_cast<int>(names_.size()); }
  bool has_second_gas() const { return has_second_gas_; }
  bool has(const std::string& name) const;

  /// Returns the mass of scalar s per volume over `cell` at time 0, whose average density is `density`.
  double mass(int s, const Case& flow, const Box& cell, double density) const;
  /// Returns the volume fraction of the second gas in `cell` at time 0.
  double volume_fraction(const Case& flow, const Box& cell) const;

 private:
  struct Fraction {
    double number;
    std::optional<Expression> expression;
    std::array<bool, 3> varies;  ///< along the active axes

    /// Returns the mean over a cell.
    double average(const Box& cell) const;
  };

  std::vector<std::string> names_;
  std::vector<Fraction> fractions_;  ///< of the names, but of a case's reactant
  bool of_case_ = false;             ///< the first is the case's reactant
  bool has_second_gas_ = false;      ///< the last is its volume fraction
};

}  // namespace halfstep
