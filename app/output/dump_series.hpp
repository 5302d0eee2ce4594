// Dumps of a run, numbered from 0, and the two lists of them that viewers open as a series.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output/growing_list.hpp"
#include "app/output/xdmf.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

/// Each dump adds to NAME.vtkhdf.series, ParaView's list of files with their times, and to NAME.xmf.
class DumpSeries {
 public:
  /// Begins a new series in `directory`; the lists are written with the first dump. `safe`: when its dumps
  /// are; its lists are when they name them.
  DumpSeries(const std::filesystem::path& directory, DumpContents contents, std::string name = "fields",
             Safe safe = Safe::at_commit);
  /// Continues a series. The lists keep the dumps before dump `before` that are not later than `time`.
  static DumpSeries resume(const std::filesystem::path& directory, DumpContents contents, std::int64_t before,
                           double time, std::string name = "fields", Safe safe = Safe::at_commit);

  /// Writes dump `number` at `time`, then the lists that name it: at once if dumps are safe at once, else
  /// with flush(). Returns the dump's file name.
  std::string write(std::int64_t number, double time, hdf5::Image image);
  /// Writes the lists with dump `number`, which is on the disk.
  void add(std::int64_t number, double time);
  /// Brings the lists up to date.
  void flush();
  /// Makes all dumps safe, then does flush().
  void synchronise();

 private:
  static constexpr std::size_t kMostUnsafe = std::size_t{64} << 20;  // bytes

  void add_to_lists(std::int64_t number, double time);

  std::string name_;
  DumpContents contents_;
  Safe safe_;
  GrowingList list_, xdmf_;
  std::vector<std::filesystem::path> unsafe_;  // dumps
  std::size_t unsafe_bytes_ = 0;
};

}  // namespace halfstep
