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
  /// If set, the other pictures are drawn even if a file of this one is missing or unusable.
  bool one_of_several = false;
};

/// Order a picture of one kind. Empty `fields` or `columns` select the default ones.
PictureOrder dump_order(const RunDirectory& run, const std::filesystem::path& dump,
                        const std::vector<std::string>& fields);
PictureOrder movie_order(const RunDirectory& run, const std::vector<std::string>& fields);
PictureOrder history_order(const RunDirectory& run, const std::filesystem::path& history,
                           const std::vector<std::string>& columns);
PictureOrder events_order(const RunDirectory& run, const std::filesystem::path& events);

/// Returns all pictures of a run: the last remaining dump, history and events; for a Taylor-Green vortex at
/// Re 1600 also its dissipation over that of direct numerical simulation.
std::vector<PictureOrder> run_orders(const RunDirectory& run, const std::vector<std::string>& fields = {},
                                     const std::vector<std::string>& columns = {});

/// Draws the pictures in order. Throws RefusedInput for an input that cannot be drawn if it leaves no
/// picture, or is not one of several; std::runtime_error if drawing fails or python3 or matplotlib is
/// missing.
std::vector<Picture> draw_run(const std::vector<PictureOrder>& orders);

/// Writes DIR/report.html, the run on one page, and returns its path. Throws as draw_run() does.
std::filesystem::path write_report(const RunDirectory& run);

}  // namespace halfstep
