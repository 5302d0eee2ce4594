// Decks that the program carries: by name, printed, listed.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "app/deck/deck.hpp"
#include "app/deck/shipped.hpp"
#include "physics/cases/case.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/stl_files.hpp"

using namespace halfstep;

TEST_CASE("every deck of inputs/ runs by its name, as from its file") {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(HALFSTEP_SOURCE_DIR "/inputs"))
    files += file.path().extension() == ".yaml";
  CHECK(shipped_decks().size() == files);
  for (const ShippedDeck& deck : shipped_decks()) {
    CAPTURE(deck.name);
    if (contains(std::string(deck.text), "shape: stl") && !can_read_stl()) continue;
    const RunConfig by_name = load_deck(deck.name),
                    from_file = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck.name + ".yaml");
    CHECK(by_name.resolved == from_file.resolved);
    CHECK_FALSE(title_of(deck).empty());
  }
}

TEST_CASE("a printed deck is a deck, also one printed for a case, with every parameter of the case") {
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const std::string text = deck_template(info.name);
    CHECK_NOTHROW(parse_deck(text, "my.yaml"));
    for (const Parameter& p : info.parameters) {
      CHECK(contains(text, "#   case." + p.name + " = "));
      for (const ItemKind& kind : p.kinds)
        CHECK(contains(text, "#     " + p.kind_key + ": " + kind.name + ": "));
    }
  }
  const Shell halfstep;
  halfstep.write("my.yaml", halfstep.expect(0, "deck lax").out);
  CHECK(load_deck((halfstep / "my.yaml").string()).resolved == load_deck("lax").resolved);
}

TEST_CASE("a shipped deck is run by name, but a file of that name comes first") {
  const Shell halfstep;
  halfstep.expect(0, "run sod mesh.cells=[32,1,1] --backend host --no-progress",
                  {"wrote out/sod; see it: halfstep plot out/sod"});
  std::filesystem::create_directory(halfstep / "lax");
  halfstep.expect(0, "check lax", {"Lax"});
  halfstep.write("toro_1", contents(halfstep / "sod.yaml"));
  halfstep.expect(0, "check toro_1", {"title: Sod\n"});
}

TEST_CASE("names that no deck has are told, and where a deck is") {
  const Shell halfstep;
  halfstep.expect(2, "deck sdo", {"no deck or case 'sdo'; did you mean 'sod'?", "halfstep list decks"});
  halfstep.expect(2, "deck", {"NAME"});
  halfstep.expect(2, "run laxx", {"laxx: error: no such file; did you mean 'lax'?"});
  halfstep.expect(2, "run nowhere/lax.yaml", {"no such file", "halfstep carries a deck of that name: 'lax'"});
  halfstep.expect(2, "check sod.yaml case.name=lax", {"the deck 'lax' is of the case 'riemann'"});
  halfstep.expect(2, "list deks", {"nothing to list under 'deks'; did you mean 'decks'?"});
  const std::string decks = halfstep.expect(0, "list decks").out;
  CHECK(decks.starts_with("decks (halfstep run NAME, halfstep deck NAME)\n"));
  CHECK(contains(decks, "\n  sod "));
  CHECK_FALSE(contains(decks, "weno5z"));
  CHECK(contains(halfstep.expect(0, "list limiters").out, "limiters of fluxes"));
}
