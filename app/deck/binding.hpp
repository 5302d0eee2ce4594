// Binding of the deck table's rows to members of RunConfig. A function that returns a reference names the
// member. The member's type determines what a deck may give, its initializer is the default.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/deck/table.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;

/// Binds `parameter` to a member, or to the items of an array. `spell` converts the member to a deck's value,
/// `read` back. The default is the value in a default-constructed RunConfig.
template <class Member, class Spell, class Read>
DeckParameter bound(Parameter parameter, Member member, Spell spell, Read read) {
  constexpr bool array = is_array<std::decay_t<decltype(member(std::declval<RunConfig&>()))>>;
  const auto get = [member, spell](const RunConfig& config) -> Value {
    const auto& held = member(config);
    if constexpr (array) {
      std::vector<decltype(spell(held[0]))> all;
      for (const auto& item : held) all.push_back(spell(item));
      return all;
    } else {
      return spell(held);
    }
  };
  const auto set = [member, spell, read](RunConfig& config, const Value& value) {
    auto& held = member(config);
    if constexpr (array) {
      const auto& all = std::get<std::vector<decltype(spell(held[0]))>>(value);
      for (std::size_t i = 0; i < held.size(); ++i) read(all[i], held[i]);
    } else {
      read(std::get<decltype(spell(held))>(value), held);
    }
  };
  const RunConfig defaults;
  parameter.fallback = get(defaults);
  return {std::move(parameter), get, set};
}

/// Binds a number, text, duration, boolean, or list of numbers or texts.
template <class Member>
DeckParameter row(const std::string& name, Member member, const std::string& unit, const std::string& meaning,
                  const Range& range = {}) {
  using T = std::decay_t<decltype(member(std::declval<RunConfig&>()))>;
  const auto spell = [](const auto& held) {
    using Held = std::decay_t<decltype(held)>;
    if constexpr (std::is_same_v<Held, Duration>)
      return held.text();
    else if constexpr (std::is_integral_v<Held> && !std::is_same_v<Held, bool>)
      return std::int64_t{held};
    else
      return held;
  };
  const auto read = [](const auto& value, auto& held) { held = std::decay_t<decltype(held)>(value); };
  const Format format = std::is_same_v<T, Duration> ? Format::duration : Format::any;
  return bound({name, {}, unit, meaning, range, {}, format}, member, spell, read);
}

/// Binds a text that is one of `words`, or a list of one or more of them.
template <class Member>
DeckParameter words(const std::string& name, Member member, const std::string& meaning,
                    std::vector<std::string> words) {
  DeckParameter parameter = row(name, member, "", meaning);
  parameter.choices = std::move(words);
  parameter.any_of_set = std::holds_alternative<std::vector<std::string>>(parameter.fallback);
  return parameter;
}

/// Binds an enumeration that a deck spells by a name in `table`.
template <class Member, class T, std::size_t n>
DeckParameter choice(const std::string& name, Member member, const std::string& meaning,
                     const Choice<T> (&table)[n]) {
  return bound(
      {name, {}, "", meaning, {}, names(table)}, member,
      [&table](T held) { return std::string(name_of(table, held)); },
      [&table](const std::string& word, T& held) { held = value_of(table, word); });
}

}  // namespace halfstep
