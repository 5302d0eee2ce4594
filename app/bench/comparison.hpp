// Comparison of two benchmarks: which build is faster, beyond the scatter of the measurement.
#pragma once

#include <filesystem>

#include "app/base/json.hpp"
#include "app/base/table.hpp"

namespace halfstep {

/// Reads the report of `halfstep bench --json FILE`. Throws UsageError if the file is not one.
Json load_bench_json(const std::filesystem::path& file);

/// Compares the rows of `here` with those of the same deck, mesh and scheme in `there`; both as bench_json()
/// makes them. Notes name rows without a partner, and differing machines.
Table comparison_table(const Json& here, const Json& there);

}  // namespace halfstep
