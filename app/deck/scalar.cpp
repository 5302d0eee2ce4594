#include "app/deck/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <string_view>

#include "app/deck/duration.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/shipped.hpp"
#include "app/deck/spelling.hpp"

namespace halfstep {
namespace {

bool is_integer(const std::string& text) {
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

bool is_real(const std::string& text) {
  static const std::regex real(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  return text.size() < 400 && std::regex_match(text, real);
}

bool is_not_finite(const std::string& text) {
  static const std::regex special(R"([-+]?\.?(inf|nan|infinity))", std::regex::icase);
  return text.size() < 20 && std::regex_match(text, special);
}

/// Whether a text that is no number has an operator or a parenthesis, as an expression does.
bool looks_like_expression(const std::string& text) { return text.find_first_of("+-*/^(", 1) < text.size(); }

/// Returns the number that is spelt by `text`, or nothing where T cannot hold it.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Suggests YAML's spelling of a number in quotation marks, with a Fortran exponent or with a decimal comma.
std::string number_hint(const Node& node) {
  if (node.is_text)
    return is_real(node.text) ? fmt::format("; did you mean {}, without quotation marks?", node.text) : "";
  std::string text = node.text;
  for (char& c : text)
    if (c == 'd' || c == 'D')
      c = 'e';
    else if (c == ',')
      c = '.';
  return text != node.text && is_real(text) ? fmt::format("; did you mean {}?", text) : "";
}

std::string boolean_hint(const std::string& text) {
  static const std::map<std::string, std::string> meant = {{"yes", "true"}, {"on", "true"},   {"1", "true"},
                                                           {"no", "false"}, {"off", "false"}, {"0", "false"}};
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto it = meant.find(lower);
  return it == meant.end() ? did_you_mean(text, {"true", "false"})
                           : fmt::format("; did you mean '{}'?", it->second);
}

/// Returns what the user may have meant by a word: the choice nearest to it, or the case of a shipped deck.
std::string suggestion(const DeckParameter& p, const std::string& word) {
  const ShippedDeck* deck = p.name == "case.name" ? find_shipped_deck(word) : nullptr;
  return deck ? fmt::format("; the deck '{}' is of the case '{}'", word, case_of(*deck))
              : did_you_mean(word, p.choices);
}

}  // namespace

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::nothing:
      return "nothing";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::block:
      return "a block";
    case Node::Kind::scalar:
      break;
  }
  return node.is_text ? "the text " + quote(node.text) : quote(node.text);
}

bool ScalarReader::element(const DeckParameter& p, const Node& node, const std::string& name, bool& value) {
  if (node.kind == Node::Kind::scalar && !node.is_text) {
    for (const char* yes : {"true", "True", "TRUE"})
      if (node.text == yes) return value = true;
    for (const char* no : {"false", "False", "FALSE"})
      if (node.text == no) return value = false, true;
  }
  return refuse_type(p, node, name, "true or false", boolean_hint(node.text));
}

bool ScalarReader::element(const DeckParameter& p, const Node& node, const std::string& name,
                           std::int64_t& value) {
  if (node.kind != Node::Kind::scalar || node.is_text || !is_integer(node.text)) {
    std::string hint = number_hint(node);
    if (node.kind == Node::Kind::scalar && !node.is_text && is_real(node.text)) {
      const auto real = parse_number<double>(node.text);
      if (real && *real == std::floor(*real) && std::abs(*real) < 1e15)
        hint = fmt::format("; did you mean {:.0f}?", *real);
    }
    return refuse_type(p, node, name, "an integer", hint);
  }
  const auto number = parse_number<std::int64_t>(node.text);
  if (!number)
    return refuse(p, node,
                  fmt::format("'{}' does not fit an integer of 64 bits: {}", name, quote(node.text)));
  value = *number;
  return in_range(p, node, name, static_cast<double>(value));
}

bool ScalarReader::element(const DeckParameter& p, const Node& node, const std::string& name, double& value) {
  if (node.kind == Node::Kind::scalar && !node.is_text && is_not_finite(node.text))
    return refuse(p, node, fmt::format("'{}' must be finite, not {}", name, quote(node.text)));
  if (node.kind != Node::Kind::scalar || node.is_text || !is_real(node.text))
    return evaluated(p, node, name, value);
  const auto number = parse_number<double>(node.text);
  if (!number)
    return refuse(p, node, fmt::format("'{}' does not fit a 64-bit real: {}", name, quote(node.text)));
  value = *number;
  return in_range(p, node, name, value);
}

bool ScalarReader::evaluated(const DeckParameter& p, const Node& node, const std::string& name,
                             double& value) {
  const bool no_text = node.kind != Node::Kind::scalar || (node.is_text && is_real(node.text));
  if (no_text || !number_hint(node).empty()) return refuse_type(p, node, name, "a number", number_hint(node));
  try {
    const Expression expression(node.text, names_);
    if (!expression.is_constant() && looks_like_expression(node.text))
      return refuse(
          p, node,
          fmt::format("'{}' takes a number, the same in every place, not {}", name, quote(node.text)));
    if (!expression.is_constant()) return refuse_type(p, node, name, "a number");
    value = expression({});
  } catch (const ExpressionError& e) {
    return looks_like_expression(node.text) ? refuse_expression(p, node, name, e)
                                            : refuse_type(p, node, name, "a number");
  }
  return is_finite(p, node, name, value) && in_range(p, node, name, value);
}

bool ScalarReader::element(const DeckParameter& p, const Node& node, const std::string& name,
                           FieldValue& value) {
  if (node.kind != Node::Kind::scalar) return refuse_type(p, node, name, "a number or an expression");
  Node plain = node;  // in quotation marks, too, a number is one
  plain.is_text = false;
  if (is_real(node.text) || is_not_finite(node.text)) return element(p, plain, name, value.number);
  const bool in_time = p.format == Format::place_and_time,
             is_formula = in_time || p.format == Format::formula_of_place;
  try {
    const Expression expression(node.text, names_,
                                in_time ? Coordinates::place_and_time : Coordinates::place);
    if (!expression.is_constant()) {
      if (Formulas formulas; is_formula) formula_of(node.text, names_, formulas);  // throws where it is none
      return value.expression = node.text, true;
    }
    value.number = expression({});
  } catch (const ExpressionError& e) {
    return refuse_expression(p, node, name, e);
  } catch (const std::length_error& e) {
    return refuse(p, node, fmt::format("'{}' is too long: {}", name, e.what()));
  }
  return is_finite(p, node, name, value.number) && in_range(p, node, name, value.number);
}

bool ScalarReader::refuse_expression(const DeckParameter& p, const Node& node, const std::string& name,
                                     const ExpressionError& e) {
  if (muparser_version().empty()) {
    errors_.error(node.place, fmt::format("'{}' is {}: {}", name, quote(node.text), e.what()),
                  "install the package libmuparser-dev and build again, or write a number");
    return false;
  }
  std::vector<std::string> known = names_in_expressions();
  for (const auto& number : names_) known.push_back(number.first);
  if (p.format == Format::place_and_time) known.push_back("t");
  const std::string hint = e.unknown_name.empty() ? "" : did_you_mean(e.unknown_name, known);
  return refuse(p, node,
                fmt::format("'{}' is no expression: {} in {}{}", name, e.what(), quote(node.text), hint));
}

bool ScalarReader::is_finite(const DeckParameter& p, const Node& node, const std::string& name,
                             double value) {
  if (std::isfinite(value)) return true;
  for (const auto& number : names_)
    if (!std::isfinite(number.second)) return false;
  return refuse(p, node, fmt::format("'{}' must be finite, not {}", name, quote(node.text)));
}

bool ScalarReader::element(const DeckParameter& p, const Node& node, const std::string& name,
                           std::string& value) {
  const std::string type = p.format == Format::duration ? accepted_values(p)
                           : p.choices.empty()          ? "text"
                           : !p.kinds.empty()           ? "a word or a block"
                                                        : "a word";
  if (node.kind != Node::Kind::scalar) return refuse_type(p, node, name, type);
  value = node.text;
  if (p.format == Format::duration && !parse_duration(value))
    return refuse(p, node, fmt::format("'{}' takes a duration \"HH:MM:SS\", not {}", name, quote(value)));
  if (!p.choices.empty() && std::find(p.choices.begin(), p.choices.end(), value) == p.choices.end())
    return refuse(p, node, fmt::format("'{}' cannot be {}{}", name, quote(value), suggestion(p, value)));
  int line = 0;
  std::string what;
  if (!is_plain_text(value, line, what) || value.find_first_of("\t\n") != std::string::npos)
    return refuse(
        p, node,
        fmt::format("'{}' is one line of text without control characters, not {}", name, quote(value)));
  return true;
}

bool ScalarReader::in_range(const DeckParameter& p, const Node& node, const std::string& name, double value) {
  if (p.range.has(value)) return true;
  return refuse(p, node, fmt::format("'{}' must be {}, not {}", name, range_text(p.range), node.text));
}

bool ScalarReader::refuse_type(const DeckParameter& p, const Node& node, const std::string& name,
                               const std::string& type, const std::string& hint) {
  return refuse(p, node, fmt::format("'{}' takes {}, not {}{}", name, type, found(node), hint));
}

bool ScalarReader::refuse(const DeckParameter& p, const Node& node, const std::string& message) {
  std::string help = p.choices.empty() ? p.meaning : "choose " + alternatives(p.choices);
  if (p.choices.empty() && !p.required && !p.unit.empty()) help += fmt::format(" [{}]", p.unit);
  if (p.choices.empty() && !p.required)
    help += fmt::format(" (default {})", p.computed.of_block ? p.computed.text : yaml_value(p, p.fallback));
  errors_.error(node.place, message, help);
  return false;
}

}  // namespace halfstep
