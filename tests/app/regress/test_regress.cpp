// `halfstep regress`: the golden numbers as text, what counts as a difference, and the exit codes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/base/embedded.hpp"
#include "app/regress/golden.hpp"
#include "app/regress/regression.hpp"
#include "app/regress/test_decks.hpp"
#include "tests/support/shell.hpp"

using namespace halfstep;

namespace {

const Digest kDigest = {{"counts", 0, {{"steps", 12}, {"rejections", 1}}},
                        {"density", 2, {{"mean", 1.0 / 3}, {"probe1", -1e-300}}}};

/// Returns the difference that is found for the figure `name` when its present value is `now`.
FigureDifference one(const std::string& name, double now, double tolerance, double counts = 0) {
  Digest changed = kDigest;
  for (FigureGroup& group : changed)
    for (auto& [figure, value] : group.figures)
      if (group.name + '.' + figure == name) value = now;
  for (const FigureDifference& d : differences(kDigest, changed, tolerance, counts))
    if (d.figure == name) return d;
  throw std::runtime_error("no figure " + name);
}

}  // namespace

TEST_CASE("golden numbers survive being text to fifteen digits") {
  const Golden golden = {{"sod mesh.cells=[128,1,1]", kDigest}, {"lax", kDigest}};
  const Golden read = parse_golden(golden_text(golden), "golden.txt");
  REQUIRE(read.size() == 2);
  for (const auto& [deck, digest] : read)
    for (const FigureDifference& d : differences(golden.at(deck), digest, 1e-15, 0)) {
      CAPTURE(d.figure);
      CHECK(d.within());
    }
  CHECK(golden_text(read) == golden_text(golden));
}

TEST_CASE("text that holds no golden numbers is refused by file and line") {
  for (const char* text : {"  density 1 mean 2\n", "# a comment\n", "sod\n  density one mean 2\n",
                           "sod\n  density 1 mean two\n", "sod\n  density 1 mean\n"}) {
    CAPTURE(text);
    const std::string reason = refusal([&] { parse_golden(text, "golden.txt"); });
    CHECK(reason.empty() == std::string(text).starts_with('#'));
    if (!reason.empty()) CHECK(reason.starts_with("golden.txt:"));
  }
}

TEST_CASE("a figure may be off by the tolerance in parts of its group's scale, a count by a number") {
  CHECK(one("density.mean", 1.0 / 3 + 1.9e-10, 1e-10).within());
  CHECK_FALSE(one("density.mean", 1.0 / 3 + 2.1e-10, 1e-10).within());
  CHECK(one("density.mean", 1.0 / 3 + 1e-10, 1e-10).part() == doctest::Approx(0.5));
  CHECK(one("counts.steps", 12, 1e-10).within());
  CHECK_FALSE(one("counts.steps", 13, 1).within());
  CHECK(one("counts.steps", 13, 1e-10, 1).within());
  CHECK_FALSE(one("counts.steps", 14, 1e-10, 1).within());
}

TEST_CASE("NaN and figures that only one side has are differences") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(one("density.mean", nan, 1).within());
  CHECK(std::isinf(one("density.mean", nan, 1).part()));
  Digest more = kDigest;
  more[1].figures.emplace_back("max", 2);
  for (const auto& all : {differences(kDigest, more, 1, 1), differences(more, kDigest, 1, 1)})
    CHECK(std::count_if(all.begin(), all.end(), [](const auto& d) { return !d.within(); }) == 1);
}

TEST_CASE("a tolerance is that of the deck's line, or of the precision") {
  TestDeck deck;
  CHECK(deck.tolerance_of(Precision::double_precision, false) < 1e-8);
  CHECK(deck.tolerance_of(Precision::single_precision, false) < 1e-3);
  deck.tolerance = 1e-6;
  CHECK(deck.tolerance_of(Precision::double_precision, true) == 1e-6);
  deck.cuda_tolerance = 1e-5;
  CHECK(deck.tolerance_of(Precision::double_precision, true) == 1e-5);
  CHECK(deck.tolerance_of(Precision::double_precision, false) == 1e-6);
}

TEST_CASE("every deck has a test size and golden numbers, and no tolerance is huge") {
  const Golden golden =
      parse_golden(std::string(embedded_text("tests/regression/golden.txt")), "tests/regression/golden.txt");
  const std::vector<TestDeck> decks = test_decks();
  for (const TestDeck& deck : decks) {
    CAPTURE(deck.key());
    CHECK(golden.contains(deck.key()));
    CHECK(deck.tolerance_of(Precision::double_precision, true) <= 0.02);
    CHECK(deck.count_tolerance <= 5);
  }
  CHECK(golden.size() == decks.size());
  CHECK(embedded_text("tests/regression/golden.txt").size() < 100'000);
}

TEST_CASE("regress: exit code 0 as it was, 5 with a table where not, and blessing makes it so") {
  const Shell halfstep;
  const std::string regress = "regress entropy_wave --backend host ";
  halfstep.expect(0, regress,
                  {"equal      entropy_wave mesh.cells=[32,1,1]: ", "\n1 of 1 decks are as they were\n"});
  halfstep.expect(0, regress + "--bless --golden golden.txt");
  halfstep.expect(0, regress + "--golden golden.txt");
  Golden golden = parse_golden(contents(halfstep / "golden.txt"), "golden.txt");
  REQUIRE(golden.size() == 1);
  golden.begin()->second[2].figures[0].second *= 1 + 1e-6;  // the mean density
  halfstep.write("golden.txt", golden_text(golden));
  halfstep.expect(5, regress + "--golden golden.txt", {"density.mean", "\n0 of 1 decks are as they were\n"});

  // A file without usable numbers is a mistake on the command line and says nothing about the deck.
  halfstep.write("golden.txt", "entropy_wave mesh.cells=[32,1,1]\n  density 1 mean\n");
  halfstep.expect(
      2, regress + "--golden golden.txt",
      {"golden.txt:2: a figure without its number", "in the sources it is tests/regression/golden.txt"});
  halfstep.write("golden.txt", golden_text(golden));
  halfstep.expect(5, "regress lax --backend host --golden golden.txt", {"no golden numbers"});
  // Blessing one deck leaves the others as they are.
  halfstep.expect(0, "regress lax --backend host --bless --golden golden.txt");
  CHECK(parse_golden(contents(halfstep / "golden.txt"), "golden.txt").size() == 2);
  halfstep.expect(5, regress + "--golden golden.txt");
}
