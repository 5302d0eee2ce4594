// Named choices: a deck gives a choice by its name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// A choice with its name in a deck and a one-line summary.
template <class Enum>
struct Choice {
  Enum value;
  std::string_view name;
  std::string_view summary;
};

template <class Enum, std::size_t n>
std::vector<std::string> names(const Choice<Enum> (&table)[n]) {
  std::vector<std::string> all;
  for (const auto& choice : table) all.emplace_back(choice.name);
  return all;
}
/// Returns the value of that name, which the table must hold.
template <class Enum, std::size_t n>
Enum value_of(const Choice<Enum> (&table)[n], std::string_view name) {
  for (const auto& choice : table)
    if (choice.name == name) return choice.value;
  return table[0].value;
}
template <class Enum, std::size_t n>
std::string_view name_of(const Choice<Enum> (&table)[n], Enum value) {
  for (const auto& choice : table)
    if (choice.value == value) return choice.name;
  return "?";
}

}  // namespace halfstep
