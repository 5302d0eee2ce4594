// Cells of a mesh: loops over them, and their states compared and collected.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "physics/gas/state.hpp"
#include "physics/mesh/fields.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Calls f({i, j, k}) for every cell, i fastest. `cells`: three counts.
template <class Cells, class F>
void for_every_cell(const Cells& cells, F&& f) {
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) f(std::array<int, 3>{i, j, k});
}
template <class F>
void for_every_cell(const Mesh& mesh, F&& f) {
  for_every_cell(mesh.cells, f);
}

inline Box box_of(const Mesh& mesh, const std::array<int, 3>& cell) {
  return mesh.cell(cell[0], cell[1], cell[2]);
}

/// Returns e.g. "40 x 20 x 12".
template <class Cells>
std::string text_of(const Cells& cells) {
  return std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " + std::to_string(cells[2]);
}

/// Whether two states agree in every bit (no state here holds NaN or a signed zero that matters).
template <class Real>
bool same_bits(const Conserved<Real>& a, const Conserved<Real>& b) {
  return a.density == b.density && a.mu == b.mu && a.mv == b.mv && a.mw == b.mw && a.energy == b.energy;
}

template <class Real>
Real largest_component(const Conserved<Real>& c) {
  return std::max({std::abs(c.density), std::abs(c.mu), std::abs(c.mv), std::abs(c.mw), std::abs(c.energy)});
}

/// Appends the state of the next cell.
inline void append(Fields& fields, const Conserved<double>& c) {
  const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
  for (int f = 0; f < kFields; ++f) fields.conserved[f].push_back(values[f]);
}

}  // namespace halfstep
