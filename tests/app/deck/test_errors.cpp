// Invalid decks and the exact message for each.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/deck/deck.hpp"
#include "physics/diagnostics/energy_spectrum.hpp"
#include "tests/support/cgns_files.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/stl_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;
namespace fs = std::filesystem;

struct BadDeck {
  std::string name, text;
  std::vector<std::string> overrides;
};

/// Appends the case, the mesh and the time of a deck that has none.
std::string completed(std::string deck) {
  for (const std::string line :
       {"case: {name: riemann}\n", "mesh: {cells: [64, 1, 1]}\n", "time: {end: 0.2}\n"})
    if (!contains("\n" + deck, "\n" + line.substr(0, 5))) deck += line;
  return deck;
}

/// Reads the decks of a file. Before the first `#` each line is a deck that is completed() and has the file's
/// name. Then a line `# NAME: OVERRIDES` begins one that is completed(), and `#! NAME` one that is not.
std::vector<BadDeck> bad_decks(const fs::path& path) {
  std::vector<BadDeck> decks;
  std::string text = contents(path);
  REQUIRE(text.ends_with('\n'));
  for (; !text.empty() && text[0] != '#'; text.erase(0, text.find('\n') + 1))
    decks.push_back({path.stem(), completed(text.substr(0, text.find('\n') + 1)), {}});
  while (!text.empty()) {
    const bool whole = text[1] == '!';
    const std::size_t name = text.find(' ') + 1, deck = text.find('\n') + 1;
    const std::size_t end =
        std::min({text.find("\n# ", deck - 1), text.find("\n#! ", deck - 1), text.size() - 1}) + 1;
    std::istringstream title(text.substr(name, deck - 1 - name));
    decks.emplace_back();
    std::getline(title, decks.back().name, ':');
    for (std::string word; title >> word;) decks.back().overrides.push_back(word);
    decks.back().text = text.substr(deck, end - deck);
    if (!whole) decks.back().text = completed(decks.back().text);
    text.erase(0, end);
  }
  return decks;
}

/// Returns the next line of a file of messages, with `<cases>` replaced by the names of all cases.
std::string next_line(std::istream& messages) {
  std::string line;
  if (!std::getline(messages, line)) return "";
  std::vector<std::string> names;
  for (const CaseInfo& info : cases()) names.push_back(info.name);
  if (const std::size_t at = line.find("<cases>"); at != std::string::npos)
    line.replace(at, 7, alternatives(names));
  return line + "\n";
}

/// Returns the message with which parse_deck() refuses a deck, or "" if it accepts it.
std::string objection(const BadDeck& deck) {
  try {
    parse_deck(deck.text, deck.name, deck.overrides);
    return "";
  } catch (const DeckError& e) {
    return e.what() + std::string("\n");
  }
}

std::string refusal_to_load(const std::string& path) {
  return refusal([&] { load_deck(path); });
}

/// Compares the messages about the decks of NAME.yaml, one after another, with NAME.txt.
void check_messages(const fs::path& name) {
  CAPTURE(name.stem().string());
  REQUIRE(fs::exists(fs::path(name).replace_extension(".yaml")));
  std::ifstream messages(fs::path(name).replace_extension(".txt"));
  REQUIRE(messages);
  for (const BadDeck& bad : bad_decks(fs::path(name).replace_extension(".yaml"))) {
    CAPTURE(bad.name);
    const std::string got = objection(bad);
    CHECK(got != "");
    std::string expected;
    for (auto n = std::count(got.begin(), got.end(), '\n'); n > 0; --n) expected += next_line(messages);
    CHECK(got == expected);
    if (got != expected) return;  // where the next message begins is not known
  }
  CHECK(next_line(messages) == "");
}

const std::set<fs::path> kWithExpressions = {"boundaries", "expressions", "fractions", "level_sets"};
const std::set<fs::path> kWithStl = {"stl"};
const std::set<fs::path> kWithCgns = {"mesh_files"};

TEST_CASE("every mistake in a deck is reported at its place, with the source line, a caret and a remedy") {
  std::set<fs::path> names;
  for (const auto& file : fs::directory_iterator(HALFSTEP_SOURCE_DIR "/tests/app/deck/refused"))
    names.insert(fs::path(file).replace_extension());
  REQUIRE_FALSE(names.empty());
  for (const fs::path& name : names)
    if ((!kWithExpressions.count(name.stem()) || can_test_expressions()) &&
        (!kWithStl.count(name.stem()) || can_read_stl()) &&
        (!kWithCgns.count(name.stem()) || can_read_cgns()))
      check_messages(name);
}

TEST_CASE("a deck with bytes that are no text is refused") {
  const auto refused = [](const std::string& why) {
    return "deck.yaml:2:1: error: not a text file: this line holds the " + why +
           "\n      = a deck is YAML text in UTF-8\n";
  };
  CHECK(objection({"deck.yaml", "gas:\ntitle: \377\n", {}}) == refused("byte 0xff, which is not UTF-8"));
  CHECK(objection({"deck.yaml", "gas:\ntitle: \001\n", {}}) == refused("control character 0x01"));
}

TEST_CASE("all the mistakes of a deck are reported at once, in the order of their places") {
  const std::string deck = R"(title: [many]
scheme: {riemann: hlcc, limitr: mc}
mesh: {cells: [64, 1, 1], lower: [0, 0], boundary: {x: [periodic, outflow]}}
time:
  end: 0
  cfl: 0.3
  cfl: 0.4
case: {name: riemann, left: {density: 0}}
)";
  std::string places;
  try {
    parse_deck(deck, "deck", {"gas.gamma=0.5"});
  } catch (const DeckError& e) {
    for (const Diagnostic& d : e.diagnostics) places += d.where + " ";
  }
  CHECK(places ==
        "deck:1:8 deck:2:19 deck:2:25 deck:3:34 deck:3:67 deck:5:8 deck:7:3 deck:8:39 override "
        "'gas.gamma=0.5' ");
}

TEST_CASE("a thousand errors are shown and the rest is counted") {
  std::string deck;
  for (int i = 0; i < 1200; ++i) deck += "wrong" + std::to_string(i) + ": 1\n";
  try {
    parse_deck(deck, "deck.yaml");
    FAIL("accepted");
  } catch (const DeckError& e) {
    REQUIRE(e.diagnostics.size() == 1001);
    CHECK(e.diagnostics.back().message == "203 more errors are not shown");  // three keys are missing, too
  }
}

TEST_CASE("a spectrum is of a periodic box of cells of one size, and has no other fields") {
  const auto said = [](const std::string& outputs, const std::string& mesh) {
    return objection(
        {"deck", completed("mesh: {cells: [16, 16, 1]" + mesh + "}\noutputs: [" + outputs + "]\n"), {}});
  };
  const std::string spectrum = "{kind: spectrum, name: waves, every_steps: 1}",
                    periodic = ", boundary: {x: periodic, y: periodic}";
  CHECK(contains(said("{kind: spectrum, name: waves, every_steps: 1, fields: [density]}", periodic),
                 "unknown key 'fields'"));
  if (fftw_version().empty()) {
    CHECK(contains(said(spectrum, periodic),
                   "'outputs[0]': spectra need FFTW, without which this program was built"));
    return;
  }
  CHECK(said(spectrum, periodic) == "");
  CHECK(contains(said(spectrum, ", boundary: {x: periodic}"),
                 "'outputs[0]' is a spectrum along y, which is not periodic\n"));
  CHECK(contains(said(spectrum, periodic + ", spacing: {x: {kind: tanh, strength: 1}}"),
                 "'outputs[0]' is a spectrum along x, whose cells differ in width\n"));
}

TEST_CASE("a deck nested without end is refused") {
  CHECK(objection({"deck.yaml", std::string(100000, '['), {}}).find("nested too deeply") !=
        std::string::npos);
}

TEST_CASE("a name of tens of thousands of letters is refused without a crash") {
  const std::string name(30000, 'a');
  for (const std::string& text : {"scalars:\n  ? " + name + "\n  : 1\n",
                                  "case:\n  name: regions\n  parameters:\n    ? " + name + "\n    : 1\n"})
    CHECK(objection({"", text, {}}).find("100 at most") != std::string::npos);
}

TEST_CASE("a long line is cut to a window around the caret") {
  const std::string message =
      objection({"", "title: x\n" + std::string(300, ' ') + "wrong: [" + std::string(300, 'y') + "]\n", {}});
  REQUIRE_FALSE(message.empty());
  std::size_t longest = 0, start = 0;
  for (std::size_t end; (end = message.find('\n', start)) != std::string::npos; start = end + 1)
    longest = std::max(longest, end - start);
  CHECK(longest < 150);
}

TEST_CASE("a deck that cannot be read is refused with its name") {
  const TemporaryDirectory directory;
  put(directory / "sod.yaml", "title: Sod\n");
  const std::string path = (directory / "sod.yaml").string(), folder = directory.path().string();

  CHECK(refusal_to_load(folder + "/sof.yaml") ==
        folder + "/sof.yaml: error: no such file; did you mean '" + path + "'?");
  CHECK(refusal_to_load("nowhere/at/all.yaml") == "nowhere/at/all.yaml: error: no such file");
  CHECK(refusal_to_load(folder) == folder + ": error: this is a directory, not a deck");

  // Makes a sparse file of 100 MB, which is refused after the first megabyte.
  fs::resize_file(path, 100'000'000);
  CHECK(refusal_to_load(path) == path +
                                     ": error: larger than 1 MiB: this is not a deck\n"
                                     "      = a deck is the YAML file that describes a run");
}

TEST_CASE("colour marks the error and nothing else changes") {
  const Diagnostic d{.where = "deck.yaml:1:3",
                     .message = "wrong",
                     .help = "right",
                     .line_number = 1,
                     .excerpt = "a: b",
                     .caret = 3};
  std::string coloured = render(d, true);
  CHECK(coloured.find("\033[1;31merror:\033[0m") != std::string::npos);
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  CHECK(coloured == render(d, false));
}

}  // namespace
