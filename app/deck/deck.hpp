// Parsing a deck into a run's configuration.
#pragma once

#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/deck/diagnostic.hpp"

namespace halfstep {

/// Reads the deck at `path` (UTF-8 YAML, at most 1 MiB), or where no file is there the shipped deck of that
/// name, applies the overrides "block.key=value" in their
/// order and checks everything. Throws DeckError with every error found. `read_file` reads the files that a
/// case begins from; without it such a case has no initial state, which a restart does not need.
RunConfig load_deck(const std::string& path, const std::vector<std::string>& overrides = {},
                    const FieldReader& read_file = {});

/// Parses a deck's text as load_deck() does; `name` replaces the path in messages.
RunConfig parse_deck(const std::string& text, const std::string& name,
                     const std::vector<std::string>& overrides = {}, const FieldReader& read_file = {});

}  // namespace halfstep
