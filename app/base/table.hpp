// A table of results, written as text, CSV or JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/base/json.hpp"

namespace halfstep {

/// A monostate is a figure that is missing: "-" as text, nothing in CSV, no key in JSON.
using Cell = std::variant<std::string, std::int64_t, double, std::monostate>;

struct Table {
  std::string name = {};  ///< of its file, if a study has several
  std::string title;
  std::vector<std::string> columns;  ///< names with units in parentheses; prose goes last, as it is wrapped
  std::vector<std::vector<Cell>> rows;  ///< one cell per column
  std::vector<std::string> notes;       ///< further remarks, one per line
};

/// What is done with a word that is longer than a line.
enum class LongWords { are_cut, stay_whole };
/// Breaks the text into lines of at most `width` bytes, at spaces where there are any.
std::vector<std::string> wrapped(std::string text, std::size_t width, LongWords long_words);
/// Returns aligned columns in lines of at most `width` characters, unless the last column would be too
/// narrow.
std::string table_text(const Table& table, std::size_t width = 110);
/// Returns a header and a line per row, with all digits. Title and notes are left out.
std::string table_csv(const Table& table);
/// Returns {"title", "columns", "notes", "rows": one object per row, keyed by column}.
Json table_json(const Table& table);

}  // namespace halfstep
