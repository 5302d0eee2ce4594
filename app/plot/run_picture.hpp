// Pictures of a run, drawn by app/plot/run.py.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/base/json.hpp"
#include "app/plot/picture.hpp"
#include "app/plot/run_directory.hpp"
#include "app/plot/view.hpp"

namespace halfstep {

/// An input that cannot be drawn, with a remedy.
struct RefusedInput : std::runtime_error {
  RefusedInput(const std::string& message, std::string what_to_do)
      : runtime_error(message), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

/// A request to draw one picture. `stem`: path of the picture without extension.
struct PictureOrder {
  std::string kind;  ///< the function of run.py that draws it
  Json arguments;
  std::string stem;
  /// Says what is drawn: a picture of another source is not replaced. Empty: the files are the source's
  /// own.
  std::string source = {};
  /// If set, the other pictures are drawn even if a file of this one is missing or unusable.
  bool one_of_several = false;
};

/// Says what the pictures of a run show. Empty lists select what a person looks at first.
struct RunView {
  std::vector<std::string> fields = {};   ///< of dumps and probes
  std::vector<std::string> columns = {};  ///< of histories
  std::vector<std::filesystem::path> dumps = {};
  std::optional<double> time = {};  ///< of histograms and spectra; empty = several
  FlowView flow = {};
};

/// Order a picture of one kind.
PictureOrder dump_order(const RunDirectory& run, const std::filesystem::path& dump, const RunView& what);
PictureOrder movie_order(const RunDirectory& run, const RunView& what);
PictureOrder history_order(const RunDirectory& run, const std::filesystem::path& history,
                           const RunView& what);
PictureOrder histogram_order(const RunDirectory& run, const std::filesystem::path& histogram,
                             const RunView& what);
/// `table`: NAME.csv or NAME.h5 of an output.
PictureOrder table_order(const RunDirectory& run, const std::filesystem::path& table, const RunView& what);
PictureOrder events_order(const RunDirectory& run, const std::filesystem::path& events, const RunView& what);

/// Returns the pictures of the chosen dumps, or of the last remaining one; where all are gone, of the last.
std::vector<PictureOrder> dump_orders(const RunDirectory& run, const RunView& what);

/// Returns all pictures of a run: the chosen or last remaining dumps, history, histogram and events; for a
/// Taylor-Green vortex at Re 1600 also its dissipation over that of direct numerical simulation.
std::vector<PictureOrder> run_orders(const RunDirectory& run, const RunView& what = {});

/// Returns pictures of the outputs of a run, of slices and boxes the last. They may have other fields than
/// dumps: of `what` they take title and size.
std::vector<PictureOrder> output_orders(const RunDirectory& run, const RunView& what = {});

/// A file that is drawn together with others. `name`: in the legend; `run`: that the file is of.
struct NamedFile {
  std::string name;
  std::filesystem::path file;
  const RunDirectory* run;
};

/// Order one picture of several dumps, or of the first less the second. Without names times tell them apart.
PictureOrder together_order(const std::vector<NamedFile>& dumps, const RunView& what);
PictureOrder difference_order(const std::vector<NamedFile>& dumps, const RunView& what);
/// Order one picture of several histories, histograms or spectra.
PictureOrder histories_order(const std::vector<NamedFile>& histories, const RunView& what);
PictureOrder histograms_order(const std::vector<NamedFile>& histograms, const RunView& what);
PictureOrder spectra_order(const std::vector<NamedFile>& spectra, const RunView& what);

/// Draws the pictures in order. Throws RefusedInput for an input that cannot be drawn if it leaves no
/// picture, or is not one of several; std::runtime_error if drawing fails or python3 or matplotlib is
/// missing.
std::vector<Picture> draw_run(const std::vector<PictureOrder>& orders);

/// Writes DIR/report.html, the run on one page, and returns its path. Throws as draw_run() does.
std::filesystem::path write_report(const RunDirectory& run);

}  // namespace halfstep
