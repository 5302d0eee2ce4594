#include "app/deck/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace halfstep {
namespace {

// Number of errors shown; the others are only counted.
constexpr std::size_t kShown = 1000;
// Longer lines are cut to a window around the caret.
constexpr int kWindow = 120;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

int characters(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string join(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& diagnostic : all) text += render(diagnostic, false);
  if (!text.empty()) text.pop_back();  // the printer adds the last end-of-line
  return text;
}

Diagnostic locate(const Place& place, const std::string& message, const std::string& help) {
  const SourceText& source = *place.source;
  const std::string_view line = source.line(place.line);
  const int column = std::min(place.column, static_cast<int>(line.size()));
  const int length = std::clamp(place.length, 1, std::max(1, static_cast<int>(line.size()) - column));
  Diagnostic d{.where = source.name(), .message = message, .help = help};
  d.caret = characters(line.substr(0, column));
  d.caret_length = std::max(1, characters(line.substr(column, length)));
  if (source.line_numbers()) {
    d.where += fmt::format(":{}:{}", place.line + 1, d.caret + 1);
    d.line_number = place.line + 1;
  }
  // The window begins at byte `first` and has at most kWindow bytes, cut between characters.
  int first = 0;
  if (static_cast<int>(line.size()) > kWindow && column > kWindow / 2) first = column - kWindow / 2;
  while (first > 0 && continues_character(line[first])) --first;
  int last = std::min(static_cast<int>(line.size()), first + kWindow);
  while (last < static_cast<int>(line.size()) && continues_character(line[last])) ++last;
  if (first > 0) d.caret = 4 + characters(line.substr(first, column - first));
  d.caret_length = std::min(d.caret_length, std::max(1, characters(line.substr(column, last - column))));
  d.excerpt = (first > 0 ? "... " : "") + std::string(line.substr(first, last - first)) +
              (last < static_cast<int>(line.size()) ? " ..." : "");
  return d;
}

}  // namespace

SourceText::SourceText(std::string name, std::string text, int order, bool line_numbers)
    : name_(std::move(name)), text_(std::move(text)), order_(order), line_numbers_(line_numbers) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i + 1 < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

std::string_view SourceText::line(int line) const {
  const auto index = static_cast<std::size_t>(std::clamp(line, 0, line_count() - 1));
  const std::size_t start = line_starts_[index];
  const std::size_t end = index + 1 < line_starts_.size() ? line_starts_[index + 1] : text_.size();
  const std::string_view found = std::string_view(text_).substr(start, end - start);
  return found.ends_with('\n') ? found.substr(0, found.size() - 1) : found;
}

std::string render(const Diagnostic& d, bool colour) {
  const auto paint = [&](std::string_view code, std::string_view text) {
    return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  };
  std::string text =
      fmt::format("{} {} {}\n", paint("1", d.where + ":"), paint("1;31", "error:"), paint("1", d.message));
  if (!d.excerpt.empty()) {
    const std::string number = d.line_number > 0 ? std::to_string(d.line_number) : "";
    std::string before;  // tabs stay tabs, so that the caret stands under its character
    int seen = 0;
    for (const char c : d.excerpt) {
      if (continues_character(c)) continue;
      if (seen++ == d.caret) break;
      before += c == '\t' ? '\t' : ' ';
    }
    const std::string marks = "^" + std::string(d.caret_length - 1, '~');
    text += fmt::format("{:>5} | {}\n", number, d.excerpt);
    text += fmt::format("{:>5} | {}{}\n", "", before, paint("1;31", marks));
  }
  if (!d.help.empty()) text += fmt::format("{:>5} = {}\n", "", d.help);
  return text;
}

DeckError::DeckError(std::vector<Diagnostic> all)
    : std::runtime_error(join(all)), diagnostics(std::move(all)) {}

void Diagnostics::error(const Place& place, std::string message, std::string help) {
  entries_.push_back({place, std::move(message), std::move(help)});
}

void Diagnostics::raise_if_any() const {
  if (entries_.empty()) return;
  std::vector<Entry> sorted = entries_;
  const auto key = [](const Entry& e) {
    return std::tuple(e.place.source->order(), e.place.line, e.place.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
  std::vector<Diagnostic> all;
  for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i)
    all.push_back(locate(sorted[i].place, sorted[i].message, sorted[i].help));
  if (sorted.size() > kShown)
    all.push_back({.where = sorted[0].place.source->name(),
                   .message = fmt::format("{} more errors are not shown", sorted.size() - kShown)});
  throw DeckError(std::move(all));
}

std::string quote(std::string_view text) {
  constexpr int longest = 40;
  std::string visible;
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!continues_character(text[i]) && ++count > longest) return "'" + visible + "...'";
    // U+0080 to U+009F are control characters, encoded as 0xc2 and a second byte.
    const bool pair = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (c < 0x20 || c == 0x7f)
      visible += fmt::format("\\x{:02x}", c);
    else if (pair)
      visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    else
      visible += text[i];
  }
  return "'" + visible + "'";
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace halfstep
