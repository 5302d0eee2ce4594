#include "app/output/output_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/output/directory_lock.hpp"
#include "app/output/history.hpp"
#include "app/output/run_files.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

/// The mark's first line. Each further line is an output of the run, as files_of() has it.
constexpr std::string_view kMarkText =
    "halfstep runs write into this directory: the next one moves the files of the last one aside.\n";
/// Sub-directory that gathers an earlier run's files before they are moved together.
constexpr const char* kGathered = ".halfstep.earlier";
constexpr std::string_view kPartial = ".partial";  // temporary_name()

/// Returns the files in `directory` with such a name: links included, sub-directories not.
template <class HasName>
std::vector<fs::path> files_named(const fs::path& directory, const HasName& has_name) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (has_name(entry.path().filename().string()) &&
        entry.symlink_status().type() != fs::file_type::directory)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether a run creates files with this name once it has marked the directory.
bool is_written_by_run(const std::string& name) {
  return is_run_file(name) && name != kRunMark && name != temporary_name(kRunMark);
}

bool is_own(const fs::path& directory) { return fs::is_regular_file(directory / kRunMark); }
bool is_there(const fs::path& path) { return fs::exists(fs::symlink_status(path)); }

/// Returns what the deck of the run in `directory` names; nothing if it cannot be read.
NamesInRun names_in(const fs::path& directory) {
  const fs::path deck = directory / "deck.yaml";
  std::error_code error;
  if (!fs::is_regular_file(deck, error)) return {};  // a pipe would be waited for
  try {
    const Problem problem = load_deck(deck.string()).problem;
    return {problem.scalars, names_of_loads(problem),
            problem.budgets ? budget_columns(ways_of(problem)) : std::vector<std::string>{}};
  } catch (const std::exception&) {
    return {};
  }
}

/// Returns the outputs of the run in `directory`, also of those that a restart left away.
std::vector<std::string> outputs_of(const fs::path& directory) {
  std::vector<std::string> outputs;
  if (!is_own(directory)) return outputs;
  std::ifstream mark(directory / kRunMark);
  std::string line;
  std::getline(mark, line);
  while (std::getline(mark, line)) outputs.push_back(line);
  return outputs;
}

/// Returns a directory, that one or the one in it of an interrupted move, which has the earlier run's `file`.
fs::path holder_of(const fs::path& directory, const char* file) {
  return is_there(directory / file) ? directory : directory / kGathered;
}

void write_mark(const fs::path& directory, const std::vector<std::string>& outputs) {
  std::string text(kMarkText);
  for (const std::string& output : outputs) text += output + "\n";
  write_file(directory / kRunMark, text);
}

/// Throws if the directory holds a file of one of `outputs` that is not one of `own`.
void refuse_foreign(const fs::path& directory, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& own) {
  for (const std::string& output : outputs) {
    if (std::find(own.begin(), own.end(), output) != own.end()) continue;
    for (const auto& entry : fs::directory_iterator(directory))  // sub-directories, too
      if (const std::string name = entry.path().filename(); is_output_file(output, name))
        throw std::runtime_error("cannot write into '" + directory.string() + "': it holds '" + name +
                                 "', which the output of that name would write over; choose another name "
                                 "for it, or another output.directory");
  }
}

/// Whether one of `outputs` creates files with this name.
bool is_file_of_any(const std::vector<std::string>& outputs, const std::string& name) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const std::string& output) { return is_output_file(output, name); });
}

/// Returns the run's files and pictures in `directory`. `names`: in its deck.
std::vector<fs::path> files_of_run(const fs::path& directory, const NamesInRun& names,
                                   const std::vector<std::string>& outputs) {
  const PictureNames pictures(names, outputs);
  return files_named(directory, [&](const std::string& name) {
    return is_run_file(name) || is_file_of_any(outputs, name) || pictures.contains(name);
  });
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (is_there(to)) error = std::make_error_code(std::errc::file_exists);
  if (!error) fs::rename(from, to, error);
  if (error) throw_system_error("move aside", from, error.value());
}

/// Returns DIR.previous, DIR.previous.2, ...
fs::path previous_of(const fs::path& directory, int number) {
  return directory.string() + ".previous" + (number == 1 ? "" : "." + std::to_string(number));
}

/// Whether `name` is `prefix` with or without ".2", ".3", ...
bool is_numbered(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string rest = name.substr(prefix.size());
  return rest.empty() ||
         (rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

fs::path first_free(const fs::path& directory) {
  int number = 1;
  while (is_there(previous_of(directory, number))) ++number;
  return previous_of(directory, number);
}

/// Returns the earlier runs moved out of `directory`, latest first.
std::vector<fs::path> earlier_runs(const fs::path& directory) {
  std::vector<std::tuple<fs::file_time_type, long, fs::path>> found;
  const std::string prefix = previous_of(directory, 1).filename().string();
  for (const auto& entry : fs::directory_iterator(directory.parent_path())) {
    const std::string name = entry.path().filename().string();
    if (!is_numbered(name, prefix) || entry.is_symlink() || !entry.is_directory()) continue;
    if (!holds_run(entry.path())) continue;
    fs::file_time_type written = fs::file_time_type::min();
    for (const fs::path& file : files_of_run(entry.path(), {}, {}))
      if (fs::is_regular_file(file)) written = std::max(written, fs::last_write_time(file));
    found.emplace_back(written, name.size(), entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> runs;
  for (const auto& [written, length, path] : found) runs.push_back(path);
  return runs;
}

/// Returns the earlier runs that exceed `keep` after one more is added.
std::vector<fs::path> runs_beyond(const fs::path& directory, std::int64_t keep) {
  std::vector<fs::path> runs = earlier_runs(directory);
  runs.erase(runs.begin(), runs.begin() + std::min<std::ptrdiff_t>(keep - 1, std::ssize(runs)));
  return runs;
}

/// Removes a run's own files, and the directory if nothing else is in it.
void remove_run(const fs::path& directory) {
  const DirectoryLock lock(directory);
  for (const fs::path& file : files_of_run(directory, names_in(directory), outputs_of(directory)))
    fs::remove(file);
  fs::remove(directory / kLockName);
  std::error_code holds_more;
  fs::remove(directory, holds_more);
}

/// Throws if another run is writing below `directory`. Skips what cannot be read.
void refuse_runs_below(const fs::path& directory) {
  std::error_code unreadable;
  for (fs::directory_iterator entry(directory, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    std::error_code gone;
    if (entry->symlink_status(gone).type() != fs::file_type::directory) continue;
    refuse_locked(entry->path());
    refuse_runs_below(entry->path());
  }
}

dev_t file_system_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw_system_error("look at", path, errno);
  return status.st_dev;
}

/// Throws, before anything is moved, if the earlier run cannot be moved out of `directory`.
void refuse_immovable(const fs::path& directory) {
  const fs::path parent = directory.parent_path();
  if (file_system_of(directory) != file_system_of(parent))
    throw std::runtime_error("cannot move the earlier run in '" + directory.string() +
                             "' aside: the directory is a file system of its own; write into one below it");
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    throw_system_error("move the earlier run into", parent, errno);
}

/// Gathers the run's files in one directory, then renames it. If interrupted, the next run continues.
fs::path move_aside(const fs::path& directory) {
  const fs::path gathered = directory / kGathered, target = first_free(directory);
  refuse_immovable(directory);
  try {
    fs::create_directory(gathered);
    for (const fs::path& file : files_of_run(directory, names_in(holder_of(directory, "deck.yaml")),
                                             outputs_of(holder_of(directory, kRunMark))))
      move(file, gathered / file.filename());
    if (!is_own(gathered)) write_mark(gathered, {});
    synchronise_directory(gathered);
    move(gathered, target);
    synchronise_directory(directory.parent_path());
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + "\n  the earlier run of '" + directory.string() +
                             "' is part there, part in '" + gathered.string() +
                             "'; nothing is lost, and the next run goes on with it");
  }
  return target;
}

void create(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw_system_error("create the output directory", directory, error.value());
  if (!fs::is_directory(directory)) throw_system_error("write into", directory, ENOTDIR);
  if (::access(directory.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", directory, errno);
  if (::access(directory.c_str(), R_OK) != 0) throw_system_error("read", directory, errno);
}

/// Returns the path without links, dots or a trailing slash, so that a name can be made from it.
fs::path plain(const fs::path& directory) {
  fs::path path = fs::weakly_canonical(fs::absolute(directory));
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

bool holds_run(const fs::path& directory) {
  if (is_own(directory)) return !files_named(directory, is_written_by_run).empty();
  std::ifstream history(directory / "history.csv");
  std::string header;
  return std::getline(history, header) && header.starts_with(kHistoryHeader);
}

void prepare_output_directory(const fs::path& directory, const std::vector<std::string>& outputs) {
  const fs::path path = plain(directory);
  if (fs::is_directory(path)) refuse_runs_below(path);  // checked before a lock file is created there
  create(path);
  const bool has_run = holds_run(path) || is_there(path / kGathered);
  if (!has_run)
    if (const auto files = files_named(path, is_written_by_run); !files.empty())
      throw std::runtime_error("cannot write into '" + path.string() + "': it holds '" +
                               files.front().filename().string() +
                               "', which is not of an earlier run; choose another output.directory");
  refuse_foreign(path, outputs, has_run ? outputs_of(holder_of(path, kRunMark)) : std::vector<std::string>());
}

void reopen_output_directory(const fs::path& directory, const std::vector<std::string>& outputs,
                             const std::vector<std::string>& before) {
  const fs::path path = plain(directory);
  create(path);
  std::vector<std::string> own;
  for (const std::string& output : outputs_of(path))
    if (std::find(before.begin(), before.end(), output) != before.end()) own.push_back(output);
  refuse_foreign(path, outputs, own);
}

void add_outputs(const fs::path& directory, const std::vector<std::string>& outputs) {
  std::vector<std::string> all = outputs_of(directory);
  for (const std::string& output : outputs)
    if (std::find(all.begin(), all.end(), output) == all.end()) all.push_back(output);
  write_mark(directory, all);
}

std::optional<fs::path> move_earlier_run_aside(const fs::path& directory,
                                               const std::vector<std::string>& outputs, std::int64_t keep) {
  const fs::path path = plain(directory);
  refuse_runs_below(path);
  std::optional<fs::path> aside;
  if (holds_run(path) || is_there(path / kGathered)) {
    const auto beyond = keep > 0 ? runs_beyond(path, keep) : std::vector<fs::path>();
    for (const fs::path& previous : beyond) refuse_locked(previous);
    aside = move_aside(path);
    for (const fs::path& previous : beyond) remove_run(previous);
  }
  write_mark(path, outputs);
  return aside;
}

void remove_partial_files(const fs::path& directory) {
  const auto outputs = outputs_of(directory);
  const auto is_own_file = [&](const std::string& name) {
    return is_run_file(name) || is_file_of_any(outputs, name);
  };
  for (const fs::path& file : files_named(directory, is_own_file))
    if (file.extension() == kPartial) fs::remove(file);
}

void write_deck(const fs::path& directory, std::string_view resolved) {
  write_file(directory / "deck.yaml", resolved);
}

}  // namespace halfstep
