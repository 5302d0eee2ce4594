#include "app/run/first_and_last_line.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "app/base/process.hpp"
#include "app/base/readable_bytes.hpp"
#include "app/deck/mesh_in_words.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {

std::string first_line(const RunConfig& config, const Solver& solver) {
  const Scheme& scheme = config.problem.scheme;
  std::string mesh = mesh_in_words(config, " x ");
  if (scheme.method == Method::finite_volumes)
    mesh += fmt::format(", {}", name_of(kReconstructions, scheme.reconstruction));
  return fmt::format("{}: {}, {}, {}, {} precision; {} ({})",
                     config.title.empty() ? config.case_name : config.title, mesh,
                     name_of(kRiemanns, scheme.riemann), name_of(kIntegrators, scheme.integrator),
                     name_of(kPrecisions, scheme.precision), solver.backend(), solver.device_name());
}

std::string second_line(const Solver& solver, const std::filesystem::path& directory) {
  const std::int64_t device = solver.device_bytes(), host = solver.host_bytes();
  return fmt::format("{}{} on the host; writes to {}",
                     device > 0 ? readable_bytes(device) + " on the device, " : "", readable_bytes(host),
                     shell_word(directory.string()));
}

std::string last_line(RunStatus status, const std::filesystem::path& directory) {
  const std::string name = shell_word(directory.string());
  if (status == RunStatus::stopped_at_max_steps)
    return fmt::format("wrote {0}; go on: halfstep run --restart {0} time.max_steps=0", name);
  if (status == RunStatus::interrupted)
    return fmt::format("wrote {0}; go on: halfstep run --restart {0}", name);
  return fmt::format("wrote {0}; see it: halfstep plot {0}", name);
}

}  // namespace halfstep
