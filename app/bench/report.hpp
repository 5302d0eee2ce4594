// What a benchmark leaves: tables for people, JSON for everything else.
#pragma once

#include <string>
#include <vector>

#include "app/bench/limits.hpp"
#include "app/bench/measurement.hpp"
#include "app/output/json.hpp"
#include "app/study/table.hpp"

namespace halfstep {

/// The limits of the machine that rows of one precision ran on.
struct RowLimits {
  std::string backend, device;
  int threads = 0;  ///< of the host; 0 on a device
  Precision precision;
  MachineLimits limits;
};

struct BenchReport {
  std::string of;  ///< the deck, or "the built-in set"
  std::vector<Measurement> rows;
  std::vector<RowLimits> limits;  ///< one for each precision of the rows
  const MachineLimits& limits_of(const Measurement& row) const;
};

/// A row's scheme as its tables name it: reconstruction, variables, integrator, precision.
std::string scheme_text(const Scheme& scheme);

/// A sentence for each row that is beyond a limit of its machine.
std::vector<std::string> bench_warnings(const BenchReport& report);

/// Time, rates and their shares of the limits; where a step's time goes; what its operations are.
std::vector<Table> bench_tables(const BenchReport& report);

/// As docs/design.md describes it; `command`: that made it.
Json bench_json(const BenchReport& report, const std::string& command);

}  // namespace halfstep
