// Files embedded in the program, for use wherever it is installed: app/plot/*.py, the headers that stage
// kernels are compiled from, the decks, and the reference data of `halfstep verify` and `halfstep regress`.
// cmake/embed.cmake lists them.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace halfstep {

struct EmbeddedFile {
  std::string_view path;  ///< relative to the root of the repository, as in an #include
  std::string_view text;
};

/// Whether the file is a header that stage kernels are compiled from.
inline bool is_header(const EmbeddedFile& file) {
  const auto ends = [&](std::string_view ending) { return file.path.ends_with(ending); };
  return ends(".hpp") || ends(".cuh") || ends(".h") || ends(".inc");
}

/// Returns all embedded files, sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// Returns the text of the file at `path`. Throws std::logic_error if it is not embedded.
std::string_view embedded_text(std::string_view path);

/// Writes the files whose path begins with `prefix` ("" = all) below `directory`, and makes the directories.
/// Throws std::runtime_error.
void write_embedded_files(const std::filesystem::path& directory, std::string_view prefix);

}  // namespace halfstep
