#include "app/base/embedded.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

std::string_view embedded_text(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  throw std::logic_error("the program carries no " + std::string(path));
}

void write_embedded_files(const std::filesystem::path& directory, std::string_view prefix) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(prefix)) continue;
    const std::filesystem::path path = directory / file.path;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw_system_error("create", path.parent_path(), error.value());
    // Not write_file(): temporary copies need not be flushed to the disk.
    std::ofstream out(path, std::ios::binary);
    out << file.text << std::flush;
    if (!out) throw_system_error("write", path, errno);
  }
}

}  // namespace halfstep
