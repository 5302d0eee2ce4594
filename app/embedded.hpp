// Files that are part of the program, so that they can be run or compiled wherever it is: app/plot/*.py, the
// headers a stage kernel is compiled from, the decks, and what `halfstep verify` and `halfstep regress`
// compare with. cmake/embed.cmake says which.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace halfstep {

struct EmbeddedFile {
  std::string_view path;  ///< relative to the root of the repository, as in an #include
  std::string_view text;
};

/// Whether a stage kernel may be compiled from it.
inline bool is_header(const EmbeddedFile& file) {
  return file.path.ends_with(".hpp") || file.path.ends_with(".cuh") || file.path.ends_with(".h");
}

/// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// The text of the file at `path`. Throws std::logic_error where the program carries none.
std::string_view embedded_text(std::string_view path);

/// Writes those whose path begins with `prefix` ("" = all) into `directory`, under their paths; directories
/// are made. Throws std::runtime_error.
void write_embedded_files(const std::filesystem::path& directory, std::string_view prefix);

}  // namespace halfstep
