// fields.xmf, or NAME.xmf of an output: a series of dumps as XDMF 3 (xdmf.org, "XDMF Model and Format"), a
// temporal collection of uniform grids. It names the datasets in the dumps and copies none.
#pragma once

#include <string>
#include <vector>

#include "app/output/growing_list.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// The text around the grids. A grid is a line, so that a restart can keep those of earlier dumps.
extern const ListFrame kXdmfFrame;

/// What the dumps of a run have in common.
struct DumpContents {
  Mesh mesh;
  std::vector<std::string> fields;  ///< names of datasets in /VTKHDF/CellData
  Precision precision = Precision::double_precision;
};

/// Returns the line of the dump in file `name` at `time`.
std::string xdmf_grid(const std::string& name, double time, const DumpContents& contents);

/// Returns the name of the dump that a line describes, or nothing for the lines around the grids.
std::string dump_of_xdmf_grid(const std::string& line);

}  // namespace halfstep
