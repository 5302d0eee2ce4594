// A file in the output directory that asks something of a run, for people who cannot send it a signal:
// `touch out/sod/checkpoint`.
#pragma once

#include <filesystem>
#include <utility>

namespace halfstep {

/// Only an empty file asks: one with contents is somebody's, and is left alone. Nothing here throws; a file
/// that cannot be looked at is not there.
class RequestFile {
 public:
  explicit RequestFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Removes one that was left for an earlier run. Whether there was one.
  bool remove_stale() { return exists() && remove(); }
  /// Whether it has appeared since the last request was served. True once for each.
  bool appeared() { return state_ == State::absent && exists() && (state_ = State::noticed, true); }
  /// Whether a checkpoint that is to be written from now on serves a request. True once for each.
  bool take() { return state_ == State::noticed && (state_ = State::taken, true); }
  /// That checkpoint is there: the file goes away.
  void served() {
    remove();
    state_ = State::absent;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool exists() const {
    std::error_code error;
    return std::filesystem::is_regular_file(path_, error) && std::filesystem::file_size(path_, error) == 0;
  }
  bool remove() {
    std::error_code error;
    return std::filesystem::remove(path_, error);
  }

  enum class State { absent, noticed, taken };
  std::filesystem::path path_;
  State state_ = State::absent;
};

}  // namespace halfstep
