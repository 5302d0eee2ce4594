// JSON helpers, for non-finite numbers above all.
#pragma once

#include <array>
#include <cmath>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>

namespace halfstep {

/// Keys stay in the order they were written.
using Json = nlohmann::ordered_json;

/// Parses JSON. Throws Json::exception if the text is not JSON or nested more than 100 levels deep: the code
/// that reads it is recursive.
inline Json parse_json(std::istream& text) {
  constexpr int deepest = 100;
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw Json::other_error::create(501, "it is nested too deeply", nullptr);
    return true;
  });
}

/// Returns a number, or the string "nan", "inf" or "-inf".
inline Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

inline Json json_vector(double x, double y, double z) {
  return Json::array({json_number(x), json_number(y), json_number(z)});
}
inline Json json_vector(const std::array<double, 3>& v) { return json_vector(v[0], v[1], v[2]); }

/// Returns the JSON text. `indent` < 0: on one line. Bytes that are not UTF-8 are replaced.
inline std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace halfstep
