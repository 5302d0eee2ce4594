// The tables of outputs: a row each time, a value in it of each field in each of some places.
#pragma once

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
  /// `values`: by field, then by place.
  virtual void write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) = 0;
  /// Waits until the rows are on the disk. Safe while another thread writes rows.
  virtual void synchronise() const = 0;
};

/// Begins NAME.csv or NAME.h5 of an output, or continues that of an earlier run after the rows of `step`.
std::unique_ptr<OutputTable> open_table(const std::filesystem::path& directory, const OutputRequest& request,
                                        const std::vector<std::string>& fields, std::size_t places,
                                        std::optional<std::int64_t> step);

}  // namespace halfstep
