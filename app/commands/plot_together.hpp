// Several runs, or dumps of a run, in one picture, for `halfstep plot`.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/plot/run_picture.hpp"

namespace halfstep {

/// Returns the dumps of a run nearest to the times, and those with the numbers. Throws UsageError for a time
/// outside the run and a dump that it has not.
std::vector<std::filesystem::path> chosen_dumps(const RunDirectory& run, const std::vector<double>& times,
                                                const std::vector<int>& numbers);

/// Holds what is drawn in one picture, with names that tell it apart.
struct Together {
  std::deque<RunDirectory> runs;  ///< the files below point to them
  std::vector<NamedFile> dumps, histories, histograms;
  std::map<std::string, std::vector<NamedFile>>
      tables;            ///< histograms and spectra of outputs, by their names
  std::string name;      ///< begins the names of the pictures
  bool one_run = false;  ///< the dumps are of one run: times tell them apart
};

/// Opens runs' directories and files of them. Throws UsageError for what cannot be drawn together.
Together open_together(const std::vector<std::string>& files, const std::vector<double>& times,
                       const std::vector<int>& numbers);

/// Order one picture of each kind, or the difference of two dumps, in `directory`. Throw UsageError if there
/// is nothing to be drawn so.
std::vector<PictureOrder> together_orders(const Together& together, const RunView& what,
                                          const std::filesystem::path& directory);
std::vector<PictureOrder> difference_orders(const Together& together, const RunView& what,
                                            const std::filesystem::path& directory);

}  // namespace halfstep
