// A deck as the program uses it: every value checked, every default filled in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/solver.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

struct OutputOptions {
  std::string directory;
  std::int64_t keep_previous = 0;   ///< earlier runs; 0 = all
  double every = 0;                 ///< simulation time; 0 = off
  std::int64_t every_steps = 0;     ///< 0 = off
  std::vector<std::string> fields;  ///< of density, velocity, pressure
  std::int64_t history_every_steps = 1;
  int compress = 0;  ///< gzip's level
  std::optional<HistogramRequest> histogram = {};
  std::int64_t histogram_every_steps = 0;  ///< besides those beside dumps; 0 = off
};

struct CheckpointOptions {
  std::int64_t every_steps = 0;  ///< 0 = off
  double every_wall = 600;       ///< seconds; 0 = off
  int keep = 2;
  int compress = 0;  ///< gzip's level
};

struct RunConfig {
  std::string title;
  std::string case_name;
  Values case_parameters;
  std::shared_ptr<const Case> flow_case;
  Problem problem;
  StepLimits limits;
  int depth = 1;  ///< attempts under way at once; 1: the host looks at each
  OutputOptions output;
  CheckpointOptions checkpoint;
  std::string resolved;  ///< the resolved deck as YAML text
  /// Its values by their full names, as a deck spells them, in the deck's order.
  std::vector<std::pair<std::string, std::string>> values;

  /// Why the case's exact solution, if it has one at `time`, is not that of this run; "" where it is.
  std::string lost_exact(double time) const {
    if (!flow_case->has_exact(time)) return "";
    if (flow_case->source() != problem.source.kind) return "the case's is with another source";
    if (!flow_case->knows_terms() && problem.terms.active())
      return "the case's is without viscosity and gravity";
    return flow_case->lost_exact(problem.boundary, time);
  }
  /// Whether the case's exact solution is that of this run.
  bool has_exact(double time) const { return flow_case->has_exact(time) && lost_exact(time).empty(); }
};

}  // namespace halfstep
