#include "app/output/output_directory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/output/directory_lock.hpp"
#include "app/output/history.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = ".halfstep";
constexpr std::string_view kPartial = ".partial";  // temporary_name()

/// Whether `name` is prefix, digits, suffix.
bool numbered(std::string_view name, std::string_view prefix, std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size()) return false;
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  const auto digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether a run gives files this name.
bool is_run_file(std::string_view name) {
  if (name.starts_with('.') && name.ends_with(kPartial))
    return is_run_file(name.substr(1, name.size() - 1 - kPartial.size()));
  constexpr std::array<std::string_view, 7> names = {
      "deck.yaml",    "history.csv",          "histogram.csv",       "events.jsonl",
      "summary.json", "fields.vtkhdf.series", "checkpoint_latest.h5"};
  return std::find(names.begin(), names.end(), name) != names.end() || numbered(name, "fields_", ".vtkhdf") ||
         numbered(name, "checkpoint_", ".h5");
}

std::vector<fs::path> run_files(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (is_run_file(entry.path().filename().string())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Held while a directory is moved or emptied: not from under a run. Nothing where no run has locked it yet.
std::unique_ptr<DirectoryLock> lock_if_used(const fs::path& directory) {
  return fs::exists(directory / kLockName) ? std::make_unique<DirectoryLock>(directory) : nullptr;
}

bool is_own(const fs::path& directory) { return fs::is_regular_file(directory / kMark); }

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw_system_error("move aside", from, error.value());
}

/// Whether the present directory is `directory` or below it.
bool is_present(const fs::path& directory) {
  std::error_code error;
  const fs::path relative = fs::current_path(error).lexically_relative(directory);
  return !error && !relative.empty() && *relative.begin() != "..";
}

/// Makes room for a run at `previous`; afterwards no file of a run is there.
void remove_previous(const fs::path& previous) {
  if (!fs::exists(fs::symlink_status(previous))) return;
  if (!fs::is_directory(previous) || !(is_own(previous) || holds_run(previous) || fs::is_empty(previous)))
    throw std::runtime_error(
        "cannot move the earlier run aside: '" + previous.string() +
        "' is there and is not a halfstep run; move it away or choose another output.directory");
  const auto lock = lock_if_used(previous);
  if (is_own(previous) || fs::is_empty(previous)) {
    fs::remove_all(previous);
  } else {
    for (const fs::path& file : run_files(previous)) fs::remove(file);
  }
}

void move_aside(const fs::path& directory, const fs::path& previous) {
  remove_previous(previous);
  if (is_own(directory) && !is_present(directory) && !fs::exists(previous)) {
    move(directory, previous);
    return;
  }
  fs::create_directories(previous);
  for (const fs::path& file : run_files(directory)) move(file, previous / file.filename());
}

void create(const fs::path& directory) {
  std::error_code error;
  const bool created = fs::create_directories(directory, error);
  if (error) throw_system_error("create the output directory", directory, error.value());
  if (!fs::is_directory(directory)) throw_system_error("write into", directory, ENOTDIR);
  const bool ours = created || fs::is_empty(directory, error);
  if (error) throw_system_error("read the output directory", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", directory, errno);
  if (ours)
    write_file(directory / kMark,
               "A halfstep run made this directory: the next run into it moves it aside.\n");
}

/// Without links, dots or a slash at the end, so that a name can be made from it.
fs::path plain(const fs::path& directory) {
  fs::path path = fs::weakly_canonical(fs::absolute(directory));
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

bool holds_run(const fs::path& directory) {
  if (is_own(directory)) return !run_files(directory).empty();
  std::ifstream history(directory / "history.csv");
  std::string header;
  return std::getline(history, header) && header.starts_with(kHistoryHeader);
}

std::optional<fs::path> prepare_output_directory(const fs::path& directory) {
  const fs::path path = plain(directory);
  std::optional<fs::path> previous;
  if (fs::is_directory(path)) {
    const auto lock = lock_if_used(path);
    if (holds_run(path)) {
      previous = path.string() + ".previous";
      move_aside(path, *previous);
    } else if (const auto files = run_files(path); !files.empty()) {
      throw std::runtime_error("cannot write into '" + path.string() + "': it holds '" +
                               files.front().filename().string() +
                               "', which is not of an earlier run; choose another output.directory");
    }
  }
  create(path);
  return previous;
}

void reopen_output_directory(const fs::path& directory) { create(plain(directory)); }

void remove_partial_files(const fs::path& directory) {
  for (const fs::path& file : run_files(directory))
    if (file.extension() == kPartial) fs::remove(file);
}

void write_deck(const fs::path& directory, std::string_view resolved) {
  write_file(directory / "deck.yaml", resolved);
}

}  // namespace halfstep
