// The files of a run, as needed for its pictures.
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
  std::string series = "fields";    ///< whose dumps these are: or the name of an output
  std::optional<RunConfig> config;  ///< empty if deck.yaml is missing, or of a version with other keys
  std::vector<Dump> dumps;          ///< in order of time
  std::vector<std::filesystem::path> gone;  ///< listed dumps that were deleted since

  /// Returns the deck's title, else the case's name; "" where the deck is not known.
  std::string title() const {
    if (!config) return "";
    return config->title.empty() ? config->case_name : config->title;
  }
  /// Returns the path of the run's file of that name, if it exists.
  std::optional<std::filesystem::path> file(const std::string& name) const;
};

/// Reads deck.yaml and the list of a series' dumps; leaves out what is missing or cannot be read.
RunDirectory open_run_directory(const std::filesystem::path& path, const std::string& series = "fields");

}  // namespace halfstep
