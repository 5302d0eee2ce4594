// history.csv: integrals and extrema of the flow, one row per step.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/append_file.hpp"
#include "app/output/budget_table.hpp"
#include "physics/diagnostics/load_coefficients.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/solver.hpp"
#include "physics/sources/sponge.hpp"

namespace halfstep {

/// The columns. Readers select columns by name; new ones are appended at the end.
inline constexpr std::string_view kHistoryHeader =
    "step,time,dt,attempts,mass,momentum_x,momentum_y,momentum_z,energy,kinetic_energy,min_density,min_"
    "pressure,"
    "max_mach,repaired_faces,floored_cells,floor_mass,floor_energy,"
    "floor_momentum_x,floor_momentum_y,floor_momentum_z,cfl_i,cfl_j,cfl_k";
/// The columns of a run with sponges: what they have added since the beginning.
inline constexpr std::string_view kSpongeColumns =
    "sponge_mass,sponge_energy,sponge_momentum_x,sponge_momentum_y,sponge_momentum_z";
/// Columns after those of kHistoryHeader that only some runs have.
struct OptionalColumns {
  std::vector<std::string> carried = {};  ///< NAME_mass of each scalar, second_gas_volume
  bool enstrophy = false;                 ///< enstrophy
  bool sponges = false;                   ///< kSpongeColumns
  std::vector<std::string> bodies = {};   ///< names; the columns of each are in columns_of_body()
  LoadReference reference = {};           ///< given: those of coefficient_columns_of_body(), too
  bool budgets = false;                   ///< those of the ways into the domain, and the drift
  std::vector<BudgetWay> ways = {};
  std::array<int, 3> cells = {1, 1, 1};  ///< of the mesh
};

/// Returns the names of the bodies, or of the walls of hexahedra, whose loads a history has.
std::vector<std::string> names_of_loads(const Problem& problem);
/// Returns the columns of a body: the force of the gas on it, the part of friction in it, its moment, its
/// heat.
std::string columns_of_body(const std::string& name);
/// Returns the columns of its coefficients: of force, moment and heat.
std::string coefficient_columns_of_body(const std::string& name);

struct HistoryRow {
  std::int64_t step = 0;  ///< accepted steps; 0 the initial state
  double time = 0;
  double dt = 0;              ///< of this step; 0 in row 0
  std::int64_t attempts = 0;  ///< of this step; 0 in row 0
  Totals totals;
  // The step's last attempt:
  std::int64_t repaired_faces = 0;
  FloorSums floored{};
  // In all steps so far:
  SpongeSums sponged{};
  Budget budget{};
  Drift drift{};
};

/// Each row is written at once, numbers with 17 significant digits. Throws std::runtime_error.
class History {
 public:
  /// Begins a new file with its header.
  explicit History(const std::filesystem::path& path, OptionalColumns optional = {});
  /// Continues after the row of `step` and cuts off later rows. Begins a missing file.
  static History resume(const std::filesystem::path& path, std::int64_t step, OptionalColumns optional = {});

  void write(const HistoryRow& row);
  void synchronise() const { file_.synchronise(); }

 private:
  History(AppendFile file, OptionalColumns optional)
      : file_(std::move(file)), optional_(std::move(optional)) {}
  AppendFile file_;
  OptionalColumns optional_;
};

}  // namespace halfstep
