#include "app/regress/golden.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace halfstep {

Golden parse_golden(const std::string& text, const std::string& name) {
  Golden golden;
  Digest* digest = nullptr;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto refuse = [&](const char* reason) {
      throw std::runtime_error(
          fmt::format("{}:{}: {}: 'halfstep regress --bless' makes another file", name, number, reason));
    };
    if (line.empty() || line.starts_with('#')) continue;
    if (line[0] != ' ') {
      digest = &golden[line];
      continue;
    }
    if (!digest) refuse("figures before the first deck");
    std::istringstream words(line);
    FigureGroup group;
    if (!(words >> group.name >> group.scale)) refuse("not a group of figures and its scale");
    for (std::string figure; words >> figure;) {
      std::string value;
      std::size_t used = 0;
      words >> value;
      try {
        group.figures.emplace_back(figure, std::stod(value, &used));
      } catch (const std::exception&) {
        used = std::string::npos;
      }
      if (used != value.size()) refuse("a figure without its number");
    }
    digest->push_back(std::move(group));
  }
  return golden;
}

std::string golden_text(const Golden& golden) {
  std::string text =
      "# Golden numbers of every test deck. 'halfstep regress --bless --golden FILE' writes this file: look "
      "at the\n"
      "# difference before you commit it. The number behind a group's name is the scale of its tolerance.\n";
  for (const auto& [deck, digest] : golden) {
    text += deck + '\n';
    for (const FigureGroup& group : digest) {
      text += fmt::format("  {} {:.4g}", group.name, group.scale);
      for (const auto& [name, value] : group.figures) text += fmt::format(" {} {:.15g}", name, value);
      text += '\n';
    }
  }
  return text;
}

}  // namespace halfstep
