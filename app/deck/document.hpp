// YAML text as a tree that records the place of every node.
#pragma once

#include <deque>
#include <optional>
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
  std::string text;            ///< the scalar's value
  bool is_text = false;        ///< a scalar in quotation marks or tagged !!str: never a number
  std::vector<Node*> items;    ///< the list's items
  std::vector<Entry> entries;  ///< the block's entries in order, duplicates included
  Node* single = nullptr;      ///< the scalar whose items an override's block names: mesh.cells.x of 512

  /// Returns the first entry with that key, or nullptr.
  const Entry* find(const std::string& key) const;
};

/// Owns the nodes of a deck and its overrides; an alias is a second pointer to a node.
class Document {
 public:
  /// Parses `source` and makes it the root. Reports syntax errors, duplicate keys and invalid keys to
  /// `errors`; after a syntax error root() is nullptr.
  void read(const SourceText& source, Diagnostics& errors);

  /// Applies `source`, an override "block.key=value": replaces or adds the value at that path; merges a block
  /// key by key. The item of a list is named by its index, from 0, or by its axis:
  /// "case.regions.0.radius=0.1", "mesh.cells.x=64".
  void apply_override(const SourceText& source, Diagnostics& errors);

  const Node* root() const { return root_; }

 private:
  class Builder;
  /// Parses the text from `start` on; returns its root, or nullptr after a syntax error.
  Node* parse(const SourceText& source, std::size_t start, Diagnostics& errors);
  Node* add(const Place& place, Node::Kind kind);
  /// Sets an entry of a block, or merges a block into the one that is there.
  void insert(Node& block, const Node::Entry& entry, Diagnostics& errors);
  /// Sets the item of a list that `entry` names, as insert() does.
  void insert_item(Node& list, const Node::Entry& entry, Diagnostics& errors);
  /// Returns what stands in the place of `present` once `given` was merged into it.
  Node* merged(Node* present, Node& given, Diagnostics& errors);

  std::deque<Node> nodes_;
  Node* root_ = nullptr;
};

/// Returns the index of the item of a list that an override names by its number, from 0, or by its axis x, y
/// or z; nothing if the key is neither.
std::optional<std::size_t> item_index(const std::string& key);

/// Whether `text` is UTF-8 without control characters other than tabs and ends of line; if not, sets `line`
/// (from 0) and `what` to the place and kind of the error.
bool is_plain_text(const std::string& text, int& line, std::string& what);

}  // namespace halfstep
