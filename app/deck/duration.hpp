// Wall-clock durations, written "HH:MM:SS".
#pragma once

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace halfstep {

/// Returns the seconds of "HH:MM:SS" (hours of two to five digits); nothing if `text` is not a duration.
inline std::optional<double> parse_duration(std::string_view text) {
  const auto hours_end = text.find(':');
  if (hours_end == std::string_view::npos || hours_end < 2 || hours_end > 5) return std::nullopt;
  if (text.size() != hours_end + 6 || text[hours_end + 3] != ':') return std::nullopt;
  double seconds = 0, field = 0;
  for (const char c : text) {
    if (c == ':') {
      seconds = (seconds + field) * 60;
      field = 0;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      field = 10 * field + (c - '0');
    } else {
      return std::nullopt;
    }
  }
  const bool sixty = text[hours_end + 1] > '5' || text[hours_end + 4] > '5';
  if (sixty) return std::nullopt;
  return seconds + field;
}

/// A duration in seconds that keeps the deck's spelling.
class Duration {
 public:
  /// Throws std::bad_optional_access if `text` is not a duration.
  explicit Duration(std::string text) : text_(std::move(text)), seconds_(parse_duration(text_).value()) {}
  const std::string& text() const { return text_; }
  double seconds() const { return seconds_; }

 private:
  std::string text_;
  double seconds_;
};

}  // namespace halfstep
