// The outcome of a check.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/verify/check.hpp"
#include "physics/accuracy/norms.hpp"

namespace halfstep {

struct RunFigures {
  std::string scheme;
  std::array<int, 3> cells{};
  std::optional<Norms> error;
  std::int64_t steps = 0, rejections = 0, repaired_faces = 0;
  double seconds = 0;  ///< wall time
};

struct JudgedValue {
  std::string what;
  double value = 0;
  Bar bar;
  bool passed = false;
  std::string source;
};

struct CheckOutcome {
  std::string group, name, deck, error_of;
  std::vector<RunFigures> runs = {};
  /// Observed order of L1 between the last two runs, if their meshes differ.
  std::optional<double> order = {};
  std::vector<JudgedValue> judged = {};
  std::optional<Curve> curve = {};
  std::string gave_up = {};  ///< the soft error that ended a run and thus the check; else empty

  bool passed() const;
};

/// Runs the check and compares its numbers with their bars.
CheckOutcome outcome_of(const Check& check, const std::string& group, const Machine& machine);

}  // namespace halfstep
