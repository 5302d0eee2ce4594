// The entries of the deck's list `outputs`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "physics/base/choice.hpp"
#include "physics/base/parameter.hpp"
#include "physics/diagnostics/flow_field.hpp"
#include "physics/diagnostics/histogram.hpp"
#include "physics/flux/scheme.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

enum class OutputKind { probes, line, slice, box, fields, profile, flattened, averages, spectrum, histogram };
inline constexpr Choice<OutputKind> kOutputKinds[] = {
    {OutputKind::probes, "probes",
     "the cells that hold some points: NAME.csv, a row each time, a column for each field and point"},
    {OutputKind::line, "line",
     "the cells along an axis through a point: NAME.csv, a row each time, a column for each field and cell"},
    {OutputKind::slice, "slice",
     "the cells of a plane across an axis: NAME_000000.vtkhdf and so on, a file each time, as dumps"},
    {OutputKind::box, "box",
     "the cells of a box, or every n-th of them: NAME_000000.vtkhdf and so on, a file each time, as dumps"},
    {OutputKind::fields, "fields", "all cells: NAME_000000.vtkhdf and so on, a file each time, as dumps"},
    {OutputKind::profile, "profile",
     "averages over the planes across an axis: NAME.csv, a row each time, a column for each field and plane"},
    {OutputKind::flattened, "flattened",
     "averages along an axis: NAME_000000.vtkhdf and so on, a file each time, as dumps of a plane"},
    {OutputKind::averages, "averages",
     "averages over time, in every cell, of all states so far: NAME_000000.vtkhdf and so on, a file each "
     "time"},
    {OutputKind::spectrum, "spectrum",
     "the kinetic energy of a periodic flow by wave number: NAME.csv, a row each time, a column for each "
     "shell"},
    {OutputKind::histogram, "histogram",
     "how a field is distributed over the cells: NAME.csv, a row for each time and bin, as histogram.csv"},
};

/// What the file of a table is.
enum class TableFormat { csv, hdf5 };
inline constexpr Choice<TableFormat> kTableFormats[] = {
    {TableFormat::csv, "csv", "text: NAME.csv"},
    {TableFormat::hdf5, "hdf5", "numbers as they are: NAME.h5"},
};

/// Whether an output is a series of files as dumps; else it is a table, NAME.csv or NAME.h5.
inline bool is_series(OutputKind kind) {
  return kind == OutputKind::slice || kind == OutputKind::box || kind == OutputKind::flattened ||
         kind == OutputKind::averages || kind == OutputKind::fields;
}
/// Whether an output has averages over cells.
inline bool is_averaged(OutputKind kind) {
  return kind == OutputKind::profile || kind == OutputKind::flattened;
}

/// Whether an output reads the states of all cells.
inline bool takes_all_cells(OutputKind kind) {
  return is_averaged(kind) || kind == OutputKind::fields || kind == OutputKind::averages ||
         kind == OutputKind::spectrum;
}

/// The key that says of which kind an output is.
inline constexpr const char* kOutputKey = "kind";

/// When an output is written, beside the initial state. At least one of them is > 0. Wall time is none of
/// them: rows that the clock asks for would differ from run to run.
struct Cadence {
  double every = 0;              ///< simulation time; steps end at its multiples
  std::int64_t every_steps = 0;  ///< steps
};

struct OutputRequest {
  std::string name;
  OutputKind kind{};
  Cadence cadence;
  std::vector<FlowField> fields;
  bool mass_fractions = false;  ///< also the mass fraction of each scalar
  Precision precision = Precision::double_precision;
  TableFormat format = TableFormat::csv;
  Places points;  ///< of probes; of a line one that it goes through; of a box its lower and upper corner
  int axis = 0;   ///< of a line and a profile, across a slice, and that a plane is flattened along
  double position = 0;          ///< of a slice along the axis
  std::int64_t every_cell = 1;  ///< of a box
  // Of averages over time:
  double from = 0;                ///< the time at which they begin
  std::int64_t sample_steps = 1;  ///< a state is taken in every so many steps
  bool covariances = false;
  HistogramRequest histogram;

  /// Whether it needs the states of neighbours.
  bool has_gradients() const { return std::any_of(fields.begin(), fields.end(), is_of_gradient); }
  /// Whether both have the same values in the same columns.
  bool has_columns_of(const OutputRequest& other) const {
    return kind == other.kind && fields == other.fields && mass_fractions == other.mass_fractions &&
           points == other.points && axis == other.axis && position == other.position &&
           every_cell == other.every_cell && from == other.from && covariances == other.covariances &&
           format == other.format && histogram == other.histogram &&
           (format != TableFormat::hdf5 || precision == other.precision);
  }
};

/// Returns the kinds with their keys.
std::vector<ItemKind> output_kinds();
/// Returns the entries of a list whose values are valid.
std::vector<OutputRequest> output_requests(const Items& items);
/// What an output with a series of dumps adds to its name in the mark of a directory.
inline constexpr std::string_view kSeriesSuffix = ".vtkhdf";
/// And what one with a table of numbers adds.
inline constexpr std::string_view kNumbersSuffix = ".h5";
/// Returns the name of the file of an output that is a table.
std::string file_of_table(const OutputRequest& request);
/// Returns what says of each output which files it writes: NAME of a table in text, NAME.h5 of one of
/// numbers, NAME.vtkhdf of a series.
std::vector<std::string> files_of(const std::vector<OutputRequest>& requests);
/// Returns the different times of the cadences, as many as a run can have.
LandingTimes landing_times(const std::vector<OutputRequest>& requests);

}  // namespace halfstep
