#include "app/deck/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <regex>
#include <type_traits>
#include <utility>

#include "app/deck/document.hpp"
#include "app/deck/field_names.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/scalar.hpp"
#include "app/deck/spelling.hpp"
#include "physics/base/expression.hpp"

namespace halfstep {
namespace {

/// Returns the names of the flow's own fields in files, which no scalar may have.
std::vector<std::string> names_of_fields() {
  std::vector<std::string> names = kDrawnFields;
  names.insert(names.end(), kOtherFields.begin(), kOtherFields.end());
  names.insert(names.end(), kSolidFields.begin(), kSolidFields.end());
  for (const auto& field : kFlowFieldNames) names.emplace_back(field.name);
  return names;
}

class Validator : ScalarReader {
 public:
  /// Validates blocks against `table`.
  Validator(const std::vector<DeckParameter>& table, ValidatedDeck& result, Diagnostics& errors)
      : ScalarReader(result.names, errors), table_(table), result_(result), errors_(errors) {}

  /// Validates every entry of the block whose dotted path is `prefix` ("" or "mesh."), names of numbers
  /// first: the other entries may use them.
  void block(const Node& node, const std::string& prefix) {
    std::vector<Node::Entry> entries = node.entries;
    std::stable_partition(entries.begin(), entries.end(), [&](const Node::Entry& entry) {
      const DeckParameter* p = find(prefix + entry.key);
      return p && std::holds_alternative<NamedNumbers>(p->fallback);
    });
    for (const Node::Entry& entry : entries) {
      const std::string path = prefix + entry.key;
      const bool dotted = entry.key.find('.') != std::string::npos;  // "time.cfl" is one key, not two
      if (const DeckParameter* p = dotted ? nullptr : find(path)) {
        result_.given[path] = entry.value;
        if (!read(*p, *entry.value)) result_.wrong.insert(path);
      } else if (!dotted && !keys(path + ".").empty()) {
        result_.block_places[path] = entry.key_place;
        if (entry.value->kind == Node::Kind::block)
          block(*entry.value, path + ".");
        else if (entry.value->kind != Node::Kind::nothing)
          wrong_block(entry.value->place, path,
                      fmt::format("'{}' is a block of keys, not {}", path, found(*entry.value)),
                      entry.value->text);
      } else if (prefix != "case." || result_.info || nearest(entry.key, {"name"})) {
        // Without a valid case name its other keys are unknown.
        unknown(entry, prefix);
      }
    }
  }

  void missing() {
    for (const DeckParameter& p : table_) {
      if (!p.unless.empty() && result_.given.count(p.unless)) continue;
      if (!p.required || result_.given.count(p.name) || result_.wrong.count(p.name)) continue;
      if (const std::string block = absent_block(p.name); !block.empty()) {
        wrong_block(result_.place_of(block), block, fmt::format("missing '{}', a block of keys", block));
        continue;
      }
      errors_.error(result_.place_of(p.name), fmt::format("missing '{}': {}", p.name, p.meaning),
                    fmt::format("'{}' takes {}", p.name, accepted_values(p)));
      result_.wrong.insert(p.name);
    }
  }

 private:
  /// Returns the block around a parameter that the deck does not give and that has other required ones; "" if
  /// it gives it.
  std::string absent_block(const std::string& name) const {
    const std::string block = name.substr(0, name.rfind('.'));
    if (result_.block_places.count(block)) return "";
    const auto inside = [&](const DeckParameter& p) { return p.required && p.name.starts_with(block + "."); };
    return std::count_if(table_.begin(), table_.end(), inside) > 1 ? block : "";
  }

  /// Reports one error for all that the block holds or would hold. `word`: what the deck has in its place,
  /// which may be meant for the key that says what the block is of.
  void wrong_block(const Place& place, const std::string& path, const std::string& message,
                   const std::string& word = "") {
    const std::vector<std::string> own = keys(path + ".");
    std::string help = fmt::format("its keys: {}", fmt::join(own, ", "));
    if (!word.empty() && (own[0] == "name" || own[0] == "kind"))
      help += fmt::format("; for example '{}: {{{}: {}}}'", path.substr(path.rfind('.') + 1), own[0], word);
    errors_.error(place, message, help);
    for (const DeckParameter& p : table_)
      if (p.name.starts_with(path + ".")) result_.wrong.insert(p.name);
  }

  const DeckParameter* find(const std::string& path) const {
    for (const DeckParameter& p : table_)
      if (p.name == path) return &p;
    return nullptr;
  }

  /// Returns the keys of the block `prefix` in the table's order.
  std::vector<std::string> keys(const std::string& prefix) const {
    std::vector<std::string> all;
    for (const DeckParameter& p : table_) {
      if (p.name.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string key = p.name.substr(prefix.size(), p.name.find('.', prefix.size()) - prefix.size());
      if (all.empty() || all.back() != key) all.push_back(key);
    }
    return all;
  }

  /// Returns the full names of parameters whose own name is `key`, or nearest to it.
  std::vector<std::string> parameters_like(const std::string& key) const {
    const auto own_name = [](const DeckParameter& p) { return p.name.substr(p.name.rfind('.') + 1); };
    std::vector<std::string> own_names, full_names;
    for (const DeckParameter& p : table_) own_names.push_back(own_name(p));
    const auto near = nearest(key, own_names);
    for (const DeckParameter& p : table_)
      if (own_name(p) == near) full_names.push_back(p.name);
    return full_names;
  }

  /// Returns "time: {cfl: ...}" for "time.cfl".
  static std::string nested(const std::string& path) {
    const auto dot = path.find('.');
    if (dot == std::string::npos) return path + ": ...";
    return path.substr(0, dot) + ": {" + nested(path.substr(dot + 1)) + "}";
  }

  void unknown(const Node::Entry& entry, const std::string& prefix) {
    // Suggestions are slow to find: beyond this many errors the rest are only counted.
    constexpr std::size_t explained = 1000;
    if (errors_.count() >= explained) return errors_.error(entry.key_place, "unknown key");
    const std::vector<std::string> here = keys(prefix);
    const std::string inside =
        prefix.empty() ? "" : fmt::format(" in '{}'", prefix.substr(0, prefix.size() - 1));
    std::string message = fmt::format("unknown key {}{}", quote(entry.key), inside);
    std::string help;
    if (entry.key.find(':') != std::string::npos) {
      message += "; a space is missing after the ':'";
    } else if (find(prefix + entry.key)) {
      message += fmt::format("; in a deck write '{}'", nested(entry.key));
    } else if (const auto near = nearest(entry.key, here)) {
      message += fmt::format("; did you mean '{}'?", *near);
    } else {
      const std::vector<std::string> elsewhere = parameters_like(entry.key);
      if (!elsewhere.empty()) message += fmt::format("; did you mean '{}'?", alternatives(elsewhere));
    }
    help = prefix.empty() ? "the keys of a deck: "
                          : fmt::format("the keys of '{}': ", prefix.substr(0, prefix.size() - 1));
    if (prefix == "case." && result_.info) help = fmt::format("the keys of case '{}': ", result_.info->name);
    for (std::size_t i = 0; i < here.size(); ++i) help += (i ? ", " : "") + here[i];
    errors_.error(entry.key_place, message, help);
  }

  bool read(const DeckParameter& p, const Node& node) {
    return std::visit([&](const auto& fallback) { return read(p, node, fallback); }, p.fallback);
  }

  template <class T>
  bool read(const DeckParameter& p, const Node& node, const T&) {
    T value{};
    if (!element(p, node, p.name, value)) return false;
    p.set(result_.config, value);
    return true;
  }

  template <class T>
  bool read(const DeckParameter& p, const Node& node, const std::vector<T>& fallback) {
    if (node.kind == Node::Kind::scalar && p.single != Single::refused) return read_single(p, node, fallback);
    if (node.single && p.single != Single::refused) return read_items_of_single(p, node, fallback);
    if constexpr (std::is_same_v<T, double>)
      if (p.format == Format::direction && node.kind == Node::Kind::scalar) return read_axis(p, node);
    if (node.kind != Node::Kind::list) return refuse_type(p, node, p.name, accepted_values(p));
    const bool is_of_any_length = p.any_of_set || is_list_of_any_length(p);
    if (is_of_any_length ? node.items.empty() : node.items.size() != fallback.size())
      return refuse_length(p, node);
    std::vector<T> values;
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = *node.items[i];
      T value{};
      if (!element(p, item, p.any_of_set ? p.name : fmt::format("{}[{}]", p.name, i), value))
        good = false;
      else if (p.any_of_set && std::find(values.begin(), values.end(), value) != values.end())
        good = refuse(p, item, fmt::format("'{}' names {} twice", p.name, quote(item.text)));
      else
        values.push_back(value);
    }
    if (good && p.format == Format::direction && values == std::vector<T>(3))
      good = refuse(p, node, fmt::format("'{}' has no direction: all its numbers are 0", p.name));
    if (good) p.set(result_.config, values);
    return good;
  }

  bool refuse_length(const DeckParameter& p, const Node& node) {
    return refuse(
        p, node,
        fmt::format("'{}' takes {}, not {}", p.name, accepted_values(p),
                    node.items.empty() ? "an empty list" : fmt::format("a list of {}", node.items.size())));
  }

  /// Reads x, y or z as the unit vector along that axis.
  bool read_axis(const DeckParameter& p, const Node& node) {
    const std::size_t axis = std::string("xyz").find(node.text);
    if (node.text.size() != 1 || axis > 2) return refuse_type(p, node, p.name, accepted_values(p));
    std::vector<double> unit(3);
    unit[axis] = 1;
    p.set(result_.config, unit);
    return true;
  }

  bool read(const DeckParameter& p, const Node& node, const NamedNumbers&) {
    if (node.kind != Node::Kind::block) return refuse_type(p, node, p.name, accepted_values(p));
    NamedNumbers numbers;
    bool good = true;
    for (const Node::Entry& entry : node.entries) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (!free_name(p, entry, "a number", names_taken(), "expressions")) {
        good = false;
        continue;
      }
      good = element(p, *entry.value, p.name + "." + entry.key, value) && good;
      numbers.emplace_back(entry.key, value);
      result_.names.push_back(numbers.back());
    }
    if (good) p.set(result_.config, numbers);
    return good;
  }

  bool read(const DeckParameter& p, const Node& node, const NamedFields&) {
    if (node.kind != Node::Kind::block) return refuse_type(p, node, p.name, accepted_values(p));
    if (node.entries.size() > kMaxScalars)
      return refuse(p, node, fmt::format("'{}' takes at most {} of them", p.name, kMaxScalars));
    NamedFields fields;
    bool good = true;
    for (const Node::Entry& entry : node.entries) {
      FieldValue value;
      const std::string name = p.name + "." + entry.key;
      result_.given[name] = entry.value;
      // The deck's own block declares scalars; a state's gives fractions of those that there are.
      if (p.name != "scalars")
        result_.named_scalars.push_back({p.name, entry.key, entry.key_place});
      else if (!free_name(p, entry, "a scalar", names_of_fields(), "files"))
        good = false;
      good = element(p, *entry.value, name, value) && good;
      fields.emplace_back(entry.key, value);
    }
    if (good) p.set(result_.config, fields);
    return good;
  }

  static std::vector<std::string> names_taken() {
    std::vector<std::string> taken = names_in_expressions();
    taken.insert(taken.end(), {"gamma", "t"});
    return taken;
  }

  /// Whether the deck may give the name to `what`; reports if not. `taken`: the names that `owner` have.
  bool free_name(const DeckParameter& p, const Node::Entry& entry, const std::string& what,
                 const std::vector<std::string>& taken, const std::string& owner) {
    static const std::regex letters("[A-Za-z_][A-Za-z0-9_]*");
    if (std::find(taken.begin(), taken.end(), entry.key) != taken.end())
      errors_.error(entry.key_place, fmt::format("'{}' cannot name {} {}: {} have it already", p.name, what,
                                                 quote(entry.key), owner));
    else if (entry.key.size() > kLongestName || !std::regex_match(entry.key, letters))
      errors_.error(entry.key_place, fmt::format("'{}' cannot name {} {}", p.name, what, quote(entry.key)),
                    fmt::format("a name has letters, digits and '_', {} at most, and begins with no digit",
                                kLongestName));
    else
      return true;
    return false;
  }

  bool read(const DeckParameter& p, const Node& node, const Places&) {
    if (node.kind != Node::Kind::list) return refuse_type(p, node, p.name, accepted_values(p));
    Places places(node.items.size());
    bool good = true;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const Node& place = *node.items[n];
      const std::string name = fmt::format("{}[{}]", p.name, n);
      const std::size_t numbers = place.items.size();
      const bool may_lack_z = p.format == Format::places_in_plane;
      if (place.kind != Node::Kind::list || (numbers != 3 && !(may_lack_z && numbers == 2)))
        good = refuse_type(p, place, name, may_lack_z ? "[x, y] or [x, y, z]" : "three numbers [x, y, z]");
      else
        for (std::size_t axis = 0; axis < numbers; ++axis)
          good = element(p, *place.items[axis], fmt::format("{}[{}]", name, axis), places[n][axis]) && good;
    }
    if (good) p.set(result_.config, places);
    return good;
  }

  bool read(const DeckParameter& p, const Node& node, const Items& fallback) {
    if (node.single && p.single != Single::refused) return read_items_of_single(p, node, fallback);
    if (p.single == Single::every && node.kind != Node::Kind::list && node.kind != Node::Kind::nothing) {
      Values item;
      if (!read_item(p, node, p.name, item)) return false;
      p.set(result_.config, Items(fallback.size(), item));
      return true;
    }
    if (node.kind != Node::Kind::list) return refuse_type(p, node, p.name, accepted_values(p));
    if (!fallback.empty() && node.items.size() != fallback.size()) return refuse_length(p, node);
    Items items(node.items.size());
    bool good = true;
    for (std::size_t i = 0; i < items.size(); ++i)
      good = read_item(p, *node.items[i], fmt::format("{}[{}]", p.name, i), items[i]) && good;
    if (good) p.set(result_.config, items);
    return good;
  }

  bool read(const DeckParameter& p, const Node& node, const NamedItems&) {
    if (node.kind != Node::Kind::block) return refuse_type(p, node, p.name, accepted_values(p));
    NamedItems items;
    bool good = true;
    for (const Node::Entry& entry : node.entries) {
      const std::string name = p.name + "." + entry.key;
      result_.given[name] = entry.value;
      items.emplace_back(entry.key, Values());
      good = read_item(p, *entry.value, name, items.back().second) && good;
    }
    if (good) p.set(result_.config, items);
    return good;
  }

  /// Validates one block of a list, called `name` in messages.
  bool read_item(const DeckParameter& p, const Node& node, const std::string& name, Values& item) {
    if (node.kind != Node::Kind::block && !p.choices.empty()) return read_word(p, node, name, item);
    if (node.kind != Node::Kind::block) return refuse_type(p, node, name, "a block of keys");
    result_.given[name] = &node;
    result_.block_places[name] = node.place;
    const std::size_t errors_before = errors_.count();
    const ItemKind* kind = kind_of(p, node);
    const std::vector<DeckParameter> table = item_table(p, kind, name, item);
    Validator inner(table, result_, errors_);
    Node known = node;  // without a valid kind its other keys are unknown
    if (!kind) std::erase_if(known.entries, [&](const auto& entry) { return entry.key != p.kind_key; });
    inner.block(known, name + ".");
    inner.missing();
    if (errors_.count() > errors_before) return false;
    for (const Parameter& own : kind->parameters)
      if (own.computed.of_block && !result_.given.count(name + "." + own.name))
        item.set(own.name, own.computed.of_block(item));
    const Objection objection = kind->objection(item);
    if (objection.message.empty()) return true;
    errors_.error(result_.place_of(name + "." + objection.key),
                  fmt::format("'{}': {}", name, objection.message));
    return false;
  }

  /// Reads a word that stands for a block without values, or with the defaults of all.
  bool read_word(const DeckParameter& p, const Node& node, const std::string& name, Values& item) {
    std::string word;
    if (!element(p, node, name, word)) return false;
    std::string keys;
    const std::vector<Parameter>& parameters = kind_named(p, word)->parameters;
    for (const Parameter& own : parameters) keys += fmt::format(", {}: ...", own.name);
    if (std::any_of(parameters.begin(), parameters.end(),
                    [](const Parameter& own) { return own.required; })) {
      errors_.error(node.place, fmt::format("'{}' has to give the values of {}", name, quote(word)),
                    fmt::format("for example {{{}: {}{}}}", p.kind_key, word, keys));
      return false;
    }
    item.set(p.kind_key, word);
    for (const Parameter& own : parameters) item.set(own.name, own.fallback);
    return true;
  }

  static const ItemKind* kind_named(const DeckParameter& p, const std::string& name) {
    for (const ItemKind& kind : p.kinds)
      if (name == kind.name) return &kind;
    return nullptr;
  }
  static const ItemKind* kind_of(const DeckParameter& p, const Node& node) {
    const Node::Entry* given = node.find(p.kind_key);
    return given ? kind_named(p, given->value->text) : nullptr;
  }

  /// Returns rows that set the values of `item`, which gets the defaults of its kind.
  static std::vector<DeckParameter> item_table(const DeckParameter& p, const ItemKind* kind,
                                               const std::string& name, Values& item) {
    Parameter key{
        .name = p.kind_key, .fallback = std::string(), .unit = "", .meaning = "the kind of the block"};
    key.required = true;
    for (const ItemKind& choice : p.kinds) key.choices.push_back(choice.name);
    std::vector<Parameter> own{key};
    if (kind) own.insert(own.end(), kind->parameters.begin(), kind->parameters.end());
    std::vector<DeckParameter> table;
    for (const Parameter& parameter : own) {
      DeckParameter& row = table.emplace_back(DeckParameter{parameter});
      row.name = name + "." + parameter.name;
      row.set = [&item, key = parameter.name](RunConfig&, const Value& value) { item.set(key, value); };
      item.set(parameter.name, parameter.fallback);
    }
    return table;
  }

  template <class T>
  bool read_single(const DeckParameter& p, const Node& node, std::vector<T> values) {
    T value{};
    if (!element(p, node, p.name, value)) return false;
    std::fill(values.begin(), p.single == Single::every ? values.end() : values.begin() + 1, value);
    p.set(result_.config, values);
    return true;
  }

  /// Reads the list that a single value stands for, with the items that an override changes.
  template <class T>
  bool read_items_of_single(const DeckParameter& p, const Node& node, const std::vector<T>& fallback) {
    std::vector<Node> own(fallback.size(), *node.single);
    Node list = node;
    list.kind = Node::Kind::list;
    list.single = nullptr;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if constexpr (!std::is_same_v<T, Values>)
        if (p.single == Single::first && i > 0) own[i].text = yaml_value(fallback[i]);
      list.items.push_back(&own[i]);
    }
    for (const Node::Entry& entry : node.entries) {
      const std::size_t index = *item_index(entry.key);
      if (index >= list.items.size()) {
        errors_.error(entry.key_place, fmt::format("the list has no item {}", quote(entry.key)),
                      fmt::format("it has {}, which count from 0", list.items.size()));
        return false;
      }
      list.items[index] = entry.value;
    }
    return read(p, list, fallback);
  }

  const std::vector<DeckParameter>& table_;
  ValidatedDeck& result_;
  Diagnostics& errors_;
};

/// Returns the entries of `key` alone, and all others.
std::pair<Node, Node> split(const Node& block, const std::string& key) {
  Node with = block, without = block;
  std::erase_if(with.entries, [&](const auto& entry) { return entry.key != key; });
  std::erase_if(without.entries, [&](const auto& entry) { return entry.key == key; });
  return {with, without};
}

}  // namespace

bool ValidatedDeck::sound(const std::vector<std::string>& names) const {
  for (const std::string& name : names)
    if (wrong.count(name)) return false;
  return true;
}

Place ValidatedDeck::place_of(const std::string& name) const {
  if (const auto it = given.find(name); it != given.end()) return it->second->place;
  for (auto end = name.size(); end != std::string::npos && end > 0; end = name.rfind('.', end - 1))
    if (const auto it = block_places.find(name.substr(0, end)); it != block_places.end()) return it->second;
  return start;
}

Place ValidatedDeck::place_of_item(const std::string& name, std::size_t item) const {
  const auto it = given.find(name);
  return it != given.end() && item < it->second->items.size() ? it->second->items[item]->place
                                                              : place_of(name);
}

ValidatedDeck validate(const Node* root, const SourceText& deck, Diagnostics& errors) {
  ValidatedDeck result;
  result.start = {&deck, 0, 0, 1};
  if (!root) return result;
  if (root->kind == Node::Kind::nothing) {
    errors.error(result.start, "the deck is empty", "it needs at least case.name, mesh.cells and time.end");
    return result;
  }
  if (root->kind != Node::Kind::block) {
    errors.error(root->place, fmt::format("a deck is a block of 'key: value' lines, not {}", found(*root)),
                 root->text.find(':') != std::string::npos ? "a space is missing after the ':'" : "");
    return result;
  }
  // The case comes first: it determines the keys of its block.
  if (const Node::Entry* block = root->find("case"))
    if (const Node::Entry* name = block->value->find("name")) result.info = find_case(name->value->text);
  result.table = deck_table_with(result.info);
  for (const DeckParameter& p : result.table) p.set(result.config, p.fallback);
  Validator validator(result.table, result, errors);
  // First what expressions may name: gas.gamma, then case.parameters.
  const auto [gas, without_gas] = split(*root, "gas");
  const auto [flow, others] = split(without_gas, "case");
  validator.block(gas, "");
  const double gamma = result.config.problem.gamma;
  result.names.emplace_back("gamma",
                            result.sound({"gas.gamma"}) ? gamma : std::numeric_limits<double>::quiet_NaN());
  validator.block(flow, "");
  validator.block(others, "");
  validator.missing();
  return result;
}

}  // namespace halfstep
