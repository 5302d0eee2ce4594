// Compiled with the configuration and the deck's table that CONTRIBUTING.md shows, with its key.
#include <doctest/doctest.h>

#include <string>

#include "app/deck/deck.hpp"
#include "app/deck/reference.hpp"
#include "app/deck/schema.hpp"

using namespace halfstep;

namespace {

const std::string kDeck = "case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the member and the row of CONTRIBUTING.md are a key: its default, its value, its place") {
  CHECK(parse_deck(kDeck, "deck.yaml").output.history_digits == 17);
  const RunConfig config = parse_deck(kDeck, "deck.yaml", {"output.history_digits=9"});
  CHECK(config.output.history_digits == 9);
  CHECK(contains(config.resolved, "  history_every_steps: 1\n  history_digits: 9\n"));
  CHECK(parse_deck(config.resolved, "resolved.yaml").output.history_digits == 9);
}

TEST_CASE("a value beyond the row's range is refused with the row's meaning and default") {
  try {
    parse_deck(kDeck + "output: {history_digits: 5}\n", "deck.yaml");
    FAIL("5 digits were taken");
  } catch (const DeckError& e) {
    CHECK(std::string(e.what()) ==
          "deck.yaml:4:26: error: 'output.history_digits' must be from 6 to 17, not 5\n"
          "    4 | output: {history_digits: 5}\n"
          "      |                          ^\n"
          "      = significant digits of a number in history.csv (default 17)");
  }
}

TEST_CASE("the schema and the reference have the page's key") {
  CHECK(contains(deck_schema(), "\"history_digits\": {"));
  CHECK(
      contains(deck_reference(), "| `history_digits` | integer | `17` | from 6 to 17 | significant digits"));
}
