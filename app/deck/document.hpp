// YAML text as a tree that remembers where everything stands.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/deck/diagnostic.hpp"

namespace halfstep {

struct Node {
  enum class Kind { nothing, scalar, list, block };
  struct Entry {
    std::string key;
    Place key_place;
    Node* value;
  };

  Kind kind = Kind::nothing;
  Place place;
  std::string text;            ///< of a scalar
  bool is_text = false;        ///< a scalar in quotation marks or tagged !!str: never a number
  std::vector<Node*> items;    ///< of a list
  std::vector<Entry> entries;  ///< of a block, in order, duplicates included

  /// The first entry of that key, or nullptr.
  const Entry* find(const std::string& key) const;
};

/// Owns the nodes of a deck and its overrides, so that an alias is just a second pointer.
class Document {
 public:
  /// Parses `source` and makes it the root. Syntax errors, duplicate keys and keys that are not names go to
  /// `errors`; after a syntax error root() is nullptr.
  void read(const SourceText& source, Diagnostics& errors);

  /// Applies `source`, an override "block.key=value": the value replaces the one of that path, or is added; a
  /// block is merged key by key.
  void apply_override(const SourceText& source, Diagnostics& errors);

  const Node* root() const { return root_; }

 private:
  class Builder;
  /// The root of the text from `start` on, or nullptr after a syntax error.
  Node* parse(const SourceText& source, std::size_t start, Diagnostics& errors);
  Node* add(const Place& place, Node::Kind kind);
  void insert(Node& block, const Node::Entry& entry);

  std::deque<Node> nodes_;
  Node* root_ = nullptr;
};

/// Whether `text` is UTF-8 without control characters other than tabs and ends of line; if not, `line` (from
/// 0) and `what` say where and what is wrong.
bool is_plain_text(const std::string& text, int& line, std::string& what);

}  // namespace halfstep
