// The one declared table of deck parameters. The parser, the resolved deck, the JSON Schema and docs/deck.md
// all read it, so a parameter is declared here (a case's own: beside the case) and nowhere else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/parameter.hpp"
#include "physics/scheme.hpp"
#include "physics/soft_errors.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// A Parameter under its full dotted name ("time.cfl"), and what only decks need to know of it.
struct DeckParameter : Parameter {
  bool required = false;    ///< has no sensible default; `fallback` gives the type alone
  bool any_of_set = false;  ///< a list of one or more different choices, of any length
};

inline constexpr Choice<SpikeField> kSpikeFields[] = {
    {SpikeField::density, "density", ""},
    {SpikeField::pressure, "pressure", ""},
    {SpikeField::speed, "speed", ""},
};

inline constexpr Choice<Remedy> kRemedies[] = {
    {Remedy::none, "abort", ""},
    {Remedy::first_order, "first_order", ""},
    {Remedy::floor, "floor", ""},
};

/// What may be asked of a mesh.
inline constexpr std::int64_t kMaxAxisCells = std::int64_t{1} << 20;
inline constexpr std::int64_t kMaxCells = std::int64_t{1} << 40;

/// All parameters but those of the cases, in the order a deck lists them.
const std::vector<DeckParameter>& deck_table();

/// deck_table() with the parameters of `info` (may be nullptr) behind case.name.
std::vector<DeckParameter> deck_table_with(const CaseInfo* info);

/// One line for each top-level block.
std::string block_meaning(const std::string& block);

/// What is accepted, for people: "a number greater than 0", "a list of 3 integers, each at least 1".
std::string accepted_values(const DeckParameter& parameter);

/// The allowed numbers alone: "greater than 0", "from 1 to 3"; empty if all are.
std::string range_text(const Range& range);

/// A value as a deck spells it, on one line; reals round-trip.
std::string yaml_value(const Value& value);

}  // namespace halfstep
