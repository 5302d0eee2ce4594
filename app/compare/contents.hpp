// What a run's file holds, in the one form in which files of every kind are compared.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "physics/mesh.hpp"

namespace halfstep {

enum class FileKind { dump, checkpoint, history, histogram, summary };
std::string_view name_of(FileKind kind);

/// By the file's name, and of a CSV file with another name than ours by its header; nothing where it is none
/// of ours.
std::optional<FileKind> kind_of(const std::filesystem::path& path);

struct Quantity {
  std::string name;
  int components = 1;          ///< numbers a value, side by side
  std::vector<double> values;  ///< one a cell or a row, or a single one of the whole file
};

struct Contents {
  FileKind kind{};
  std::optional<Mesh> mesh;       ///< the values are of its cells, x fastest
  std::vector<std::string> rows;  ///< else: what the rows are of, "step 12"
  std::vector<Quantity> quantities;
  /// What else the file says, by name. Two runs of one flow may disagree in it: how they were made.
  std::vector<std::pair<std::string, std::string>> remarks;
  std::string deck;  ///< the resolved deck, where the file has it

  /// How many values a quantity has that has one a cell or a row.
  std::size_t size() const { return mesh ? static_cast<std::size_t>(mesh->cell_count()) : rows.size(); }
  /// "[12, 0, 0] at (0.39, 0.5, 0.5)", "step 12", or "" of a quantity with a single value.
  std::string place(const Quantity& quantity, std::size_t value) const;
};

/// Throws std::runtime_error, with the file's name and the reason, when it cannot be read.
Contents read_contents(const std::filesystem::path& path, FileKind kind);

}  // namespace halfstep
