// The output directory of a run, and moving an earlier run out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// Creates `directory` for a new run if it is missing and checks that it is writable. `outputs`: files_of()
/// the deck's outputs. Throws std::runtime_error, before anything is written, if it holds a file with one of
/// the run's names that no run wrote.
void prepare_output_directory(const std::filesystem::path& directory,
                              const std::vector<std::string>& outputs = {});

/// Creates `directory` for a restart if it is missing and checks that it is writable. Its contents stay.
/// `before`: those that the run had until then. Throws std::runtime_error, before anything
/// is written, if it holds a file of one of `outputs` that is not of such an output.
void reopen_output_directory(const std::filesystem::path& directory,
                             const std::vector<std::string>& outputs = {},
                             const std::vector<std::string>& before = {});

/// Notes in the directory's mark that files of these outputs belong to its run, besides those noted already.
/// The caller holds the directory's lock.
void add_outputs(const std::filesystem::path& directory, const std::vector<std::string>& outputs);

/// Moves an earlier run in `directory` to the first free name of DIR.previous, DIR.previous.2, ... and
/// returns the new path, if there was a run. Marks the directory as that of a run with `outputs`. The caller
/// holds the directory's lock.
///
/// Moves only files with names of runs, of their outputs, pictures and reports; other files and
/// sub-directories stay. Keeps the newest `keep` earlier runs, or all if 0; removes the others' files, and
/// their directories if empty then. Throws std::runtime_error, before anything is moved, if a run is writing
/// below `directory` or into one to be removed.
std::optional<std::filesystem::path> move_earlier_run_aside(const std::filesystem::path& directory,
                                                            const std::vector<std::string>& outputs = {},
                                                            std::int64_t keep = 0);

/// Removes files that a killed run left unfinished. The caller holds the directory's lock.
void remove_partial_files(const std::filesystem::path& directory);

/// Writes `directory`/deck.yaml atomically. Throws std::runtime_error.
void write_deck(const std::filesystem::path& directory, std::string_view resolved);

/// Whether the directory holds files of a run.
bool holds_run(const std::filesystem::path& directory);

}  // namespace halfstep
