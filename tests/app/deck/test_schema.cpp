// The JSON Schema and docs/deck.md: complete, and the committed copies up to date.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/deck/reference.hpp"
#include "app/deck/schema.hpp"
#include "app/deck/spelling.hpp"
#include "app/deck/table.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;
using Json = nlohmann::json;

/// Returns the schema of the parameter at a dotted path below `block`, or null where there is none.
Json at_path(const Json& block, const std::string& path) {
  const auto dot = path.find('.');
  const Json& properties = block.at("properties");
  const auto it = properties.find(path.substr(0, dot));
  if (it == properties.end()) return nullptr;
  return dot == std::string::npos ? *it : at_path(*it, path.substr(dot + 1));
}

/// Returns the schema of a list that a single value may stand for.
Json list_form(const Json& entry) { return entry.contains("anyOf") ? entry.at("anyOf").at(1) : entry; }

TEST_CASE("the schema has every parameter of the table with its default and choices") {
  const Json schema = Json::parse(deck_schema());
  CHECK(schema.at("$schema") == "http://json-schema.org/draft-07/schema#");
  for (const DeckParameter& p : deck_table()) {
    CAPTURE(p.name);
    const Json entry = at_path(schema, p.name);
    REQUIRE(entry.is_object());
    CHECK(entry.at("description").get<std::string>().find(p.meaning) == 0);
    CHECK(entry.contains("default") != p.required);
    if (p.choices.empty()) continue;
    const Json list = list_form(entry), item = list.contains("items") ? list.at("items")
                                               : list.contains("additionalProperties")
                                                   ? list.at("additionalProperties")
                                                   : list;
    if (p.kinds.empty())
      CHECK(item.at("enum").get<std::vector<std::string>>() == p.choices);
    else
      CHECK(item == Json{{"$ref", "#/definitions/" +
                                      (list_length(p.fallback) == 2 || p.name.starts_with("mesh.spacing.")
                                           ? p.name.substr(0, p.name.rfind('.'))
                                           : p.name)}});
    if (entry.contains("anyOf")) CHECK(entry.at("anyOf").at(0) == item);
  }
}

TEST_CASE("the schema has every boundary: a word, or a block with values") {
  const Json kinds = Json::parse(deck_schema()).at("definitions").at("mesh.boundary").at("anyOf");
  CHECK(kinds.at(0).at("enum") ==
        Json{"periodic", "outflow", "reflecting", "no_slip", "inflow", "prescribed"});
  REQUIRE(kinds.size() == 12);
  const Json& state = kinds.at(7);
  CHECK(state.at("properties").at("kind").at("const") == "state");
  CHECK(state.at("required") == Json{"kind", "density", "pressure"});
  CHECK(state.at("properties").at("density").at("exclusiveMinimum") == 0);
}

TEST_CASE("the schema has every case with every parameter, and no other key") {
  const Json schema = Json::parse(deck_schema());
  const Json branches = schema.at("properties").at("case").at("allOf");
  REQUIRE(branches.size() == cases().size());
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const CaseInfo& info = cases()[i];
    CAPTURE(info.name);
    CHECK(branches[i].at("if").at("properties").at("name").at("const") == info.name);
    const Json& block = branches[i].at("then");
    CHECK(block.at("additionalProperties") == false);
    for (const Parameter& p : info.parameters) {
      CAPTURE(p.name);
      CHECK(at_path(block, p.name).is_object());
    }
  }
}

TEST_CASE("the schema says types, ranges, lengths and what is required") {
  const Json schema = Json::parse(deck_schema());
  CHECK(schema.at("required") == Json{"case", "mesh", "time"});
  CHECK(schema.at("additionalProperties") == false);
  CHECK(at_path(schema, "mesh").at("anyOf") ==
        Json{{{"required", Json{"cells"}}}, {{"required", Json{"file"}}}});
  CHECK(at_path(schema, "mesh.sides").at("type") == "object");
  CHECK(at_path(schema, "mesh").at("additionalProperties") == false);
  CHECK(at_path(schema, "time.cfl").at("type") == Json{"number", "string"});  // or an expression
  CHECK(at_path(schema, "time.cfl").at("exclusiveMinimum") == 0);
  CHECK(at_path(schema, "time.dt").at("minimum") == 0);
  CHECK(at_path(schema, "interruptible.enabled").at("type") == "boolean");
  const Json cells = list_form(at_path(schema, "mesh.cells"));
  CHECK(cells.at("minItems") == 3);
  CHECK(cells.at("maxItems") == 3);
  CHECK(cells.at("items") == Json{{"type", "integer"}, {"minimum", 1}, {"maximum", 1048576}});
  const Json fields = at_path(schema, "output.fields");
  CHECK(fields.at("uniqueItems") == true);
  CHECK_FALSE(fields.contains("maxItems"));
  CHECK(at_path(schema, "checkpoint.every_wall").contains("pattern"));
}

TEST_CASE("the schema has the kinds of a list of blocks with their keys") {
  const Json branches = Json::parse(deck_schema()).at("properties").at("case").at("allOf");
  for (const Json& branch : branches) {
    if (branch.at("if").at("properties").at("name").at("const") != "regions") continue;
    const Json kinds = branch.at("then").at("properties").at("regions").at("items").at("anyOf");
    REQUIRE(kinds.size() == 5);
    CHECK(kinds[0].at("properties").at("shape").at("const") == "ball");
    CHECK(kinds[0].at("required") == Json{"shape", "center", "radius", "state"});
    CHECK(kinds[0].at("additionalProperties") == false);
    CHECK(at_path(kinds[0], "state").at("required") == Json{"density", "pressure"});
    CHECK(at_path(kinds[0], "state.velocity").at("items").at("type") == Json{"number", "string"});
    CHECK(at_path(kinds[3], "normal").at("anyOf")[0].at("enum") == Json{"x", "y", "z"});
    return;
  }
  FAIL("no case regions");
}

TEST_CASE("the reference has a row for every parameter and a section for every case") {
  const std::string page = deck_reference();
  for (const DeckParameter& p : deck_table()) {
    const auto dot = p.name.find('.');
    CAPTURE(p.name);
    CHECK(contains(page, "| `" + (dot == std::string::npos ? p.name : p.name.substr(dot + 1)) + "` |"));
  }
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    CHECK(contains(page, "\n### " + info.name + "\n"));
    for (const Parameter& p : info.parameters) CHECK(contains(page, "| `" + p.name + "` |"));
  }
}

TEST_CASE("inputs/deck.schema.json and docs/deck.md are up to date") {
  const std::filesystem::path source = HALFSTEP_SOURCE_DIR;
  CHECK_MESSAGE((contents(source / "inputs/deck.schema.json") == deck_schema()),
                "write it again: halfstep schema > inputs/deck.schema.json");
  CHECK_MESSAGE((contents(source / "docs/deck.md") == deck_reference()),
                "write it again: halfstep schema --markdown > docs/deck.md");
}

}  // namespace
