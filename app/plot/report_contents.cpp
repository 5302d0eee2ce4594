#include "app/plot/report_contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/deck/field_names.hpp"
#include "app/deck/mesh_in_words.hpp"
#include "physics/base/choice.hpp"
#include "physics/solids/solids.hpp"

namespace halfstep {
namespace {

constexpr std::size_t kShownTimes = 4;

/// Returns the fields that a picture of the flow in a plane or in space shows: all that were dumped of the
/// gas.
std::vector<std::string> shown_fields(const RunDirectory& run) {
  if (!run.config || run.config->problem.mesh.dimensions() == 1) return {};
  std::vector<std::string> shown = run.config->dumped_fields();
  std::erase_if(shown, [](const std::string& field) {
    return std::find(kSolidFields.begin(), kSolidFields.end(), field) != kSolidFields.end();
  });
  return shown;
}

/// Returns at most kShownTimes dumps with the first and the last, evenly spaced.
std::vector<NamedFile> shown_times(const RunDirectory& run) {
  std::vector<NamedFile> shown;
  const std::size_t all = run.dumps.size(), count = std::min(all, kShownTimes);
  for (std::size_t n = 0; n < count; ++n)
    shown.push_back({"", run.dumps[n * (all - 1) / (count - 1)].file, &run});
  return shown;
}

/// Returns the deck's value of that full name.
std::string value_of(const RunConfig& config, const std::string& name) {
  for (const auto& [key, value] : config.values)
    if (key == name) return value;
  return "";
}

/// Returns the case with its parameters, those that fit a line: "taylor_green: mach 0.1, density 1.0".
std::string case_in_words(const RunConfig& config) {
  constexpr std::size_t kFits = 40;
  std::vector<std::string> parameters;
  for (const auto& [key, value] : config.values)
    if (key.starts_with("case.") && key != "case.name" && value.size() <= kFits)
      parameters.push_back(fmt::format("{} {}", key.substr(5), value));
  return parameters.empty() ? config.case_name
                            : fmt::format("{}: {}", config.case_name, fmt::join(parameters, ", "));
}

/// Returns the names of the boundaries of an axis, the lower side's first.
std::string boundaries_in_words(const Problem& problem, int axis) {
  const auto [lower, upper] = problem.boundary[axis];
  return lower == upper ? std::string(name_of(kBoundaries, lower))
                        : fmt::format("{}, {}", name_of(kBoundaries, lower), name_of(kBoundaries, upper));
}

/// Returns where the mesh is: "x from 0 to 1", or what makes one of curved elements.
std::string place_of_mesh(const RunConfig& config) {
  const Mesh& mesh = config.problem.mesh;
  if (config.problem.has_hexahedra() && !config.problem.hexahedra->widths)
    return config.mesh_file.empty() ? "map " + value_of(config, "mesh.map") : config.mesh_file;
  std::vector<std::string> ends;
  for (int axis = 0; axis < 3; ++axis)
    if (config.cells[axis] > 1)
      ends.push_back(fmt::format("{} from {} to {}", "xyz"[axis], mesh.lower[axis], mesh.upper[axis]));
  return fmt::format("{}", fmt::join(ends, ", "));
}

}  // namespace

std::vector<PictureOrder> report_orders(const RunDirectory& run) {
  std::vector<PictureOrder> orders = run_orders(run, {.fields = shown_fields(run)});
  if (run.dumps.size() > 1) {
    orders.push_back(together_order(shown_times(run), {}));
    orders.back().one_of_several = true;
  }
  return orders;
}

Json report_setup(const RunDirectory& run) {
  Json setup = Json::array();
  if (!run.config) return setup;
  const Mesh& mesh = run.config->problem.mesh;
  setup.push_back({"case", case_in_words(*run.config)});
  setup.push_back({"mesh", mesh_in_words(*run.config, " × ") + "; " + place_of_mesh(*run.config)});
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.active(axis))
      setup.push_back(
          {fmt::format("boundary along {}", "xyz"[axis]), boundaries_in_words(run.config->problem, axis)});
  if (run.config->problem.has_solids()) {
    std::vector<std::string> names;
    for (const Body& body : run.config->problem.solids->bodies()) names.push_back(body.name);
    setup.push_back({"bodies", fmt::format("{}", fmt::join(names, ", "))});
  }
  const Scheme& scheme = run.config->problem.scheme;
  const bool has_elements = scheme.method == Method::flux_reconstruction;
  const bool has_fixed_step = run.config->limits.fixed_dt > 0;
  for (const auto& [name, keys] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"method", {"scheme.method"}},
           {"reconstruction",
            facts_of(scheme.reconstruction).has_limiter
                ? std::vector<std::string>{"scheme.reconstruction", "scheme.limiter", "scheme.variables"}
                : std::vector<std::string>{"scheme.reconstruction", "scheme.variables"}},
           {"Riemann solver", {"scheme.riemann"}},
           {"integrator", {"scheme.integrator"}},
           {"gamma", {"gas.gamma"}},
           {"viscosity", {"gas.viscosity"}},
           {has_fixed_step ? "time step" : "CFL number", {has_fixed_step ? "time.dt" : "time.cfl"}},
           {"last remedy for bad cells", {"soft_error.on_exhausted"}}}) {
    if (name == (has_elements ? "reconstruction" : "method")) continue;
    std::vector<std::string> values;
    for (const std::string& key : keys)
      if (const std::string value = value_of(*run.config, key); !value.empty()) values.push_back(value);
    if (!values.empty()) setup.push_back({name, fmt::format("{}", fmt::join(values, ", "))});
  }
  return setup;
}

}  // namespace halfstep
