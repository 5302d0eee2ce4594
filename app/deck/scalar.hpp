// Scalars of a deck: what their text is, and what may have been meant by it.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "app/deck/document.hpp"

namespace halfstep {

/// Returns what a message calls the node: "a list", "'1,4'", "the text '1.4'".
std::string found(const Node& node);

bool is_integer(const std::string& text);
bool is_real(const std::string& text);
bool is_not_finite(const std::string& text);

/// Whether a text that is no number has an operator or a parenthesis, as an expression does.
bool looks_like_expression(const std::string& text);

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
std::string number_hint(const Node& node);

/// Suggests true or false for another word.
std::string boolean_hint(const std::string& text);

}  // namespace halfstep
