// The contents of a run's file, in one form for all kinds of files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

enum class FileKind { dump, checkpoint, history, histogram, probes, summary };
std::string_view name_of(FileKind kind);

/// Returns the kind by the file's name, or by its header for a CSV file with another name; nothing for a file
/// that no run writes.
std::optional<FileKind> kind_of(const std::filesystem::path& path);

struct Quantity {
  std::string name;
  int components = 1;          ///< numbers per value, adjacent
  std::vector<double> values;  ///< one per cell or row, or a single one for the file
};

struct Contents {
  FileKind kind{};
  std::optional<Mesh> mesh;       ///< if set, one value per cell, x fastest
  std::vector<std::string> rows;  ///< otherwise the rows' labels: "step 12"
  std::vector<Quantity> quantities;
  /// Other entries by name, which may differ between runs of the same flow: how the file was made.
  std::vector<std::pair<std::string, std::string>> remarks;
  std::string deck;  ///< the resolved deck, if the file has it

  /// Returns the number of values of a quantity with one per cell or row.
  std::size_t size() const { return mesh ? static_cast<std::size_t>(mesh->cell_count()) : rows.size(); }
  /// Returns "[12, 0, 0] at (0.39, 0.5, 0.5)", "step 12", or "" for a quantity with a single value.
  std::string place(const Quantity& quantity, std::size_t value) const;
};

/// Reads a file. Throws std::runtime_error with the file's name and the reason if it cannot be read.
Contents read_contents(const std::filesystem::path& path, FileKind kind);

}  // namespace halfstep
