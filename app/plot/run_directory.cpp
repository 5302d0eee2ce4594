#include "app/plot/run_directory.hpp"

#include <fstream>

#include "app/base/json.hpp"
#include "app/deck/deck.hpp"

namespace halfstep {

namespace fs = std::filesystem;

std::optional<fs::path> RunDirectory::file(const std::string& name) const {
  if (!fs::is_regular_file(path / name)) return std::nullopt;
  return path / name;
}

RunDirectory open_run_directory(const fs::path& path, const std::string& name_of_series) {
  RunDirectory run{.path = path, .series = name_of_series, .config = {}, .dumps = {}, .gone = {}};
  try {
    run.config = load_deck((path / "deck.yaml").string());
  } catch (const DeckError&) {  // pictures then lack the title and the exact solution
  }
  const auto list_file = run.file(name_of_series + ".vtkhdf.series");
  if (!list_file) return run;  // a pipe would be waited for
  std::ifstream series(*list_file);
  try {
    const Json list = parse_json(series);
    for (const Json& entry : list.at("files")) {
      const std::string name = entry.at("name");
      if (fs::path(name).has_parent_path()) continue;  // dumps are in the list's directory
      if (run.file(name))
        run.dumps.push_back({path / name, entry.at("time").get<double>()});
      else
        run.gone.push_back(path / name);
    }
  } catch (const Json::exception&) {
    run.dumps.clear();
    run.gone.clear();
  }
  return run;
}

}  // namespace halfstep
