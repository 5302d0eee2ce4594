// Two benchmarks beside each other: which build is faster, and by more than the measurement scatters.
#pragma once

#include <filesystem>

#include "app/output/json.hpp"
#include "app/study/table.hpp"

namespace halfstep {

/// The report `halfstep bench --json FILE` wrote. Throws UsageError where the file is none.
Json load_bench_json(const std::filesystem::path& file);

/// The rows of `here` beside those of the same deck, mesh and scheme in `there`; both as bench_json() makes
/// them. Notes name the rows that have no partner, and where the two were measured if that differs.
Table comparison_table(const Json& here, const Json& there);

}  // namespace halfstep
