// Lists what the report of a run shows beside the run's own files.
#pragma once

#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/plot/run_picture.hpp"

namespace halfstep {

/// Returns the pictures of a report: those of a run with further fields, and several times together.
std::vector<PictureOrder> report_orders(const RunDirectory& run);

/// Returns [name, value] of mesh, scheme, gas, CFL number, boundaries and last remedy, as the deck has them;
/// empty without a deck.
Json report_setup(const RunDirectory& run);

}  // namespace halfstep
