// Dumps and checkpoints that all ranks write together: the first makes the file and all but the values of its
// fields, every rank writes those of its block, and the first ends the file.
#pragma once

#include <string>

#include "app/deck/config.hpp"
#include "app/output/solid_fields.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/checkpoint/sealed_file.hpp"

namespace halfstep {

enum class FileOfRanks { dump, checkpoint };

/// Has all ranks write the fields of `state` into the file, and returns it, complete but for its commit(). On
/// the first rank. Throws std::runtime_error that names the file, the reason and the rank.
SealedFile write_with_all_ranks(FileOfRanks kind, PartedFile file, const RunConfig& config,
                                SolidFields& solids, Snapshot& state);

/// Writes another rank's block, as write_with_all_ranks() ordered. Errors are told on the first rank alone.
void write_own_block(const std::string& order, const RunConfig& config, SolidFields& solids,
                     const SnapshotBlock& block);

}  // namespace halfstep
