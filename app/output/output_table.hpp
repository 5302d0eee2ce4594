// The tables of outputs: a row each time, a value in it of each field in each of some places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/outputs.hpp"

namespace halfstep {

/// Every member throws std::runtime_error.
class OutputTable {
 public:
  virtual ~OutputTable() = default;
  /// Adds a row, which the next flush() brings into the file, if not before. `values`: by field, then by
  /// place.
  virtual void write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) = 0;
  virtual void flush() = 0;
  /// Does flush(), then waits until the rows are on the disk.
  virtual void synchronise() = 0;

 protected:
  static constexpr std::size_t kMostHeld = std::size_t{1} << 16;  ///< bytes of rows that a table holds
};

/// Begins NAME.csv or NAME.h5 of an output, or continues that of an earlier run after the rows of `step`.
std::unique_ptr<OutputTable> open_table(const std::filesystem::path& directory, const OutputRequest& request,
                                        const std::vector<std::string>& fields, std::size_t places,
                                        std::optional<std::int64_t> step);

}  // namespace halfstep
