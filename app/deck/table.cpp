#include "app/deck/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/deck/binding.hpp"
#include "app/deck/outputs.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/sponges.hpp"
#include "physics/diagnostics/histogram.hpp"
#include "physics/gas/transport.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/boundary_values.hpp"
#include "physics/recovery/injected_fault.hpp"
#include "physics/solids/bodies.hpp"
#include "physics/sources/source.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

using Rows = std::vector<DeckParameter>;

constexpr double kLargestInt = 2147483647;

constexpr Choice<bool> kFaceWords[] = {{false, "repair", ""}, {true, "raise", ""}};
constexpr Choice<bool> kRedoWords[] = {{false, "halve", ""}, {true, "same_dt", ""}};
constexpr Choice<bool> kPollWords[] = {{false, "step", ""}, {true, "pipelined", ""}};
static_assert(kFields == 5);
constexpr Choice<int> kFaultFields[] = {{0, kFieldNames[0], ""},
                                        {1, kFieldNames[1], ""},
                                        {2, kFieldNames[2], ""},
                                        {3, kFieldNames[3], ""},
                                        {4, kFieldNames[4], ""}};

std::vector<std::string> case_names() {
  std::vector<std::string> all;
  for (const CaseInfo& info : cases()) all.push_back(info.name);
  return all;
}

DeckParameter required(DeckParameter parameter) {
  parameter.required = true;
  return parameter;
}

DeckParameter required_without(const std::string& other, DeckParameter parameter) {
  parameter.unless = other;
  return required(std::move(parameter));
}

DeckParameter single(Single meaning, DeckParameter parameter) {
  parameter.single = meaning;
  return parameter;
}

/// Binds a list of blocks, each of one of `kinds`, which its key `kind_key` names.
template <class Member>
DeckParameter list_of_blocks(const std::string& name, Member member, const std::string& meaning,
                             const std::string& kind_key, std::vector<ItemKind> kinds) {
  DeckParameter parameter = row(name, member, "", meaning);
  parameter.kind_key = kind_key;
  parameter.kinds = std::move(kinds);
  return parameter;
}

/// Binds the field of histogram.csv, or none.
DeckParameter histogram_field(const std::string& name, const std::string& meaning) {
  const auto spell = [](const OutputOptions& output) {
    return std::string(output.makes_histogram ? name_of(kHistogramFields, output.histogram.field) : "none");
  };
  const auto read = [](const std::string& word, OutputOptions& output) {
    output.makes_histogram = word != "none";
    if (output.makes_histogram) output.histogram.field = value_of(kHistogramFields, word);
  };
  std::vector<std::string> fields = names(kHistogramFields);
  fields.insert(fields.begin(), "none");
  return bound(
      {name, {}, "", meaning, {}, fields}, [](auto& c) -> auto& { return c.output; }, spell, read);
}

/// Binds the boundaries along an axis with their values.
DeckParameter boundary(std::size_t axis) {
  const char name = "xyz"[axis];
  DeckParameter parameter{
      {.name = fmt::format("mesh.boundary.{}", name),
       .fallback = RunConfig{}.boundary_values[axis],
       .unit = "",
       .meaning = fmt::format(
           "lower and upper boundary along {0}, or one for both; without effect if {0} is not swept", name),
       .choices = names(kBoundaries),
       .kind_key = kBoundaryKey,
       .kinds = boundary_kinds()}};
  parameter.get = [axis](const RunConfig& config) -> Value { return config.boundary_values[axis]; };
  parameter.set = [axis](RunConfig& config, const Value& value) {
    const Items& sides = config.boundary_values[axis] = std::get<Items>(value);
    for (std::size_t side = 0; side < 2; ++side)
      config.problem.boundary[axis][side] = value_of(kBoundaries, sides[side].word(kBoundaryKey));
  };
  return single(Single::every, parameter);
}

/// Returns the member of RunConfig at that path, for a row.
#define MEMBER(path) \
  [](auto& config) -> auto& { return config.path; }

/// Binds the boundaries of a file's sides.
DeckParameter sides() {
  DeckParameter parameter = row("mesh.sides", MEMBER(sides), "",
                                "boundary of each side that mesh.file names, in place of mesh.boundary");
  parameter.kind_key = kBoundaryKey;
  for (const ItemKind& kind : boundary_kinds())
    if (kind.name != name_of(kBoundaries, Boundary::periodic)) {
      parameter.kinds.push_back(kind);
      parameter.choices.push_back(kind.name);
    }
  return parameter;
}

/// Binds one block of one of `kinds`, or the word of one; the member is a list of nothing but it.
template <class Member>
DeckParameter word_or_block(const std::string& name, Member member, const std::string& meaning,
                            const std::string& kind_key, const std::vector<ItemKind>& kinds) {
  DeckParameter parameter = list_of_blocks(name, member, meaning, kind_key, kinds);
  for (const ItemKind& kind : kinds) parameter.choices.push_back(kind.name);
  return single(Single::every, parameter);
}

/// Binds the spacing of an axis.
DeckParameter spacing(std::size_t axis) {
  const char name = "xyz"[axis];
  return word_or_block(
      fmt::format("mesh.spacing.{}", name), [axis](auto& config) -> auto& { return config.spacings[axis]; },
      fmt::format("widths of the cells along {0}; without effect if {0} is not swept", name), kSpacingKey,
      spacing_kinds());
}

Rows flow_rows() {
  return {
      row("title", MEMBER(title), "", "what the run is called in its output"),

      required(words("case.name", MEMBER(case_name), "the flow to be computed", case_names())),

      single(
          Single::first,
          required_without("mesh.file",
                           row("mesh.cells", MEMBER(cells), "",
                               "cells along x, y and z, or along x alone; an axis with 1 cell is not swept",
                               between(1, kMaxAxisCells)))),
      row("mesh.lower", MEMBER(problem.mesh.lower), "length", "lower corner of the domain"),
      row("mesh.upper", MEMBER(problem.mesh.upper), "length", "upper corner of the domain"),
      spacing(0),
      spacing(1),
      spacing(2),
      word_or_block("mesh.map", MEMBER(map),
                    "of flux_reconstruction: hexahedra, mesh.cells of them in a box that is mapped; "
                    "mesh.boundary holds at the sides of the box",
                    kMapKey, map_kinds()),
      row("mesh.order", MEMBER(map_order), "",
          "degree of the polynomials that stand for mesh.map in each element; 1 of straight ones, whatever "
          "is here",
          between(1, 4)),
      row("mesh.file", MEMBER(mesh_file), "",
          "of flux_reconstruction: a CGNS file, from the working directory, which has the elements in place "
          "of "
          "mesh.cells"),
      sides(),
      row("mesh.ranks", MEMBER(ranks), "",
          "blocks along x, y and z of a run of several ranks; all 0: those that exchange least",
          between(0, kMaxAxisCells)),
      boundary(0),
      boundary(1),
      boundary(2),

      row("gas.gamma", MEMBER(problem.gamma), "", "ratio of specific heats of the ideal gas", above(1)),
      row("gas.second.gamma", MEMBER(second_gamma), "",
          "ratio of specific heats of a second gas, above 1; 0 = there is none", at_least(0)),
      row("gas.second.fraction", MEMBER(second_fraction), "",
          "its volume fraction at time 0, a number or an expression in x, y and z; the states of case.name: "
          "regions have their own",
          between(0, 1)),
      row("gas.viscosity", MEMBER(problem.terms.transport.reference.viscosity), "density * speed * length",
          "dynamic viscosity; 0 = inviscid", at_least(0)),
      row("gas.prandtl", MEMBER(prandtl), "", "Prandtl number, for the heat flux of a viscous gas",
          positive()),
      choice("gas.viscosity_law", MEMBER(problem.terms.transport.law),
             "how the viscosity depends on temperature; of sutherland it is gas.viscosity at the reference "
             "temperature",
             kViscosityLaws),
      row("gas.reference_temperature", MEMBER(problem.terms.transport.reference_temperature), "temperature",
          "T_ref of sutherland; temperature is p / density", positive()),
      row("gas.sutherland_temperature", MEMBER(problem.terms.transport.sutherland_temperature), "temperature",
          "S of sutherland: mu = viscosity (T / T_ref)^1.5 (T_ref + S) / (T + S)", at_least(0)),

      row("scalars", MEMBER(scalar_fractions), "",
          fmt::format("mass fractions at time 0, by name, of up to {} scalars that the flow carries along",
                      kMaxScalars),
          between(0, 1)),

      row("gravity", MEMBER(problem.terms.gravity), "speed / time",
          "acceleration by gravity, along x, y and z"),

      row("driving.pressure_gradient", MEMBER(problem.terms.driving.pressure_gradient), "pressure / length",
          "mean gradient along x, y and z, a force that pushes the gas against it; along periodic axes"),
      row("driving.acceleration", MEMBER(problem.terms.driving.acceleration), "speed / time",
          "root mean square of a random solenoidal acceleration by large waves, which stirs turbulence; 0 = "
          "none; needs periodic boundaries",
          at_least(0)),
      row("driving.waves", MEMBER(problem.terms.driving.waves), "",
          "its largest wave number, in waves along the longest side; all waves up to it have one size",
          between(1, kMostDrivingWaves)),
      row("driving.correlation_time", MEMBER(problem.terms.driving.correlation_time), "time",
          "in which its waves turn into others", positive()),
      row("driving.seed", MEMBER(problem.terms.driving.seed), "", "another seed makes other waves"),

      row("wall.velocity_lower", MEMBER(problem.terms.walls.velocity[0]), "speed",
          "of the no_slip walls on lower sides, each in its own plane: what is normal to it does not count"),
      row("wall.velocity_upper", MEMBER(problem.terms.walls.velocity[1]), "speed", "of those on upper sides"),
      row("wall.temperature_lower", MEMBER(problem.terms.walls.temperature[0]), "temperature",
          "of the no_slip walls on lower sides, p / density; 0 = adiabatic", at_least(0)),
      row("wall.temperature_upper", MEMBER(problem.terms.walls.temperature[1]), "temperature",
          "of those on upper sides", at_least(0)),
      list_of_blocks("sponges", MEMBER(sponges),
                     "shapes in which the gas relaxes to a state at a rate; where several overlap each has "
                     "its full effect",
                     kShapeKey, sponge_kinds()),
      list_of_blocks("solids", MEMBER(solids), "bodies in the flow: shapes that the gas does not enter",
                     kShapeKey, solid_kinds()),
  };
}

Rows source_rows() {
  return {
      choice("source.kind", MEMBER(problem.source.kind),
             "the stiff source term, integrated cell by cell for half a step before the flow and half a step "
             "after it",
             kSourceKinds),
      row("source.tolerance", MEMBER(problem.source.tolerance), "",
          "largest error of a sub-step: of the temperature (cooling), or of the mass fraction or the heat of "
          "reaction (reaction), relative",
          between(1e-12, 0.1)),
      row("source.max_substeps", MEMBER(problem.source.max_substeps), "",
          "a cell that needs more sub-steps for one half of a step is a soft error: source_failure",
          between(1, kLargestInt)),
      row("source.cooling.coefficient", MEMBER(problem.source.cooling.coefficient),
          "energy / (mass density time temperature^exponent)",
          "of de/dt = -density coefficient (T^exponent - equilibrium^exponent), e energy per mass, T = p / "
          "density",
          positive()),
      row("source.cooling.exponent", MEMBER(problem.source.cooling.exponent), "",
          "of the temperature; 0.5 is bremsstrahlung", positive()),
      row("source.cooling.equilibrium", MEMBER(problem.source.cooling.equilibrium), "temperature",
          "where the gas neither cools nor heats up", positive()),
      row("source.reaction.rate", MEMBER(problem.source.reaction.rate), "1 / time",
          "of dY/dt = -rate Y exp(-activation_energy / T), Y the mass fraction of reactant, T = p / density",
          positive()),
      row("source.reaction.activation_energy", MEMBER(problem.source.reaction.activation_energy),
          "temperature", "of that law", at_least(0)),
      row("source.reaction.heat_release", MEMBER(problem.source.reaction.heat_release), "energy / mass",
          "by the reactant that is consumed", at_least(0)),
  };
}

Rows scheme_rows() {
  return {
      choice("scheme.method", MEMBER(problem.scheme.method),
             "what stands for the flow: averages over cells, or polynomials in elements, which mesh.cells "
             "then counts, and for which reconstruction, limiter and variables mean nothing",
             kMethods),
      row("scheme.degree", MEMBER(problem.scheme.degree), "",
          "of the polynomials of flux_reconstruction, which is of one order more", between(1, kMaxDegree)),
      choice("scheme.dealiasing", MEMBER(problem.scheme.dealiasing),
             "how the inviscid terms of elements of mesh.map and mesh.file take their products",
             kDealiasings),
      choice("scheme.reconstruction", MEMBER(problem.scheme.reconstruction),
             "from cell averages to states at faces", kReconstructions),
      choice("scheme.limiter", MEMBER(problem.scheme.limiter), "slope limiter of plm", kLimiters),
      choice("scheme.variables", MEMBER(problem.scheme.variables), "the variables that are reconstructed",
             kVariables),
      choice("scheme.riemann", MEMBER(problem.scheme.riemann), "Riemann solver at the faces", kRiemanns),
      choice("scheme.averages", MEMBER(problem.scheme.averages),
             "of products, over cells and faces: those of their middles, of second order where the flow is "
             "not linear, or of fourth order; fourth_order needs ppm or weno5z, and no scalars",
             kAverages),
      row("scheme.viscous_order", MEMBER(problem.terms.viscous_order), "",
          "of the central differences of the viscous terms: 2 or 4", between(2, 4)),
      choice("scheme.integrator", MEMBER(problem.scheme.integrator), "time integrator", kIntegrators),
      choice("scheme.precision", MEMBER(problem.scheme.precision), "of the state and the arithmetic",
             kPrecisions),

      choice("positivity", MEMBER(problem.scheme.positivity),
             "whether the fluxes of Riemann problems are limited so that no cell loses its density or "
             "pressure, which is, without other terms, sure for time.cfl up to 0.72, 0.33 and 0.24 with one, "
             "two and three swept axes (gamma 1.4); hu_adams_shu needs scheme.riemann: hllc and no scalars",
             kPositivities),

      required(
          row("time.end", MEMBER(limits.end), "time", "when the run ends; it starts at time 0", positive())),
      row("time.cfl", MEMBER(limits.cfl), "",
          "Courant number: dt = cfl / max over cells of sum_d ((|u_d| + c) / dx_d + K D / dx_d^2), D the "
          "larger of 4/3 viscosity / density and the diffusivity of heat, K = 2, or 8/3 for viscous_order 4",
          positive()),
      row("time.dt", MEMBER(limits.fixed_dt), "time",
          "a fixed step: if > 0 it alone is the ceiling; 0 = the step follows from cfl", at_least(0)),
      row("time.max_steps", MEMBER(limits.max_steps), "", "the run ends after this many steps; 0 = no limit",
          at_least(0)),
  };
}

Rows soft_error_rows() {
  return {
      row("soft_error.max_halvings", MEMBER(limits.max_halvings), "",
          "how often dt may be halved, over one step or several, before the next remedy", between(0, 1000)),
      row("soft_error.regrow_after", MEMBER(limits.regrow_after), "",
          "accepted steps after which a halved dt doubles again", between(1, kLargestInt)),
      choice(
          "soft_error.on_exhausted", MEMBER(limits.last_remedy),
          "the last remedy tried before the run gives up: none (abort), in elements the scaling of flagged "
          "ones towards their averages, first-order fluxes around the flagged cells, or after those floors",
          kRemedies),
      choice("soft_error.face", MEMBER(problem.detection.raise_bad_faces),
             "a bad reconstructed face: use the first-order states there and count it, or raise a soft error",
             kFaceWords),
      row("soft_error.floor.density", MEMBER(problem.floors.density), "density",
          "the floor of on_exhausted: floor", positive()),
      row("soft_error.floor.pressure", MEMBER(problem.floors.pressure), "pressure",
          "the floor of on_exhausted: floor", positive()),
      choice("soft_error.spike.field", MEMBER(problem.detection.spikes.field), "the field watched for spikes",
             kSpikeFields),
      row("soft_error.spike.limit", MEMBER(problem.detection.spikes.limit), "of the field",
          "a value beyond this is a soft error; 0 = off. In curved elements soft_error.face deals with such "
          "values of states interpolated to faces",
          at_least(0)),
      row("soft_error.spike.factor", MEMBER(problem.detection.spikes.factor), "",
          "a value beyond this factor of the largest neighbour's is a soft error; at least 1, or 0 = off. "
          "In curved elements soft_error.face deals with states interpolated to faces that are beyond this "
          "factor of those on the other side",
          at_least(0)),
      row("soft_error.cfl_limit", MEMBER(limits.cfl_limit), "",
          "a finished step with a Courant number beyond this is redone; 0 = off", at_least(0)),
      choice("soft_error.redo", MEMBER(limits.redo_same_dt),
             "how a step is redone the first time it is rejected; same_dt is for transient faults",
             kRedoWords),
      choice("soft_error.poll", MEMBER(pipelined),
             "when the host looks for soft errors: after each step, or while later steps are in flight",
             kPollWords),
      row("soft_error.depth", MEMBER(queued_steps), "steps", "queued ahead with poll: pipelined",
          between(1, 1024)),
  };
}

Rows inject_and_interruptible_rows() {
  return {
      row("inject.step", MEMBER(fault.step), "",
          "the step, from 1, in whose first attempt a fault strikes one cell; 0 = off", at_least(0)),
      row("inject.stage", MEMBER(fault.stage), "", "the stage of that step, from 1, whose result is struck",
          between(1, stage_count(Integrator::ssprk4))),
      row("inject.cell", MEMBER(fault.cell), "", "the cell that is struck, from 0",
          between(0, kMaxAxisCells - 1)),
      choice("inject.kind", MEMBER(fault.kind), "what happens to the cell", kFaultKinds),
      choice("inject.field", MEMBER(fault.field), "the field that kind: not_finite and bit_flip strike",
             kFaultFields),
      row("inject.bit", MEMBER(fault.bit), "",
          "the bit that kind: bit_flip changes, from 0, the lowest of the mantissa, to 63, the sign (31 in "
          "single precision)",
          between(0, 63)),

      row("interruptible.enabled", MEMBER(interruptible), "",
          "whether a step is made in slices, between which a run can be stopped and checkpointed"),
      row("interruptible.launch_budget_ms", MEMBER(launch_budget_ms), "ms",
          "wall time after which a slice takes no more tiles and threads of a source pause", positive()),
  };
}

Rows output_rows() {
  const std::string gzip =
      "gzip level of the fields, from 1, fast, to 9, small; 0 = they are written as they are";
  return {
      row("output.directory", MEMBER(output.directory), "",
          "where the run writes; NAME is the deck's file name without .yaml; --output overrules it"),
      row("output.keep_previous", MEMBER(output.keep_previous), "runs",
          "how many of the earlier runs into the directory are kept, the newest of DIR.previous, "
          "DIR.previous.2, ...; 0 = all",
          at_least(0)),
      row("output.every", MEMBER(limits.output_every), "time",
          "dump the fields at every multiple of this time; 0 = off", at_least(0)),
      row("output.every_steps", MEMBER(output.every_steps), "steps",
          "dump the fields every so many steps; 0 = off", at_least(0)),
      words("output.fields", MEMBER(output.fields),
            "the fields in a dump; mass_fraction: of each scalar, by its name, and the default where there "
            "are some",
            {"density", "velocity", "pressure", "mass_fraction"}),
      row("output.history_every_steps", MEMBER(output.history_every_steps), "steps",
          "a row of history.csv every so many steps; 0 = off", at_least(0)),
      row("output.enstrophy", MEMBER(problem.enstrophy), "",
          "whether history.csv has the enstrophy, the integral of density |curl velocity|^2 / 2"),
      row("output.budgets", MEMBER(problem.budgets), "",
          "whether history.csv and summary.json say what came in through each side of the domain, by forces, "
          "by the source and out of bodies, and so what of the totals' change remains unexplained"),
      row("output.loads.density", MEMBER(output.loads.density), "density",
          "density of the stream by which history.csv has coefficients of the loads on bodies; 0 = it has "
          "none",
          at_least(0)),
      row("output.loads.velocity", MEMBER(output.loads.velocity), "speed", "speed of that stream",
          at_least(0)),
      row("output.loads.area", MEMBER(output.loads.area), "length^2",
          "area of the coefficients; in two dimensions a length times the domain's extent along the third "
          "axis",
          at_least(0)),
      row("output.loads.length", MEMBER(output.loads.length), "length",
          "length of the coefficients of moments", at_least(0)),
      row("output.compress", MEMBER(output.compress), "", gzip, between(0, 9)),
      histogram_field("output.histogram.field",
                      "the field whose distribution over the cells goes to histogram.csv, beside each dump"),
      row("output.histogram.bins", MEMBER(output.histogram.bins), "", "of equal width", between(1, 4096)),
      row("output.histogram.lower", MEMBER(output.histogram.lower), "of the field",
          "where the bins begin; lower and upper both 0 = at the extrema of the state, each time"),
      row("output.histogram.upper", MEMBER(output.histogram.upper), "of the field",
          "where the bins end; cells below and above are counted, too"),
      row("output.histogram.every_steps", MEMBER(output.histogram_every_steps), "steps",
          "also every so many steps; 0 = off", at_least(0)),

      list_of_blocks(
          "outputs", MEMBER(outputs),
          "further outputs, each with a name, fields and a cadence of its own; their files are named "
          "after them",
          kOutputKey, output_kinds()),

      row("checkpoint.every_steps", MEMBER(checkpoint.every_steps), "steps",
          "write a checkpoint every so many steps; 0 = off", at_least(0)),
      row("checkpoint.every_wall", MEMBER(checkpoint.every_wall), "HH:MM:SS",
          "write a checkpoint every so much wall time; 00:00:00 = off"),
      row("checkpoint.keep", MEMBER(checkpoint.keep), "", "checkpoints kept; older ones are deleted",
          between(1, kLargestInt)),
      row("checkpoint.compress", MEMBER(checkpoint.compress), "", gzip, between(0, 9)),

      row("ranks.watchdog", MEMBER(watchdog_seconds), "seconds",
          "silence of a rank, stopped or on a machine that hangs, after which a run of several ranks ends; 0 "
          "= it waits for ever",
          between(0, 86400)),
  };
}

#undef MEMBER

/// Binds a case's parameter to the case's values by its name.
DeckParameter case_row(const Parameter& own) {
  DeckParameter row{own};
  row.name = "case." + own.name;
  row.get = [name = own.name](const RunConfig& c) { return c.case_parameters.at(name); };
  row.set = [name = own.name](RunConfig& c, const Value& value) { c.case_parameters.set(name, value); };
  return row;
}

}  // namespace

const Rows& deck_table() {
  static const Rows table = [] {
    Rows all;
    for (const Rows& rows : {flow_rows(), source_rows(), scheme_rows(), soft_error_rows(),
                             inject_and_interruptible_rows(), output_rows()})
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }();
  return table;
}

Rows deck_table_with(const CaseInfo* info) {
  Rows table = deck_table();
  if (!info) return table;
  const auto name =
      std::find_if(table.begin(), table.end(), [](const auto& p) { return p.name == "case.name"; });
  Rows own;
  for (const Parameter& parameter : info->parameters) own.push_back(case_row(parameter));
  table.insert(name + 1, own.begin(), own.end());
  return table;
}

std::string block_meaning(const std::string& block) {
  static const std::map<std::string, std::string> meanings = {
      {"case", "the flow: its name, then that case's own parameters"},
      {"mesh", "the mesh, Cartesian or of curved elements, and what lies beyond it"},
      {"gas", "the ideal gas"},
      {"gas.second", "a second ideal gas, which shares cells with the first at one pressure and velocity"},
      {"wall", "what the boundaries no_slip are"},
      {"source", "a stiff source term: radiative cooling or a reaction"},
      {"scheme", "the numerical scheme"},
      {"time", "the length of the run and of its steps"},
      {"soft_error", "what counts as an unphysical state, and what is done about it"},
      {"inject", "a fault put into the run on purpose, to see what becomes of it"},
      {"interruptible", "long steps in slices: kernels that pause at safe points; implies poll: step"},
      {"output", "what is written, where and when"},
      {"checkpoint", "restartable snapshots"},
      {"ranks", "a run of several ranks"},
  };
  const auto it = meanings.find(block);
  return it == meanings.end() ? "" : it->second;
}

}  // namespace halfstep
