// Says what of a flow is drawn, and how.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/base/json.hpp"

namespace halfstep {

/// Positions are in the deck's units; axes are "x", "y", "z".
struct FlowView {
  std::map<std::string, double> cuts = {};                 ///< each takes one dimension away
  std::map<std::string, std::array<double, 2>> zoom = {};  ///< from, to
  std::optional<std::array<double, 2>> range = {};         ///< of the field's values
  bool log = false;
  bool maximum = false;                         ///< the greatest value along each axis instead of slices
  std::string colours = {};                     ///< a colour map of matplotlib; empty = the field's own
  std::string title = {};                       ///< empty = the run's own
  std::optional<std::array<int, 2>> size = {};  ///< width and height of the PNG in pixels

  /// Returns the arguments of view.View in view.py.
  Json arguments() const;
  /// Returns those that pictures of any kind take: title and size.
  Json frame() const;
  /// Returns what a picture's name says of it, "_maximum_z=0.5" or "". Range, colours, title and size do not
  /// change what is drawn.
  std::string name() const;
};

}  // namespace halfstep
