// The directory a run writes into, and what happens to an earlier run there.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace halfstep {

/// Makes `directory` ready for a new run: created where it is missing, checked to be writable, and an earlier
/// run in it moved aside to DIR.previous, where it replaces the one before. Returns where it went, if there
/// was one.
///
/// A directory that halfstep created, or found empty, is its own (it holds a file .halfstep) and is moved as
/// a whole, with whatever else was put into it since. In any other directory, and in the present one, only a
/// run's own files are moved, and nothing else is touched. A DIR.previous that is not of a run is never
/// removed. Throws std::runtime_error with a message for the user.
std::optional<std::filesystem::path> prepare_output_directory(const std::filesystem::path& directory);

/// For a restart: created where it is missing and checked to be writable; what is there stays.
void reopen_output_directory(const std::filesystem::path& directory);

/// Removes what a run that was killed had not written whole. With the directory's lock held.
void remove_partial_files(const std::filesystem::path& directory);

/// `directory`/deck.yaml, whole or not at all. Throws std::runtime_error.
void write_deck(const std::filesystem::path& directory, std::string_view resolved);

/// Whether a run wrote into the directory.
bool holds_run(const std::filesystem::path& directory);

}  // namespace halfstep
