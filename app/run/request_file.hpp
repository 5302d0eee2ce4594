// A request file in the output directory, for users who cannot send a signal: `touch out/sod/checkpoint`.
#pragma once

#include <filesystem>
#include <utility>

namespace halfstep {

/// Only an empty file is a request; one with contents belongs to somebody else and is left alone. Nothing
/// throws: a file that cannot be inspected counts as absent.
class RequestFile {
 public:
  explicit RequestFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Removes a request left for an earlier run. Returns whether there was one.
  bool remove_stale() { return exists() && remove(); }
  /// Whether the file has appeared since the last request was served; true once per request.
  bool appeared() { return state_ == State::absent && exists() && (state_ = State::noticed, true); }
  /// Whether a checkpoint written from now on serves a request; true once per request.
  bool take() { return state_ == State::noticed && (state_ = State::taken, true); }
  /// Removes the file: the checkpoint has been written.
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
