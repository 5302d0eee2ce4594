// The report of a benchmark: tables for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/base/table.hpp"
#include "app/bench/limits.hpp"
#include "app/bench/measurement.hpp"

namespace halfstep {

/// The machine limits for rows of one precision.
struct RowLimits {
  std::string backend, device;
  int threads = 0;  ///< of the host; 0 on a device
  Precision precision;
  MachineLimits limits;
};

struct BenchReport {
  std::string of;  ///< the deck, or "the built-in set"
  std::vector<Measurement> rows;
  std::vector<RowLimits> limits;  ///< one per precision of the rows
  const MachineLimits& limits_of(const Measurement& row) const;
};

/// Returns a row's scheme as in the tables: reconstruction, variables, integrator, precision.
std::string scheme_text(const Scheme& scheme);

/// Returns a sentence for each row that exceeds a limit of its machine.
std::vector<std::string> bench_warnings(const BenchReport& report);

/// Returns three kinds of tables: time, rates and their fractions of the limits; parts of a step; operations.
std::vector<Table> bench_tables(const BenchReport& report);

/// Returns the report as described in docs/files.md. `command`: the command that made it.
Json bench_json(const BenchReport& report, const std::string& command);

}  // namespace halfstep
