// Errors in a deck, reported as by a compiler: place, message, source line, caret, remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// A text that errors point into: a deck, or an override from the command line.
class SourceText {
 public:
  /// `order` sorts the errors of several sources; a source with `line_numbers` is named "NAME:LINE:COLUMN".
  SourceText(std::string name, std::string text, int order, bool line_numbers);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  int order() const { return order_; }
  bool line_numbers() const { return line_numbers_; }
  int line_count() const { return static_cast<int>(line_starts_.size()); }
  /// Returns a line without its end-of-line; lines count from 0.
  std::string_view line(int line) const;

 private:
  std::string name_, text_;
  std::vector<std::size_t> line_starts_;
  int order_;
  bool line_numbers_;
};

/// A range within one line of a source, in bytes from 0.
struct Place {
  const SourceText* source = nullptr;
  int line = 0;
  int column = 0;
  int length = 1;
};

/// One error in full text, independent of the source.
struct Diagnostic {
  std::string where;  ///< "deck.yaml:12:7", "override 'time.cfl=x'", or a file's name
  std::string message;
  std::string help = {};     ///< the remedy; may be empty
  int line_number = 0;       ///< from 1; 0 = not shown
  std::string excerpt = {};  ///< the source line; empty = none
  int caret = 0;             ///< characters before the caret
  int caret_length = 1;
};

/// Returns several lines, each with its end-of-line.
std::string render(const Diagnostic& diagnostic, bool colour);

/// A deck that cannot be run. what() holds all errors, as render() prints them without colour.
struct DeckError : std::runtime_error {
  explicit DeckError(std::vector<Diagnostic> all);
  std::vector<Diagnostic> diagnostics;
};

/// Collects errors while a deck is read.
class Diagnostics {
 public:
  void error(const Place& place, std::string message, std::string help = "");
  bool any() const { return !entries_.empty(); }
  std::size_t count() const { return entries_.size(); }
  /// Throws DeckError with all errors, sorted by place, if there are any.
  void raise_if_any() const;

 private:
  struct Entry {
    Place place;
    std::string message, help;
  };
  std::vector<Entry> entries_;
};

/// Returns the text in quotation marks, shortened, with control characters made visible.
std::string quote(std::string_view text);

/// Returns e.g. "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

}  // namespace halfstep
