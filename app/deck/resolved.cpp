#include "app/deck/resolved.hpp"

namespace halfstep {
namespace {

constexpr std::size_t kLineLength = 100;

/// Key, relative to the block being written, and value of one parameter.
using Line = std::pair<std::string, std::string>;

/// Returns the lines of `block`, whose keys start with it and a dot, from position `i` on, and advances `i`.
std::vector<Line> take_block(const std::vector<Line>& lines, std::size_t& i, const std::string& block) {
  std::vector<Line> inner;
  for (; i < lines.size() && lines[i].first.compare(0, block.size() + 1, block + ".") == 0; ++i)
    inner.emplace_back(lines[i].first.substr(block.size() + 1), lines[i].second);
  return inner;
}

/// Returns a value with its lines but the first indented.
std::string indented(std::string value, std::size_t indent) {
  for (std::size_t end = value.find('\n'); end != std::string::npos; end = value.find('\n', end + 1))
    value.insert(end + 1, indent, ' ');
  return value;
}

/// Writes the lines; nested blocks go on one line if they fit.
void write(std::string& text, const std::vector<Line>& lines, std::size_t indent) {
  for (std::size_t i = 0; i < lines.size();) {
    const auto dot = lines[i].first.find('.');
    const std::string start = std::string(indent, ' ') + lines[i].first.substr(0, dot) + ":";
    if (dot == std::string::npos) {
      text += start + " " + indented(lines[i++].second, indent + 2) + "\n";
      continue;
    }
    const std::vector<Line> inner = take_block(lines, i, lines[i].first.substr(0, dot));
    const std::string on_one_line = start + " " + flow_block(inner) + "\n";
    if (indent > 0 && on_one_line.size() <= kLineLength && on_one_line.find('\n') + 1 == on_one_line.size()) {
      text += on_one_line;
    } else {
      text += start + "\n";
      write(text, inner, indent + 2);
    }
  }
}

}  // namespace

std::string flow_block(const std::vector<Line>& lines) {
  std::string text = "{";
  for (std::size_t i = 0; i < lines.size();) {
    const auto dot = lines[i].first.find('.');
    const std::string key = lines[i].first.substr(0, dot);
    text += (text.size() > 1 ? ", " : "") + key + ": ";
    text += dot == std::string::npos ? lines[i++].second : flow_block(take_block(lines, i, key));
  }
  return text + "}";
}

std::string resolved_deck(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text;
  write(text, values, 0);
  return text;
}

}  // namespace halfstep
