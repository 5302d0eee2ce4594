// A parameter a user may set, declared once: the deck parser, the help, the JSON Schema and the resolved deck
// all read this declaration. Cases declare theirs beside the case.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace halfstep {

/// The types a parameter may have. Lists have the fixed length of their default.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>>;

/// The allowed numbers, for each element of a list: low <= x <= high, strict where an end is open.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool open_high = false;
};

inline Range positive() { return {.low = 0, .open_low = true}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range above(double low) { return {.low = low, .open_low = true}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }

/// The required format of a string.
enum class Format { any, duration /* "HH:MM:SS" */ };

struct Parameter {
  std::string name;     ///< dotted path below its block: "left.density"
  Value fallback;       ///< default; its alternative is the parameter's type
  std::string unit;     ///< "" where there is none
  std::string meaning;  ///< one line for the user
  Range range = {};
  std::vector<std::string> choices = {};  ///< for strings; for lists of strings, of each element
  Format format = Format::any;
};

/// Parameter values by dotted path. Every declared parameter is present.
class Values {
 public:
  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  const std::map<std::string, Value>& all() const { return values_; }

  /// Returns the value. Throws std::logic_error when the name was not declared or has another type, which is
  /// a bug and no user error.
  template <class T>
  const T& get(const std::string& name) const {
    const auto it = values_.find(name);
    if (it == values_.end()) throw std::logic_error("parameter '" + name + "' is not declared");
    if (const T* value = std::get_if<T>(&it->second)) return *value;
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
  const std::vector<std::string>& words(const std::string& name) const {
    return get<std::vector<std::string>>(name);
  }

 private:
  std::map<std::string, Value> values_;
};

}  // namespace halfstep
