#include "app/deck/outputs.hpp"

#include <algorithm>

namespace halfstep {
namespace {

constexpr const char* kMassFraction = "mass_fraction";

/// Returns the keys of every output.
std::vector<Parameter> common_parameters() {
  Parameter name{.name = "name",
                 .fallback = std::string(),
                 .unit = "",
                 .meaning = "what its files are called: letters, digits, '_' and '-'"};
  name.required = true;
  Parameter fields{
      .name = "fields",
      .fallback = std::vector<std::string>{"density", "velocity_x", "velocity_y", "velocity_z", "pressure"},
      .unit = "",
      .meaning = "what it has of each cell",
      .choices = names(kFlowFieldNames)};
  fields.choices.emplace_back(kMassFraction);
  fields.any_of_set = true;
  return {name,
          fields,
          {"every", 0.0, "time", "at every multiple of this time, where a step ends; 0 = off", at_least(0)},
          {"every_steps", std::int64_t{0}, "steps", "every so many steps; 0 = off", at_least(0)},
          {.name = "precision",
           .fallback = std::string("double"),
           .unit = "",
           .meaning = "of its numbers",
           .choices = names(kPrecisions)}};
}

std::vector<Parameter> parameters_of(OutputKind kind) {
  if (kind == OutputKind::line) {
    Parameter through{.name = "through",
                      .fallback = std::vector<double>(3),
                      .unit = "length",
                      .meaning = "a place in the domain; its coordinate along the axis does not count"};
    through.required = true;
    Parameter axis{.name = "axis",
                   .fallback = std::string("x"),
                   .unit = "",
                   .meaning = "the direction of the line",
                   .choices = {"x", "y", "z"}};
    return {axis, through};
  }
  Parameter points{.name = "points",
                   .fallback = Places(),
                   .unit = "length",
                   .meaning = "places in the domain; along an axis that is not swept any coordinate in it"};
  points.required = true;
  return {points};
}

}  // namespace

std::vector<ItemKind> output_kinds() {
  std::vector<ItemKind> kinds;
  for (const auto& [value, name, summary] : kOutputKinds) {
    std::vector<Parameter> parameters = common_parameters();
    for (Parameter& own : parameters_of(value)) parameters.push_back(std::move(own));
    kinds.push_back({std::string(name), std::string(summary), std::move(parameters)});
  }
  return kinds;
}

std::vector<OutputRequest> output_requests(const Items& items) {
  std::vector<OutputRequest> requests;
  for (const Values& item : items) {
    OutputRequest& request = requests.emplace_back();
    request.name = item.word("name");
    request.kind = value_of(kOutputKinds, item.word(kOutputKey));
    request.cadence = {item.real("every"), item.integer("every_steps")};
    for (const std::string& field : item.words("fields"))
      if (field == kMassFraction)
        request.mass_fractions = true;
      else
        request.fields.push_back(value_of(kFlowFieldNames, field));
    request.precision = value_of(kPrecisions, item.word("precision"));
    if (request.kind == OutputKind::probes) {
      request.points = item.places("points");
    } else {
      const std::vector<double>& through = item.reals("through");
      request.points = {{through[0], through[1], through[2]}};
      request.axis = item.word("axis")[0] - 'x';
    }
  }
  return requests;
}

std::vector<std::string> names_of(const std::vector<OutputRequest>& requests) {
  std::vector<std::string> names;
  for (const OutputRequest& request : requests) names.push_back(request.name);
  return names;
}

LandingTimes landing_times(const std::vector<OutputRequest>& requests) {
  LandingTimes landings;
  for (const OutputRequest& request : requests) {
    const double every = request.cadence.every;
    const auto end = landings.every + landings.count;
    if (every > 0 && landings.count < LandingTimes::kMost && std::find(landings.every, end, every) == end)
      landings.every[landings.count++] = every;
  }
  return landings;
}

}  // namespace halfstep
