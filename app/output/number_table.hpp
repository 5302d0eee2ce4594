// NAME.h5 of an output: an HDF5 file with a dataset `rows`, an element each time, of the members `step`,
// `time` and for each field an array over the places.
//
// HDF5 makes the beginning of the file. From then on rows are appended as lines are to a text: the dataset is
// contiguous, its rows are the last bytes of the file, and some numbers before them say how many there are.
// These are written after the rows, so that any HDF5 opens the file at any time, also that of a killed run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/output/output_table.hpp"
#include "app/output/step_rows.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// The bytes before the rows.
struct TableBeginning {
  std::vector<std::byte> bytes;
  std::int64_t row_bytes = 0;
  // Where these numbers are, 64 bits each.
  std::int64_t row_count = 0, most_rows = 0, rows_size = 0, file_size = 0;
};

class NumberTable final : public OutputTable {
 public:
  /// Begins a new file. HDF5 is called here alone.
  NumberTable(const std::filesystem::path& path, const std::vector<std::string>& fields, std::size_t places,
              Precision precision);
  /// Continues after the row of `step` and cuts off later rows. Begins a missing file.
  static NumberTable resume(const std::filesystem::path& path, const std::vector<std::string>& fields,
                            std::size_t places, Precision precision, std::int64_t step);
  ~NumberTable() override;
  NumberTable(NumberTable&& other) noexcept;
  NumberTable& operator=(NumberTable&&) = delete;

  void write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) override;
  void flush() override;
  void synchronise() override;

 private:
  enum class Open { anew, as_it_is };
  NumberTable(const std::filesystem::path& path, const std::vector<std::string>& fields, std::size_t places,
              Precision precision, Open open);
  void begin();
  /// Continues the file, unless it is shorter than its beginning.
  bool take_up(std::int64_t step);
  std::int64_t end_of(std::int64_t rows) const;
  void put(std::int64_t offset, std::span<const std::byte> bytes);
  void put_number(std::int64_t offset, std::int64_t number);
  bool get(std::int64_t offset, std::span<std::byte> bytes) const;
  std::int64_t get_number(std::int64_t offset) const;

  std::filesystem::path path_;
  TableBeginning beginning_;
  Precision precision_;
  int descriptor_ = -1;
  std::int64_t rows_ = 0;  // in the file
  std::vector<std::byte> held_;
};

/// Whether the file is one of numbers, and no checkpoint, which begins with a seal.
bool is_number_table(const std::filesystem::path& path);
/// Reads such a file with the columns that it has as CSV. Throws std::runtime_error.
StepRows read_number_table(const std::filesystem::path& path);

}  // namespace halfstep
