// The parts of the domain's budget on host threads. Twins are in cuda/step_kernels.cuh.
#pragma once

#include <cstdint>

#include "physics/diagnostics/budget.hpp"
#include "physics/host/driving.hpp"
#include "physics/rhs/budget_of_stage.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_mask.hpp"

namespace halfstep {

namespace host {

#pragma omp declare reduction(add_up:ExactConserved : merge(omp_out, omp_in)) initializer(omp_priv = {})

/// Adds up items on threads; add(n, take) gives take() what item n adds.
template <class Add>
void add_up(std::int64_t items, int threads, ExactConserved& to, Add add) {
  ExactConserved sum{};
#pragma omp parallel num_threads(threads) reduction(add_up : sum)
  {
    ConservedWindow window;
#pragma omp for
    for (std::int64_t n = 0; n < items; ++n)
      add(n, [&](const Conserved<double>& change) { window.add(change, sum); });
    window.flush(sum);
  }
  merge(to, sum);
}

/// Adds up the rows of cells; add(j, k, take) gives take() what the cells of a row add.
template <class Add>
void add_up_rows(const Layout& l, int threads, ExactConserved& to, Add add) {
  add_up(std::int64_t{l.cells[1]} * l.cells[2], threads, to, [&](std::int64_t row, const auto& take) {
    add(static_cast<int>(row % l.cells[1]), static_cast<int>(row / l.cells[1]), take);
  });
}

}  // namespace host

/// Adds what comes in through the sides of the domain in a stage, outside of bodies. `inflow`: that through
/// a face, such as InflowOfCell.
template <class Real, class Inflow>
void add_up_sides(const BudgetArguments<Real>& a, const SolidMask& solids, const Inflow& inflow, int threads,
                  ExactBudget& budget) {
  const OpenSides sides(a.walls.rules);
  for (int n = 0; n < sides.count; ++n) {
    const int axis = sides.axis[n], side = sides.side[n];
    const CellsBesideWalls cells(a.rhs.stage.layout, axis);
    const std::int64_t count = cells.count() / 2, first = side * count;
    host::add_up(count, threads, budget.sides[axis][side], [&](std::int64_t cell, const auto& take) {
      int at[3];
      cells.cell(first + cell, at);
      if (!solids.has(a.rhs.stage.layout, at[0], at[1], at[2]))
        take(inflow(a, a.rhs.stage.dt, axis, side, at[0], at[1], at[2]));
    });
  }
}

/// Adds what comes out of a body through its faces in a stage.
template <class Real>
void add_up_body(const BudgetArguments<Real>& a, const std::vector<SolidFace>& faces, int threads,
                 ExactBudget& budget) {
  host::add_up(std::ssize(faces), threads, budget.bodies, [&](std::int64_t n, const auto& take) {
    const SolidFace& face = faces[static_cast<std::size_t>(n)];
    take(InflowOfCell{}(a, a.rhs.stage.dt, face.axis, face.side, face.at[0], face.at[1], face.at[2]));
  });
}

/// Adds what gravity and what drives the flow bring in. `time`: of the stage's input.
template <class Real>
void add_up_forces(const BudgetArguments<Real>& a, const HostDriving& driving, double time,
                   const SolidMask& solids, int threads, ExactBudget& budget) {
  const std::vector<WaveAmplitude> amplitudes = driving.amplitudes_at(time);
  const Layout& l = a.rhs.stage.layout;
  host::add_up_rows(l, threads, budget.forces, [&](int j, int k, const auto& take) {
    const HostDriving::Row row(driving, amplitudes, j, k);
    for (int i = 0; i < l.cells[0]; ++i)
      if (!solids.has(l, i, j, k))
        take(change_by_forces(a, a.rhs.stage.dt, driving.pressure_gradient(), row.acceleration(i), i, j, k));
  });
}

/// Adds the heat of half of a stiff source.
template <class Real>
void add_up_heat(const StageArguments<Real>& a, const SolidMask& solids, int threads, ExactBudget& budget) {
  host::add_up_rows(a.layout, threads, budget.sources, [&](int j, int k, const auto& take) {
    for (int i = 0; i < a.layout.cells[0]; ++i)
      if (!solids.has(a.layout, i, j, k)) take({0, 0, 0, 0, heat_of_source(a, i, j, k)});
  });
}

}  // namespace halfstep
