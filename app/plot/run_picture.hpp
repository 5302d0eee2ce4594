// Pictures of a run: orders to app/plot/run.py, which draws them.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/output/json.hpp"
#include "app/plot/picture.hpp"
#include "app/plot/run_directory.hpp"

namespace halfstep {

/// An input that cannot be drawn, and what to do instead.
struct RefusedInput : std::runtime_error {
  RefusedInput(const std::string& message, std::string what_to_do)
      : runtime_error(message), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

/// `stem`: where the picture goes, without the ending.
struct PictureOrder {
  std::string kind;  ///< the function of run.py that draws it
  Json arguments;
  std::string stem;
  /// Where a file of it is gone or cannot be used, the other pictures of the run do without it.
  bool one_of_several = false;
};

/// Without `fields` or `columns`: what a person looks at first.
PictureOrder dump_order(const RunDirectory& run, const std::filesystem::path& dump,
                        const std::vector<std::string>& fields);
PictureOrder movie_order(const RunDirectory& run, const std::vector<std::string>& fields);
PictureOrder history_order(const RunDirectory& run, const std::filesystem::path& history,
                           const std::vector<std::string>& columns);
PictureOrder events_order(const RunDirectory& run, const std::filesystem::path& events);

/// All there is to be drawn of a run: the last dump that is left, history and events; of a Taylor-Green
/// vortex at Re 1600 also its dissipation over that of direct numerical simulation.
std::vector<PictureOrder> run_orders(const RunDirectory& run, const std::vector<std::string>& fields = {},
                                     const std::vector<std::string>& columns = {});

/// Draws one after the other. Throws RefusedInput for an input that cannot be drawn, or if that leaves no
/// picture at all; std::runtime_error if drawing fails or there is nothing to draw with.
std::vector<Picture> draw_run(const std::vector<PictureOrder>& orders);

/// DIR/report.html: the run on one page. Throws as draw_run() does.
std::filesystem::path write_report(const RunDirectory& run);

}  // namespace halfstep
