#include "physics/diagnostics/digest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "physics/diagnostics/mixture_of_cell.hpp"
#include "physics/diagnostics/totals.hpp"

namespace halfstep {
namespace {

/// The positions of the probes, as fractions of the domain along each axis.
constexpr std::array<double, 3> kProbes[] = {{0.31, 0.42, 0.63}, {0.55, 0.71, 0.36}, {0.83, 0.22, 0.87}};

std::size_t probe_cell(const Mesh& mesh, const std::array<double, 3>& part) {
  std::size_t cell = 0;
  for (int axis = 2; axis >= 0; --axis)
    cell = cell * static_cast<std::size_t>(mesh.cells[axis]) +
           static_cast<std::size_t>(part[axis] * mesh.cells[axis]);
  return cell;
}

std::string probe_name(std::size_t probe) { return "probe" + std::to_string(probe + 1); }

/// Returns the figures of a field with one number per cell, without the scale.
FigureGroup figures_of(const std::string& name, const std::vector<double>& values) {
  double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const double value : values) {
    sum += std::abs(value);
    squares += value * value;
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
  const double count = static_cast<double>(values.size());
  return {name,
          0,
          {{"mean", sum / count}, {"rms", std::sqrt(squares / count)}, {"min", least}, {"max", largest}}};
}

}  // namespace

Digest digest(const Fields& fields, const std::vector<std::string>& scalars, const Mesh& mesh,
              const Gases<double>& gases, const Totals& totals) {
  const auto& u = fields.conserved;
  const std::size_t cells = u[0].size();
  const auto gas = [&](std::size_t n) { return gas_in(gases, fields, n); };
  const auto primitive = [&](std::size_t n) {
    return to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}, gas(n));
  };
  std::vector<double> pressure(cells), speed(cells);
  double fastest = 0;
  for (std::size_t n = 0; n < cells; ++n) {
    const Primitive<double> q = primitive(n);
    pressure[n] = q.pressure;
    speed[n] = std::hypot(q.u, q.v, q.w);
    fastest = std::max(fastest, speed[n] + sound_speed(q.density, q.pressure, gas(n)));
  }

  FigureGroup of_density = figures_of("density", u[0]), of_velocity = figures_of("velocity", speed),
              of_pressure = figures_of("pressure", pressure);
  for (std::size_t probe = 0; probe < std::size(kProbes); ++probe) {
    const Primitive<double> q = primitive(probe_cell(mesh, kProbes[probe]));
    const std::string name = probe_name(probe);
    of_density.figures.emplace_back(name, q.density);
    of_velocity.figures.emplace_back(name + "_x", q.u);
    of_velocity.figures.emplace_back(name + "_y", q.v);
    of_velocity.figures.emplace_back(name + "_z", q.w);
    of_pressure.figures.emplace_back(name, q.pressure);
  }
  of_density.scale = *std::max_element(u[0].begin(), u[0].end());
  of_velocity.scale = fastest;
  of_pressure.scale = *std::max_element(pressure.begin(), pressure.end());
  const double momentum_scale = std::sqrt(totals.mass * totals.energy);
  Digest all = {of_density,
                of_velocity,
                of_pressure,
                {"mass", totals.mass, {{"total", totals.mass}}},
                {"momentum",
                 momentum_scale,
                 {{"x", totals.momentum[0]}, {"y", totals.momentum[1]}, {"z", totals.momentum[2]}}},
                {"energy", totals.energy, {{"total", totals.energy}, {"kinetic", totals.kinetic_energy}}}};
  for (std::size_t s = 0; s < scalars.size(); ++s) {
    std::vector<double> fraction(cells);
    for (std::size_t n = 0; n < cells; ++n) fraction[n] = fraction_in(gases, fields, s, n);
    FigureGroup of_fraction = figures_of(scalars[s], fraction);
    for (std::size_t probe = 0; probe < std::size(kProbes); ++probe)
      of_fraction.figures.emplace_back(probe_name(probe), fraction[probe_cell(mesh, kProbes[probe])]);
    of_fraction.scale = 1;
    all.push_back(of_fraction);
    all[3].figures.emplace_back(scalars[s], totals.scalar_mass[s]);
  }
  return all;
}

}  // namespace halfstep
