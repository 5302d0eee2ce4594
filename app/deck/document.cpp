#include "app/deck/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace halfstep {
namespace {

/// Returns the length of the token at (line, column) on its line; `text` is a scalar's value.
int token_length(std::string_view line, int column, const std::string& text) {
  if (column >= static_cast<int>(line.size())) return 1;
  const std::string_view rest = line.substr(column);
  if (!text.empty() && rest.substr(0, text.size()) == text) return static_cast<int>(text.size());
  const char open = rest[0];
  if (open == '"' || open == '\'') {
    const auto close = rest.find(open, 1);
    return close == std::string_view::npos ? 1 : static_cast<int>(close) + 1;
  }
  if (open == '[' || open == '{') {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      depth += (rest[i] == '[' || rest[i] == '{') - (rest[i] == ']' || rest[i] == '}');
      if (depth == 0) return static_cast<int>(i) + 1;
    }
  }
  return 1;
}

/// Whether the quoted scalar at `start` of `text` is closed; yaml-cpp lets an unclosed one run to the end of
/// the deck.
bool is_closed(std::string_view text, std::size_t start) {
  const char mark = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (mark == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == mark && mark == '\'' && i + 1 < text.size() && text[i + 1] == mark)
      ++i;
    else if (text[i] == mark)
      return true;
  }
  return false;
}

struct Explanation {
  std::string message, help;
};

/// Explains yaml-cpp's terse messages for common mistakes.
Explanation explain(const std::string& message) {
  using namespace YAML::ErrorMsg;
  static const std::map<std::string, Explanation> plain = {
      {END_OF_MAP,
       {"this does not fit the block above it",
        "check the indentation, and the ':' with a space after each key"}},
      {END_OF_SEQ, {"this does not fit the list above it", "check the indentation"}},
      {END_OF_MAP_FLOW, {"a '{' is not closed, or a ',' is missing", ""}},
      {END_OF_SEQ_FLOW, {"a '[' is not closed, or a ',' is missing", ""}},
      {FLOW_END, {"a ']' or '}' too many", ""}},
      {MAP_VALUE,
       {"a ':' where no value can stand",
        "check the indentation and the line above; text that holds ': ' wants quotation marks"}},
      {BLOCK_ENTRY, {"a '-' where no list can stand", ""}},
      {EOF_IN_SCALAR, {"a quotation mark is not closed", ""}},
      {UNKNOWN_TOKEN, {"no value starts with this character", "put text that does in quotation marks"}},
      {UNKNOWN_ANCHOR, {"an alias of an anchor that is not defined above it", ""}},
  };
  if (message.starts_with(UNKNOWN_ANCHOR)) return plain.at(UNKNOWN_ANCHOR);  // yaml-cpp 0.8 adds its name
  const auto it = plain.find(message);
  return it != plain.end() ? it->second : Explanation{message, ""};
}

/// Returns the position of the first tab in the line's indentation, or npos. YAML wants spaces there, and
/// yaml-cpp reports the error elsewhere.
std::size_t indentation_tab(std::string_view line) {
  const std::size_t tab = line.find('\t');
  return tab != std::string_view::npos && line.find_first_not_of(" \t") > tab ? tab : std::string_view::npos;
}

}  // namespace

std::optional<std::size_t> item_index(const std::string& key) {
  constexpr std::string_view axes = "xyz";
  if (key.size() == 1 && axes.find(key[0]) != axes.npos) return axes.find(key[0]);
  if (key.empty() || key.find_first_not_of("0123456789") != key.npos) return std::nullopt;
  return key.size() < 9 ? std::stoul(key) : key.npos;
}

const Node::Entry* Node::find(const std::string& key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

/// Builds the tree from yaml-cpp's events, because yaml-cpp's own tree loses duplicate keys.
class Document::Builder : public YAML::EventHandler {
 public:
  Builder(Document& document, const SourceText& source, std::size_t start, Diagnostics& errors)
      : document_(document), source_(source), start_(static_cast<int>(start)), errors_(errors) {}

  Node* root() const { return root_; }
  int documents() const { return documents_; }
  /// Returns the line of the innermost unfinished list or block.
  int open_since_line() const { return stack_.empty() ? INT_MAX : stack_.back().node->place.line; }
  /// Returns the places of keys that are lists, blocks or nothing, often the first sign of a syntax error.
  const std::vector<Place>& odd_keys() const { return odd_keys_; }

  Place place(const YAML::Mark& mark, const std::string& text = "") const {
    // Columns of the first parsed line are relative to the start of the parse.
    Place at{&source_, std::max(mark.line, 0), std::max(mark.column, 0) + (mark.line <= 0 ? start_ : 0), 1};
    if (at.line >= source_.line_count()) {
      at.line = source_.line_count() - 1;
      at.column = static_cast<int>(source_.line(at.line).size());
    }
    at.length = token_length(source_.line(at.line), at.column, text);
    return at;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 2) errors_.error(place(mark), "a second YAML document: a deck is one document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Place at = place(mark);
    // An omitted value has no place of its own (the mark is the next token's): use its key's.
    if (!stack_.empty() && stack_.back().awaits_value) at = stack_.back().key_place;
    attach(remember(document_.add(at, Node::Kind::nothing), anchor));
  }
  void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override { attach(anchors_.at(anchor)); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node* node = document_.add(place(mark, value), Node::Kind::scalar);
    node->text = value;
    check_closed(node->place);
    node->is_text = tag == "!" || tag == "tag:yaml.org,2002:str";  // yaml-cpp tags quoted scalars "!"
    attach(remember(node, anchor));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(mark, Node::Kind::list, anchor);
  }
  void OnSequenceEnd() override { stack_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(mark, Node::Kind::block, anchor);
  }
  void OnMapEnd() override { stack_.pop_back(); }

 private:
  struct Level {
    Node* node;
    bool awaits_value = false;  ///< the key of a block's entry is known
    bool key_is_name = false;
    std::string key;
    Place key_place;
    std::unordered_map<std::string, Place> seen;
  };

  void check_closed(const Place& at) {
    const std::size_t start =
        static_cast<std::size_t>(source_.line(at.line).data() - source_.text().data()) + at.column;
    const char first = start < source_.text().size() ? source_.text()[start] : ' ';
    if ((first == '"' || first == '\'') && !is_closed(source_.text(), start))
      errors_.error(at, "not valid YAML: a quotation mark is not closed");
  }
  Node* remember(Node* node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    return node;
  }
  void start(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
    Node* node = remember(document_.add(place(mark), kind), anchor);
    attach(node);
    stack_.push_back({.node = node, .key = {}, .key_place = {}, .seen = {}});
  }
  void attach(Node* node) {
    if (stack_.empty()) {
      if (documents_ == 1) root_ = node;
      return;
    }
    Level& level = stack_.back();
    if (level.node->kind == Node::Kind::list) {
      level.node->items.push_back(node);
    } else if (!level.awaits_value) {
      level.awaits_value = true;
      level.key_is_name = node->kind == Node::Kind::scalar;
      level.key = node->text;
      level.key_place = node->place;
      if (!level.key_is_name) odd_keys_.push_back(node->place);
    } else {
      level.awaits_value = false;
      if (!level.key_is_name) return;
      const auto [first, is_new] = level.seen.emplace(level.key, level.key_place);
      if (!is_new)
        errors_.error(
            level.key_place, fmt::format("duplicate key {}", quote(level.key)),
            fmt::format("it is given on line {} already; keep one of the two", first->second.line + 1));
      level.node->entries.push_back({level.key, level.key_place, node});
    }
  }

  Document& document_;
  const SourceText& source_;
  int start_;
  Diagnostics& errors_;
  Node* root_ = nullptr;
  int documents_ = 0;
  std::vector<Level> stack_;
  std::vector<Place> odd_keys_;
  std::map<YAML::anchor_t, Node*> anchors_;
};

Node* Document::add(const Place& place, Node::Kind kind) {
  Node& node = nodes_.emplace_back();
  node.kind = kind;
  node.place = place;
  return &node;
}

Node* Document::parse(const SourceText& source, std::size_t start, Diagnostics& errors) {
  Builder builder(*this, source, start, errors);
  try {
    std::istringstream stream(source.text().substr(start));
    YAML::Parser parser(stream);
    while (builder.documents() < 2 && parser.HandleNextDocument(builder)) {
    }
    for (const Place& place : builder.odd_keys()) errors.error(place, "a key must be a name");
    if (builder.root()) return builder.root();
    return add({&source, 0, static_cast<int>(start), 1}, Node::Kind::nothing);
  } catch (const YAML::DeepRecursion& e) {
    errors.error(builder.place(e.mark), "not a deck: nested too deeply");
  } catch (const YAML::ParserException& e) {
    Place place = builder.place(e.mark);
    Explanation why = explain(e.msg);
    const std::size_t tab = indentation_tab(source.line(place.line));
    if (tab != std::string_view::npos) {
      place.column = static_cast<int>(tab);
      why = {"a tab in the indentation", "YAML wants spaces there"};
    } else if ((e.msg == YAML::ErrorMsg::END_OF_MAP_FLOW || e.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW) &&
               builder.open_since_line() < place.line) {
      why.help = fmt::format("it opens on line {}", builder.open_since_line() + 1);
    }
    errors.error(place, "not valid YAML: " + why.message, why.help);
  }
  return nullptr;
}

void Document::read(const SourceText& source, Diagnostics& errors) { root_ = parse(source, 0, errors); }

void Document::apply_override(const SourceText& source, Diagnostics& errors) {
  const std::string& text = source.text();
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  if (equals == std::string::npos || path.empty() || path.front() == '.' || path.back() == '.' ||
      path.find("..") != std::string::npos) {
    errors.error({&source, 0, 0, static_cast<int>(path.size())}, "an override is 'block.key=value'",
                 "for example time.cfl=0.3 or mesh.cells=[64,64,1]");
    return;
  }
  Node* value = parse(source, equals + 1, errors);
  if (!value || !root_ || root_->kind != Node::Kind::block) return;

  // Wrap the value in one block per path component, from the last to the first, then merge the result.
  std::size_t end = path.size();
  while (true) {
    const std::size_t dot = path.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    const Place key_place{&source, 0, static_cast<int>(begin), static_cast<int>(end - begin)};
    const Node::Entry entry{path.substr(begin, end - begin), key_place, value};
    if (begin == 0) {
      insert(*root_, entry, errors);
      return;
    }
    value = add(key_place, Node::Kind::block);
    value->entries.push_back(entry);
    end = dot;
  }
}

void Document::insert(Node& block, const Node::Entry& entry, Diagnostics& errors) {
  for (Node::Entry& present : block.entries) {
    if (present.key != entry.key) continue;
    Node* const value = merged(present.value, *entry.value, errors);
    if (value == entry.value) present.key_place = entry.key_place;
    present.value = value;
    return;
  }
  block.entries.push_back(entry);
}

void Document::insert_item(Node& list, const Node::Entry& entry, Diagnostics& errors) {
  const std::size_t index = *item_index(entry.key);
  if (index < list.items.size())
    list.items[index] = merged(list.items[index], *entry.value, errors);
  else
    errors.error(entry.key_place, fmt::format("the list has no item {}", quote(entry.key)),
                 fmt::format("it has {}, which count from 0", list.items.size()));
}

Node* Document::merged(Node* present, Node& given, Diagnostics& errors) {
  const auto is_item = [](const Node::Entry& entry) { return item_index(entry.key).has_value(); };
  const bool is_block = present->kind == Node::Kind::block;
  const bool names_items =
      !given.entries.empty() && std::all_of(given.entries.begin(), given.entries.end(), is_item);
  const bool is_list = present->kind == Node::Kind::list && names_items;
  // Only the parameter knows what list a scalar stands for.
  if (present->kind == Node::Kind::scalar && names_items) given.single = present;
  if (given.kind != Node::Kind::block || !(is_block || is_list)) return &given;
  // Copied, because an alias may share the block with another key.
  Node& copy = nodes_.emplace_back(*present);
  for (const Node::Entry& inner : given.entries)
    is_block ? insert(copy, inner, errors) : insert_item(copy, inner, errors);
  return &copy;
}

bool is_plain_text(const std::string& text, int& line, std::string& what) {
  line = 0;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned c = byte(i);
    if (c == '\n') ++line;
    if (c < 0x80) {
      if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
        what = fmt::format("the control character 0x{:02x}", c);
        return false;
      }
      ++i;
      continue;
    }
    // Well-formed byte sequences: Unicode 15, table 3-7.
    const unsigned d = byte(i + 1);
    std::size_t length = 0;
    if (c == 0xC2 && d >= 0x80 && d <= 0x9F) {
      what = fmt::format("the control character U+{:04X}", d);
      return false;
    }
    if (c >= 0xC2 && c <= 0xDF) {
      length = 2;
    } else if (c >= 0xE0 && c <= 0xEF && !(c == 0xE0 && d < 0xA0) && !(c == 0xED && d > 0x9F)) {
      length = 3;
    } else if (c >= 0xF0 && c <= 0xF4 && !(c == 0xF0 && d < 0x90) && !(c == 0xF4 && d > 0x8F)) {
      length = 4;
    }
    for (std::size_t k = 1; k < length; ++k)
      if (!continues(i + k)) length = 0;
    if (length == 0) {
      what = fmt::format("the byte 0x{:02x}, which is not UTF-8", c);
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace halfstep
