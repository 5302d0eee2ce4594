#include "app/deck/deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <list>
#include <system_error>

#include "app/deck/document.hpp"
#include "app/deck/duration.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/resolved.hpp"
#include "app/deck/validate.hpp"

namespace halfstep {
namespace {

constexpr std::size_t kLargestDeck = std::size_t{1} << 20;
constexpr char kAxes[] = "xyz";

std::string boundary_key(std::size_t axis) { return fmt::format("mesh.boundary.{}", kAxes[axis]); }

[[noreturn]] void refuse_file(const std::string& path, const std::string& message,
                              const std::string& help = "") {
  throw DeckError({{.where = path, .message = message, .help = help}});
}

std::string read_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    std::vector<std::string> names;
    const fs::path directory = fs::path(path).parent_path();
    for (fs::directory_iterator it(directory.empty() ? "." : directory, error), end; !error && it != end;
         it.increment(error))
      if (it->path().extension() == ".yaml") names.push_back((directory / it->path().filename()).string());
    std::sort(names.begin(), names.end());
    refuse_file(path, "no such file" + did_you_mean(path, names));
  }
  if (fs::is_directory(status)) refuse_file(path, "this is a directory, not a deck");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  // One byte more than allowed is enough to know; the rest of a huge file is never read.
  std::string text(kLargestDeck + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) refuse_file(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// Text as the parser wants it: no byte order mark, ends of line as '\n'.
std::string normalised(std::string text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!(text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')) text[kept++] = text[i];
  text.resize(kept);
  return text;
}

// Rules that tie several parameters together. Each looks only at values that are sound by themselves.

/// Whether a case may be asked about the mesh.
bool check_mesh(const ValidatedDeck& deck, Diagnostics& errors) {
  bool good = true;
  const auto error = [&](const Place& place, const std::string& message, const std::string& help = "") {
    errors.error(place, message, help);
    good = false;
  };
  const Values& v = deck.values;
  if (deck.sound({"mesh.cells"})) {
    const auto& cells = v.integers("mesh.cells");
    const Place place = deck.place_of("mesh.cells");
    if (cells[0] * cells[1] == 1 && cells[2] == 1)
      error(place, "nothing to compute: no axis has more than one cell",
            "give at least one axis more cells, for example [256, 1, 1]");
    if (cells[0] * cells[1] > kMaxCells / cells[2])
      error(place, fmt::format("{} x {} x {} cells are too many: at most {} altogether", cells[0], cells[1],
                               cells[2], kMaxCells));
    if (deck.sound({"scheme.reconstruction"})) {
      const std::string& reconstruction = v.word("scheme.reconstruction");
      const int ghosts = ghost_layers(value_of(kReconstructions, reconstruction));
      for (int axis = 0; axis < 3; ++axis)
        if (cells[axis] > 1 && cells[axis] < ghosts)
          error(deck.place_of_item("mesh.cells", axis),
                fmt::format("too few cells along {}: {} needs at least {}", kAxes[axis], reconstruction,
                            ghosts),
                "or 1, and the axis is not swept");
    }
  }
  if (!deck.sound({"mesh.lower", "mesh.upper"})) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = v.reals("mesh.lower")[axis], upper = v.reals("mesh.upper")[axis];
    // The corner that the deck gives is the one to blame.
    const std::string blamed = deck.places.count("mesh.upper") ? "mesh.upper" : "mesh.lower";
    const Place place = deck.place_of_item(blamed, axis);
    if (!(lower < upper)) {
      error(
          place,
          fmt::format("the mesh has no extent along {}: lower is {}, upper is {}", kAxes[axis], lower, upper),
          "upper must be greater than lower on every axis, swept or not");
    } else if (deck.sound({"mesh.cells"})) {
      const double spacing = (upper - lower) / static_cast<double>(v.integers("mesh.cells")[axis]);
      if (!std::isfinite(spacing) || !(lower + spacing > lower) || !(upper - spacing < upper))
        error(place,
              fmt::format("cells along {} have no usable width in 64-bit reals: lower is {}, upper is {}",
                          kAxes[axis], lower, upper));
    }
  }
  return good;
}

void check_boundaries(const ValidatedDeck& deck, const Case* flow_case, Diagnostics& errors) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name = boundary_key(static_cast<std::size_t>(axis));
    if (!deck.sound({"mesh.cells", name}) || deck.values.integers("mesh.cells")[axis] == 1) continue;
    const auto& sides = deck.values.words(name);
    if ((sides[0] == "periodic") != (sides[1] == "periodic"))
      errors.error(deck.place_of_item(name, sides[0] == "periodic" ? 1 : 0),
                   fmt::format("'{}' is periodic on one side only", name),
                   "periodic takes both sides of an axis");
    for (std::size_t side = 0; side < 2; ++side)
      if (flow_case && sides[side] == "prescribed" && flow_case->prescribed().kind == Prescribed::Kind::none)
        errors.error(deck.place_of_item(name, side),
                     fmt::format("case '{}' prescribes no boundary state", deck.info->name),
                     "inflow holds the case's initial state for all time");
    if (!flow_case) continue;
    const std::string objection =
        flow_case->objection(axis, {value_of(kBoundaries, sides[0]), value_of(kBoundaries, sides[1])});
    if (!objection.empty())
      errors.error(deck.place_of(name),
                   fmt::format("case '{}' cannot have these boundaries", deck.info->name), objection);
  }
}

void check_others(const ValidatedDeck& deck, Diagnostics& errors) {
  if (deck.sound({"soft_error.spike.factor"})) {
    const double factor = deck.values.real("soft_error.spike.factor");
    if (factor > 0 && factor < 1)
      errors.error(deck.place_of("soft_error.spike.factor"),
                   fmt::format("'soft_error.spike.factor' must be at least 1, or 0 = off, not {}", factor),
                   "a factor below 1 makes every uniform flow a spike");
  }
  if (deck.sound({"soft_error.floor.density", "soft_error.floor.pressure", "scheme.precision"})) {
    const std::string& precision = deck.values.word("scheme.precision");
    const double least = precision == "single" ? static_cast<double>(std::numeric_limits<float>::min())
                                               : std::numeric_limits<double>::min();
    const double density = deck.values.real("soft_error.floor.density"),
                 pressure = deck.values.real("soft_error.floor.pressure");
    for (const char* name : {"soft_error.floor.density", "soft_error.floor.pressure"})
      if (deck.values.real(name) < least)
        errors.error(deck.place_of(name), fmt::format("'{}' is too small for {} precision", name, precision),
                     fmt::format("at least {:.3g}", least));
    // 2 rho E - m^2 of a floored cell, by which it is judged.
    if (deck.sound({"gas.gamma"}) && std::min(density, pressure) >= least &&
        2 * density * pressure / (deck.values.real("gas.gamma") - 1) < least)
      errors.error(
          deck.place_of("soft_error.floor.pressure"),
          fmt::format("'soft_error.floor.pressure' times 'soft_error.floor.density' is too small for {} "
                      "precision",
                      precision),
          fmt::format("2 density pressure / (gamma - 1) at least {:.3g}", least));
  }
  if (deck.sound({"gas.gamma", "scheme.precision"}) && deck.values.word("scheme.precision") == "single") {
    const double gamma = deck.values.real("gas.gamma"), held = static_cast<float>(gamma);
    if (std::abs(held - gamma) > 1e-3 * (gamma - 1))
      errors.error(
          deck.place_of("gas.gamma"),
          fmt::format("'gas.gamma' {} is too close to 1 for single precision, where gamma - 1 becomes {:.6g}",
                      gamma, held - 1),
          "scheme.precision=double can hold it" +
              (held > 1 ? fmt::format(", and single precision gamma {:.9g}", held) : ""));
  }
  if (deck.sound({"output.enstrophy", "scheme.reconstruction"}) && deck.values.flag("output.enstrophy") &&
      deck.values.word("scheme.reconstruction") == "constant")
    errors.error(deck.place_of("output.enstrophy"),
                 "the enstrophy reaches two cells to each side: constant has one layer of ghosts",
                 "take another scheme.reconstruction");
  if (deck.sound({"output.directory"}) && deck.values.word("output.directory").empty())
    errors.error(deck.place_of("output.directory"), "'output.directory' is empty");
}

/// The bins need a range, and a histogram a field.
void check_histogram(const ValidatedDeck& deck, Diagnostics& errors) {
  const Values& v = deck.values;
  if (deck.sound({"output.histogram.lower", "output.histogram.upper"})) {
    const double lower = v.real("output.histogram.lower"), upper = v.real("output.histogram.upper");
    const bool of_the_state = lower == 0 && upper == 0;
    if (!of_the_state && !(lower < upper && std::isfinite(upper - lower)))
      errors.error(deck.place_of(deck.places.count("output.histogram.upper") ? "output.histogram.upper"
                                                                             : "output.histogram.lower"),
                   fmt::format("the bins have no width: lower is {}, upper is {}", lower, upper),
                   "upper must be greater than lower; both 0 = the extrema of the state");
  }
  if (deck.sound({"output.histogram.field", "output.histogram.every_steps"}) &&
      v.word("output.histogram.field") == "none" && v.integer("output.histogram.every_steps") > 0)
    errors.error(deck.place_of("output.histogram.every_steps"), "there is no field to make a histogram of",
                 "output.histogram.field chooses one");
}

/// What a reactant asks of the rest of the deck, and what may not be asked for without one.
void check_reactant(const ValidatedDeck& deck, const Case* flow_case, Diagnostics& errors) {
  if (!deck.sound({"source.kind"})) return;
  const bool reacts = deck.values.word("source.kind") == "reaction";
  if (reacts && flow_case && !flow_case->has_reactant())
    errors.error(deck.place_of("source.kind"),
                 fmt::format("case '{}' has no reactant: there is nothing to burn", deck.info->name),
                 "case.name: detonation has some");
  if (reacts && deck.sound({"scheme.riemann"}) && deck.values.word("scheme.riemann") != "hllc")
    errors.error(deck.place_of("scheme.riemann"),
                 fmt::format("{} carries no reactant", deck.values.word("scheme.riemann")),
                 "hllc is the Riemann solver that does");
  if (!reacts && deck.sound({"output.histogram.field"}) &&
      deck.values.word("output.histogram.field") == "mass_fraction")
    errors.error(deck.place_of("output.histogram.field"),
                 "there is no reactant to make a histogram of the mass fraction of",
                 "only 'source.kind: reaction' has one");
  if (reacts || !deck.sound({"output.fields"})) return;
  const auto& fields = deck.values.words("output.fields");
  for (std::size_t n = 0; n < fields.size(); ++n)
    if (fields[n] == "mass_fraction")
      errors.error(deck.place_of_item("output.fields", n),
                   "there is no reactant to dump the mass fraction of",
                   "only 'source.kind: reaction' has one");
}

/// What viscous terms, walls and gravity ask of the rest of the deck.
void check_terms(const ValidatedDeck& deck, Diagnostics& errors) {
  const Values& v = deck.values;
  const auto swept = [&](std::size_t axis) { return v.integers("mesh.cells")[axis] > 1; };
  if (deck.sound({"gas.viscosity", "mesh.cells"}) && v.real("gas.viscosity") == 0)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string name = boundary_key(axis);
      if (!deck.sound({name}) || !swept(axis)) continue;
      for (std::size_t side = 0; side < 2; ++side)
        if (v.words(name)[side] == "no_slip")
          errors.error(deck.place_of_item(name, side), "an inviscid gas sticks to no wall",
                       "give gas.viscosity, or take the slip wall, reflecting");
    }
  if (deck.sound({"mesh.cells", "mesh.boundary.x", "mesh.boundary.y", "mesh.boundary.z"}))
    for (std::size_t side = 0; side < 2; ++side) {
      bool sticks = false;
      for (std::size_t axis = 0; axis < 3; ++axis)
        sticks |= swept(axis) && v.words(boundary_key(axis))[side] == "no_slip";
      const char* which = side == 0 ? "lower" : "upper";
      const std::string velocity = fmt::format("wall.velocity_{}", which),
                        temperature = fmt::format("wall.temperature_{}", which);
      const auto without_effect = [&](const std::string& name) {
        errors.error(deck.place_of(name),
                     fmt::format("'{}' without a no_slip boundary on a side that is {}", name, which),
                     "give mesh.boundary one, or leave it out");
      };
      if (!sticks && deck.sound({velocity}) && v.reals(velocity) != std::vector<double>(3))
        without_effect(velocity);
      if (!sticks && deck.sound({temperature}) && v.real(temperature) != 0) without_effect(temperature);
    }
  if (deck.sound({"gravity", "mesh.cells"}))
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (v.reals("gravity")[axis] != 0 && !swept(axis))
        errors.error(deck.place_of_item("gravity", axis),
                     fmt::format("gravity along {}, which is not swept", kAxes[axis]),
                     "nothing can bear the gas there: it would fall for ever");
  if (deck.sound({"scheme.viscous_order", "scheme.reconstruction"})) {
    const std::int64_t order = v.integer("scheme.viscous_order");
    if (order == 3)
      errors.error(deck.place_of("scheme.viscous_order"), "'scheme.viscous_order' must be 2 or 4, not 3",
                   "of the central differences of the viscous terms: 2 or 4 (default 2)");
    if (order == 4 && v.word("scheme.reconstruction") == "constant")
      errors.error(deck.place_of("scheme.viscous_order"),
                   "viscous terms of order 4 reach two cells across a face: constant has one layer of ghosts",
                   "take 2, or another scheme.reconstruction");
  }
}

/// Stages that limit their fluxes are compiled for hllc alone, and for the five fields of the flow.
void check_positivity(const ValidatedDeck& deck, Diagnostics& errors) {
  const Values& v = deck.values;
  if (!deck.sound({"positivity"}) || v.word("positivity") == "none") return;
  if (deck.sound({"scheme.riemann"}) && v.word("scheme.riemann") != "hllc")
    errors.error(deck.place_of("scheme.riemann"),
                 fmt::format("the fluxes of {} cannot be limited by 'positivity: {}'",
                             v.word("scheme.riemann"), v.word("positivity")),
                 "hllc is the Riemann solver whose fluxes can");
  if (deck.sound({"source.kind"}) && v.word("source.kind") == "reaction")
    errors.error(deck.place_of("positivity"),
                 fmt::format("'positivity: {}' does not limit the flux of a reactant", v.word("positivity")),
                 "leave it at none: the ladder of soft_error serves here");
}

/// Corrections of fourth order to what is of second order otherwise would correct nothing.
void check_averages(const ValidatedDeck& deck, Diagnostics& errors) {
  const Values& v = deck.values;
  if (!deck.sound({"scheme.averages"}) || v.word("scheme.averages") != "fourth_order") return;
  if (deck.sound({"scheme.reconstruction"}))
    if (const std::string& word = v.word("scheme.reconstruction"); word == "constant" || word == "plm")
      errors.error(deck.place_of("scheme.averages"),
                   fmt::format("averages of fourth order beside 'scheme.reconstruction: {}'", word),
                   "take ppm or weno5z, or leave it at midpoint");
  if (deck.sound({"source.kind"}) && v.word("source.kind") == "reaction")
    errors.error(deck.place_of("scheme.averages"),
                 "averages of fourth order do not correct the flux of a reactant", "leave it at midpoint");
}

/// The fault must strike something: a place outside the run would be a test that tests nothing.
void check_injection(const ValidatedDeck& deck, Diagnostics& errors) {
  const Values& v = deck.values;
  if (!deck.sound({"inject.step"}) || v.integer("inject.step") == 0) return;
  if (deck.sound({"inject.cell", "mesh.cells"}))
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t cell = v.integers("inject.cell")[axis], cells = v.integers("mesh.cells")[axis];
      if (cell >= cells)
        errors.error(deck.place_of_item("inject.cell", axis),
                     fmt::format("no such cell: {} along {} of a mesh with {}", cell, kAxes[axis], cells),
                     fmt::format("from 0 to {}", cells - 1));
    }
  if (deck.sound({"inject.stage", "scheme.integrator"})) {
    const std::string& integrator = v.word("scheme.integrator");
    const int stages = stage_count(value_of(kIntegrators, integrator));
    if (v.integer("inject.stage") > stages)
      errors.error(
          deck.place_of("inject.stage"),
          fmt::format("no such stage: {} of {}, which has {}", v.integer("inject.stage"), integrator, stages),
          stages == 1 ? "leave it at 1" : fmt::format("from 1 to {}", stages));
  }
  if (deck.sound({"inject.bit", "inject.kind", "scheme.precision"}) && v.word("inject.kind") == "bit_flip" &&
      v.word("scheme.precision") == "single" && v.integer("inject.bit") >= 32)
    errors.error(deck.place_of("inject.bit"),
                 fmt::format("no such bit: {} of a number in single precision", v.integer("inject.bit")),
                 "from 0 to 31, the sign");
}

/// out/sod for path/to/sod.yaml.
std::string default_directory(const std::string& deck) {
  const std::filesystem::path file = std::filesystem::path(deck).filename();
  const bool is_yaml = file.extension() == ".yaml" || file.extension() == ".yml";
  const std::string name = is_yaml ? file.stem().string() : file.string();
  int line = 0;
  std::string what;
  const bool usable = !name.empty() && name != "." && name != ".." && is_plain_text(name, line, what) &&
                      name.find_first_of("\n\t\r") == std::string::npos;
  return "out/" + (usable ? name : "deck");
}

Mesh make_mesh(const Values& v) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    mesh.cells[axis] = static_cast<int>(v.integers("mesh.cells")[axis]);
    mesh.lower[axis] = v.reals("mesh.lower")[axis];
    mesh.upper[axis] = v.reals("mesh.upper")[axis];
  }
  return mesh;
}

Values case_values(const CaseInfo& info, const Values& all) {
  Values own;
  for (const Parameter& p : info.parameters) own.set(p.name, all.all().at("case." + p.name));
  return own;
}

Source make_source(const Values& v) {
  return {.kind = value_of(kSourceKinds, v.word("source.kind")),
          .tolerance = v.real("source.tolerance"),
          .max_substeps = v.integer("source.max_substeps"),
          .cooling = {.coefficient = v.real("source.cooling.coefficient"),
                      .exponent = v.real("source.cooling.exponent"),
                      .equilibrium = v.real("source.cooling.equilibrium")},
          .reaction = {.rate = v.real("source.reaction.rate"),
                       .activation_energy = v.real("source.reaction.activation_energy"),
                       .heat_release = v.real("source.reaction.heat_release")}};
}

ExplicitTerms make_terms(const Values& v) {
  const auto vector = [&](const char* name) {
    const auto& reals = v.reals(name);
    return std::array<double, 3>{reals[0], reals[1], reals[2]};
  };
  const IdealGas<double> gas{v.real("gas.gamma")};
  return {.transport = {.reference = transport(v.real("gas.viscosity"), v.real("gas.prandtl"), gas),
                        .law = value_of(kViscosityLaws, v.word("gas.viscosity_law")),
                        .reference_temperature = v.real("gas.reference_temperature"),
                        .sutherland_temperature = v.real("gas.sutherland_temperature")},
          .viscous_order = static_cast<int>(v.integer("scheme.viscous_order")),
          .gravity = vector("gravity"),
          .walls = {.velocity = {vector("wall.velocity_lower"), vector("wall.velocity_upper")},
                    .temperature = {v.real("wall.temperature_lower"), v.real("wall.temperature_upper")}}};
}

/// Of parameters that do not go together: the one that an override gave last, else the first that the deck
/// gives. Where it gives none of them, the case is to blame, which asks for them.
Place blamed(const ValidatedDeck& deck, const std::vector<std::string>& parameters) {
  const Place* blamed = nullptr;
  for (const std::string& name : parameters)
    if (const auto it = deck.places.find(name); it != deck.places.end())
      if (!blamed || it->second.source->order() > blamed->source->order()) blamed = &it->second;
  return blamed ? *blamed : deck.place_of("case.name");
}

/// The case, if everything it is made from is sound; its own objections are errors of the deck.
std::shared_ptr<const Case> make_case(const ValidatedDeck& deck, const Values& own, const Mesh& mesh,
                                      Diagnostics& errors) {
  try {
    const Values& v = deck.values;
    return deck.info->make({own, {v.real("gas.gamma")}, mesh, make_source(v), make_terms(v)});
  } catch (const CaseError& e) {
    errors.error(blamed(deck, e.parameters), fmt::format("case '{}': {}", deck.info->name, e.what()));
    return nullptr;
  } catch (const std::invalid_argument& e) {  // an exact solution that knows of no single culprit
    errors.error(deck.place_of("case.name"), fmt::format("case '{}': {}", deck.info->name, e.what()));
    return nullptr;
  }
}

Scheme make_scheme(const Values& v) {
  return {.reconstruction = value_of(kReconstructions, v.word("scheme.reconstruction")),
          .limiter = value_of(kLimiters, v.word("scheme.limiter")),
          .variables = value_of(kVariables, v.word("scheme.variables")),
          .riemann = value_of(kRiemanns, v.word("scheme.riemann")),
          .averages = value_of(kAverages, v.word("scheme.averages")),
          .integrator = value_of(kIntegrators, v.word("scheme.integrator")),
          .positivity = value_of(kPositivities, v.word("positivity")),
          .precision = value_of(kPrecisions, v.word("scheme.precision"))};
}

Detection make_detection(const Values& v) {
  return {.raise_bad_faces = v.word("soft_error.face") == "raise",
          .cfl_limit = v.real("soft_error.cfl_limit"),
          .spike_field = value_of(kSpikeFields, v.word("soft_error.spike.field")),
          .spike_limit = v.real("soft_error.spike.limit"),
          .spike_factor = v.real("soft_error.spike.factor")};
}

StepLimits make_limits(const Values& v) {
  return {.end = v.real("time.end"),
          .max_steps = v.integer("time.max_steps"),
          .cfl = v.real("time.cfl"),
          .fixed_dt = v.real("time.dt"),
          .output_every = v.real("output.every"),
          .cfl_limit = v.real("soft_error.cfl_limit"),
          .max_halvings = static_cast<int>(v.integer("soft_error.max_halvings")),
          .regrow_after = static_cast<int>(v.integer("soft_error.regrow_after")),
          .redo_same_dt = v.word("soft_error.redo") == "same_dt",
          .last_remedy = value_of(kRemedies, v.word("soft_error.on_exhausted"))};
}

std::optional<HistogramRequest> make_histogram(const Values& v) {
  const std::string& field = v.word("output.histogram.field");
  if (field == "none") return std::nullopt;
  return HistogramRequest{.field = value_of(kHistogramFields, field),
                          .bins = static_cast<int>(v.integer("output.histogram.bins")),
                          .lower = v.real("output.histogram.lower"),
                          .upper = v.real("output.histogram.upper")};
}

std::optional<Fault> make_fault(const Values& v) {
  if (v.integer("inject.step") == 0) return std::nullopt;
  const auto& cell = v.integers("inject.cell");
  const auto* field = std::find(std::begin(kFieldNames), std::end(kFieldNames), v.word("inject.field"));
  return Fault{.step = v.integer("inject.step"),
               .stage = static_cast<int>(v.integer("inject.stage")),
               .cell = {static_cast<int>(cell[0]), static_cast<int>(cell[1]), static_cast<int>(cell[2])},
               .kind = value_of(kFaultKinds, v.word("inject.kind")),
               .field = static_cast<int>(field - std::begin(kFieldNames)),
               .bit = static_cast<int>(v.integer("inject.bit"))};
}

RunConfig make_config(const ValidatedDeck& deck, Values own, std::shared_ptr<const Case> flow_case,
                      const Mesh& mesh) {
  const Values& v = deck.values;
  RunConfig config;
  config.title = v.word("title");
  config.case_name = deck.info->name;
  config.case_parameters = std::move(own);
  config.problem.mesh = mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      config.problem.boundary[axis][side] = value_of(kBoundaries, v.words(boundary_key(axis))[side]);
  config.problem.prescribed = flow_case->prescribed();
  config.problem.gamma = v.real("gas.gamma");
  config.problem.scheme = make_scheme(v);
  config.problem.source = make_source(v);
  config.problem.terms = make_terms(v);
  config.problem.has_reactant = config.problem.source.has_reactant();
  config.problem.detection = make_detection(v);
  config.problem.floors = {.density = v.real("soft_error.floor.density"),
                           .pressure = v.real("soft_error.floor.pressure")};
  config.problem.fault = make_fault(v);
  config.problem.enstrophy = v.flag("output.enstrophy");
  config.problem.slice_ms = v.flag("interruptible.enabled") ? v.real("interruptible.launch_budget_ms") : 0;
  config.flow_case = std::move(flow_case);
  config.limits = make_limits(v);
  config.depth =
      v.word("soft_error.poll") == "pipelined" ? static_cast<int>(v.integer("soft_error.depth")) : 1;
  config.output = {.directory = v.word("output.directory"),
                   .keep_previous = v.integer("output.keep_previous"),
                   .every = v.real("output.every"),
                   .every_steps = v.integer("output.every_steps"),
                   .fields = v.words("output.fields"),
                   .history_every_steps = v.integer("output.history_every_steps"),
                   .compress = static_cast<int>(v.integer("output.compress")),
                   .histogram = make_histogram(v),
                   .histogram_every_steps = v.integer("output.histogram.every_steps")};
  config.checkpoint = {.every_steps = v.integer("checkpoint.every_steps"),
                       .every_wall = parse_duration(v.word("checkpoint.every_wall")).value(),
                       .keep = static_cast<int>(v.integer("checkpoint.keep")),
                       .compress = static_cast<int>(v.integer("checkpoint.compress"))};
  const std::vector<DeckParameter> table = deck_table_with(deck.info);
  config.resolved = resolved_deck(table, v);
  for (const DeckParameter& p : table) config.values.emplace_back(p.name, yaml_value(v.all().at(p.name)));
  return config;
}

}  // namespace

RunConfig load_deck(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_deck(read_file(path), path, overrides);
}

RunConfig parse_deck(const std::string& text, const std::string& name,
                     const std::vector<std::string>& overrides) {
  if (text.size() > kLargestDeck)
    refuse_file(name, "larger than 1 MiB: this is not a deck",
                "a deck is the YAML file that describes a run");
  const SourceText source(name, normalised(text), 0, true);
  int line = 0;
  std::string what;
  if (!is_plain_text(source.text(), line, what))
    refuse_file(fmt::format("{}:{}:1", name, line + 1),
                fmt::format("not a text file: this line holds {}", what), "a deck is YAML text in UTF-8");

  Diagnostics errors;
  Document document;
  document.read(source, errors);
  std::list<SourceText> override_sources;  // a list: places point into it
  for (const std::string& token : overrides) {
    const int order = static_cast<int>(override_sources.size()) + 1;
    if (!is_plain_text(token, line, what))
      refuse_file("override " + quote(token), fmt::format("not text: it holds {}", what));
    override_sources.emplace_back("override " + quote(token), token, order, false);
    document.apply_override(override_sources.back(), errors);
  }
  ValidatedDeck deck = validate(document.root(), source, errors);
  if (!deck.places.contains("output.directory")) deck.values.set("output.directory", default_directory(name));
  if (!document.root() || document.root()->kind != Node::Kind::block) errors.raise_if_any();

  bool sound = check_mesh(deck, errors) && deck.info && deck.sound({"mesh.cells", "gas.gamma"});
  check_others(deck, errors);
  check_injection(deck, errors);
  check_terms(deck, errors);
  check_histogram(deck, errors);
  std::shared_ptr<const Case> flow_case;
  Mesh mesh;
  Values own;
  // A case is asked only about values that can be trusted; errors elsewhere do not keep it from objecting.
  if (deck.info)
    for (const Parameter& p : deck.info->parameters) sound = sound && deck.sound({"case." + p.name});
  for (const DeckParameter& p : deck_table())
    if (p.name.starts_with("source.") || p.name.starts_with("gas.") || p.name.starts_with("wall.") ||
        p.name == "gravity" || p.name == "scheme.viscous_order")
      sound = sound && deck.sound({p.name});
  if (sound) {
    mesh = make_mesh(deck.values);
    own = case_values(*deck.info, deck.values);
    flow_case = make_case(deck, own, mesh, errors);
  }
  check_boundaries(deck, flow_case.get(), errors);
  check_reactant(deck, flow_case.get(), errors);
  check_averages(deck, errors);
  check_positivity(deck, errors);
  errors.raise_if_any();
  return make_config(deck, std::move(own), std::move(flow_case), mesh);
}

}  // namespace halfstep
