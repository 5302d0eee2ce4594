// Sources that are part of the program, so that they can be run or compiled wherever it is: app/plot/*.py,
// and the headers a stage kernel is compiled from. cmake/embed.cmake says which.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace halfstep {

struct EmbeddedFile {
  std::string_view path;  ///< relative to the root of the repository, as in an #include
  std::string_view text;
};

/// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// Writes those whose path begins with `prefix` ("" = all) into `directory`, under their paths; directories
/// are made. Throws std::runtime_error.
void write_embedded_files(const std::filesystem::path& directory, std::string_view prefix);

}  // namespace halfstep
