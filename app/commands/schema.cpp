// `halfstep schema`: the JSON Schema of decks, for editors.
#include "app/deck/schema.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/deck/reference.hpp"

namespace halfstep {
namespace {

int schema(bool markdown) {
  std::fputs((markdown ? deck_reference() : deck_schema()).c_str(), stdout);
  return kFinished;
}

}  // namespace

std::function<int()> declare_schema(CLI::App& command) {
  const auto markdown = std::make_shared<bool>();
  command.add_flag("--markdown", *markdown,
                   "Print every key with type, unit, default and range: docs/deck.md");
  command.footer(
      "Examples:\n"
      "  halfstep schema > deck.schema.json\n"
      "  halfstep schema --markdown\n\n"
      "Editors complete and check a deck with the first line\n"
      "  # yaml-language-server: $schema=deck.schema.json");
  return [=] { return schema(*markdown); };
}

}  // namespace halfstep
