#include "app/deck/resolved.hpp"

#include <fmt/format.h>

#include <utility>

namespace halfstep {
namespace {

constexpr std::size_t kLineLength = 100;

/// Key and value of one parameter, the key relative to the block being written.
struct Line {
  std::string key;
  std::string value;
};

/// Takes the lines of `block` (their keys start with it and a dot) from position `i` on.
std::vector<Line> take_block(const std::vector<Line>& lines, std::size_t& i, const std::string& block) {
  std::vector<Line> inner;
  for (; i < lines.size() && lines[i].key.compare(0, block.size() + 1, block + ".") == 0; ++i)
    inner.push_back({lines[i].key.substr(block.size() + 1), lines[i].value});
  return inner;
}

std::string flow(const std::vector<Line>& lines) {
  std::string text = "{";
  for (std::size_t i = 0; i < lines.size();) {
    const auto dot = lines[i].key.find('.');
    const std::string key = lines[i].key.substr(0, dot);
    text += (text.size() > 1 ? ", " : "") + key + ": ";
    text += dot == std::string::npos ? lines[i++].value : flow(take_block(lines, i, key));
  }
  return text + "}";
}

/// Blocks within blocks go on one line where they fit.
void write(std::string& text, const std::vector<Line>& lines, std::size_t indent) {
  for (std::size_t i = 0; i < lines.size();) {
    const auto dot = lines[i].key.find('.');
    const std::string start = std::string(indent, ' ') + lines[i].key.substr(0, dot) + ":";
    if (dot == std::string::npos) {
      text += start + " " + lines[i++].value + "\n";
      continue;
    }
    const std::vector<Line> inner = take_block(lines, i, lines[i].key.substr(0, dot));
    const std::string on_one_line = start + " " + flow(inner) + "\n";
    if (indent > 0 && on_one_line.size() <= kLineLength) {
      text += on_one_line;
    } else {
      text += start + "\n";
      write(text, inner, indent + 2);
    }
  }
}

}  // namespace

std::string resolved_deck(const std::vector<DeckParameter>& table, const Values& values) {
  std::vector<Line> lines;
  for (const DeckParameter& p : table) lines.push_back({p.name, yaml_value(values.all().at(p.name))});
  std::string text;
  write(text, lines, 0);
  return text;
}

}  // namespace halfstep
