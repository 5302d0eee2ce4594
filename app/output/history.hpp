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
    "max_mach,repaired_faces,floored_cells,floor_mass,floor_energy";
/// The column behind them where the state has a reactant.
inline constexpr std::string_view kReactantColumn = ",reactant_mass";

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
  explicit History(const std::filesystem::path& path, bool has_reactant = false);
  /// Goes on after the row of `step`; rows of later steps are cut off. A missing file is begun.
  static History resume(const std::filesystem::path& path, std::int64_t step, bool has_reactant = false);

  void write(const HistoryRow& row);
  void synchronise() const { file_.synchronise(); }

 private:
  History(AppendFile file, bool has_reactant) : file_(std::move(file)), has_reactant_(has_reactant) {}
  AppendFile file_;
  bool has_reactant_;
};

}  // namespace halfstep
