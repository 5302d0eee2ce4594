// What a study finds out: a table for the terminal, for a CSV file and for a JSON file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/output/json.hpp"

namespace halfstep {

using Cell = std::variant<std::string, std::int64_t, double>;

struct Table {
  std::string name = {};  ///< of its file, where a study has several
  std::string title;
  std::vector<std::string> columns;  ///< names, with the unit in parentheses; prose goes last, it is wrapped
  std::vector<std::vector<Cell>> rows;  ///< as many cells each as there are columns
  std::vector<std::string> notes;       ///< what else a reader has to know, a line each
};

/// Aligned columns, in lines of at most `width` characters unless the last column would become too narrow to
/// read.
std::string table_text(const Table& table, std::size_t width = 110);
/// A header, then a line a row; numbers with all their digits. Title and notes are left out.
std::string table_csv(const Table& table);
/// {"title", "columns", "notes", "rows": one object a row, keyed by column}.
Json table_json(const Table& table);

}  // namespace halfstep
