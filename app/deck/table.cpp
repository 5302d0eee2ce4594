#include "app/deck/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "app/deck/diagnostic.hpp"
#include "physics/boundary.hpp"
#include "physics/fault.hpp"
#include "physics/histogram.hpp"
#include "physics/sources/source.hpp"

namespace halfstep {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Words = std::vector<std::string>;

std::vector<std::string> case_names() {
  std::vector<std::string> all;
  for (const CaseInfo& info : cases()) all.push_back(info.name);
  return all;
}

std::vector<std::string> histogram_fields() {
  std::vector<std::string> all = names(kHistogramFields);
  all.insert(all.begin(), "none");
  return all;
}

DeckParameter required(Parameter parameter) { return {std::move(parameter), true, false}; }
DeckParameter any_of_set(Parameter parameter) { return {std::move(parameter), false, true}; }

Parameter boundary(const std::string& axis) {
  return {"mesh.boundary." + axis,
          Words{"outflow", "outflow"},
          "",
          "lower and upper boundary along " + axis + "; without effect if " + axis + " is not swept",
          {},
          names(kBoundaries)};
}

DeckParameter compression(const std::string& block) {
  return {{block + ".compress", 0, "",
           "gzip level of the fields, from 1, fast, to 9, small; 0 = they are written as they are",
           between(0, 9)}};
}

std::vector<DeckParameter> declare() {
  const double largest_int = 2147483647;
  return {
      {{"title", "", "", "what the run is called in its output"}},

      required({"case.name", "", "", "the flow to be computed", {}, case_names()}),

      required({"mesh.cells", Integers{1, 1, 1}, "",
                "cells along x, y and z; an axis with 1 cell is not swept", between(1, kMaxAxisCells)}),
      {{"mesh.lower", Reals{0, 0, 0}, "length", "lower corner of the domain"}},
      {{"mesh.upper", Reals{1, 1, 1}, "length", "upper corner of the domain"}},
      {boundary("x")},
      {boundary("y")},
      {boundary("z")},

      {{"gas.gamma", 1.4, "", "ratio of specific heats of the ideal gas", above(1)}},
      {{"gas.viscosity", 0.0, "density * speed * length", "dynamic viscosity; 0 = inviscid", at_least(0)}},
      {{"gas.prandtl", 0.72, "", "Prandtl number, for the heat flux of a viscous gas", positive()}},
      {{"gas.viscosity_law",
        "constant",
        "",
        "how the viscosity depends on temperature; of sutherland it is gas.viscosity at the reference "
        "temperature",
        {},
        names(kViscosityLaws)}},
      {{"gas.reference_temperature", 1.0, "temperature", "T_ref of sutherland; temperature is p / density",
        positive()}},
      {{"gas.sutherland_temperature", 0.4, "temperature",
        "S of sutherland: mu = viscosity (T / T_ref)^1.5 (T_ref + S) / (T + S)", at_least(0)}},

      {{"gravity", Reals{0, 0, 0}, "speed / time", "acceleration by gravity, along x, y and z"}},

      {{"wall.velocity_lower", Reals{0, 0, 0}, "speed",
        "of the no_slip walls on lower sides, each in its own plane: what is normal to it does not count"}},
      {{"wall.velocity_upper", Reals{0, 0, 0}, "speed", "of those on upper sides"}},
      {{"wall.temperature_lower", 0.0, "temperature",
        "of the no_slip walls on lower sides, p / density; 0 = adiabatic", at_least(0)}},
      {{"wall.temperature_upper", 0.0, "temperature", "of those on upper sides", at_least(0)}},

      {{"source.kind",
        "none",
        "",
        "the stiff source term, integrated cell by cell for half a step before the flow and half a step "
        "after it",
        {},
        names(kSourceKinds)}},
      {{"source.tolerance", 1e-6, "",
        "largest error of a sub-step: of the temperature (cooling), or of the mass fraction or the heat of "
        "reaction (reaction), relative",
        Range{.low = 1e-12, .high = 0.1}}},
      {{"source.max_substeps", 10000, "",
        "a cell that needs more sub-steps for one half of a step is a soft error: source_failure",
        between(1, largest_int)}},
      {{"source.cooling.coefficient", 1.0, "energy / (mass density time temperature^exponent)",
        "of de/dt = -density coefficient (T^exponent - equilibrium^exponent), e energy per mass, T = p / "
        "density",
        positive()}},
      {{"source.cooling.exponent", 0.5, "", "of the temperature; 0.5 is bremsstrahlung", positive()}},
      {{"source.cooling.equilibrium", 1.0, "temperature", "where the gas neither cools nor heats up",
        positive()}},
      {{"source.reaction.rate", 1.0, "1 / time",
        "of dY/dt = -rate Y exp(-activation_energy / T), Y the mass fraction of reactant, T = p / density",
        positive()}},
      {{"source.reaction.activation_energy", 50.0, "temperature", "of that law", at_least(0)}},
      {{"source.reaction.heat_release", 50.0, "energy / mass", "by the reactant that is consumed",
        at_least(0)}},

      {{"scheme.reconstruction",
        "weno5z",
        "",
        "from cell averages to states at faces",
        {},
        names(kReconstructions)}},
      {{"scheme.limiter", "van_leer", "", "slope limiter of plm", {}, names(kLimiters)}},
      {{"scheme.variables",
        "characteristic",
        "",
        "the variables that are reconstructed",
        {},
        names(kVariables)}},
      {{"scheme.riemann", "hllc", "", "Riemann solver at the faces", {}, names(kRiemanns)}},
      {{"scheme.averages",
        "midpoint",
        "",
        "of products, over cells and faces: those of their middles, of second order where the flow is not "
        "linear, or of fourth order; fourth_order needs ppm or weno5z, and no reactant",
        {},
        names(kAverages)}},
      {{"scheme.viscous_order", 2, "", "of the central differences of the viscous terms: 2 or 4",
        between(2, 4)}},
      {{"scheme.integrator", "ssprk3", "", "time integrator", {}, names(kIntegrators)}},
      {{"scheme.precision", "double", "", "of the state and the arithmetic", {}, names(kPrecisions)}},

      {{"positivity",
        "none",
        "",
        "whether the fluxes of Riemann problems are limited so that no cell loses its density or pressure, "
        "which is, without other terms, sure "
        "for time.cfl up to 0.72, 0.33 and 0.24 with one, two and three swept axes (gamma 1.4); "
        "hu_adams_shu needs scheme.riemann: hllc and no reactant",
        {},
        names(kPositivities)}},

      required({"time.end", 0.0, "time", "when the run ends; it starts at time 0", positive()}),
      {{"time.cfl", 0.4, "",
        "Courant number: dt = cfl / max over cells of sum_d ((|u_d| + c) / dx_d + K D / dx_d^2), D the "
        "larger of 4/3 viscosity / density and the diffusivity of heat, K = 2, or 8/3 for viscous_order 4",
        positive()}},
      {{"time.dt", 0.0, "time", "a fixed step: if > 0 it alone is the ceiling; 0 = the step follows from cfl",
        at_least(0)}},
      {{"time.max_steps", 0, "", "the run ends after this many steps; 0 = no limit", at_least(0)}},

      {{"soft_error.max_halvings", 8, "",
        "how often dt may be halved, over one step or several, before the next remedy", between(0, 1000)}},
      {{"soft_error.regrow_after", 4, "", "accepted steps after which a halved dt doubles again",
        between(1, largest_int)}},
      {{"soft_error.on_exhausted",
        "first_order",
        "",
        "the last remedy tried before the run gives up: none (abort), first-order fluxes around the flagged "
        "cells, or after those floors",
        {},
        names(kRemedies)}},
      {{"soft_error.face",
        "repair",
        "",
        "a bad reconstructed face: use the first-order states there and count it, or raise a soft error",
        {},
        {"repair", "raise"}}},
      {{"soft_error.floor.density", 1e-10, "density", "the floor of on_exhausted: floor", positive()}},
      {{"soft_error.floor.pressure", 1e-12, "pressure", "the floor of on_exhausted: floor", positive()}},
      {{"soft_error.spike.field", "pressure", "", "the field watched for spikes", {}, names(kSpikeFields)}},
      {{"soft_error.spike.limit", 0.0, "of the field", "a value beyond this is a soft error; 0 = off",
        at_least(0)}},
      {{"soft_error.spike.factor", 0.0, "",
        "a value beyond this factor of the largest neighbour's is a soft error; at least 1, or 0 = off",
        at_least(0)}},
      {{"soft_error.cfl_limit", 1.0, "",
        "a finished step with a Courant number beyond this is redone; 0 = off", at_least(0)}},
      {{"soft_error.redo",
        "halve",
        "",
        "how a step is redone the first time it is rejected; same_dt is for transient faults",
        {},
        {"halve", "same_dt"}}},
      {{"soft_error.poll",
        "step",
        "",
        "when the host looks for soft errors: after each step, or while later steps are in flight",
        {},
        {"step", "pipelined"}}},
      {{"soft_error.depth", 4, "steps", "queued ahead with poll: pipelined", between(1, 1024)}},

      {{"inject.step", 0, "", "the step, from 1, in whose first attempt a fault strikes one cell; 0 = off",
        at_least(0)}},
      {{"inject.stage", 1, "", "the stage of that step, from 1, whose result is struck", between(1, 3)}},
      {{"inject.cell", Integers{0, 0, 0}, "", "the cell that is struck, from 0",
        between(0, kMaxAxisCells - 1)}},
      {{"inject.kind", "negative_density", "", "what happens to the cell", {}, names(kFaultKinds)}},
      {{"inject.field",
        "density",
        "",
        "the field that kind: not_finite and bit_flip strike",
        {},
        {std::begin(kFieldNames), std::end(kFieldNames)}}},
      {{"inject.bit", 62, "",
        "the bit that kind: bit_flip changes, from 0, the lowest of the mantissa, to 63, the sign (31 in "
        "single "
        "precision)",
        between(0, 63)}},

      {{"interruptible.enabled", false, "",
        "whether a step is made in slices, between which a run can be stopped and checkpointed"}},
      {{"interruptible.launch_budget_ms", 50.0, "ms",
        "wall time after which a slice takes no more tiles and threads of a source pause", positive()}},

      {{"output.directory", "out/NAME", "",
        "where the run writes; NAME is the deck's file name without .yaml; --output overrules it"}},
      {{"output.keep_previous", 0, "runs",
        "how many of the earlier runs into the directory are kept, the newest of DIR.previous, "
        "DIR.previous.2, ...; 0 = all",
        at_least(0)}},
      {{"output.every", 0.0, "time", "dump the fields at every multiple of this time; 0 = off", at_least(0)}},
      {{"output.every_steps", 0, "steps", "dump the fields every so many steps; 0 = off", at_least(0)}},
      any_of_set({"output.fields",
                  Words{"density", "velocity", "pressure"},
                  "",
                  "the fields in a dump; mass_fraction where there is a reactant",
                  {},
                  {"density", "velocity", "pressure", "mass_fraction"}}),
      {{"output.history_every_steps", 1, "steps", "a row of history.csv every so many steps; 0 = off",
        at_least(0)}},
      {{"output.enstrophy", false, "",
        "whether history.csv has the enstrophy, the integral of density |curl velocity|^2 / 2"}},
      compression("output"),
      {{"output.histogram.field",
        "none",
        "",
        "the field whose distribution over the cells goes to histogram.csv, beside each dump",
        {},
        histogram_fields()}},
      {{"output.histogram.bins", 64, "", "of equal width", between(1, 4096)}},
      {{"output.histogram.lower", 0.0, "of the field",
        "where the bins begin; lower and upper both 0 = at the extrema of the state, each time"}},
      {{"output.histogram.upper", 0.0, "of the field",
        "where the bins end; cells below and above are counted, too"}},
      {{"output.histogram.every_steps", 0, "steps", "also every so many steps; 0 = off", at_least(0)}},

      {{"checkpoint.every_steps", 0, "steps", "write a checkpoint every so many steps; 0 = off",
        at_least(0)}},
      {{"checkpoint.every_wall",
        "00:10:00",
        "HH:MM:SS",
        "write a checkpoint every so much wall time; 00:00:00 = off",
        {},
        {},
        Format::duration}},
      {{"checkpoint.keep", 2, "", "checkpoints kept; older ones are deleted", between(1, largest_int)}},
      compression("checkpoint"),
  };
}

bool is_plain_word(const std::string& text) {
  if (text.empty() || text.back() == ' ') return false;
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/";
  if (letters.find(text[0]) == std::string::npos) return false;
  if (text.find_first_not_of(letters + "0123456789 -.") != std::string::npos) return false;
  // Words that YAML 1.1 or 1.2 readers take for something else.
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const Words taken = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return std::find(taken.begin(), taken.end(), lower) == taken.end();
}

std::string spell(bool value) { return value ? "true" : "false"; }
std::string spell(std::int64_t value) { return std::to_string(value); }
std::string spell(double value) {
  std::string text = fmt::format("{}", value);
  // Always with a point, so that every YAML reader takes it for a real: 1.0, 1.0e-10.
  if (text.find('.') == std::string::npos) {
    const auto exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}
std::string spell(const std::string& value) {
  return is_plain_word(value) ? value : nlohmann::json(value).dump();  // JSON strings are YAML strings
}
template <class T>
std::string spell(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& item : list) text += (text.size() > 1 ? ", " : "") + spell(item);
  return text + "]";
}

std::string number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

std::string with_range(const std::string& noun, const Range& range) {
  const std::string text = range_text(range);
  return text.empty() ? noun : noun + " " + text;
}

}  // namespace

const std::vector<DeckParameter>& deck_table() {
  static const std::vector<DeckParameter> table = declare();
  return table;
}

std::vector<DeckParameter> deck_table_with(const CaseInfo* info) {
  std::vector<DeckParameter> table = deck_table();
  if (!info) return table;
  std::vector<DeckParameter> own;
  for (const Parameter& parameter : info->parameters) {
    own.push_back({parameter});
    own.back().name = "case." + parameter.name;
  }
  const auto name =
      std::find_if(table.begin(), table.end(), [](const auto& p) { return p.name == "case.name"; });
  table.insert(name + 1, own.begin(), own.end());
  return table;
}

std::string block_meaning(const std::string& block) {
  static const std::map<std::string, std::string> meanings = {
      {"case", "the flow: its name, then that case's own parameters"},
      {"mesh", "the uniform Cartesian mesh and what lies beyond it"},
      {"gas", "the ideal gas"},
      {"wall", "what the boundaries no_slip are"},
      {"source", "a stiff source term: radiative cooling or a reaction"},
      {"scheme", "the numerical scheme"},
      {"time", "the length of the run and of its steps"},
      {"soft_error", "what counts as an unphysical state, and what is done about it"},
      {"inject", "a fault put into the run on purpose, to see what becomes of it"},
      {"interruptible", "long steps in slices: kernels that pause at safe points; implies poll: step"},
      {"output", "what is written, where and when"},
      {"checkpoint", "restartable snapshots"},
  };
  const auto it = meanings.find(block);
  return it == meanings.end() ? "" : it->second;
}

std::string range_text(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  if (low && high && !range.open_low && !range.open_high)
    return fmt::format("from {} to {}", number(range.low), number(range.high));
  std::string text;
  if (low) text = fmt::format("{} {}", range.open_low ? "greater than" : "at least", number(range.low));
  if (high)
    text += fmt::format("{}{} {}", low ? " and " : "", range.open_high ? "less than" : "at most",
                        number(range.high));
  return text;
}

std::string accepted_values(const DeckParameter& p) {
  const auto list = [&](std::size_t length, const std::string& nouns) {
    std::string text = fmt::format("a list of {} {}", length, nouns);
    const std::string range = range_text(p.range);
    return range.empty() ? text : text + ", each " + range;
  };
  struct Visitor {
    const DeckParameter& p;
    const decltype(list)& list_of;
    std::string operator()(bool) const { return "true or false"; }
    std::string operator()(std::int64_t) const { return with_range("an integer", p.range); }
    std::string operator()(double) const { return with_range("a number", p.range); }
    std::string operator()(const std::string&) const {
      if (p.format == Format::duration) return "a duration \"HH:MM:SS\"";
      return p.choices.empty() ? "text" : alternatives(p.choices);
    }
    std::string operator()(const Integers& v) const { return list_of(v.size(), "integers"); }
    std::string operator()(const Reals& v) const { return list_of(v.size(), "numbers"); }
    std::string operator()(const Words& v) const {
      if (p.any_of_set) return "a list of one or more of " + alternatives(p.choices);
      std::string text = list_of(v.size(), "words");
      return p.choices.empty() ? text : text + ", each " + alternatives(p.choices);
    }
  };
  return std::visit(Visitor{p, list}, p.fallback);
}

std::string yaml_value(const Value& value) {
  return std::visit([](const auto& v) { return spell(v); }, value);
}

}  // namespace halfstep
