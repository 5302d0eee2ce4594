// fields_000000.vtkhdf: the flow at one time, as VTKHDF ImageData 1.0 (docs.vtk.org, "VTKHDF File Format");
// on a stretched mesh of a type of our own, which has the faces along each axis as datasets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "physics/solver/solver.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/sealed_file.hpp"

namespace halfstep {

class BlockWriter;
struct SolidValues;

struct DumpInfo {
  double time = 0;
  std::int64_t step = 0;
  double dt = 0;  ///< of the last step
  Gases<double> gases;
  std::string title;
  std::string deck;  ///< the resolved deck
  std::string git;
  std::string precision;  ///< "double" or "single"; the type of the numbers in the file
  std::string backend;
  std::vector<std::string> scalars =
      {};                               ///< their names, in the order of the fields; a second gas is the last
  const SolidValues* solids = nullptr;  ///< of the dump's cells, in a run with bodies
};

/// Builds a dump in memory. A field that already has the file's precision is not copied. Datasets of
/// `selected` fields in /VTKHDF/CellData: density (nz,ny,nx), velocity (nz,ny,nx,3), pressure (nz,ny,nx),
/// by its name the mass fraction of a scalar, or the volume fraction of a second gas (nz,ny,nx), and what
/// kSolidFields name (nz,ny,nx). Always three axes. `info` becomes attributes of the group /halfstep.
/// `compress`: gzip level, 0 = none. Throws std::runtime_error.
hdf5::Image dump_image(const DumpInfo& info, const Mesh& mesh, const FieldsView& fields,
                       const std::vector<std::string>& selected, int compress = 0);

/// Builds a dump in memory of the scalar fields `names`, whose values are given: field by field, x fastest.
/// Throws std::runtime_error.
hdf5::Image image_of_values(const DumpInfo& info, const Mesh& mesh, const std::vector<std::string>& names,
                            const std::vector<std::vector<double>>& values, int compress = 0);

/// Makes a dump, without a value of its fields and of bodies, that several ranks write together: under a
/// temporary name in place of `path`. Throws std::runtime_error.
PartedFile parted_dump(const std::filesystem::path& path, const DumpInfo& info, const Mesh& mesh,
                       const std::vector<std::string>& selected);

/// What the values of a dump's fields depend on, beside the state.
struct DumpGas {
  Gases<double> gases;
  std::string precision;
  std::vector<std::string> scalars;
  const SolidValues* solids = nullptr;  ///< of the cells, in a run with bodies
};
/// Writes a block of the selected fields; `fields` are those of the block. A collective call.
void write_dump_block(BlockWriter& writer, const DumpGas& gas, const FieldsView& fields,
                      const std::vector<std::string>& selected);

/// A field of a dump: nz * ny * nx cells of `components` numbers each, x fastest.
struct DumpField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};
struct Dump {
  DumpInfo info;
  Mesh mesh;
  std::vector<DumpField> fields;  ///< sorted by name
};
/// Writes the image made by dump_image(), with a seal. Throws std::runtime_error.
void write_dump(const std::filesystem::path& path, hdf5::Image image, Safe safe = Safe::at_commit);
/// Reads a dump. Throws std::runtime_error with the file's name and the reason. Because a seal does not
/// detect malicious files, a child process reads the file first; files of earlier versions have no seal.
Dump read_dump(const std::filesystem::path& path);
/// Throws as read_dump() does if the file is damaged or cannot be read safely.
void expect_dump(const std::filesystem::path& path);

/// Returns e.g. "fields_000012.vtkhdf". `series`: "fields", or the name of an output.
std::string dump_name(std::int64_t number, std::string_view series = "fields");

}  // namespace halfstep
