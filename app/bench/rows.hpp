// The rows of `halfstep bench`, each a deck with overrides.
#pragma once

#include <string>
#include <vector>

#include "app/deck/config.hpp"

namespace halfstep {

struct BenchRow {
  std::string deck;  ///< path; for an embedded deck that in the repository
  bool carried = false;
  std::vector<std::string> overrides;  ///< applied in order
};

/// Returns the built-in rows: an oblique sound wave with common schemes, on 256^3 cells on a device and 64^3
/// on the host. `overrides` are added to each row's.
std::vector<BenchRow> built_in_rows(bool on_device, const std::vector<std::string>& overrides);

/// Returns the row's configuration. Throws DeckError.
RunConfig config_of(const BenchRow& row);

}  // namespace halfstep
