// The table of deck parameters. The parser, the resolved deck, the JSON Schema and docs/deck.md are all
// generated from it: a parameter is declared only here (a case's own: beside the case).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/case.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/recovery/soft_errors.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// What one value in the place of a list means: an error, the list's first item, or every item.
enum class Single { refused, first, every };

/// A parameter with its full dotted name ("time.cfl"), bound to the members that hold its value.
struct DeckParameter : Parameter {
  std::function<Value(const RunConfig&)> get = {};
  /// Sets the members from a valid value of the type of `fallback`.
  std::function<void(RunConfig&, const Value&)> set = {};
  Single single = Single::refused;
  std::string unless = {};  ///< a parameter beside which this one, though required, may be left out
};

inline constexpr Choice<SpikeField> kSpikeFields[] = {
    {SpikeField::density, "density", ""},
    {SpikeField::pressure, "pressure", ""},
    {SpikeField::speed, "speed", ""},
};

inline constexpr Choice<Remedy> kRemedies[] = {
    {Remedy::none, "abort", ""},
    {Remedy::scaling, "scaling", ""},
    {Remedy::first_order, "first_order", ""},
    {Remedy::floor, "floor", ""},
};

/// Limits of a mesh: cells along an axis, and in all.
inline constexpr std::int64_t kMaxAxisCells = std::int64_t{1} << 20;
inline constexpr std::int64_t kMaxCells = std::int64_t{1} << 40;

/// Returns all parameters but those of the cases, in the order of a deck.
const std::vector<DeckParameter>& deck_table();

/// Returns deck_table() with the parameters of `info` (may be nullptr) after case.name.
std::vector<DeckParameter> deck_table_with(const CaseInfo* info);

/// Returns a line that describes a top-level block.
std::string block_meaning(const std::string& block);

}  // namespace halfstep
