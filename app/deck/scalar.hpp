// Reading of scalars: each is checked against its parameter, and numbers may be expressions.
#pragma once

#include <cstdint>
#include <string>

#include "app/deck/diagnostic.hpp"
#include "app/deck/document.hpp"
#include "app/deck/table.hpp"
#include "physics/base/expression.hpp"

namespace halfstep {

/// Returns what a message calls the node: "a list", "'1,4'", "the text '1.4'".
std::string found(const Node& node);

class ScalarReader {
 public:
  /// `names`: of numbers that expressions may use; they may grow. NaN where the deck has one wrong.
  ScalarReader(const NamedNumbers& names, Diagnostics& errors) : names_(names), errors_(errors) {}

  /// Reads one scalar of parameter `p`, called `name` in messages. Reports what is wrong and returns false.
  bool element(const DeckParameter& p, const Node& node, const std::string& name, bool& value);
  bool element(const DeckParameter& p, const Node& node, const std::string& name, std::int64_t& value);
  bool element(const DeckParameter& p, const Node& node, const std::string& name, double& value);
  bool element(const DeckParameter& p, const Node& node, const std::string& name, FieldValue& value);
  bool element(const DeckParameter& p, const Node& node, const std::string& name, std::string& value);

  /// Reports that the node is not of the type `p` takes; returns false.
  bool refuse_type(const DeckParameter& p, const Node& node, const std::string& name, const std::string& type,
                   const std::string& hint = "");
  /// Reports an error at the node, with the parameter's meaning; returns false.
  bool refuse(const DeckParameter& p, const Node& node, const std::string& message);

 private:
  /// Reads a number that is written as an expression.
  bool evaluated(const DeckParameter& p, const Node& node, const std::string& name, double& value);
  bool refuse_expression(const DeckParameter& p, const Node& node, const std::string& name,
                         const ExpressionError& e);
  /// Whether an expression's value is a number. Says nothing where it may be the fault of a named number.
  bool is_finite(const DeckParameter& p, const Node& node, const std::string& name, double value);
  bool in_range(const DeckParameter& p, const Node& node, const std::string& name, double value);

  const NamedNumbers& names_;
  Diagnostics& errors_;
};

}  // namespace halfstep
