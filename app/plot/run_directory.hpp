// What a run left behind, as pictures of it need it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/deck/config.hpp"

namespace halfstep {

struct RunDirectory {
  struct Dump {
    std::filesystem::path file;
    double time;
  };

  std::filesystem::path path;
  std::optional<RunConfig> config;          ///< none: deck.yaml is missing, or of a version with other keys
  std::vector<Dump> dumps;                  ///< in the order of their times
  std::vector<std::filesystem::path> gone;  ///< dumps that are listed and were deleted since

  std::string title() const { return config ? config->title : ""; }
  /// That file of the run, where it is there.
  std::optional<std::filesystem::path> file(const std::string& name) const;
};

/// Reads deck.yaml and fields.vtkhdf.series; what is not there, or cannot be read, is left out.
RunDirectory open_run_directory(const std::filesystem::path& path);

}  // namespace halfstep
