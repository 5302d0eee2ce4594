#include "app/run/initial_state.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/deck/diagnostic.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/flux/riemann/roe_averages.hpp"

namespace halfstep {

namespace {

/// Throws DeckError for densities whose products overflow or underflow: there a Riemann solver gives a wrong
/// flux, and not always a non-finite one.
void expect_densities_in_range(const StateSurvey& survey, Precision precision, const std::string& where) {
  const bool is_single = precision == Precision::single_precision;
  const double limit = is_single ? kLargestDensity<float> : kLargestDensity<double>;
  const double least = survey.least_density, largest = survey.largest_density;
  if (least >= 1 / limit && largest <= limit) return;
  throw DeckError(
      {{.where = where,
        .message = fmt::format(
            "the initial densities reach from {:.3g} to {:.3g}; {} precision works with {:g} to {:g}", least,
            largest, name_of(kPrecisions, precision), 1 / limit, limit),
        .help = is_single ? "choose other units, or scheme.precision=double" : "choose other units"}});
}

std::string remedy_for(Precision precision) {
  return precision == Precision::single_precision ? "scheme.precision=double"
                                                  : "a frame of reference that moves with the gas";
}

std::string remark_on(const std::string& what, const HeldPressure& held, const Problem& problem) {
  const Precision precision = problem.scheme.precision;
  const std::string by_how_much = held.uncertainty < 1
                                      ? fmt::format("may change it by {:.2g} %", 100 * held.uncertainty)
                                      : "may leave nothing of it";
  return fmt::format(
      "{} {:.6g} {} is little beside the kinetic energy: rounding to {} precision {}; {} holds it", what,
      held.pressure, place_of(held.cell, problem.mesh), name_of(kPrecisions, precision), by_how_much,
      remedy_for(precision));
}

void expect_let_in(const HeldPressure& let_in, const Problem& problem, const std::string& where) {
  if (let_in.positive) return;
  const bool is_a_gas = let_in.density > 0 && let_in.pressure > 0;
  const std::string state =
      fmt::format("the state that a boundary lets in {}, density {:.6g} and pressure {:.6g}, is not positive",
                  place_of(let_in.cell, problem.mesh), let_in.density, let_in.pressure);
  if (!is_a_gas)
    throw DeckError({{.where = where,
                      .message = state,
                      .help = "check the values of mesh.boundary, and those of the case"}});
  throw DeckError({{.where = where,
                    .message = fmt::format("{} once it is rounded to {} precision", state,
                                           name_of(kPrecisions, problem.scheme.precision)),
                    .help = remedy_for(problem.scheme.precision) + " can hold it"}});
}

[[noreturn]] void refuse_fraction(const BadFraction& bad, const RunConfig& config, const std::string& where) {
  const std::string& name = config.problem.scalars[static_cast<std::size_t>(bad.scalar)];
  throw DeckError({{.where = where,
                    .message = fmt::format("the {} fraction of {} that a boundary lets in {}, {:.6g}, is not "
                                           "between 0 and 1",
                                           name == kSecondGas ? "volume" : "mass", name,
                                           place_of(bad.cell, config.problem.mesh), bad.fraction),
                    .help = "check its expression beyond the mesh, where inflow takes it"}});
}

[[noreturn]] void refuse_pressure(const HeldPressure& held, const Problem& problem,
                                  const std::string& where) {
  const Precision precision = problem.scheme.precision;
  throw DeckError(
      {{.where = where,
        .message = fmt::format("the pressure {:.6g} {} {} in {} precision", held.pressure,
                               place_of(held.cell, problem.mesh),
                               held.positive ? "is lost beside the kinetic energy" : "is not positive",
                               name_of(kPrecisions, precision)),
        .help = remedy_for(precision) + " can hold it" +
                (held.positive ? ", soft_error.on_exhausted=floor raises it" : "")}});
}

}  // namespace

std::string place_of(const std::array<int, 3>& cell, const Mesh& mesh) {
  const auto& [i, j, k] = cell;
  const auto [x, y, z] = mesh.center(i, j, k);
  return fmt::format("at ({:.6g}, {:.6g}, {:.6g})", x, y, z);
}

void expect_held(const StateSurvey& survey, const RunConfig& config, const std::string& where) {
  expect_let_in(survey.let_in, config.problem, where);
  if (survey.bad_fraction) refuse_fraction(*survey.bad_fraction, config, where);
  if (!survey.inside.positive) refuse_pressure(survey.inside, config.problem, where);
}

void expect_can_begin(const StateSurvey& survey, const RunConfig& config, const std::string& where) {
  expect_densities_in_range(survey, config.problem.scheme.precision, where);
  expect_held(survey, config, where);
  const bool floors =
      config.limits.last_remedy == Remedy::floor;  // floors raise the pressure in the first step
  if (!survey.inside.admissible && !floors) refuse_pressure(survey.inside, config.problem, where);
}

std::vector<std::string> remarks_on_rounding(const StateSurvey& survey, const Problem& problem) {
  constexpr double told = 1e-3;
  std::vector<std::string> remarks;
  if (survey.inside.uncertainty > told)
    remarks.push_back(remark_on("the initial pressure", survey.inside, problem));
  if (survey.let_in.uncertainty > told)
    remarks.push_back(remark_on("the pressure that a boundary lets in,", survey.let_in, problem));
  return remarks;
}

StateSurvey survey_of_initial_state(const RunConfig& config, const std::string& where) {
  const Problem& problem = config.problem;
  InitialState initial(*config.flow_case, config.scalars, problem.mesh, problem.gases());
  SurveyedRows surveyed(initial, problem, 0);
  const Layout layout = layout_of(problem);
  try {
    for_slabs(layout, surveyed, [](std::int64_t, std::int64_t, const RowPointers&) {});
  } catch (const std::invalid_argument& error) {
    throw unphysical_state(error, where);
  }
  expect_can_begin(surveyed.survey(), config, where);
  return surveyed.survey();
}

void expect_sponges(const Problem& problem, const std::string& where) {
  try {
    if (problem.has_sponges()) problem.sponges->cells();
  } catch (const std::invalid_argument& error) {
    throw unsound_sponge(error, where);
  }
}

DeckError unsound_sponge(const std::invalid_argument& error, const std::string& where) {
  return DeckError({{.where = where,
                     .message = error.what(),
                     .help = "rates must be finite and at least 0, densities and pressures positive"}});
}

DeckError unphysical_state(const std::invalid_argument& error, const std::string& where) {
  return DeckError({{.where = where, .message = error.what(), .help = "check the parameters of the case"}});
}

}  // namespace halfstep
