#include "app/deck/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <variant>

#include "app/deck/spelling.hpp"
#include "app/deck/table.hpp"

namespace halfstep {
namespace {

using Json = nlohmann::ordered_json;

Json item_schema(const DeckParameter& p) {
  // In the order of the alternatives of Value. A number may be an expression.
  static const Json number = {"number", "string"};
  static const Json types[] = {"boolean", "integer", number, "string", "integer", number, "string",
                               number,    number,    number, number,   "array",   number, "object"};
  static_assert(std::size(types) == std::variant_size_v<Value>);
  const Json type = types[p.fallback.index()];
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

Json block_schema() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

void add(Json& block, const std::string& path, const DeckParameter& p);

/// Returns the schema of a block of one of the kinds, or of a word that stands for one.
Json kinds_schema(const DeckParameter& p) {
  Json kinds = Json::array();
  Json words = Json::array();
  for (const ItemKind& kind : p.kinds)
    if (std::none_of(kind.parameters.begin(), kind.parameters.end(),
                     [](const Parameter& own) { return own.required; }))
      words.push_back(kind.name);
  if (!p.choices.empty()) kinds.push_back({{"enum", words}});
  for (const ItemKind& kind : p.kinds) {
    Json block = block_schema();
    block["description"] = kind.summary;
    block["properties"][p.kind_key] = {{"const", kind.name}};
    block["required"] = {p.kind_key};
    for (const Parameter& own : kind.parameters) add(block, own.name, {own});
    kinds.push_back(block);
  }
  return {{"anyOf", kinds}};
}

/// Returns the default as JSON.
Json json_of(const Value& value) {
  return std::visit(
      [](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, FieldValue>) {
          return Json(v.number);
        } else if constexpr (std::is_same_v<T, std::vector<FieldValue>>) {
          Json list = Json::array();
          for (const FieldValue& item : v) list.push_back(item.number);
          return list;
        } else if constexpr (std::is_same_v<T, NamedNumbers> || std::is_same_v<T, NamedFields> ||
                             std::is_same_v<T, NamedItems>) {
          return Json::object();
        } else if constexpr (std::is_same_v<T, Items>) {
          Json list = Json::array();
          for (const Values& item : v) list.push_back(std::get<std::string>(item.all().front().second));
          return list;
        } else {
          return Json(v);
        }
      },
      value);
}

/// Returns the name under which the schema defines the items of a parameter: of mesh.boundary.x its block's,
/// which other axes have, too.
std::string definition_of(const DeckParameter& p) {
  const std::size_t dot = p.name.rfind('.');
  return dot + 2 == p.name.size() && std::string("xyz").find(p.name[dot + 1]) != std::string::npos
             ? p.name.substr(0, dot)
             : p.name;
}

Json parameter_schema(const DeckParameter& p) {
  // Blocks beside words are those of several parameters: they are defined once.
  const Json item = p.kinds.empty()     ? item_schema(p)
                    : p.choices.empty() ? kinds_schema(p)
                                        : Json{{"$ref", "#/definitions/" + definition_of(p)}};
  Json schema = item;
  const std::size_t length = list_length(p.fallback);
  if (std::holds_alternative<NamedNumbers>(p.fallback) || std::holds_alternative<NamedFields>(p.fallback) ||
      is_block_of_blocks(p))
    schema = {{"type", "object"}, {"additionalProperties", item}};
  if (std::holds_alternative<Places>(p.fallback))
    schema = {{"type", "array"},
              {"items",
               {{"type", "array"},
                {"items", item},
                {"minItems", p.format == Format::places_in_plane ? 2 : 3},
                {"maxItems", 3}}}};
  if (is_list_of_any_length(p) || (!p.kinds.empty() && length == 0 && !is_block_of_blocks(p)))
    schema = {{"type", "array"}, {"items", item}};
  if (length > 0) {
    schema = {{"type", "array"}, {"items", schema}};
    if (!p.any_of_set) schema["maxItems"] = length;
    schema["minItems"] = p.any_of_set ? 1 : length;
    if (p.any_of_set) schema["uniqueItems"] = true;
    if (p.single != Single::refused) schema = {{"anyOf", {item, schema}}};
    if (p.format == Format::direction) schema = {{"anyOf", {{{"enum", {"x", "y", "z"}}}, schema}}};
  }
  schema["description"] = p.meaning + (p.unit.empty() ? "" : fmt::format(" [{}]", p.unit));
  if (!p.required && !p.computed.of_block)
    schema["default"] = is_single_block(p) ? json_of(p.fallback)[0] : json_of(p.fallback);
  return schema;
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
  if (dot == std::string::npos && !p.unless.empty()) {
    block["anyOf"] = {{{"required", {key}}}, {{"required", {p.unless.substr(p.unless.rfind('.') + 1)}}}};
    return;
  }
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
  for (const DeckParameter& p : deck_table()) {
    add(schema, p.name, p);
    if (!p.kinds.empty() && !p.choices.empty()) schema["definitions"][definition_of(p)] = kinds_schema(p);
  }
  Json& flow = schema["properties"]["case"];
  flow.erase("additionalProperties");  // each case below lists its keys
  flow["allOf"] = Json::array();
  for (const CaseInfo& info : cases()) flow["allOf"].push_back(case_schema(info));
  return schema.dump(2) + "\n";
}

}  // namespace halfstep
