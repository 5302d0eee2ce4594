// Checkpoints of earlier versions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/checkpoint/record_file.hpp"

namespace halfstep {

/// Writes a checkpoint of two cells as earlier versions did, every number 7 or 0.5; it may claim more cells.
/// `budget`: the numbers of its budget, if it has one.
inline void write_old_version(const std::filesystem::path& path, int version, std::int64_t cells = 2,
                              std::size_t budget = 0) {
  RecordWriter file(path, "halfstep checkpoint", version);
  for (const char* name : {"deck", "precision", "backend", "git"}) file.write(name, std::string(name));
  for (const char* name : {"time", "last_dt", "signal_rate"}) file.write(std::string("state/") + name, 0.5);
  for (const char* name : {"step", "next_output", "level", "accepted_at_level", "next_dump", "epoch"})
    file.write(std::string("state/") + name, std::int64_t{7});
  if (version == 1) {
    file.write("state/halvings", std::int64_t{2});
  } else {
    file.write("state/last_helped", std::int64_t{1});
    file.write("state/remembered", std::int64_t{7});
    for (const char* name : {"first_order_steps", "floored_cells", "injected_faults"})
      file.write(std::string("counters/") + name, std::int64_t{7});
    for (const char* name : {"floor_mass", "floor_energy"}) file.write(std::string("counters/") + name, 0.5);
  }
  for (const char* name : {"attempts", "rejections", "repaired_faces"})
    file.write(std::string("counters/") + name, std::int64_t{7});
  for (const char* name : {"wall_seconds", "redo_seconds"}) file.write(std::string("counters/") + name, 0.5);
  file.write<std::int64_t>("mesh/cells", std::vector<std::int64_t>{cells, 1, 1}, {3});
  for (const char* name : {"mesh/lower", "mesh/upper"})
    file.write<double>(name, std::vector<double>{0, 0, 0}, {3});
  file.write("gamma", 1.4);
  for (const char* name : {"density", "momentum_x", "momentum_y", "momentum_z", "energy"})
    file.write<double>(std::string("fields/") + name, std::vector<double>{1, 2}, {1, 1, 2});
  if (budget > 0) file.write<double>("counters/budget", std::vector<double>(budget, 0.5), {budget});
  file.commit();
}

}  // namespace halfstep
