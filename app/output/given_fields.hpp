// The state in a file from which a run begins: a dump, a checkpoint, or datasets of another program.
#pragma once

#include "physics/cases/given_fields.hpp"

namespace halfstep {

/// Reads the cell averages in a file. Checkpoints keep their bits where their gamma is that of the request;
/// else, as in dumps, density, velocity and pressure are kept. The datasets of another program have one index
/// for each axis, x the last one; conserved ones keep their bits. Throws CaseError about case.file or one of
/// case.datasets with the reason: a file that is missing, no regular one, too large for the main memory,
/// damaged, not HDF5, or that has not what is asked for. Files of other programs are read by a child process
/// first.
GivenFields read_given_fields(const FieldRequest& request);

}  // namespace halfstep
