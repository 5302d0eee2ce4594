#include "app/deck/deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <system_error>

#include "app/deck/document.hpp"
#include "app/deck/field_names.hpp"
#include "app/deck/nearest.hpp"
#include "app/deck/resolved.hpp"
#include "app/deck/rules.hpp"
#include "app/deck/shipped.hpp"
#include "app/deck/spelling.hpp"
#include "app/deck/validate.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {
namespace {

constexpr std::size_t kLargestDeck = std::size_t{1} << 20;

[[noreturn]] void refuse_file(const std::string& path, const std::string& message,
                              const std::string& help = "") {
  throw DeckError({{.where = path, .message = message, .help = help}});
}

std::string text_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    std::vector<std::string> names;
    for (const ShippedDeck& deck : shipped_decks()) names.push_back(deck.name);
    const fs::path directory = fs::path(path).parent_path();
    for (fs::directory_iterator it(directory.empty() ? "." : directory, error), end; !error && it != end;
         it.increment(error))
      if (it->path().extension() == ".yaml") names.push_back((directory / it->path().filename()).string());
    std::sort(names.begin(), names.end());
    const std::string stem = fs::path(path).stem().string();
    refuse_file(
        path, "no such file" + did_you_mean(path, names),
        find_shipped_deck(stem) ? fmt::format("halfstep carries a deck of that name: '{}'", stem) : "");
  }
  if (fs::is_directory(status)) refuse_file(path, "this is a directory, not a deck");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_file(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  // One byte more than allowed is enough: the rest of a huge file is never read.
  std::string text(kLargestDeck + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) refuse_file(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// Returns `text` without byte order mark and with '
/// ' line ends, as the parser expects it.
std::string normalised(std::string text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!(text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')) text[kept++] = text[i];
  text.resize(kept);
  return text;
}

/// Returns the deck as a source. Throws DeckError if it is larger than a deck may be, or not a text.
SourceText deck_source(const std::string& text, const std::string& name) {
  if (text.size() > kLargestDeck)
    refuse_file(name, "larger than 1 MiB: this is not a deck",
                "a deck is the YAML file that describes a run");
  SourceText source(name, normalised(text), 0, true);
  int line = 0;
  std::string what;
  if (!is_plain_text(source.text(), line, what))
    refuse_file(fmt::format("{}:{}:1", name, line + 1),
                fmt::format("not a text file: this line holds {}", what), "a deck is YAML text in UTF-8");
  return source;
}

/// Applies the overrides to the document and returns their sources, a list because places point into it.
std::list<SourceText> apply_overrides(Document& document, const std::vector<std::string>& overrides,
                                      Diagnostics& errors) {
  std::list<SourceText> sources;
  for (const std::string& token : overrides) {
    int line = 0;
    std::string what;
    if (!is_plain_text(token, line, what))
      refuse_file("override " + quote(token), fmt::format("not text: it holds {}", what));
    const int order = static_cast<int>(sources.size()) + 1;
    sources.emplace_back("override " + quote(token), token, order, false);
    document.apply_override(sources.back(), errors);
  }
  return sources;
}

/// Returns out/sod for path/to/sod.yaml.
std::string default_directory(const std::string& deck) {
  const std::filesystem::path file = std::filesystem::path(deck).filename();
  const bool is_yaml = file.extension() == ".yaml" || file.extension() == ".yml";
  const std::string name = is_yaml ? file.stem().string() : file.string();
  int line = 0;
  std::string what;
  const bool usable = !name.empty() && name != "." && name != ".." && is_plain_text(name, line, what) &&
                      name.find_first_of("\n\t\r") == std::string::npos;
  return "out/" + (usable ? name : "deck");
}

/// Derives the members of `problem` that the deck gives in another form.
void derive(RunConfig& config) {
  Problem& problem = config.problem;
  problem.mesh.cells = config.cells;
  if (problem.scheme.method == Method::flux_reconstruction)
    for (int& cells : problem.mesh.cells)
      if (cells > 1) cells *= problem.scheme.degree + 1;
  Transport<double>& reference = problem.terms.transport.reference;
  reference = transport(reference.viscosity, config.prandtl, IdealGas<double>{problem.gamma});
  problem.detection.cfl_limit = config.limits.cfl_limit;
  if (config.fault.step > 0) problem.fault = config.fault;
  if (config.interruptible) problem.slice_ms = config.launch_budget_ms;
  if (config.pipelined) config.depth = config.queued_steps;
  config.output_requests = output_requests(config.outputs);
  config.limits.landings = landing_times(config.output_requests);
}

}  // namespace

std::vector<std::string> RunConfig::dumped_fields() const {
  std::vector<std::string> all;
  for (const std::string& field : output.fields)
    if (field == "mass_fraction")
      all.insert(all.end(), problem.scalars.begin(), problem.scalars.end());
    else
      all.push_back(field);
  if (problem.has_solids()) all.insert(all.end(), kSolidFields.begin(), kSolidFields.end());
  return all;
}

RunConfig load_deck(const std::string& path, const std::vector<std::string>& overrides,
                    const FieldReader& read_file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    if (const ShippedDeck* shipped = find_shipped_deck(path))
      return parse_deck(std::string(shipped->text), path, overrides, read_file);
  return parse_deck(text_of(path), path, overrides, read_file);
}

RunConfig parse_deck(const std::string& text, const std::string& name,
                     const std::vector<std::string>& overrides, const FieldReader& read_file) {
  const SourceText source = deck_source(text, name);
  Diagnostics errors;
  Document document;
  document.read(source, errors);
  const std::list<SourceText> override_sources = apply_overrides(document, overrides, errors);
  ValidatedDeck deck = validate(document.root(), source, errors);
  if (!document.root() || document.root()->kind != Node::Kind::block) errors.raise_if_any();
  RunConfig& config = deck.config;
  if (!deck.given.contains("output.directory")) config.output.directory = default_directory(name);
  derive(config);
  apply_rules(deck, read_file, errors);
  if (!config.problem.scalars.empty() && !deck.given.contains("output.fields"))
    config.output.fields.push_back("mass_fraction");
  errors.raise_if_any();
  for (const DeckParameter& p : deck.table) config.values.emplace_back(p.name, yaml_value(p, p.get(config)));
  config.resolved = resolved_deck(config.values);
  return std::move(config);
}

}  // namespace halfstep
