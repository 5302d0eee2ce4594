#include "app/output/step_rows.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

namespace halfstep {

AppendFile begin_step_rows(const std::filesystem::path& path, const std::string& header) {
  AppendFile file(path);
  file.truncate(0);
  file.write_line(header);
  return file;
}

AppendFile resume_step_rows(const std::filesystem::path& path, const std::string& header, std::int64_t step) {
  AppendFile file(path);
  std::ifstream rows(path, std::ios::binary);
  std::string row;
  if (!std::getline(rows, row)) return begin_step_rows(path, header);
  if (row != header)
    throw std::runtime_error(
        "cannot go on with '" + path.string() +
        "': it has other columns than this program writes; move it away and restart again");
  std::uintmax_t keep = row.size() + 1;
  while (std::getline(rows, row)) {
    std::int64_t row_step = 0;
    const auto parsed = std::from_chars(row.data(), row.data() + row.size(), row_step);
    if (parsed.ec != std::errc{} || *parsed.ptr != ',')
      throw std::runtime_error("cannot go on with '" + path.string() +
                               "': a row does not begin with a step: '" + row.substr(0, 40) + "'");
    if (row_step > step) break;
    keep += row.size() + 1;
  }
  file.truncate(keep);
  return file;
}

}  // namespace halfstep
