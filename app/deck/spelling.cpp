#include "app/deck/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/deck/diagnostic.hpp"
#include "app/deck/resolved.hpp"

namespace halfstep {
namespace {

bool is_plain_word(const std::string& text) {
  if (text.empty() || text.back() == ' ') return false;
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/";
  if (letters.find(text[0]) == std::string::npos) return false;
  if (text.find_first_not_of(letters + "0123456789 -.") != std::string::npos) return false;
  // Words that YAML 1.1 or 1.2 readers take for another type.
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::vector<std::string> taken = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return std::find(taken.begin(), taken.end(), lower) == taken.end();
}

std::string spell(bool value) { return value ? "true" : "false"; }
std::string spell(std::int64_t value) { return std::to_string(value); }
std::string spell(double value) {
  std::string text = fmt::format("{}", value);
  // Always with a point, so that every YAML reader takes it for a real: 1.0, 1.0e-10.
  if (text.find('.') == std::string::npos) {
    const auto exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}
std::string spell(const std::string& value) {
  return is_plain_word(value) ? value : nlohmann::json(value).dump();  // JSON strings are YAML strings
}
std::string spell(const FieldValue& value) {
  // In quotation marks, because an expression may hold what YAML reads otherwise.
  return value.expression.empty() ? spell(value.number) : nlohmann::json(value.expression).dump();
}
std::string spell(const std::array<double, 3>& place) {
  return fmt::format("[{}, {}, {}]", spell(place[0]), spell(place[1]), spell(place[2]));
}
template <class T>
std::string spell(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& item : list) text += (text.size() > 1 ? ", " : "") + spell(item);
  return text + "]";
}

std::string spell(const Values& item);
/// Spells blocks with names, which may be any text.
std::string spell(const NamedItems& named) {
  std::string text = "{";
  for (const auto& [name, item] : named)
    text += (text.size() > 1 ? ", " : "") + spell(name) + ": " + spell(item);
  return text + "}";
}
/// Spells numbers or fields with names.
template <class T>
std::string spell(const std::vector<std::pair<std::string, T>>& named) {
  std::string text = "{";
  for (const auto& [name, value] : named) text += (text.size() > 1 ? ", " : "") + name + ": " + spell(value);
  return text + "}";
}
/// Spells a block; one without a key but its kind is a word.
std::string spell(const Values& item) {
  if (item.all().size() == 1) return yaml_value(item.all()[0].second);
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [name, value] : item.all()) lines.emplace_back(name, yaml_value(value));
  return flow_block(lines);
}
std::string spell(const Items& items) {
  std::string text = "[";
  bool is_first = true, after_block = false;
  for (const Values& item : items) {
    const bool is_block = item.all().size() > 1;
    if (!is_first) text += after_block || is_block ? ",\n" : ", ";
    text += spell(item);
    is_first = false;
    after_block = is_block;
  }
  return text + "]";
}

std::string number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

template <class T>
std::size_t length(const T&) {
  return 0;
}
template <class T>
std::size_t length(const std::vector<T>& list) {
  return list.size();
}
std::size_t length(const NamedNumbers&) { return 0; }
std::size_t length(const NamedFields&) { return 0; }
std::size_t length(const Places&) { return 0; }
std::size_t length(const Items& items) { return items.size(); }
std::size_t length(const NamedItems&) { return 0; }

}  // namespace

std::string range_text(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high && !range.open_low && !range.open_high)
    return fmt::format("from {} to {}", number(range.low), number(range.high));
  std::string text;
  if (low) text = fmt::format("{} {}", range.open_low ? "greater than" : "at least", number(range.low));
  if (high)
    text += fmt::format("{}{} {}", low ? " and " : "", range.open_high ? "less than" : "at most",
                        number(range.high));
  return text;
}

std::string noun(const DeckParameter& p) {
  // In the order of the alternatives of Value.
  static const char* const nouns[] = {"true or false",
                                      "integer",
                                      "number",
                                      "text",
                                      "integer",
                                      "number",
                                      "word",
                                      "number or expression",
                                      "number or expression",
                                      "block of names and numbers",
                                      "block of names, each with a number or an expression",
                                      "list of blocks",
                                      "list of points, each [x, y, z]",
                                      "block of names, each with a word or a block"};
  static_assert(std::size(nouns) == std::variant_size_v<Value>);
  if (p.format == Format::duration) return "\"HH:MM:SS\"";
  if (p.format == Format::places_in_plane) return "list of points, each [x, y] or [x, y, z]";
  if (is_block_of_blocks(p)) return nouns[p.fallback.index()];
  if (!p.kinds.empty() && !p.choices.empty()) return "word or block";
  return p.choices.empty() ? nouns[p.fallback.index()] : "word";
}

std::string plural(const DeckParameter& p) {
  const bool is_field = std::holds_alternative<std::vector<FieldValue>>(p.fallback);
  if (!p.kinds.empty()) return "words or blocks";
  return is_field ? "numbers or expressions" : noun(p) + "s";
}

std::size_t list_length(const Value& value) {
  return std::visit([](const auto& v) { return length(v); }, value);
}

bool is_single_block(const DeckParameter& p) {
  return p.single == Single::every && std::holds_alternative<Items>(p.fallback) &&
         list_length(p.fallback) == 1;
}

bool is_block_of_blocks(const DeckParameter& p) { return std::holds_alternative<NamedItems>(p.fallback); }

bool is_list_of_any_length(const DeckParameter& p) {
  return std::holds_alternative<std::vector<double>>(p.fallback) && list_length(p.fallback) == 0;
}

std::string accepted_values(const DeckParameter& p) {
  const std::string of_each = p.choices.empty() ? range_text(p.range) : alternatives(p.choices);
  if (p.any_of_set) return "a list of one or more of " + of_each;
  if (is_block_of_blocks(p)) return "a " + noun(p);
  if (p.format == Format::direction) return "a list of 3 numbers, or x, y or z";
  if (is_single_block(p)) return "a " + noun(p) + ", " + of_each;
  if (const std::size_t length = list_length(p.fallback))
    return fmt::format("a list of {} {}{}{}", length, plural(p), of_each.empty() ? "" : ", each ", of_each);
  if (is_list_of_any_length(p)) return "a list of numbers";
  if (p.format == Format::duration) return "a duration " + noun(p);
  if (!p.choices.empty()) return of_each;
  const bool integer = std::holds_alternative<std::int64_t>(p.fallback);
  const bool bare =
      std::holds_alternative<bool>(p.fallback) || std::holds_alternative<std::string>(p.fallback);
  return (integer ? "an " : bare ? "" : "a ") + noun(p) + (of_each.empty() ? "" : " " + of_each);
}

std::string yaml_value(const Value& value) {
  return std::visit([](const auto& v) { return spell(v); }, value);
}

std::string yaml_value(const DeckParameter& p, const Value& value) {
  return is_single_block(p) ? spell(std::get<Items>(value)[0]) : yaml_value(value);
}

}  // namespace halfstep
