#include "app/plot/report_contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/deck/field_names.hpp"
#include "app/deck/mesh_in_words.hpp"
#include "physics/base/choice.hpp"

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

/// Returns where the mesh is: "x from 0 to 1", or what makes one of curved elements.
std::string place_of_mesh(const RunConfig& config) {
  const Mesh& mesh = config.problem.mesh;
  if (config.problem.has_hexahedra())
    return config.mesh_file.empty() ? "map " + value_of(config, "mesh.map") : config.mesh_file;
  std::vector<std::string> ends;
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.active(axis))
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
  setup.push_back({"mesh", mesh_in_words(*run.config, " × ") + "; " + place_of_mesh(*run.config)});
  const Scheme& scheme = run.config->problem.scheme;
  const bool has_elements = scheme.method == Method::flux_reconstruction;
  for (const auto& [name, keys] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"method", {"scheme.method"}},
           {"reconstruction", {"scheme.reconstruction", "scheme.variables"}},
           {"Riemann solver", {"scheme.riemann"}},
           {"integrator", {"scheme.integrator"}},
           {"gamma", {"gas.gamma"}},
           {"viscosity", {"gas.viscosity"}},
           {"CFL number", {"time.cfl"}},
           {"boundary along x", {"mesh.boundary.x"}},
           {"boundary along y", {"mesh.boundary.y"}},
           {"boundary along z", {"mesh.boundary.z"}},
           {"last remedy", {"soft_error.on_exhausted"}}}) {
    if (name == (has_elements ? "reconstruction" : "method")) continue;
    if (name.starts_with("boundary") && !mesh.active(static_cast<int>(name.back() - 'x'))) continue;
    std::vector<std::string> values;
    for (const std::string& key : keys)
      if (const std::string value = value_of(*run.config, key); !value.empty()) values.push_back(value);
    if (!values.empty()) setup.push_back({name, fmt::format("{}", fmt::join(values, ", "))});
  }
  return setup;
}

}  // namespace halfstep
