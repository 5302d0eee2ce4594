// The lines a run begins and ends with.
#pragma once

#include <filesystem>
#include <string>

#include "app/deck/config.hpp"
#include "app/output/summary.hpp"

namespace halfstep {

/// "Sod shock tube: 256 cells, weno5z, hllc, ssprk3, double precision; host (AMD EPYC, 1 thread)"
std::string first_line(const RunConfig& config, const Solver& solver);

/// "wrote out/sod; see it: halfstep plot out/sod", or how to go on where the run has not come to its end.
std::string last_line(RunStatus status, const std::filesystem::path& directory);

}  // namespace halfstep
