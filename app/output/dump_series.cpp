#include "app/output/dump_series.hpp"

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

/// Keeps the dumps before `next` that are not later than `time`. Returns their names.
std::set<std::string> keep_earlier(GrowingList& list, std::istream& file, const std::string& next,
                                   double time) {
  std::set<std::string> kept;
  try {
    const Json earlier = parse_json(file);
    for (const Json& entry : earlier.at("files")) {
      const auto name = entry.at("name").get<std::string>();
      const auto dumped = entry.at("time").get<double>();
      if (dumped > time || name >= next) continue;
      list.keep(series_entry(name, dumped));
      kept.insert(name);
    }
  } catch (const Json::exception& error) {
    throw std::runtime_error("cannot read '" + list.path().string() + "': " + error.what() +
                             "; remove it and restart again");
  }
  return kept;
}

/// Keeps the grids of those dumps. A restart may have changed the fields of later ones, so each grid is kept
/// as it stands.
void keep_grids(GrowingList& xdmf, const std::set<std::string>& dumps) {
  std::ifstream file(xdmf.path());
  for (std::string line; std::getline(file, line);)
    if (dumps.contains(dump_of_xdmf_grid(line))) xdmf.keep(line);
}

}  // namespace

DumpSeries::DumpSeries(const std::filesystem::path& directory, DumpContents contents)
    : contents_(std::move(contents)),
      list_(directory / "fields.vtkhdf.series", kSeriesFrame),
      xdmf_(directory / "fields.xmf", kXdmfFrame) {}

DumpSeries DumpSeries::resume(const std::filesystem::path& directory, DumpContents contents,
                              std::int64_t next, double time) {
  DumpSeries series(directory, std::move(contents));
  std::ifstream file(series.list_.path());
  if (!file) return series;  // the run had written no dump yet, or continues in another directory
  keep_grids(series.xdmf_, keep_earlier(series.list_, file, dump_name(next), time));
  series.list_.write();
  series.xdmf_.write();
  return series;
}

std::string DumpSeries::write(std::int64_t number, double time, hdf5::Image image) {
  const std::string name = dump_name(number);
  write_dump(list_.path().parent_path() / name, std::move(image));
  add(number, time);
  return name;
}

void DumpSeries::add(std::int64_t number, double time) {
  const std::string name = dump_name(number);
  list_.add(series_entry(name, time));
  xdmf_.add(xdmf_grid(name, time, contents_));
}

}  // namespace halfstep
