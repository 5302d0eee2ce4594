#include "app/plot/view.hpp"

#include <fmt/format.h>

namespace halfstep {

Json FlowView::frame() const {
  Json json = Json::object();
  if (!title.empty()) json["title"] = title;
  if (size) json["size"] = *size;
  return json;
}

Json FlowView::arguments() const {
  Json json = frame();
  if (!cuts.empty()) json["cuts"] = cuts;
  if (!zoom.empty()) json["zoom"] = zoom;
  if (range) json["range"] = *range;
  if (log) json["log"] = true;
  if (maximum) json["maximum"] = true;
  if (!colours.empty()) json["colours"] = colours;
  return json;
}

std::string FlowView::name() const {
  std::string name = maximum ? "_maximum" : "";
  for (const auto& [axis, position] : cuts) name += fmt::format("_{}={}", axis, position);
  for (const auto& [axis, ends] : zoom) name += fmt::format("_{}={}..{}", axis, ends[0], ends[1]);
  return name;
}

}  // namespace halfstep
