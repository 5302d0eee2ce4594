#include "app/deck/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <regex>
#include <type_traits>

#include "app/deck/document.hpp"
#include "app/deck/duration.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/shipped.hpp"
#include "app/deck/spelling.hpp"

namespace halfstep {
namespace {

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

class Validator {
 public:
  Validator(ValidatedDeck& result, Diagnostics& errors)
      : table_(result.table), result_(result), errors_(errors) {}

  /// Validates every entry of the block whose dotted path is `prefix` ("" or "mesh.").
  void block(const Node& node, const std::string& prefix) {
    for (const Node::Entry& entry : node.entries) {
      const std::string path = prefix + entry.key;
      const bool dotted = entry.key.find('.') != std::string::npos;  // "time.cfl" is one key, not two
      if (const DeckParameter* p = dotted ? nullptr : find(path)) {
        result_.given[path] = entry.value;
        if (!read(*p, *entry.value)) result_.wrong.insert(path);
      } else if (!dotted && !keys(path + ".").empty()) {
        result_.block_places[path] = entry.key_place;
        if (entry.value->kind == Node::Kind::block)
          block(*entry.value, path + ".");
        else if (entry.value->kind != Node::Kind::nothing)
          not_a_block(*entry.value, path);
      } else if (prefix != "case." || result_.info || nearest(entry.key, {"name"})) {
        // Without a valid case name its other keys are unknown.
        unknown(entry, prefix);
      }
    }
  }

  void missing() {
    for (const DeckParameter& p : table_) {
      if (!p.required || result_.given.count(p.name) || result_.wrong.count(p.name)) continue;
      errors_.error(result_.place_of(p.name), fmt::format("missing '{}': {}", p.name, p.meaning),
                    fmt::format("'{}' takes {}", p.name, accepted_values(p)));
      result_.wrong.insert(p.name);
    }
  }

 private:
  const DeckParameter* find(const std::string& path) const {
    for (const DeckParameter& p : table_)
      if (p.name == path) return &p;
    return nullptr;
  }

  /// Returns the keys of the block `prefix` in the table's order.
  std::vector<std::string> keys(const std::string& prefix) const {
    std::vector<std::string> all;
    for (const DeckParameter& p : table_) {
      if (p.name.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string key = p.name.substr(prefix.size(), p.name.find('.', prefix.size()) - prefix.size());
      if (all.empty() || all.back() != key) all.push_back(key);
    }
    return all;
  }

  void not_a_block(const Node& node, const std::string& path) {
    std::string help = "its keys: ";
    for (const std::string& key : keys(path + ".")) help += (help.back() == ' ' ? "" : ", ") + key;
    errors_.error(node.place, fmt::format("'{}' is a block of keys, not {}", path, found(node)), help);
    for (const DeckParameter& p : table_)  // one error is enough
      if (p.name.starts_with(path + ".")) result_.wrong.insert(p.name);
  }

  /// Returns the full names of parameters whose own name is `key`, or nearest to it.
  std::vector<std::string> parameters_like(const std::string& key) const {
    const auto own_name = [](const DeckParameter& p) { return p.name.substr(p.name.rfind('.') + 1); };
    std::vector<std::string> own_names, full_names;
    for (const DeckParameter& p : table_) own_names.push_back(own_name(p));
    const auto near = nearest(key, own_names);
    for (const DeckParameter& p : table_)
      if (own_name(p) == near) full_names.push_back(p.name);
    return full_names;
  }

  /// Returns "time: {cfl: ...}" for "time.cfl".
  static std::string nested(const std::string& path) {
    const auto dot = path.find('.');
    if (dot == std::string::npos) return path + ": ...";
    return path.substr(0, dot) + ": {" + nested(path.substr(dot + 1)) + "}";
  }

  void unknown(const Node::Entry& entry, const std::string& prefix) {
    // Suggestions are slow to find: beyond this many errors the rest are only counted.
    constexpr std::size_t explained = 1000;
    if (errors_.count() >= explained) return errors_.error(entry.key_place, "unknown key");
    const std::vector<std::string> here = keys(prefix);
    const std::string inside =
        prefix.empty() ? "" : fmt::format(" in '{}'", prefix.substr(0, prefix.size() - 1));
    std::string message = fmt::format("unknown key {}{}", quote(entry.key), inside);
    std::string help;
    if (entry.key.find(':') != std::string::npos) {
      message += "; a space is missing after the ':'";
    } else if (find(prefix + entry.key)) {
      message += fmt::format("; in a deck write '{}'", nested(entry.key));
    } else if (const auto near = nearest(entry.key, here)) {
      message += fmt::format("; did you mean '{}'?", *near);
    } else {
      const std::vector<std::string> elsewhere = parameters_like(entry.key);
      if (!elsewhere.empty()) message += fmt::format("; did you mean '{}'?", alternatives(elsewhere));
    }
    help = prefix.empty() ? "the keys of a deck: "
                          : fmt::format("the keys of '{}': ", prefix.substr(0, prefix.size() - 1));
    if (prefix == "case." && result_.info) help = fmt::format("the keys of case '{}': ", result_.info->name);
    for (std::size_t i = 0; i < here.size(); ++i) help += (i ? ", " : "") + here[i];
    errors_.error(entry.key_place, message, help);
  }

  bool read(const DeckParameter& p, const Node& node) {
    return std::visit([&](const auto& fallback) { return read(p, node, fallback); }, p.fallback);
  }

  template <class T>
  bool read(const DeckParameter& p, const Node& node, const T&) {
    T value{};
    if (!element(p, node, p.name, value)) return false;
    p.set(result_.config, value);
    return true;
  }

  template <class T>
  bool read(const DeckParameter& p, const Node& node, const std::vector<T>& fallback) {
    if (node.kind == Node::Kind::scalar && p.single != Single::refused) return read_single(p, node, fallback);
    if (node.kind != Node::Kind::list) return refuse_type(p, node, p.name, accepted_values(p));
    if (p.any_of_set ? node.items.empty() : node.items.size() != fallback.size())
      return refuse(
          p, node,
          fmt::format("'{}' takes {}, not {}", p.name, accepted_values(p),
                      node.items.empty() ? "an empty list" : fmt::format("a list of {}", node.items.size())));
    std::vector<T> values;
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = *node.items[i];
      T value{};
      if (!element(p, item, p.any_of_set ? p.name : fmt::format("{}[{}]", p.name, i), value))
        good = false;
      else if (p.any_of_set && std::find(values.begin(), values.end(), value) != values.end())
        good = refuse(p, item, fmt::format("'{}' names {} twice", p.name, quote(item.text)));
      else
        values.push_back(value);
    }
    if (good) p.set(result_.config, values);
    return good;
  }

  template <class T>
  bool read_single(const DeckParameter& p, const Node& node, std::vector<T> values) {
    T value{};
    if (!element(p, node, p.name, value)) return false;
    std::fill(values.begin(), p.single == Single::every ? values.end() : values.begin() + 1, value);
    p.set(result_.config, values);
    return true;
  }

  /// Validates one scalar of parameter `p`, called `name` in messages.
  bool element(const DeckParameter& p, const Node& node, const std::string& name, bool& value) {
    if (node.kind == Node::Kind::scalar && !node.is_text) {
      for (const char* yes : {"true", "True", "TRUE"})
        if (node.text == yes) return value = true;
      for (const char* no : {"false", "False", "FALSE"})
        if (node.text == no) return value = false, true;
    }
    return refuse_type(p, node, name, "true or false", boolean_hint(node.text));
  }

  bool element(const DeckParameter& p, const Node& node, const std::string& name, std::int64_t& value) {
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

  bool element(const DeckParameter& p, const Node& node, const std::string& name, double& value) {
    if (node.kind == Node::Kind::scalar && !node.is_text && is_not_finite(node.text))
      return refuse(p, node, fmt::format("'{}' must be finite, not {}", name, quote(node.text)));
    if (node.kind != Node::Kind::scalar || node.is_text || !is_real(node.text))
      return refuse_type(p, node, name, "a number", number_hint(node));
    const auto number = parse_number<double>(node.text);
    if (!number)
      return refuse(p, node, fmt::format("'{}' does not fit a 64-bit real: {}", name, quote(node.text)));
    value = *number;
    return in_range(p, node, name, value);
  }

  bool element(const DeckParameter& p, const Node& node, const std::string& name, std::string& value) {
    const std::string type = p.format == Format::duration ? accepted_values(p)
                             : p.choices.empty()          ? "text"
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

  /// Returns what the user may have meant by a word: the choice nearest to it, or the case of a shipped deck.
  static std::string suggestion(const DeckParameter& p, const std::string& word) {
    const ShippedDeck* deck = p.name == "case.name" ? find_shipped_deck(word) : nullptr;
    return deck ? fmt::format("; the deck '{}' is of the case '{}'", word, case_of(*deck))
                : did_you_mean(word, p.choices);
  }

  bool in_range(const DeckParameter& p, const Node& node, const std::string& name, double value) {
    const Range& r = p.range;
    const bool low = r.open_low ? value > r.low : value >= r.low;
    const bool high = r.open_high ? value < r.high : value <= r.high;
    if (low && high) return true;
    return refuse(p, node, fmt::format("'{}' must be {}, not {}", name, range_text(r), node.text));
  }

  bool refuse_type(const DeckParameter& p, const Node& node, const std::string& name, const std::string& type,
                   const std::string& hint = "") {
    return refuse(p, node, fmt::format("'{}' takes {}, not {}{}", name, type, found(node), hint));
  }

  bool refuse(const DeckParameter& p, const Node& node, const std::string& message) {
    std::string help = p.choices.empty() ? p.meaning : "choose " + alternatives(p.choices);
    if (p.choices.empty() && !p.required && !p.unit.empty()) help += fmt::format(" [{}]", p.unit);
    if (p.choices.empty() && !p.required) help += fmt::format(" (default {})", yaml_value(p.fallback));
    errors_.error(node.place, message, help);
    return false;
  }

  const std::vector<DeckParameter>& table_;
  ValidatedDeck& result_;
  Diagnostics& errors_;
};

}  // namespace

bool ValidatedDeck::sound(const std::vector<std::string>& names) const {
  for (const std::string& name : names)
    if (wrong.count(name)) return false;
  return true;
}

Place ValidatedDeck::place_of(const std::string& name) const {
  if (const auto it = given.find(name); it != given.end()) return it->second->place;
  for (auto end = name.size(); end != std::string::npos && end > 0; end = name.rfind('.', end - 1))
    if (const auto it = block_places.find(name.substr(0, end)); it != block_places.end()) return it->second;
  return start;
}

Place ValidatedDeck::place_of_item(const std::string& name, std::size_t item) const {
  const auto it = given.find(name);
  return it != given.end() && item < it->second->items.size() ? it->second->items[item]->place
                                                              : place_of(name);
}

ValidatedDeck validate(const Node* root, const SourceText& deck, Diagnostics& errors) {
  ValidatedDeck result;
  result.start = {&deck, 0, 0, 1};
  if (!root) return result;
  if (root->kind == Node::Kind::nothing) {
    errors.error(result.start, "the deck is empty", "it needs at least case.name, mesh.cells and time.end");
    return result;
  }
  if (root->kind != Node::Kind::block) {
    errors.error(root->place, fmt::format("a deck is a block of 'key: value' lines, not {}", found(*root)),
                 root->text.find(':') != std::string::npos ? "a space is missing after the ':'" : "");
    return result;
  }
  // The case comes first: it determines the keys of its block.
  if (const Node::Entry* block = root->find("case"))
    if (const Node::Entry* name = block->value->find("name")) result.info = find_case(name->value->text);
  result.table = deck_table_with(result.info);
  for (const DeckParameter& p : result.table) p.set(result.config, p.fallback);
  Validator validator(result, errors);
  validator.block(*root, "");
  validator.missing();
  return result;
}

}  // namespace halfstep
