#include "app/output/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "physics/eos.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

namespace {

constexpr std::string_view kSeriesName = "fields.vtkhdf.series";

/// The selected fields as Real, x fastest, under `cell_data`.
template <class Real>
void write_fields(hid_t cell_data, const DumpInfo& info, const Mesh& mesh, const Fields& fields,
                  const std::vector<std::string>& selected) {
  const auto cells = static_cast<std::size_t>(mesh.cell_count());
  const auto size = [&](int axis) { return static_cast<hsize_t>(mesh.cells[axis]); };
  const hdf5::Shape shape{size(2), size(1), size(0)};
  const auto& [density, mu, mv, mw, energy] = fields.conserved;
  const IdealGas<double> gas{info.gamma};
  std::vector<Real> values;
  for (const std::string& name : selected) {
    values.clear();
    values.reserve(name == "velocity" ? 3 * cells : cells);
    for (std::size_t c = 0; c < cells; ++c) {
      const Primitive<double> q =
          to_primitive(Conserved<double>{density[c], mu[c], mv[c], mw[c], energy[c]}, gas);
      if (name == "density") {
        values.push_back(static_cast<Real>(q.density));
      } else if (name == "pressure") {
        values.push_back(static_cast<Real>(q.pressure));
      } else if (name == "velocity") {
        for (const double component : {q.u, q.v, q.w}) values.push_back(static_cast<Real>(component));
      } else {
        throw std::logic_error("no field '" + name + "' to dump");
      }
    }
    const bool vector = name == "velocity";
    hdf5::write_dataset<Real>(cell_data, name, vector ? hdf5::Shape{shape[0], shape[1], shape[2], 3} : shape,
                              values);
  }
}

}  // namespace

void write_dump(const std::filesystem::path& path, const DumpInfo& info, const Mesh& mesh,
                const Fields& fields, const std::vector<std::string>& selected) {
  const hdf5::MemoryFile file(path.string());

  const hdf5::Handle image = hdf5::create_group(file.root(), "VTKHDF");
  hdf5::write_attribute(image, "Version", {std::int64_t{1}, std::int64_t{0}});
  hdf5::write_ascii_attribute(image, "Type", "ImageData");
  const auto& n = mesh.cells;
  hdf5::write_attribute<std::int64_t>(image, "WholeExtent",
                                      {0, n[0], 0, n[1], 0, n[2]});  // points, inclusive
  hdf5::write_attribute(image, "Origin", {mesh.lower[0], mesh.lower[1], mesh.lower[2]});
  hdf5::write_attribute(image, "Spacing", {mesh.spacing(0), mesh.spacing(1), mesh.spacing(2)});
  hdf5::write_attribute<double>(image, "Direction", {1, 0, 0, 0, 1, 0, 0, 0, 1});

  const hdf5::Handle cell_data = hdf5::create_group(image, "CellData");
  if (info.precision == "single") {
    write_fields<float>(cell_data, info, mesh, fields, selected);
  } else {
    write_fields<double>(cell_data, info, mesh, fields, selected);
  }

  const hdf5::Handle about = hdf5::create_group(file.root(), "halfstep");
  hdf5::write_attribute(about, "time", info.time);
  hdf5::write_attribute(about, "step", info.step);
  hdf5::write_attribute(about, "dt", info.dt);
  hdf5::write_attribute(about, "gamma", info.gamma);
  hdf5::write_attribute(about, "title", info.title);
  hdf5::write_attribute(about, "deck", info.deck);
  hdf5::write_attribute(about, "git", info.git);
  hdf5::write_attribute(about, "precision", info.precision);
  hdf5::write_attribute(about, "backend", info.backend);

  AtomicFile written(path);
  written.write(file.image());
  written.commit();
}

std::string dump_name(std::int64_t number) { return fmt::format("fields_{:06}.vtkhdf", number); }

DumpSeries DumpSeries::resume(std::filesystem::path directory, std::int64_t next, double time) {
  DumpSeries series(std::move(directory));
  series.next_ = next;
  const auto path = series.directory_ / kSeriesName;
  std::ifstream file(path);
  if (!file) return series;  // the run had dumped nothing yet, or goes on elsewhere
  try {
    const Json list = Json::parse(file);
    for (const Json& entry : list.at("files"))
      if (entry.at("time").get<double>() <= time && entry.at("name").get<std::string>() < dump_name(next))
        series.entries_.push_back(entry);
  } catch (const Json::exception& error) {
    throw std::runtime_error("cannot read '" + path.string() + "': " + error.what() +
                             "; remove it and restart again");
  }
  return series;
}

std::string DumpSeries::write(const DumpInfo& info, const Mesh& mesh, const Fields& fields,
                              const std::vector<std::string>& selected) {
  const std::string name = dump_name(next_);
  write_dump(directory_ / name, info, mesh, fields, selected);
  next_ += 1;
  entries_.push_back({{"name", name}, {"time", info.time}});
  write_file(directory_ / kSeriesName,
             json_text({{"file-series-version", "1.0"}, {"files", entries_}}, 2) + "\n");
  return name;
}

}  // namespace halfstep
