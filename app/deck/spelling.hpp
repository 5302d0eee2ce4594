// Spelling of values, and of what a parameter accepts, for YAML and for messages.
#pragma once

#include <cstddef>
#include <string>

#include "app/deck/table.hpp"

namespace halfstep {

/// Most letters of a name that a deck gives: it becomes part of files and of their names, and std::regex
/// overflows the stack on words of tens of thousands.
inline constexpr std::size_t kLongestName = 100;

/// Returns the type of a value or of a list's items: "number", "word".
std::string noun(const DeckParameter& parameter);
/// Returns the same for several: "numbers".
std::string plural(const DeckParameter& parameter);

/// Returns the number of a list's items; 0 for a value that is no list, or a list of any length.
std::size_t list_length(const Value& value);

/// Whether the parameter is a word or a block of which there is one, which is held as a list.
bool is_single_block(const DeckParameter& parameter);

/// Whether the parameter is a block of names, each with a word or a block.
bool is_block_of_blocks(const DeckParameter& parameter);

/// Whether the parameter is a list of one or more numbers, however many.
bool is_list_of_any_length(const DeckParameter& parameter);

/// Returns what is accepted: "a number greater than 0", "a list of 3 integers, each at least 1".
std::string accepted_values(const DeckParameter& parameter);

/// Returns the allowed range alone: "greater than 0", "from 1 to 3"; "" if all numbers are allowed.
std::string range_text(const Range& range);

/// Returns a value as a deck spells it, on one line, but each item of a list of blocks on its own; reals
/// round-trip.
std::string yaml_value(const Value& value);
/// Returns a value of the parameter in the same way, without a list around a block of which there is one.
std::string yaml_value(const DeckParameter& parameter, const Value& value);

}  // namespace halfstep
