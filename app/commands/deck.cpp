// `halfstep deck`: prints a deck that the program carries, to begin one's own with.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/deck/shipped.hpp"

namespace halfstep {

std::function<int()> declare_deck(CLI::App& command) {
  const auto name = std::make_shared<std::string>();
  command.add_option("NAME", *name, "a deck that the program carries, or a case: the first deck of it")
      ->required()
      ->check(not_empty());
  command.footer(
      "Examples:\n"
      "  halfstep deck sod > my.yaml\n"
      "  halfstep deck kelvin_helmholtz\n\n"
      "'halfstep list decks' names them; 'halfstep run NAME' runs one as it is.\n\n"
      "Exit codes: 0 printed, 2 no such deck or case.");
  return [=] {
    std::fputs(deck_template(*name).c_str(), stdout);
    return kFinished;
  };
}

}  // namespace halfstep
