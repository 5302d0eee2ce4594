// The digest's figures for states that can be worked out by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "physics/diagnostics/digest.hpp"
#include "physics/diagnostics/totals.hpp"
#include "tests/support/cells.hpp"

using namespace halfstep;

namespace {

const Mesh kMesh{.cells = {10, 4, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
const IdealGas<double> kGas{1.5};

/// Returns a state of density 2 everywhere but 6 in one cell, u = (3, 4, 0), pressure 12.
Fields state(std::size_t odd_cell) {
  Fields fields;
  for (std::size_t n = 0; n < 40; ++n)
    append(fields, to_conserved(Primitive<double>{n == odd_cell ? 6.0 : 2.0, 3, 4, 0, 12}, kGas));
  return fields;
}

const FigureGroup& group(const Digest& digest, const std::string& name) {
  for (const FigureGroup& one : digest)
    if (one.name == name) return one;
  throw std::runtime_error("no group " + name);
}
double figure(const Digest& digest, const std::string& in, const std::string& name) {
  for (const auto& [figure, value] : group(digest, in).figures)
    if (figure == name) return value;
  throw std::runtime_error("no figure " + in + "." + name);
}

}  // namespace

TEST_CASE("a digest has means, extrema and probes, with scales that do not vanish") {
  Totals totals{.mass = 4, .momentum = {6, 8, 0}, .energy = 25, .kinetic_energy = 9};
  const std::size_t probed = 1 * 10 + 3;  // (0.31, 0.42) of 10 x 4 cells
  const Digest all = digest(state(probed), {}, kMesh, {kGas}, totals);
  CHECK(figure(all, "density", "mean") == doctest::Approx(2.1));
  CHECK(figure(all, "density", "rms") == doctest::Approx(std::sqrt((39 * 4 + 36) / 40.0)));
  CHECK(figure(all, "density", "min") == 2);
  CHECK(figure(all, "density", "max") == 6);
  CHECK(figure(all, "density", "probe1") == 6);
  CHECK(figure(all, "density", "probe2") == 2);
  CHECK(figure(all, "velocity", "mean") == doctest::Approx(5));
  CHECK(figure(all, "velocity", "probe3_y") == doctest::Approx(4));
  CHECK(figure(all, "pressure", "max") == doctest::Approx(12));
  CHECK(figure(all, "momentum", "y") == 8);
  CHECK(figure(all, "energy", "kinetic") == 9);
  CHECK(group(all, "density").scale == 6);
  CHECK(group(all, "velocity").scale == doctest::Approx(5 + 3));  // c = sqrt(1.5 12 / 2)
  CHECK(group(all, "pressure").scale == doctest::Approx(12));
  CHECK(group(all, "momentum").scale == 10);
}

TEST_CASE("a scalar adds its mass fraction and its mass") {
  Fields fields = state(0);
  fields.scalars.resize(1);
  for (const double density : fields.conserved[0]) fields.scalars[0].push_back(0.25 * density);
  const Digest all = digest(fields, {"dye"}, kMesh, {kGas}, {.mass = 4, .energy = 25, .scalar_mass = {1}});
  CHECK(figure(all, "dye", "mean") == 0.25);
  CHECK(figure(all, "dye", "probe2") == 0.25);
  CHECK(group(all, "dye").scale == 1);
  CHECK(figure(all, "mass", "dye") == 1);
}
