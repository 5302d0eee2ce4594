#include "app/commands/plot_view.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/base/exit_codes.hpp"

namespace halfstep {
namespace {

/// Reads a whole word as a finite number.
std::optional<double> number(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Reads "LOW,HIGH". `what` names it in messages.
std::array<double, 2> interval(const std::string& text, const std::string& what) {
  const std::size_t comma = text.find(',');
  const auto low = number(text.substr(0, comma));
  const auto high = comma == std::string::npos ? std::nullopt : number(text.substr(comma + 1));
  if (!low || !high)
    throw UsageError(fmt::format("{} is '{}', which is not LOW,HIGH", what, text),
                     "give two numbers with a comma between them");
  if (*low >= *high)
    throw UsageError(fmt::format("{} is '{}', which ends where it begins or before", what, text),
                     "give the lower end first");
  return {*low, *high};
}

/// Splits "AXIS=REST" in two.
std::pair<std::string, std::string> axis_and_rest(const std::string& text, const std::string& option,
                                                  const std::string& form) {
  const std::string axis = text.substr(0, 1);
  if (text.size() < 3 || text[1] != '=' || (axis != "x" && axis != "y" && axis != "z"))
    throw UsageError(
        fmt::format("{} is '{}', which is not {}", option, text, form),
        fmt::format("for example {} {}", option, form == "AXIS=POSITION" ? "z=0.5" : "x=0.2,0.4"));
  return {axis, text.substr(2)};
}

template <class Value>
void add(std::map<std::string, Value>& all, const std::string& axis, const Value& value,
         const std::string& option) {
  if (!all.emplace(axis, value).second)
    throw UsageError(fmt::format("{} is given twice along {}", option, axis), "give it once for an axis");
}

std::array<int, 2> pixels(const std::string& text) {
  const std::size_t cross = text.find('x');
  const auto width = number(text.substr(0, cross));
  const auto height = cross == std::string::npos ? std::nullopt : number(text.substr(cross + 1));
  const auto is_possible = [](double n) { return n == std::floor(n) && n >= 200 && n <= 10000; };
  if (!width || !height || !is_possible(*width) || !is_possible(*height))
    throw UsageError(fmt::format("--size is '{}', which is not WIDTHxHEIGHT", text),
                     "give two numbers of pixels from 200 to 10000, for example 1600x900");
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

}  // namespace

void PlotView::declare(CLI::App& command) {
  const auto several = [&](const char* name, std::vector<std::string>& into, const char* form,
                           const char* help) {
    command.add_option(name, into, help)->take_all()->allow_extra_args(false)->option_text(form);
  };
  several("--cut", cuts_, "AXIS=POSITION",
          "Draw the cells of a flow there, one dimension less; may be given for several axes");
  several("--zoom", zooms_, "AXIS=LOW,HIGH", "Draw only this part of a flow; may be given for several axes");
  command.add_flag("--maximum", maximum_,
                   "Draw the greatest value along each axis of a flow in space instead of slices");
  command.add_option("--range", range_, "Draw the values from the lower to the upper end of the scale")
      ->option_text("LOW,HIGH");
  command.add_flag("--log", log_, "Draw with a logarithmic scale");
  command.add_option("--colours", colours_, "Draw a flow with this colour map of matplotlib")
      ->option_text("NAME");
  command.add_option("--title", title_, "Write this title instead of the run's own")->option_text("TEXT");
  command.add_option("--size", size_, "Set the size of the PNG, in pixels")->option_text("WIDTHxHEIGHT");
}

FlowView PlotView::view() const {
  FlowView view;
  for (const std::string& text : cuts_) {
    const auto [axis, position] = axis_and_rest(text, "--cut", "AXIS=POSITION");
    const auto value = number(position);
    if (!value)
      throw UsageError(fmt::format("--cut is '{}', whose position is no number", text),
                       "for example --cut z=0.5");
    add(view.cuts, axis, *value, "--cut");
  }
  for (const std::string& text : zooms_) {
    const auto [axis, ends] = axis_and_rest(text, "--zoom", "AXIS=LOW,HIGH");
    add(view.zoom, axis, interval(ends, "--zoom along " + axis), "--zoom");
  }
  if (!range_.empty()) view.range = interval(range_, "--range");
  if (!size_.empty()) view.size = pixels(size_);
  view.log = log_;
  view.maximum = maximum_;
  view.colours = colours_;
  view.title = title_;
  if (view.maximum && !view.cuts.empty())
    throw UsageError("--maximum and --cut exclude each other", "give one of them");
  return view;
}

std::string PlotView::only_for_flows() const {
  return !cuts_.empty()      ? "--cut"
         : !zooms_.empty()   ? "--zoom"
         : maximum_          ? "--maximum"
         : !colours_.empty() ? "--colours"
                             : "";
}

std::string PlotView::only_for_scales() const { return !range_.empty() ? "--range" : log_ ? "--log" : ""; }

std::string PlotView::only_for_runs() const {
  return !title_.empty() ? "--title" : !size_.empty() ? "--size" : "";
}

}  // namespace halfstep
