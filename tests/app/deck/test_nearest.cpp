// The nearest valid name, which error messages offer.
#include <doctest/doctest.h>

#include "app/deck/nearest.hpp"

namespace {

using namespace halfstep;

TEST_CASE("the edit distance counts insertions, deletions, substitutions and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "hllc") == 4);
  CHECK(edit_distance("hllc", "") == 4);
  CHECK(edit_distance("hllc", "hllc") == 0);
  CHECK(edit_distance("hlc", "hllc") == 1);
  CHECK(edit_distance("hlllc", "hllc") == 1);
  CHECK(edit_distance("hllx", "hllc") == 1);
  CHECK(edit_distance("hlcl", "hllc") == 1);  // a swap is one edit
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // optimal string alignment: no edit inside a swap
}

TEST_CASE("the nearest name is the one with the fewest edits, the first of equals") {
  const std::vector<std::string> names = {"constant", "plm", "ppm", "weno5z"};
  CHECK(nearest("pplm", names) == "plm");
  CHECK(nearest("pm", names) == "plm");
  CHECK(nearest("weno5", names) == "weno5z");
  CHECK(nearest("weno", names) == "weno5z");
  CHECK(nearest("constnat", names) == "constant");
}

TEST_CASE("letter case does not count in a slip") {
  CHECK(nearest("PLM", {"plm"}) == "plm");
  CHECK(nearest("Weno5Z", {"weno5z"}) == "weno5z");
}

TEST_CASE("a name near nothing has no nearest name") {
  CHECK_FALSE(nearest("superbee", {"minmod", "van_leer", "mc"}));
  CHECK_FALSE(nearest("q", {"x", "y", "z"}));
  CHECK_FALSE(nearest("", {"x"}));
  CHECK_FALSE(nearest("plm", {}));
  CHECK(did_you_mean("superbee", {"minmod"}).empty());
  CHECK(did_you_mean("minmdo", {"minmod"}) == "; did you mean 'minmod'?");
}

}  // namespace
