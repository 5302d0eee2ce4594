// A deck as the program uses it: all values checked, all defaults filled in.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/deck/duration.hpp"
#include "app/deck/outputs.hpp"
#include "physics/cases/case.hpp"
#include "physics/cases/scalars.hpp"
#include "physics/cases/sponges.hpp"
#include "physics/diagnostics/load_coefficients.hpp"
#include "physics/hexahedra/map_kinds.hpp"
#include "physics/mesh/boundary_values.hpp"
#include "physics/solver/solver.hpp"
#include "physics/spacing/spacing.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

struct OutputOptions {
  std::string directory = "out/NAME";  ///< NAME is the deck's name; the default directory
  std::int64_t keep_previous = 0;      ///< number of earlier runs to keep; 0 = all
  std::int64_t every_steps = 0;        ///< 0 = off
  std::vector<std::string> fields = {"density", "velocity", "pressure"};
  std::int64_t history_every_steps = 1;
  int compress = 0;              ///< gzip's level
  bool makes_histogram = false;  ///< the deck names a field for the histogram
  HistogramRequest histogram;
  std::int64_t histogram_every_steps = 0;  ///< in addition to those with each dump; 0 = off
  LoadReference loads;                     ///< given: the history has coefficients of bodies
};

struct CheckpointOptions {
  std::int64_t every_steps = 0;     ///< 0 = off
  Duration every_wall{"00:10:00"};  ///< 0 = off
  int keep = 2;
  int compress = 0;  ///< gzip's level
};

/// A deck's values in the members that the rows of deck_table() name; their initializers are its defaults.
struct RunConfig {
  std::string title;
  std::string case_name;
  Values case_parameters;
  Problem problem;
  StepLimits limits;
  OutputOptions output;
  Items outputs;  ///< the list `outputs`
  CheckpointOptions checkpoint;

  // Deck values that `problem` holds in another form.
  std::array<int, 3> cells{1, 1, 1};  ///< mesh.cells: of flux reconstruction the elements
  std::array<Items, 3> boundary_values = {without_values(kAllOutflow[0]), without_values(kAllOutflow[1]),
                                          without_values(kAllOutflow[2])};  ///< of each axis and side
  std::array<Items, 3> spacings = {uniform_spacing(), uniform_spacing(),
                                   uniform_spacing()};  ///< of each axis
  Items map = no_map();                                 ///< mesh.map, one block
  int map_order = 2;                                    ///< mesh.order
  std::string mesh_file;                                ///< mesh.file; "": there is none
  NamedItems sides;                                     ///< mesh.sides: the boundaries of the file's sides
  std::array<int, 3> ranks{};                           ///< blocks along x, y and z; 0: chosen
  int watchdog_seconds = 60;  ///< of silence after which a rank counts as stopped; 0: never
  double prandtl = 0.72;
  NamedFields scalar_fractions;  ///< the block `scalars`
  double second_gamma = 0;       ///< gas.second.gamma; 0: there is no second gas
  FieldValue second_fraction;    ///< its volume fraction
  Items sponges;
  Items solids;
  Fault fault;                   ///< the block `inject`
  bool interruptible = false;    ///< a step is divided into slices ...
  double launch_budget_ms = 50;  ///< ... of this wall time
  bool pipelined = false;        ///< steps are queued ahead of the host ...
  int queued_steps = 4;          ///< ... this many

  // Values that parse_deck() derives.
  int depth = 1;  ///< attempts queued at once; 1: the host waits for each
  std::shared_ptr<const Case> flow_case;
  std::vector<OutputRequest> output_requests;  ///< `outputs`
  Scalars scalars;                             ///< of the initial state
  std::string resolved;                        ///< the resolved deck as YAML text
  /// All values by full name, spelt as in a deck, in the deck's order.
  std::vector<std::pair<std::string, std::string>> values;

  /// Returns a dump's datasets: output.fields, scalars in place of mass_fraction; of bodies kSolidFields.
  std::vector<std::string> dumped_fields() const;

  /// Returns why the case's exact solution at `time`, if there is one, does not apply to this run; "" if it
  /// does.
  std::string lost_exact(double time) const {
    if (!flow_case->has_exact(time)) return "";
    if (flow_case->source() != problem.source.kind) return "the case's is with another source";
    if (!flow_case->knows_terms() && problem.terms.active())
      return "the case's is without viscosity and gravity";
    if (problem.terms.driving.active()) return "the case's is of a flow that nothing drives";
    if (problem.has_sponges()) return "the case's is without sponges";
    if (problem.has_solids()) return "the case's is without bodies";
    if (problem.second_gamma) return "the case's is of one gas";
    return flow_case->lost_exact(problem.boundary, time);
  }
  /// Whether the case has an exact solution at `time` that applies to this run.
  bool has_exact(double time) const { return flow_case->has_exact(time) && lost_exact(time).empty(); }
};

}  // namespace halfstep
