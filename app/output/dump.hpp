// fields_000000.vtkhdf: the flow at one time, as VTKHDF ImageData 1.0 (docs.vtk.org, "VTKHDF File Format"),
// and fields.vtkhdf.series, ParaView's list of the dumps with their times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "physics/solver.hpp"
#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

struct DumpInfo {
  double time = 0;
  std::int64_t step = 0;
  double dt = 0;  ///< of the step that led here
  double gamma = 1.4;
  std::string title;
  std::string deck;  ///< the resolved deck
  std::string git;
  std::string precision;  ///< "double" or "single"; the type of the numbers in the file
  std::string backend;
};

/// The fields as they are asked for; one that is there in the file's own precision is not copied first.
/// /VTKHDF/CellData/density (nz,ny,nx), velocity (nz,ny,nx,3), pressure (nz,ny,nx), mass_fraction (nz,ny,nx;
/// of states with a reactant): those of `selected`. Always three axes. The attributes of `info` lie on the
/// group /halfstep. `compress`: gzip's level, 0 = none. Throws std::runtime_error.
hdf5::Image dump_image(const DumpInfo& info, const Mesh& mesh, const FieldsView& fields,
                       const std::vector<std::string>& selected, int compress = 0);

/// A field of a dump, nz * ny * nx values of `components` numbers each, x fastest.
struct DumpField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};
struct Dump {
  DumpInfo info;
  Mesh mesh;
  std::vector<DumpField> fields;  ///< by name
};
/// Puts what dump_image() made on the disk, sealed. Throws std::runtime_error.
void write_dump(const std::filesystem::path& path, hdf5::Image image);
/// Throws std::runtime_error with the file's name and the reason. Whatever is not found by the seal is met in
/// a child process that reads the file first; files of earlier versions have no seal.
Dump read_dump(const std::filesystem::path& path);
/// Throws as read_dump() does where the file is damaged, or cannot be read safely.
void expect_dump(const std::filesystem::path& path);

/// "fields_000012.vtkhdf"
std::string dump_name(std::int64_t number);

/// The dumps of a run, numbered from 0. Of the list a dump adds to the end alone.
class DumpSeries {
 public:
  /// A new series in `directory`; the list is written with the first dump.
  explicit DumpSeries(std::filesystem::path directory);
  /// Goes on where `next` is the dump to come; the list keeps those before it that are not later than `time`.
  static DumpSeries resume(std::filesystem::path directory, std::int64_t next, double time);

  /// Writes dump `number` of that time, then the list that names it. Returns the dump's file name.
  std::string write(std::int64_t number, double time, hdf5::Image image);

 private:
  /// Returns what it adds to the entries.
  std::string add(const std::string& name, double time);
  void write_list() const;

  std::filesystem::path list_;
  std::string entries_;  ///< a line each, as in the list
};

}  // namespace halfstep
