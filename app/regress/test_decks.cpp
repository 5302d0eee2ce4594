#include "app/regress/test_decks.hpp"

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "app/base/embedded.hpp"

namespace halfstep {
namespace {

constexpr std::string_view kWithout = "without=";

/// Reads the number after `word=` into `value`. Returns whether the text begins with it; throws
/// std::logic_error if the number is not greater than 0.
bool take(const std::string& text, const std::string& word, double& value) {
  if (!text.starts_with(word + '=')) return false;
  std::istringstream number(text.substr(word.size() + 1));
  if (!(number >> value) || !number.eof() || !(value > 0))
    throw std::logic_error("tests/regression/decks.txt: '" + text + "' needs a number greater than 0");
  return true;
}

}  // namespace

std::string TestDeck::key() const {
  std::string key = name;
  for (const std::string& one : overrides) key += ' ' + one;
  return key;
}

double TestDeck::tolerance_of(Precision precision, bool on_cuda) const {
  if (on_cuda && cuda_tolerance > 0) return cuda_tolerance;
  if (tolerance > 0) return tolerance;
  return precision == Precision::double_precision ? 1e-9 : 1e-4;
}

std::vector<TestDeck> test_decks() {
  std::istringstream list{std::string(embedded_text("tests/regression/decks.txt"))};
  std::vector<TestDeck> decks;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    TestDeck deck;
    if (!(words >> deck.name) || deck.name.starts_with('#')) continue;
    for (std::string word; words >> word;)
      if (word.starts_with(kWithout))
        deck.without.push_back(word.substr(kWithout.size()));
      else if (!take(word, "tolerance", deck.tolerance) &&
               !take(word, "tolerance.cuda", deck.cuda_tolerance) &&
               !take(word, "tolerance.counts", deck.count_tolerance))
        deck.overrides.push_back(word);
    decks.push_back(std::move(deck));
  }
  return decks;
}

}  // namespace halfstep
