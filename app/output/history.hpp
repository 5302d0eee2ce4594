// history.csv: what the flow as a whole does, a row a step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "app/output/append_file.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// The columns. Readers select by name; new ones are appended at the end.
inline constexpr std::string_view kHistoryHeader =
    "step,time,dt,attempts,mass,momentum_x,momentum_y,momentum_z,energy,kinetic_energy,min_density,min_"
    "pressure,"
    "max_mach,repaired_faces,floored_cells,floor_mass,floor_energy,"
    "floor_momentum_x,floor_momentum_y,floor_momentum_z";
/// The columns behind them that only some runs have.
struct OptionalColumns {
  bool reactant = false;   ///< reactant_mass
  bool enstrophy = false;  ///< enstrophy
};

struct HistoryRow {
  std::int64_t step = 0;  ///< accepted steps; 0 the initial state
  double time = 0;
  double dt = 0;              ///< of the step that led here; 0 in row 0
  std::int64_t attempts = 0;  ///< that step took; 0 in row 0
  Totals totals;
  // Of that step's last attempt:
  std::int64_t repaired_faces = 0;
  FloorSums floored{};
};

/// Rows reach the file one by one, numbers with 17 significant digits. Throws std::runtime_error.
class History {
 public:
  /// A new file with its header.
  explicit History(const std::filesystem::path& path, OptionalColumns optional = {});
  /// Goes on after the row of `step`; rows of later steps are cut off. A missing file is begun.
  static History resume(const std::filesystem::path& path, std::int64_t step, OptionalColumns optional = {});

  void write(const HistoryRow& row);
  void synchronise() const { file_.synchronise(); }

 private:
  History(AppendFile file, OptionalColumns optional) : file_(std::move(file)), optional_(optional) {}
  AppendFile file_;
  OptionalColumns optional_;
};

}  // namespace halfstep
