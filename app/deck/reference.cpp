#include "app/deck/reference.hpp"

#include <fmt/format.h>

#include <cctype>

#include "app/deck/outputs.hpp"
#include "app/deck/spelling.hpp"
#include "app/deck/table.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/shapes.hpp"
#include "physics/cases/sponges.hpp"
#include "physics/hexahedra/map_kinds.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/boundary_values.hpp"
#include "physics/recovery/injected_fault.hpp"
#include "physics/solids/bodies.hpp"
#include "physics/spacing/spacing.hpp"

namespace halfstep {
namespace {

const char* kIntroduction = R"(# The deck

<!-- Written by `halfstep schema --markdown` from the table of parameters: change app/deck/table.cpp, not this page. -->

A deck is a YAML file that describes one run. `halfstep check DECK` validates it and prints it with every default
filled in; `halfstep run DECK block.key=value ...` overrides single values. A deck needs `case.name`, `mesh.cells` and
`time.end`; everything else has a default. Every mistake is an error with its place, unknown and duplicate keys among
them. Gas constants are non-dimensional unless a case says otherwise, so units name quantities.

A number may be written as an expression: `5/3`, `2*pi`, `sqrt(gamma)`. The resolved deck has its value. An expression
has `+ - * / ^`, comparisons, `&&`, `||`, `a ? b : c`, the constants `pi` and `e`, outside of `gas` also `gamma` for `gas.gamma`
and the names in `case.parameters`, and the functions `abs acos acosh asin asinh atan atan2 atanh avg cos cosh exp ln log log10 log2 max
min rint sign sin sinh sqrt sum tan tanh`; `log` is `ln`. Quotation marks are needed where it has a `,` inside of
brackets, a `: ` or a `#`.

For completion and hints in an editor, begin a deck with
`# yaml-language-server: $schema=deck.schema.json` and keep `inputs/deck.schema.json` beside it.
)";

std::string escape(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string code_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "`" : ", `") + word + "`";
  return text;
}

/// Returns the type without its range: "integer", "3 numbers", ...
std::string type_name(const DeckParameter& p) {
  if (p.any_of_set) return "list of words";
  if (p.format == Format::direction) return "3 numbers, or x, y or z";
  if (is_list_of_any_length(p)) return "list of numbers";
  const std::size_t length = is_single_block(p) ? 0 : list_length(p.fallback);
  return length > 0 ? fmt::format("{} {}", length, plural(p)) : noun(p);
}

std::string table_head() { return "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n"; }

std::string table_row(const std::string& key, const DeckParameter& p) {
  const std::string fallback = p.required && p.unless.empty() ? "required"
                               : p.required                   ? fmt::format("required without `{}`", p.unless)
                               : p.computed.of_block          ? p.computed.text
                                                     : fmt::format("`{}`", yaml_value(p, p.fallback));
  const std::string allowed = p.choices.empty() ? range_text(p.range) : code_list(p.choices);
  std::string meaning = p.meaning;
  if (!p.unit.empty()) meaning += fmt::format(" [{}]", p.unit);
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", key, type_name(p), fallback, allowed, escape(meaning));
}

std::string blocks() {
  std::string text, block;
  for (const DeckParameter& p : deck_table()) {
    const auto dot = p.name.find('.');
    const std::string here = dot == std::string::npos ? "" : p.name.substr(0, dot);
    if (here != block || text.empty()) {
      block = here;
      text += here.empty() ? "\n## Top level\n\n"
                           : fmt::format("\n## {}\n\n{}\n\n", here, sentence(block_meaning(here)));
      text += table_head();
    }
    const bool is_case_name = p.name == "case.name";
    DeckParameter shown = p;
    if (is_case_name) shown.choices.clear();  // the cases have a section of their own
    text += table_row(dot == std::string::npos ? p.name : p.name.substr(dot + 1), shown);
    if (is_case_name) text += "\nThe other keys are the case's own: see [Cases](#cases).\n";
  }
  return text;
}

/// Returns the keys of one kind of blocks in a list.
std::string kind_section(const std::string& list, const std::string& key, const ItemKind& kind) {
  std::string text =
      fmt::format("\n#### {} with `{}: {}`\n\n{}\n\n", list, key, kind.name, sentence(kind.summary));
  text += table_head();
  for (const Parameter& p : kind.parameters) text += table_row(p.name, {p});
  return text;
}

/// Returns the keys of every kind of blocks in a list at the top level.
std::string list_section(const std::string& title, const std::string& list, const std::string& key,
                         const std::vector<ItemKind>& kinds) {
  std::string text = fmt::format("\n## {}\n", title);
  for (const ItemKind& kind : kinds) text += kind_section(list, key, kind);
  return text;
}

std::string case_sections() {
  std::string text = "\n## Cases\n\nThe keys of `case` beside `name`.\n";
  for (const CaseInfo& info : cases()) {
    text += fmt::format("\n### {}\n\n{} {}.\n", info.name, sentence(info.summary), info.reference);
    if (info.parameters.empty()) continue;
    text += "\n" + table_head();
    for (const Parameter& p : info.parameters) text += table_row(p.name, {p});
    for (const Parameter& p : info.parameters)
      for (const ItemKind& kind : p.kinds) text += kind_section(p.name, p.kind_key, kind);
  }
  return text;
}

template <class Enum, std::size_t n>
std::string choices(const std::string& name, const Choice<Enum> (&table)[n]) {
  std::string text = fmt::format("\n### {}\n\n", name);
  for (const auto& choice : table) text += fmt::format("- `{}`: {}\n", choice.name, choice.summary);
  return text;
}

/// Returns the kinds of outputs and the fields that they may have.
std::string output_section() {
  return list_section("Kinds of outputs", "outputs", kOutputKey, output_kinds()) +
         choices("fields of outputs", kFlowFieldNames) +
         "- `mass_fraction`: the part of the mass of each scalar, by its name\n";
}

/// Returns the boundaries, those with values in tables of their own.
std::string boundary_section() {
  std::string text = choices("mesh.boundary", kBoundaries);
  text +=
      "\nA boundary with values is a block in place of a word: `{kind: subsonic_outflow, pressure: 1}`. Its "
      "expressions\nmay also name `t`, the time. They have `+ - * / ^`, comparisons, `&&`, `||` and the "
      "functions `abs cos exp ln log max\nmin sin sqrt tanh`.\n";
  for (const ItemKind& kind : boundary_kinds())
    if (!kind.parameters.empty()) text += kind_section("mesh.boundary", kBoundaryKey, kind);
  return text;
}

/// Returns the kinds of words or blocks, those with values in tables of their own.
std::string words_and_blocks_section(const std::string& name, const std::string& key,
                                     const std::vector<ItemKind>& kinds) {
  std::string text = fmt::format("\n### {}\n\n", name);
  for (const ItemKind& kind : kinds)
    if (kind.parameters.empty()) text += fmt::format("- `{}`: {}\n", kind.name, kind.summary);
  for (const ItemKind& kind : kinds)
    if (!kind.parameters.empty()) text += kind_section(name, key, kind);
  return text;
}

}  // namespace

std::string deck_reference() {
  return kIntroduction + blocks() + list_section("Sponges", "sponges", kShapeKey, sponge_kinds()) +
         list_section("Solids", "solids", kShapeKey, solid_kinds()) + output_section() + case_sections() +
         "\n## Schemes, meshes, boundaries and faults\n" + choices("scheme.method", kMethods) +
         choices("scheme.dealiasing", kDealiasings) + choices("scheme.reconstruction", kReconstructions) +
         choices("scheme.limiter", kLimiters) + choices("scheme.variables", kVariables) +
         choices("scheme.riemann", kRiemanns) + choices("scheme.integrator", kIntegrators) +
         choices("scheme.precision", kPrecisions) +
         words_and_blocks_section("mesh.spacing", kSpacingKey, spacing_kinds()) +
         words_and_blocks_section("mesh.map", kMapKey, map_kinds()) + boundary_section() +
         choices("inject.kind", kFaultKinds);
}

}  // namespace halfstep
