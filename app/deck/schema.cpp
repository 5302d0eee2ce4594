#include "app/deck/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "app/deck/spelling.hpp"
#include "app/deck/table.hpp"

namespace halfstep {
namespace {

using Json = nlohmann::ordered_json;

Json item_schema(const DeckParameter& p) {
  // In the order of the alternatives of Value.
  static const char* const types[] = {"boolean", "integer", "number", "string",
                                      "integer", "number",  "string"};
  const std::string type = types[p.fallback.index()];
  Json schema = {{"type", type}};
  const auto bound = [&](const char* key, double x) {
    if (std::isfinite(x)) schema[key] = type == "integer" ? Json(static_cast<std::int64_t>(x)) : Json(x);
  };
  bound(p.range.open_low ? "exclusiveMinimum" : "minimum", p.range.low);
  bound(p.range.open_high ? "exclusiveMaximum" : "maximum", p.range.high);
  if (!p.choices.empty()) schema["enum"] = p.choices;
  if (p.format == Format::duration) schema["pattern"] = "^[0-9]{2,5}:[0-5][0-9]:[0-5][0-9]$";
  return schema;
}

Json parameter_schema(const DeckParameter& p) {
  Json schema = item_schema(p);
  if (const std::size_t length = list_length(p.fallback)) {
    schema = {{"type", "array"}, {"items", schema}};
    if (!p.any_of_set) schema["maxItems"] = length;
    schema["minItems"] = p.any_of_set ? 1 : length;
    if (p.any_of_set) schema["uniqueItems"] = true;
    if (p.single != Single::refused) schema = {{"anyOf", {item_schema(p), schema}}};
  }
  schema["description"] = p.meaning + (p.unit.empty() ? "" : fmt::format(" [{}]", p.unit));
  if (!p.required)
    schema["default"] = std::visit([](const auto& fallback) { return Json(fallback); }, p.fallback);
  return schema;
}

Json block_schema() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

/// Adds a parameter below `block` at its dotted path and makes the blocks on the way.
void add(Json& block, const std::string& path, const DeckParameter& p) {
  const auto dot = path.find('.');
  const std::string key = path.substr(0, dot);
  Json& properties = block["properties"];
  if (dot == std::string::npos) {
    properties[key] = parameter_schema(p);
  } else {
    if (!properties.contains(key)) {
      properties[key] = block_schema();
      const std::string meaning = block_meaning(key);
      if (!meaning.empty()) properties[key]["description"] = meaning;
    }
    add(properties[key], path.substr(dot + 1), p);
  }
  if (!p.required) return;
  Json& names = block["required"];
  if (names.is_null()) names = Json::array();
  if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(key);
}

/// Returns the schema of the block `case` when case.name is that of `info`.
Json case_schema(const CaseInfo& info) {
  Json block = block_schema();
  block["description"] = info.summary;
  block["properties"]["name"] = true;  // the enclosing block defines it
  for (const Parameter& parameter : info.parameters) add(block, parameter.name, {parameter});
  const Json named = {{"properties", {{"name", {{"const", info.name}}}}}, {"required", {"name"}}};
  return {{"if", named}, {"then", block}};
}

}  // namespace

std::string deck_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "halfstep deck"},
                 {"description", "what `halfstep run` computes; docs/deck.md says the same for people"}};
  schema.update(block_schema());
  for (const DeckParameter& p : deck_table()) add(schema, p.name, p);
  Json& flow = schema["properties"]["case"];
  flow.erase("additionalProperties");  // each case below lists its keys
  flow["allOf"] = Json::array();
  for (const CaseInfo& info : cases()) flow["allOf"].push_back(case_schema(info));
  return schema.dump(2) + "\n";
}

}  // namespace halfstep
