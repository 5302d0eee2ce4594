// What `halfstep bench` measures: a row of its table is a deck with overrides.
#pragma once

#include <string>
#include <vector>

#include "app/deck/config.hpp"

namespace halfstep {

struct BenchRow {
  std::string deck;  ///< its path; of a deck that the program carries, the one in the repository
  bool carried = false;
  std::vector<std::string> overrides;  ///< in their order
};

/// An oblique sound wave with the schemes that people compare codes by, on 256^3 cells on a device and 64^3
/// on the host; `overrides` are added to those of each row.
std::vector<BenchRow> built_in_rows(bool on_device, const std::vector<std::string>& overrides);

/// Throws DeckError.
RunConfig config_of(const BenchRow& row);

}  // namespace halfstep
