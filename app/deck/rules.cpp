#include "app/deck/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/deck/boundary_rules.hpp"
#include "app/deck/element_rules.hpp"
#include "app/deck/hexahedra_rules.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/output_rules.hpp"
#include "app/deck/solid_rules.hpp"
#include "app/deck/spacing_rules.hpp"
#include "app/deck/sponge_rules.hpp"
#include "physics/base/choice.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

/// Returns the names of the reconstructions of at least that order: "ppm or weno5z".
std::string reconstructions_of_order(int least) {
  std::vector<std::string_view> names;
  for (const auto& choice : kReconstructions)
    if (facts_of(choice.value).order >= least) names.push_back(choice.name);
  return fmt::format("{}", fmt::join(names, " or "));
}

constexpr char kAxes[] = "xyz";
const std::string kBoundaryKeys[] = {"mesh.boundary.x", "mesh.boundary.y", "mesh.boundary.z"};

class Rules {
 public:
  Rules(ValidatedDeck& deck, const FieldReader& read_file, Diagnostics& errors)
      : deck_(deck),
        read_file_(read_file),
        config_(deck.config),
        problem_(deck.config.problem),
        scheme_(deck.config.problem.scheme),
        cells_(deck.config.problem.mesh.cells),
        errors_(errors) {}

  void apply() {
    const std::size_t errors_before = errors_.count();
    set_mesh_of_file(deck_, errors_);
    check_cells();
    check_corners();
    if (errors_.count() == errors_before &&
        sound("mesh.cells", "mesh.lower", "mesh.upper", "mesh.file", "scheme.method", "scheme.degree") &&
        !has_file()) {
      scheme_.method == Method::flux_reconstruction ? set_elements(deck_, errors_)
                                                    : set_spacings(deck_, errors_);
      set_hexahedra(deck_, errors_);
    }
    const bool mesh_is_good = errors_.count() == errors_before;
    check_soft_errors();
    check_single_precision();
    check_output();
    check_injection();
    check_no_slip_walls();
    check_gravity();
    if (mesh_is_good) check_driving();
    check_viscous_order();
    check_histogram();
    make_second_gas();
    // A case is made from valid values only; errors in unrelated parameters do not prevent its own checks.
    if (deck_.info && mesh_is_good && std::none_of(deck_.wrong.begin(), deck_.wrong.end(), matters_to_case)) {
      make_case();
      make_scalars();
      if (sound("sponges", "scheme.precision")) set_sponges(deck_, errors_);
      if (sound(kBoundaryKeys[0], kBoundaryKeys[1], kBoundaryKeys[2], "time.end", "scheme.precision")) {
        set_boundary_values(deck_, errors_);
        if (sound("solids", "scheme.reconstruction") && !problem_.hexahedra) set_solids(deck_, errors_);
      }
    }
    check_boundaries();
    check_scalars();
    check_second_gas();
    check_named_scalars();
    check_outputs(deck_, errors_);
    check_averages();
    check_positivity();
    check_stretched(deck_, errors_);
    check_elements(deck_, errors_);
    check_solids(deck_, errors_);
  }

 private:
  template <class... Names>
  bool sound(const Names&... names) const {
    return deck_.sound({names...});
  }
  void refuse(const std::string& name, const std::string& message, const std::string& help = "") {
    errors_.error(deck_.place_of(name), message, help);
  }
  void refuse_item(const std::string& name, std::size_t item, const std::string& message,
                   const std::string& help = "") {
    errors_.error(deck_.place_of_item(name, item), message, help);
  }
  bool gives(const std::string& name) const { return deck_.given.count(name) > 0; }

  bool has_file() const { return !config_.mesh_file.empty(); }

  void check_cells() {
    if (!sound("mesh.cells") || has_file()) return;
    if (problem_.mesh.dimensions() == 0)
      refuse("mesh.cells", "nothing to compute: no axis has more than one cell",
             "give at least one axis more cells, for example [256, 1, 1]");
    if (problem_.mesh.cell_count() > kMaxCells)
      refuse("mesh.cells", fmt::format("{} x {} x {} cells are too many: at most {} altogether", cells_[0],
                                       cells_[1], cells_[2], kMaxCells));
    if (!sound("scheme.reconstruction")) return;
    const int ghosts = ghost_layers(scheme_.reconstruction);
    for (int axis = 0; axis < 3; ++axis)
      if (problem_.mesh.active(axis) && cells_[axis] < ghosts)
        refuse_item("mesh.cells", axis,
                    fmt::format("too few cells along {}: {} needs at least {}", kAxes[axis],
                                name_of(kReconstructions, scheme_.reconstruction), ghosts),
                    "or 1, and the axis is not swept");
  }

  void check_corners() {
    if (!sound("mesh.lower", "mesh.upper")) return;
    // Report at the corner that the deck gives.
    const std::string blamed = gives("mesh.upper") ? "mesh.upper" : "mesh.lower";
    for (int axis = 0; axis < 3; ++axis) {
      const double lower = problem_.mesh.lower[axis], upper = problem_.mesh.upper[axis];
      const double spacing = problem_.mesh.spacing(axis);
      if (!(lower < upper))
        refuse_item(blamed, axis,
                    fmt::format("the mesh has no extent along {}: lower is {}, upper is {}", kAxes[axis],
                                lower, upper),
                    "upper must be greater than lower on every axis, swept or not");
      else if (sound("mesh.cells") &&
               (!std::isfinite(spacing) || !(lower + spacing > lower) || !(upper - spacing < upper)))
        refuse_item(
            blamed, axis,
            fmt::format("cells along {} have no usable width in 64-bit reals: lower is {}, upper is {}",
                        kAxes[axis], lower, upper));
    }
  }

  void check_soft_errors() {
    const std::string density_key = "soft_error.floor.density", pressure_key = "soft_error.floor.pressure";
    const double factor = problem_.detection.spikes.factor;
    if (sound("soft_error.spike.factor") && factor > 0 && factor < 1)
      refuse("soft_error.spike.factor",
             fmt::format("'soft_error.spike.factor' must be at least 1, or 0 = off, not {}", factor),
             "a factor below 1 makes every uniform flow a spike");
    if (!sound(density_key, pressure_key, "scheme.precision")) return;
    const std::string_view precision = name_of(kPrecisions, scheme_.precision);
    const double least = is_single() ? static_cast<double>(std::numeric_limits<float>::min())
                                     : std::numeric_limits<double>::min();
    const auto [density, pressure] = problem_.floors;
    for (const auto& [key, floor] : {std::pair(density_key, density), std::pair(pressure_key, pressure)})
      if (floor < least)
        refuse(key, fmt::format("'{}' is too small for {} precision", key, precision),
               fmt::format("at least {:.3g}", least));
    // 2 rho E - m^2 of a floored cell, the quantity of the admissibility check.
    if (sound("gas.gamma") && std::min(density, pressure) >= least &&
        2 * density * pressure / (problem_.gamma - 1) < least)
      refuse(
          pressure_key,
          fmt::format("'{}' times '{}' is too small for {} precision", pressure_key, density_key, precision),
          fmt::format("2 density pressure / (gamma - 1) at least {:.3g}", least));
  }

  void check_single_precision() {
    if (!sound("gas.gamma", "scheme.precision") || !is_single()) return;
    const double gamma = problem_.gamma, held = static_cast<float>(gamma);
    if (std::abs(held - gamma) > 1e-3 * (gamma - 1))
      refuse(
          "gas.gamma",
          fmt::format("'gas.gamma' {} is too close to 1 for single precision, where gamma - 1 becomes {:.6g}",
                      gamma, held - 1),
          "scheme.precision=double can hold it" +
              (held > 1 ? fmt::format(", and single precision gamma {:.9g}", held) : ""));
  }

  void check_output() {
    if (sound("output.enstrophy", "scheme.reconstruction") && problem_.enstrophy && is_constant())
      refuse("output.enstrophy",
             "the enstrophy reaches two cells to each side: constant has one layer of ghosts",
             "take another scheme.reconstruction");
    if (sound("output.directory") && config_.output.directory.empty())
      refuse("output.directory", "'output.directory' is empty");
  }

  /// Refuses a fault outside the mesh, the stages or the number's bits: it would test nothing.
  void check_injection() {
    const Fault& fault = config_.fault;
    if (!sound("inject.step") || fault.step == 0) return;
    if (sound("inject.cell", "mesh.cells"))
      for (int axis = 0; axis < 3; ++axis)
        if (fault.cell[axis] >= cells_[axis])
          refuse_item("inject.cell", axis,
                      fmt::format("no such cell: {} along {} of a mesh with {}", fault.cell[axis],
                                  kAxes[axis], cells_[axis]),
                      fmt::format("from 0 to {}", cells_[axis] - 1));
    const int stages = stage_count(scheme_.integrator);
    if (sound("inject.stage", "scheme.integrator") && fault.stage > stages)
      refuse("inject.stage",
             fmt::format("no such stage: {} of {}, which has {}", fault.stage,
                         name_of(kIntegrators, scheme_.integrator), stages),
             stages == 1 ? "leave it at 1" : fmt::format("from 1 to {}", stages));
    if (sound("inject.bit", "inject.kind", "scheme.precision") && fault.kind == FaultKind::bit_flip &&
        is_single() && fault.bit >= 32)
      refuse("inject.bit", fmt::format("no such bit: {} of a number in single precision", fault.bit),
             "from 0 to 31, the sign");
  }

  /// Refuses no-slip walls of an inviscid gas, and wall parameters without a no-slip wall.
  void check_no_slip_walls() {
    if (!sound("mesh.cells")) return;
    const bool inviscid = sound("gas.viscosity") && !problem_.terms.viscous();
    const bool all_known = sound(kBoundaryKeys[0], kBoundaryKeys[1], kBoundaryKeys[2]);
    bool sticks[2] = {};
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        if (!sound(kBoundaryKeys[axis]) || !problem_.mesh.active(axis) ||
            problem_.boundary[axis][side] != Boundary::no_slip)
          continue;
        sticks[side] = true;
        if (inviscid)
          refuse_item(kBoundaryKeys[axis], side, "an inviscid gas sticks to no wall",
                      "give gas.viscosity, or take the slip wall, reflecting");
      }
    for (int side = 0; side < 2; ++side)
      if (all_known && !sticks[side]) check_absent_walls(side);
  }

  void check_absent_walls(int side) {
    const Walls& walls = problem_.terms.walls;
    const char* which = side == 0 ? "lower" : "upper";
    const auto check = [&](const std::string& name, bool is_given) {
      if (sound(name) && is_given)
        refuse(name, fmt::format("'{}' without a no_slip boundary on a side that is {}", name, which),
               "give mesh.boundary one, or leave it out");
    };
    check(fmt::format("wall.velocity_{}", which), walls.velocity[side] != std::array<double, 3>{});
    check(fmt::format("wall.temperature_{}", which), walls.temperature[side] != 0);
  }

  void check_gravity() {
    if (!sound("gravity", "mesh.cells")) return;
    for (int axis = 0; axis < 3; ++axis)
      if (problem_.terms.gravity[axis] != 0 && !problem_.mesh.active(axis))
        refuse_item("gravity", axis, fmt::format("gravity along {}, which is not swept", kAxes[axis]),
                    "nothing can bear the gas there: it would fall for ever");
  }

  bool is_periodic(int axis) const {
    const auto& [lower, upper] = problem_.boundary[axis];
    return lower == Boundary::periodic && upper == Boundary::periodic;
  }

  /// Refuses driving along axes that are not periodic, and waves that the mesh does not resolve.
  void check_driving() {
    if (!sound("mesh.cells", "mesh.lower", "mesh.upper", kBoundaryKeys[0], kBoundaryKeys[1], kBoundaryKeys[2],
               "driving.pressure_gradient", "driving.acceleration", "driving.waves"))
      return;
    const Driving& driving = problem_.terms.driving;
    for (int axis = 0; axis < 3; ++axis) {
      if (driving.pressure_gradient[axis] == 0) continue;
      if (!problem_.mesh.active(axis))
        refuse_item("driving.pressure_gradient", axis,
                    fmt::format("a pressure gradient along {}, which is not swept", kAxes[axis]),
                    "nothing can resist it: the gas would accelerate for ever");
      else if (!is_periodic(axis))
        refuse_item(
            "driving.pressure_gradient", axis,
            fmt::format("a mean pressure gradient along {}, which is not periodic", kAxes[axis]),
            fmt::format("take mesh.boundary.{}=periodic, or sides with pressures of their own", kAxes[axis]));
    }
    if (driving.is_random()) check_random_driving(DrivingWaves(driving, problem_.mesh));
  }

  void check_random_driving(const DrivingWaves& waves) {
    if (problem_.mesh.dimensions() < 2)
      refuse("driving.acceleration", "a solenoidal acceleration along one axis is uniform",
             "mesh.cells needs more than one cell along two axes or three");
    for (int axis = 0; axis < 3; ++axis) {
      if (!problem_.mesh.active(axis)) continue;
      if (!is_periodic(axis))
        refuse("driving.acceleration",
               fmt::format("the random acceleration is periodic, and {} is not", kAxes[axis]),
               fmt::format("mesh.boundary.{}=periodic", kAxes[axis]));
      if (waves.cells[axis] < 3 * waves.most[axis])
        refuse(
            "driving.waves",
            fmt::format("{} waves along {} have less than three cells each", waves.most[axis], kAxes[axis]),
            "make it smaller, or take more cells");
    }
  }

  void check_viscous_order() {
    if (!sound("scheme.viscous_order", "scheme.reconstruction")) return;
    const int order = problem_.terms.viscous_order;
    if (order == 3)
      refuse("scheme.viscous_order", "'scheme.viscous_order' must be 2 or 4, not 3",
             "of the central differences of the viscous terms: 2 or 4 (default 2)");
    if (order == 4 && is_constant())
      refuse("scheme.viscous_order",
             "viscous terms of order 4 reach two cells across a face: constant has one layer of ghosts",
             "take 2, or another scheme.reconstruction");
  }

  /// Refuses histogram bins without width, and a histogram interval without a field.
  void check_histogram() {
    const auto& output = config_.output;
    if (sound("output.histogram.lower", "output.histogram.upper") && !output.histogram.has_width())
      refuse(gives("output.histogram.upper") ? "output.histogram.upper" : "output.histogram.lower",
             without_width(output.histogram), kWidthOfBins);
    if (sound("output.histogram.field", "output.histogram.every_steps") && !output.makes_histogram &&
        output.histogram_every_steps > 0)
      refuse("output.histogram.every_steps", "there is no field to make a histogram of",
             "output.histogram.field chooses one");
  }

  static bool matters_to_case(const std::string& name) {
    for (const char* start : {"case.", "gas.", "source.", "wall.", "gravity", "scheme.viscous_order",
                              "mesh.cells", "mesh.lower", "mesh.upper", "mesh.spacing."})
      if (name.starts_with(start)) return name != "case.name";
    return false;
  }

  /// Returns the place to report for conflicting parameters: the one that an override gave last, else the
  /// first that the deck gives. If it gives none, the case, whose defaults they are.
  Place blamed(const std::vector<std::string>& parameters) const {
    const Place* blamed = nullptr;
    for (const std::string& name : parameters)
      if (const auto it = deck_.given.find(name); it != deck_.given.end())
        if (const Place& place = it->second->place;
            !blamed || place.source->order() > blamed->source->order())
          blamed = &place;
    return blamed ? *blamed : deck_.place_of("case.name");
  }

  /// Makes the case; reports its objections as errors of the deck.
  void make_case() {
    try {
      std::vector<std::string> scalars;
      for (const auto& [name, fraction] : config_.scalar_fractions) scalars.push_back(name);
      config_.flow_case = deck_.info->make({config_.case_parameters,
                                            {problem_.gamma},
                                            problem_.mesh,
                                            problem_.source,
                                            problem_.terms,
                                            scalars,
                                            read_file_,
                                            problem_.gases()});
      problem_.dirichlet = config_.flow_case->dirichlet();
    } catch (const CaseError& e) {
      errors_.error(blamed(e.parameters), fmt::format("case '{}': {}", deck_.info->name, e.what()));
    } catch (const std::logic_error& e) {  // the exact solution and formulas name no single parameter
      refuse("case.name", fmt::format("case '{}': {}", deck_.info->name, e.what()));
    }
  }

  void check_boundaries() {
    if (has_file()) return check_sides_of_file(deck_, errors_);
    for (int axis = 0; axis < 3; ++axis)
      if (sound("mesh.cells", kBoundaryKeys[axis]) && problem_.mesh.active(axis)) check_sides(axis);
  }

  void check_sides(int axis) {
    const std::string& key = kBoundaryKeys[axis];
    const auto& sides = problem_.boundary[axis];
    if ((sides[0] == Boundary::periodic) != (sides[1] == Boundary::periodic))
      refuse_item(key, sides[0] == Boundary::periodic ? 1 : 0,
                  fmt::format("'{}' is periodic on one side only", key),
                  "periodic takes both sides of an axis");
    if (!config_.flow_case) return;
    for (std::size_t side = 0; side < 2; ++side)
      if (sides[side] == Boundary::prescribed && problem_.dirichlet.empty())
        refuse_item(key, side, fmt::format("case '{}' prescribes no boundary state", deck_.info->name),
                    "inflow holds the case's initial state for all time");
    const std::string objection = config_.flow_case->objection(axis, sides);
    if (!objection.empty())
      refuse(key, fmt::format("case '{}' cannot have these boundaries", deck_.info->name), objection);
  }

  /// Makes the scalars of the initial state.
  void make_scalars() {
    if (!config_.flow_case || !sound("scalars")) return;
    const bool of_case = config_.flow_case->has_reactant();
    std::optional<FieldValue> second;
    if (problem_.second_gamma) second = config_.second_fraction;
    config_.scalars = Scalars(config_.scalar_fractions, deck_.names, problem_.mesh, of_case, second);
    problem_.scalars = config_.scalars.names();
    const std::string given = fmt::format("scalars.{}", kReactant);
    if (of_case && gives(given))
      refuse(given, fmt::format("case '{}' has reactant of its own", deck_.info->name),
             "leave it to the case");
    else if (problem_.scalars.size() > kMaxScalars)
      refuse("scalars", fmt::format("{} scalars and the reactant of case '{}' are more than {}", kMaxScalars,
                                    deck_.info->name, kMaxScalars));
  }

  void make_second_gas() {
    const double gamma = config_.second_gamma;
    if (!sound("gas.second.gamma") || gamma == 0) return;
    if (gamma <= 1)
      refuse("gas.second.gamma", fmt::format("'gas.second.gamma' is to be above 1, not {}", gamma));
    else
      problem_.second_gamma = gamma;
  }

  /// Refuses a second gas beside what knows one gas only.
  void check_second_gas() {
    const bool is_placed = config_.second_fraction != FieldValue{};
    if (!problem_.second_gamma) {
      if (is_placed && sound("gas.second.gamma"))
        refuse("gas.second.fraction", "there is no second gas", "gas.second.gamma gives one");
      return;
    }
    const auto alone = [&](const std::string& key, bool is_there, const std::string& what) {
      if (sound(key) && is_there)
        refuse(key, what + " knows one gas, and 'gas.second' gives another", "leave one of them out");
    };
    alone("gas.viscosity", problem_.terms.viscous(), "viscosity");
    alone("source.kind", problem_.source.active(), "a source");
    alone("sponges", problem_.has_sponges(), "a sponge");
    if (config_.flow_case && config_.flow_case->knows_volume_fraction() && is_placed)
      refuse("gas.second.fraction",
             fmt::format("case '{}' has volume fractions in its states", deck_.info->name),
             "give 'second_gas' beside the states' density");
  }

  /// Names what problem_.scalars has, for a message.
  std::string carried() const { return problem_.second_gamma ? "two gases" : "scalars"; }

  /// Refuses scalars that the scheme does not carry, a reaction of none, and outputs of them where are none.
  void check_scalars() {
    if (sound("source.kind") && problem_.source.burns() && config_.flow_case &&
        !config_.scalars.has(kReactant))
      refuse("source.kind",
             fmt::format("case '{}' has no reactant: there is nothing to burn", deck_.info->name),
             fmt::format("'scalars: {{{}: 1}}' gives it some; case.name: detonation has its own", kReactant));
    if (!problem_.scalars.empty()) {
      if (sound("scheme.riemann") && scheme_.riemann != Riemann::hllc)
        refuse("scheme.riemann",
               fmt::format("{} does not carry {}", name_of(kRiemanns, scheme_.riemann), carried()),
               "hllc is the Riemann solver that does");
      return;
    }
    const std::string help = "'scalars: {dye: 1}' makes one";
    const auto& output = config_.output;
    if (sound("output.histogram.field") && output.makes_histogram &&
        output.histogram.field == HistogramField::mass_fraction)
      refuse("output.histogram.field", "there is no scalar to make a histogram of the mass fraction of",
             help);
    if (!sound("output.fields")) return;
    for (std::size_t n = 0; n < output.fields.size(); ++n)
      if (output.fields[n] == "mass_fraction")
        refuse_item("output.fields", n, "there is no scalar to dump the mass fraction of", help);
  }

  /// Refuses mass fractions, in states, of scalars that the flow has not.
  void check_named_scalars() {
    if (!config_.flow_case || !sound("scalars")) return;
    for (const auto& [block, name, place] : deck_.named_scalars)
      if (name == kSecondGas)
        errors_.error(place, fmt::format("'{}' names {}, which is no scalar", block, quote(name)),
                      "it is a key of its own, beside density");
      else if (!config_.scalars.has(name))
        errors_.error(place,
                      fmt::format("'{}' names {}, which is no scalar of the flow{}", block, quote(name),
                                  did_you_mean(name, problem_.scalars)),
                      "the deck's block 'scalars' declares them: 'scalars: {dye: 0}'");
  }

  /// Refuses the fourth-order flux with a second-order reconstruction, or with scalars.
  void check_averages() {
    if (!sound("scheme.averages") || !problem_.has_fourth_order_flux()) return;
    if (sound("scheme.reconstruction") && facts_of(scheme_.reconstruction).order < 4)
      refuse("scheme.averages",
             fmt::format("averages of fourth order beside 'scheme.reconstruction: {}'",
                         name_of(kReconstructions, scheme_.reconstruction)),
             fmt::format("take {}, or leave it at midpoint", reconstructions_of_order(4)));
    if (!problem_.scalars.empty())
      refuse("scheme.averages",
             fmt::format("averages of fourth order do not correct the flux of {}", carried()),
             "leave it at midpoint");
  }

  /// Refuses the positivity limiter for combinations it is not compiled for: it needs hllc and no scalars.
  void check_positivity() {
    if (!sound("positivity") || scheme_.positivity == Positivity::none) return;
    const std::string_view word = name_of(kPositivities, scheme_.positivity);
    if (sound("scheme.riemann") && scheme_.riemann != Riemann::hllc)
      refuse("scheme.riemann",
             fmt::format("the fluxes of {} cannot be limited by 'positivity: {}'",
                         name_of(kRiemanns, scheme_.riemann), word),
             "hllc is the Riemann solver whose fluxes can");
    if (!problem_.scalars.empty())
      refuse("positivity", fmt::format("'positivity: {}' does not limit the flux of {}", word, carried()),
             "leave it at none: the ladder of soft_error serves here");
  }

  bool is_single() const { return scheme_.precision == Precision::single_precision; }
  bool is_constant() const { return facts_of(scheme_.reconstruction).radius == 0; }

  ValidatedDeck& deck_;
  const FieldReader& read_file_;
  RunConfig& config_;
  Problem& problem_;
  const Scheme& scheme_;
  const std::array<int, 3>& cells_;
  Diagnostics& errors_;
};

}  // namespace

void apply_rules(ValidatedDeck& deck, const FieldReader& read_file, Diagnostics& errors) {
  Rules(deck, read_file, errors).apply();
}

}  // namespace halfstep
