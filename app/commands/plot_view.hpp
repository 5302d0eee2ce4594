// The options of `halfstep plot` that say what of a flow is drawn, and how.
#pragma once

#include <string>
#include <vector>

#include "app/plot/view.hpp"

namespace CLI {
class App;
}

namespace halfstep {

class PlotView {
 public:
  /// Declares the options. The object outlives the parsing.
  void declare(CLI::App& command);
  /// Returns what the options say. Throws UsageError for one that is not of its form.
  FlowView view() const;
  /// Return the name of the first given option that only flows, only pictures with one scale, or only
  /// pictures of runs take, or "".
  std::string only_for_flows() const;
  std::string only_for_scales() const;
  std::string only_for_runs() const;

 private:
  std::vector<std::string> cuts_, zooms_;
  std::string range_, colours_, title_, size_;
  bool log_ = false, maximum_ = false;
};

}  // namespace halfstep
