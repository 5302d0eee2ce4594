// A flow that begins from a file: a dump, a checkpoint or datasets of another program, averaged over the
// cells.
#include <algorithm>
#include <cmath>

#include "physics/base/short_text.hpp"
#include "physics/cases/case.hpp"
#include "physics/cases/overlap.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {
namespace {

/// Returns the keys that name datasets of a field, its components' among them, but for the name `fallback`.
std::vector<std::string> keys_of(const Values& own, const std::string& field, const std::string& fallback) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : own.all())
    if (key == "datasets." + field || key.starts_with("datasets." + field + "_"))
      if (const std::string& word = std::get<std::string>(value); !word.empty() && word != fallback)
        keys.push_back("case." + key);
  return keys;
}

/// Refuses names of datasets that say the same thing in two ways.
void expect_one_form(const Values& own) {
  for (const auto& [conserved, primitive] :
       {std::pair<std::string, std::string>{"momentum", "velocity"}, {"energy", "pressure"}}) {
    std::vector<std::string> keys = keys_of(own, conserved, "");
    const std::vector<std::string> others = keys_of(own, primitive, primitive);
    if (keys.empty() || others.empty()) continue;
    keys.insert(keys.end(), others.begin(), others.end());
    throw CaseError(keys, "case.datasets names the " + conserved + " and the " + primitive +
                              ", which follow from each other: name one of them");
  }
}

/// Asks for the file's fields. Without a reader there are none, and the flow is the background alone: a
/// restart has its state from elsewhere.
GivenFields read_fields(const CaseSetup& setup) {
  expect_one_form(setup.parameters);
  if (!setup.read_file) return {};
  const Values& own = setup.parameters;
  const auto vector = [&](const std::string& name) -> VectorNames {
    return {own.word(name), {own.word(name + "_x"), own.word(name + "_y"), own.word(name + "_z")}};
  };
  return setup.read_file({.file = own.word("file"),
                          .density = own.word("datasets.density"),
                          .pressure = own.word("datasets.pressure"),
                          .energy = own.word("datasets.energy"),
                          .velocity = vector("datasets.velocity"),
                          .momentum = vector("datasets.momentum"),
                          .scalars = setup.scalars,
                          .gas = setup.gas,
                          .lower = setup.mesh.lower,
                          .upper = setup.mesh.upper});
}

std::string axes_of(const Mesh& mesh) {
  std::string axes;
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.active(axis)) axes += (axes.empty() ? "" : ", ") + std::string(1, "xyz"[axis]);
  return axes.empty() ? "none" : axes;
}

class FromFile : public Case {
 public:
  explicit FromFile(const CaseSetup& setup)
      : given_(read_fields(setup)),
        overlap_(given_.mesh, setup.parameters.real("scale"), setup.parameters.reals("offset"), setup.mesh,
                 setup.parameters.word("outside") == "repeat") {
    if (setup.gases.are_two())
      throw CaseError({"gas.second.gamma"}, "a file fills cells with one gas; 'case.name: regions' has two");
    const std::vector<double>& u = setup.parameters.reals("background.velocity");
    background_ = to_conserved<double>({setup.parameters.real("background.density"), u[0], u[1], u[2],
                                        setup.parameters.real("background.pressure")},
                                       setup.gas);
    if (!is_given()) return;
    expect_same_axes(setup.mesh);
    expect_admissible(setup);
    expect_in_reach(setup.mesh);
    if (setup.parameters.word("outside") == "refuse") expect_covered(setup.mesh);
  }

  Conserved<double> initial(const Box& cell) const override {
    if (!is_given()) return background_;
    const CellOverlap parts = overlap_.of(cell);
    const auto& u = given_.fields.conserved;
    return parts.average<Conserved<double>>(
        [&](std::size_t n) {
          return Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]};
        },
        background_);
  }

  ScalarParts initial_scalar(const std::string& name, const Box& cell, double density) const override {
    const auto at = std::find(given_.scalars.begin(), given_.scalars.end(), name);
    if (at == given_.scalars.end()) return {0, density};
    const auto& mass = given_.fields.scalars[static_cast<std::size_t>(at - given_.scalars.begin())];
    const CellOverlap parts = overlap_.of(cell);
    return {parts.average<double>([&](std::size_t n) { return mass[n]; }, 0.0),
            parts.outside() * background_.density};
  }

  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (std::find(sides.begin(), sides.end(), Boundary::inflow) == sides.end()) return "";
    return std::string("the file is not asked for what lies beyond the mesh: give mesh.boundary.") +
           "xyz"[axis] + " a state, {kind: state, density: ..., velocity: ..., pressure: ...}";
  }
  std::vector<std::string> remarks() const override {
    std::vector<std::string> all;
    for (const std::string& name : given_.not_wanted)
      all.push_back("the file's scalar " + name + " is left behind: 'scalars: {" + name + ": 0}' carries it");
    return all;
  }
  bool is_of_deck() const override { return false; }
  std::int64_t bytes() const override {
    if (!is_given()) return 0;
    return given_.fields.count() * given_.mesh.cell_count() * static_cast<std::int64_t>(sizeof(double));
  }

 private:
  bool is_given() const { return !given_.fields.conserved[0].empty(); }

  void expect_same_axes(const Mesh& mesh) const {
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.active(axis) != given_.mesh.active(axis))
        throw CaseError({"case.file", "mesh.cells"}, "the file has more than one cell along " +
                                                         axes_of(given_.mesh) + ", the mesh along " +
                                                         axes_of(mesh) + ": both need the same axes");
  }

  void expect_admissible(const CaseSetup& setup) const {
    const auto& u = given_.fields.conserved;
    for (std::size_t n = 0; n < u[0].size(); ++n) {
      const Conserved<double> c{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]};
      if (is_admissible(c, setup.gas)) continue;
      const std::size_t nx = given_.mesh.cells[0], ny = given_.mesh.cells[1];
      const Primitive<double> q = to_primitive(c, setup.gas);
      throw CaseError({"case.file"}, "the state in cell [" + std::to_string(n % nx) + ", " +
                                         std::to_string(n / nx % ny) + ", " + std::to_string(n / nx / ny) +
                                         "] of the file is unphysical: density " + short_text(q.density) +
                                         ", velocity (" + short_text(q.u) + ", " + short_text(q.v) + ", " +
                                         short_text(q.w) + "), pressure " + short_text(q.pressure));
    }
  }

  /// Refuses a box so far away or of such cells that overlaps have no meaning, or take for ever.
  void expect_in_reach(const Mesh& mesh) const {
    for (int axis = 0; axis < 3; ++axis)
      if (mesh.active(axis) && !overlap_.is_in_reach(mesh, axis))
        throw CaseError({"case.scale", "case.offset", "case.file"},
                        std::string("case.scale and case.offset put the file out of reach: along ") +
                            "xyz"[axis] + " it has cells of length " +
                            short_text(overlap_.placed().spacing(axis)) + " from " +
                            short_text(overlap_.placed().lower[axis]) + " on, the mesh of " +
                            short_text(mesh.spacing(axis)) + " from " + short_text(mesh.lower[axis]) + " on");
  }

  void expect_covered(const Mesh& mesh) const {
    const int axis = overlap_.uncovered(mesh);
    if (axis < 0) return;
    const Mesh& placed = overlap_.placed();
    throw CaseError(
        {"case.outside", "case.offset", "case.scale", "case.file"},
        std::string("the file does not cover the mesh: along ") + "xyz"[axis] + " it reaches from " +
            short_text(placed.lower[axis]) + " to " + short_text(placed.upper[axis]) + ", the mesh from " +
            short_text(mesh.lower[axis]) + " to " + short_text(mesh.upper[axis]) +
            "; move it by case.offset and case.scale, or choose case.outside: background or repeat");
  }

  GivenFields given_;
  Overlap overlap_;
  Conserved<double> background_{};
};

Parameter dataset(const std::string& name, const std::string& fallback, const std::string& meaning) {
  return {"datasets." + name, fallback, "", meaning};
}

const RegisterCase registered{{
    .name = "file",
    .summary = "a flow from a file: a dump, a checkpoint or HDF5 datasets, averaged over the cells",
    .reference = "Cell averages are those of the file's cells, which are constant in each",
    .parameters =
        [] {
          std::vector<Parameter> all = {{"file", std::string(), "",
                                         "a dump (.vtkhdf), a checkpoint (.h5) or another HDF5 file; "
                                         "relative to the working directory"}};
          all[0].required = true;
          all.push_back({"scale", 1.0, "", "length in the mesh of a unit of length in the file", positive()});
          all.push_back(
              {"offset", std::vector<double>(3), "length", "where the file's origin is in the mesh"});
          all.push_back({"outside",
                         std::string("refuse"),
                         "",
                         "what is where the file has no cell: an error, the background, or the file again",
                         {},
                         {"refuse", "background", "repeat"}});
          all.push_back({"background.density", 1.0, "", "density outside of the file's box", positive()});
          all.push_back({"background.velocity", std::vector<double>(3), "speed", "velocity there"});
          all.push_back({"background.pressure", 1.0, "", "pressure there", positive()});
          all.push_back(dataset("density", "density", "name of the density in a file of another program"));
          all.push_back(
              dataset("velocity", "velocity", "name of the velocity, its last index the component"));
          all.push_back(dataset("velocity_x", "", "name of one component, in place of velocity"));
          all.push_back(dataset("velocity_y", "", "name of one component; without a name it is 0"));
          all.push_back(dataset("velocity_z", "", "name of one component; without a name it is 0"));
          all.push_back(dataset("pressure", "pressure", "name of the pressure"));
          all.push_back(dataset(
              "momentum", "",
              "name of the momentum per volume, its last index the component, in place of the velocity"));
          all.push_back(dataset("momentum_x", "", "name of one component, in place of momentum"));
          all.push_back(dataset("momentum_y", "", "name of one component; without a name it is 0"));
          all.push_back(dataset("momentum_z", "", "name of one component; without a name it is 0"));
          all.push_back(
              dataset("energy", "", "name of the total energy per volume, in place of the pressure"));
          return all;
        }(),
    .make = [](const CaseSetup& setup) { return std::make_unique<FromFile>(setup); },
}};

}  // namespace
}  // namespace halfstep
