// The directory a run writes into, and what happens to an earlier run there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace halfstep {

/// For a new run: creates `directory` where it is missing and checks that it is writable. Throws
/// std::runtime_error where a file has a name that the run would give its own, and no run wrote it.
void prepare_output_directory(const std::filesystem::path& directory);

/// For a restart: creates `directory` where it is missing and checks that it is writable; what is there
/// stays.
void reopen_output_directory(const std::filesystem::path& directory);

/// Moves the earlier run in `directory`, if there is one, to the first of DIR.previous, DIR.previous.2, ...
/// that is not there yet, and returns where it went. With the directory's lock held.
///
/// Only files with a name that runs, pictures and reports have are moved; files of others and sub-directories
/// stay. Of the earlier runs the newest `keep` are kept, or all where that is 0; of the others those files
/// are removed, and their directory where it is empty then. Throws std::runtime_error, before anything is
/// moved, where a run is writing below or into a directory that was to go.
std::optional<std::filesystem::path> move_earlier_run_aside(const std::filesystem::path& directory,
                                                            std::int64_t keep = 0);

/// Removes what a run that was killed had not written whole. With the directory's lock held.
void remove_partial_files(const std::filesystem::path& directory);

/// `directory`/deck.yaml, whole or not at all. Throws std::runtime_error.
void write_deck(const std::filesystem::path& directory, std::string_view resolved);

/// Whether a run wrote into the directory.
bool holds_run(const std::filesystem::path& directory);

}  // namespace halfstep
