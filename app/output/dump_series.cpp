#include "app/output/dump_series.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/base/json.hpp"
#include "app/output/dump.hpp"

namespace halfstep {

namespace {

constexpr ListFrame kSeriesFrame{.begin = "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n",
                                 .separator = ",\n",
                                 .end = "\n  ]\n}\n"};

std::string series_entry(const std::string& name, double time) {
  return "    " + json_text({{"name", name}, {"time", time}});
}

/// Returns the number in a dump's name; -1: it is none of that series.
std::int64_t number_of(const std::string& dump, const std::string& series) {
  std::int64_t number = -1;
  const std::size_t begin = series.size() + 1;
  if (dump.size() > begin) std::from_chars(dump.data() + begin, dump.data() + dump.size(), number);
  return number >= 0 && dump == dump_name(number, series) ? number : -1;
}

/// Keeps the dumps before `before` that are not later than `time`. Returns their numbers.
std::set<std::int64_t> keep_earlier(GrowingList& list, std::istream& file, const std::string& series,
                                    std::int64_t before, double time) {
  std::set<std::int64_t> kept;
  try {
    const Json earlier = parse_json(file);
    for (const Json& entry : earlier.at("files")) {
      const auto name = entry.at("name").get<std::string>();
      const auto dumped = entry.at("time").get<double>();
      const std::int64_t number = number_of(name, series);
      if (number < 0 || number >= before || dumped > time) continue;
      list.add(series_entry(name, dumped));
      kept.insert(number);
    }
  } catch (const Json::exception& error) {
    throw std::runtime_error("cannot read '" + list.path().string() + "': " + error.what() +
                             "; remove it and restart again");
  }
  return kept;
}

/// Keeps the grids of those dumps. A restart may have changed the fields of later ones, so each grid is kept
/// as it stands.
void keep_grids(GrowingList& xdmf, const std::set<std::int64_t>& dumps, const std::string& series) {
  std::ifstream file(xdmf.path());
  for (std::string line; std::getline(file, line);)
    if (dumps.contains(number_of(dump_of_xdmf_grid(line), series))) xdmf.add(line);
}

}  // namespace

DumpSeries::DumpSeries(const std::filesystem::path& directory, DumpContents contents, std::string name,
                       Safe safe)
    : name_(std::move(name)),
      contents_(std::move(contents)),
      safe_(safe),
      list_(directory / (name_ + ".vtkhdf.series"), kSeriesFrame),
      xdmf_(directory / (name_ + ".xmf"), kXdmfFrame) {}

DumpSeries DumpSeries::resume(const std::filesystem::path& directory, DumpContents contents,
                              std::int64_t before, double time, std::string name, Safe safe) {
  DumpSeries series(directory, std::move(contents), std::move(name), safe);
  std::ifstream file(series.list_.path());
  if (!file) return series;  // the run had written no dump yet, or continues in another directory
  const auto kept = keep_earlier(series.list_, file, series.name_, before, time);
  keep_grids(series.xdmf_, kept, series.name_);
  series.list_.write();
  series.xdmf_.write();
  return series;
}

std::string DumpSeries::write(std::int64_t number, double time, hdf5::Image image) {
  const std::string name = dump_name(number, name_);
  const std::filesystem::path path = list_.path().parent_path() / name;
  const std::size_t bytes = image.bytes().size();
  write_dump(path, std::move(image), safe_);
  add_to_lists(number, time);
  if (safe_ == Safe::at_commit) {
    flush();
    return name;
  }
  unsafe_.push_back(path);
  unsafe_bytes_ += bytes;
  if (unsafe_bytes_ >= kMostUnsafe) synchronise();
  return name;
}

void DumpSeries::add(std::int64_t number, double time) {
  add_to_lists(number, time);
  flush();
}

void DumpSeries::add_to_lists(std::int64_t number, double time) {
  const std::string name = dump_name(number, name_);
  list_.add(series_entry(name, time));
  xdmf_.add(xdmf_grid(name, time, contents_));
}

void DumpSeries::flush() {
  list_.update();
  xdmf_.update();
}

void DumpSeries::synchronise() {
  if (unsafe_.empty()) return;
  for (const std::filesystem::path& dump : unsafe_) synchronise_file(dump);
  unsafe_.clear();
  unsafe_bytes_ = 0;
  flush();
  synchronise_directory(list_.path().parent_path());
}

}  // namespace halfstep
