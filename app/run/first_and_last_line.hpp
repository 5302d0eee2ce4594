// The first two lines and the last one that a run prints.
#pragma once

#include <filesystem>
#include <string>

#include "app/deck/config.hpp"
#include "app/output/summary.hpp"

namespace halfstep {

/// Returns e.g. "Sod shock tube: 256 cells, weno5z, hllc, ssprk3, double precision; host (AMD EPYC, 1
/// thread)".
std::string first_line(const RunConfig& config, const Solver& solver);
/// Returns e.g. "34.2 KiB on the host; writes to out/sod".
std::string second_line(const Solver& solver, const std::filesystem::path& directory);

/// Returns "wrote out/sod; see it: halfstep plot out/sod", or the restart command if the run did not reach
/// its end.
std::string last_line(RunStatus status, const std::filesystem::path& directory);

}  // namespace halfstep
