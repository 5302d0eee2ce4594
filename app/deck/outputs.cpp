#include "app/deck/outputs.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace halfstep {
namespace {

constexpr const char* kMassFraction = "mass_fraction";

/// Returns a key without a default. `type`: a value of its type.
Parameter required(const char* name, Value type, const char* unit, const char* meaning) {
  Parameter parameter{.name = name, .fallback = std::move(type), .unit = unit, .meaning = meaning};
  parameter.required = true;
  return parameter;
}

/// Whether a deck chooses the fields of such an output.
bool has_chosen_fields(OutputKind kind) {
  return kind != OutputKind::spectrum && kind != OutputKind::histogram;
}

/// Whether an output is a table with a row a time.
bool is_table_of_rows(OutputKind kind) { return !is_series(kind) && kind != OutputKind::histogram; }

/// Returns the keys of every output, and those of many kinds.
std::vector<Parameter> common_parameters(OutputKind kind) {
  Parameter fields{
      .name = "fields",
      .fallback = std::vector<std::string>{"density", "velocity_x", "velocity_y", "velocity_z", "pressure"},
      .unit = "",
      .meaning = "what it has of each cell",
      .choices = names(kFlowFieldNames)};
  fields.choices.emplace_back(kMassFraction);
  fields.any_of_set = true;
  std::vector<Parameter> all = {
      required("name", std::string(), "", "what its files are called: letters, digits, '_' and '-'"),
      {"every", 0.0, "time", "at every multiple of this time, where a step ends; 0 = off", at_least(0)},
      {"every_steps", std::int64_t{0}, "steps", "every so many steps; 0 = off", at_least(0)}};
  if (kind != OutputKind::histogram)
    all.push_back({.name = "precision",
                   .fallback = std::string("double"),
                   .unit = "",
                   .meaning = "of its numbers",
                   .choices = names(kPrecisions)});
  if (is_table_of_rows(kind))
    all.push_back({.name = "format",
                   .fallback = std::string("csv"),
                   .unit = "",
                   .meaning = "of its file",
                   .choices = names(kTableFormats)});
  if (has_chosen_fields(kind)) all.insert(all.begin() + 1, fields);
  return all;
}

Parameter axis(const char* fallback, const char* meaning) {
  return {.name = "axis",
          .fallback = std::string(fallback),
          .unit = "",
          .meaning = meaning,
          .choices = {"x", "y", "z"}};
}

std::vector<Parameter> parameters_of(OutputKind kind) {
  const std::vector<double> place(3);
  switch (kind) {
    case OutputKind::probes:
      return {required("points", Places(), "length",
                       "places in the domain; along an axis that is not swept any coordinate in it")};
    case OutputKind::line:
      return {axis("x", "the direction of the line"),
              required("through", place, "length",
                       "a place in the domain; its coordinate along the axis does not count")};
    case OutputKind::slice:
      return {axis("z", "the direction across the plane"),
              required("position", 0.0, "length", "where the plane cuts the axis")};
    case OutputKind::profile:
      return {axis("y", "the direction along which it is resolved; it averages over the two others")};
    case OutputKind::flattened:
      return {axis("z", "the direction that it averages along")};
    case OutputKind::fields:
    case OutputKind::spectrum:
      return {};
    case OutputKind::averages:
      return {
          {"from", 0.0, "time", "where the averages begin", at_least(0)},
          {"sample_steps", std::int64_t{1}, "steps", "a state is taken in every so many steps", at_least(1)},
          {"covariances", false, "", "whether it has the covariance of each pair of fields, too"}};
    case OutputKind::histogram:
      return {{.name = "field",
               .fallback = std::string("density"),
               .unit = "",
               .meaning = "whose distribution over the cells it has",
               .choices = names(kHistogramFields)},
              {"bins", std::int64_t{64}, "", "of equal width", between(1, 4096)},
              {"lower", 0.0, "of the field", "the lower end of the bins"},
              {"upper", 0.0, "of the field", "the upper end of the bins; both 0 = the extrema of the state"}};
    case OutputKind::box:
      break;
  }
  return {required("lower", place, "length", "lower corner of the box"),
          required("upper", place, "length", "upper corner of the box"),
          {"every_cell", std::int64_t{1}, "", "along each axis: 1 = every cell, 2 = every second, ...",
           at_least(1)}};
}

/// Returns a place of three numbers.
std::array<double, 3> place_of(const Values& item, const char* key) {
  const std::vector<double>& place = item.reals(key);
  return {place[0], place[1], place[2]};
}

/// Reads the keys of the request's kind.
void read_kind(OutputRequest& request, const Values& item) {
  switch (request.kind) {
    case OutputKind::probes:
      request.points = item.places("points");
      return;
    case OutputKind::line:
      request.points = {place_of(item, "through")};
      request.axis = item.word("axis")[0] - 'x';
      return;
    case OutputKind::slice:
      request.axis = item.word("axis")[0] - 'x';
      request.position = item.real("position");
      return;
    case OutputKind::profile:
    case OutputKind::flattened:
      request.axis = item.word("axis")[0] - 'x';
      return;
    case OutputKind::fields:
      return;
    case OutputKind::spectrum:
      request.fields = {FlowField::velocity_x, FlowField::velocity_y, FlowField::velocity_z};
      return;
    case OutputKind::averages:
      request.from = item.real("from");
      request.sample_steps = item.integer("sample_steps");
      request.covariances = item.flag("covariances");
      return;
    case OutputKind::histogram:
      request.histogram = {value_of(kHistogramFields, item.word("field")),
                           static_cast<int>(item.integer("bins")), item.real("lower"), item.real("upper")};
      return;
    case OutputKind::box:
      request.points = {place_of(item, "lower"), place_of(item, "upper")};
      request.every_cell = item.integer("every_cell");
      return;
  }
}

}  // namespace

std::vector<ItemKind> output_kinds() {
  std::vector<ItemKind> kinds;
  for (const auto& [value, name, summary] : kOutputKinds) {
    std::vector<Parameter> parameters = common_parameters(value);
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
    for (const std::string& field :
         has_chosen_fields(request.kind) ? item.words("fields") : std::vector<std::string>())
      if (field == kMassFraction)
        request.mass_fractions = true;
      else
        request.fields.push_back(value_of(kFlowFieldNames, field));
    if (request.kind != OutputKind::histogram)
      request.precision = value_of(kPrecisions, item.word("precision"));
    if (is_table_of_rows(request.kind)) request.format = value_of(kTableFormats, item.word("format"));
    read_kind(request, item);
  }
  return requests;
}

std::string file_of_table(const OutputRequest& request) {
  return request.name + (request.format == TableFormat::hdf5 ? std::string(kNumbersSuffix) : ".csv");
}

std::vector<std::string> files_of(const std::vector<OutputRequest>& requests) {
  std::vector<std::string> files;
  for (const OutputRequest& request : requests)
    files.push_back(request.name + std::string(is_series(request.kind)               ? kSeriesSuffix
                                               : request.format == TableFormat::hdf5 ? kNumbersSuffix
                                                                                     : ""));
  return files;
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
