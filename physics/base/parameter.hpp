// A parameter a user may set, declared once: the deck parser, the help, the JSON Schema and the resolved deck
// all read this declaration. Cases declare theirs beside the case.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace halfstep {

/// A field of a state: a number, or an expression in x, y and z (physics/base/expression.hpp), at boundaries
/// also in t.
struct FieldValue {
  double number = 0;
  std::string expression = {};  ///< "" where the number holds
  bool operator==(const FieldValue&) const = default;
};

/// Numbers with names that expressions may use, in the order of the deck.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// Fields with names, in the order of the deck.
using NamedFields = std::vector<std::pair<std::string, FieldValue>>;

/// Places in space, any number of them.
using Places = std::vector<std::array<double, 3>>;

class Values;
/// A list of blocks, e.g. of shapes: the values of each.
using Items = std::vector<Values>;
/// Blocks with names, e.g. of sides, in the order of the deck: the values of each.
using NamedItems = std::vector<std::pair<std::string, Values>>;

/// The types a parameter may have. Lists have the fixed length of their default, but lists of items, places
/// and Parameter::any_of_set any.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, FieldValue, std::vector<FieldValue>,
                           NamedNumbers, NamedFields, Items, Places, NamedItems>;

/// The allowed numbers, for each element of a list: low <= x <= high, strict where an end is open.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool open_high = false;

  bool has(double x) const { return (open_low ? x > low : x >= low) && (open_high ? x < high : x <= high); }
};

inline Range positive() { return {.low = 0, .open_low = true}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range above(double low) { return {.low = low, .open_low = true}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }

/// The required format of a string or of a list of numbers.
enum class Format {
  any,
  duration /* "HH:MM:SS" */,
  direction /* 3 numbers, not all 0, or x, y or z */,
  formula_of_place /* expressions that have what formulas have */,
  place_and_time /* these, which may name t, too */,
  places_in_plane /* places of which z may be left away */
};

struct ItemKind;

/// A default that follows from the other values of a block in a list.
struct ComputedDefault {
  std::string text;  ///< what it is, for the user
  std::function<std::vector<double>(const Values&)> of_block;
};

struct Parameter {
  std::string name;     ///< dotted path below its block: "left.density"
  Value fallback;       ///< default; its alternative is the parameter's type
  std::string unit;     ///< "" where there is none
  std::string meaning;  ///< one line for the user
  Range range = {};
  std::vector<std::string> choices = {};  ///< for strings; for lists of strings, of each element; for lists
                                          ///< of blocks, words that stand for a block
  Format format = Format::any;
  bool required = false;             ///< has no default; `fallback` only gives the type
  std::string kind_key = {};         ///< for lists of blocks: the key that says of which kind a block is
  std::vector<ItemKind> kinds = {};  ///< for lists of blocks: the kinds there are
  bool any_of_set = false;           ///< a list of one or more different choices, of any length
  ComputedDefault computed = {};     ///< holds in place of `fallback`, which gives the type alone
};

/// Parameter values by dotted path, in the order of their declarations. Every declared parameter is present.
class Values {
 public:
  using Named = std::vector<std::pair<std::string, Value>>;

  void set(const std::string& name, Value value) {
    for (auto& [own, held] : values_)
      if (own == name) return void(held = std::move(value));
    values_.emplace_back(name, std::move(value));
  }
  const Named& all() const { return values_; }
  bool operator==(const Values& other) const { return values_ == other.values_; }

  /// Returns the value. Throws std::logic_error when the name was not declared, which is a bug and no user
  /// error.
  const Value& at(const std::string& name) const {
    for (const auto& [own, held] : values_)
      if (own == name) return held;
    throw std::logic_error("parameter '" + name + "' is not declared");
  }
  /// Returns the value as at() does. Throws std::logic_error also when it has another type.
  template <class T>
  const T& get(const std::string& name) const {
    if (const T* value = std::get_if<T>(&at(name))) return *value;
    throw std::logic_error("parameter '" + name + "' has another type");
  }
  double real(const std::string& name) const { return get<double>(name); }
  std::int64_t integer(const std::string& name) const { return get<std::int64_t>(name); }
  bool flag(const std::string& name) const { return get<bool>(name); }
  const std::string& word(const std::string& name) const { return get<std::string>(name); }
  const std::vector<double>& reals(const std::string& name) const { return get<std::vector<double>>(name); }
  const std::vector<std::int64_t>& integers(const std::string& name) const {
    return get<std::vector<std::int64_t>>(name);
  }
  const Places& places(const std::string& name) const { return get<Places>(name); }
  const std::vector<std::string>& words(const std::string& name) const {
    return get<std::vector<std::string>>(name);
  }

 private:
  Named values_;
};

/// Why values do not go together: the key to blame and a message for the user. An empty message: they do.
struct Objection {
  std::string key, message;
};

/// A kind of items in a list, with keys of its own.
struct ItemKind {
  std::string name;
  std::string summary;  ///< one line for the user
  std::vector<Parameter> parameters;
  std::function<Objection(const Values&)> objection = [](const Values&) { return Objection{}; };
};

}  // namespace halfstep
