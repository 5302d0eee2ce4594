// The fourth-order flux corrections on host threads. Twin of cuda/fourth_order_flux.hpp.
#pragma once

#include "physics/base/unrolled.hpp"
#include "physics/host/whole_vectors.hpp"
#include "physics/rhs/fourth_order_face.hpp"

namespace halfstep {

namespace host {

/// Computes the flow states of a row and, if x is active, of the cell beyond either end, and what is behind
/// them up to a whole vector.
template <class Real>
[[gnu::noipa]] void find_flow(const Layout& layout, const Real* u, const IdealGas<Real>& of, Real* flow,
                              int j, int k) {
  const Layout l = layout;
  const IdealGas<Real> gas = of;
  const int beyond = l.ghosts[0] > 0 ? 1 : 0;
  const std::int64_t f = l.field_stride;
  Real* const to = flow + l.index(0, j, k);
  const int whole = whole_vectors<Real>(l.cells[0] + 2 * beyond);
#pragma GCC ivdep
  for (int n = 0; n < whole; ++n) {
    const int i = n - beyond;
    const FlowState<Real> q = flow_state(load(l, u, i, j, k), gas);
    to[i] = q.density;
    for (int c = 0; c < 3; ++c) to[i + (1 + c) * f] = q.velocity[c];
    to[i + 4 * f] = q.temperature;
  }
}

/// Corrects the cells of a row, and what is behind them up to a whole vector. `flow`: the flow states of the
/// mesh and one layer around it, field by field. Not inlined, so that it is compiled once.
template <class Real>
[[gnu::noipa]] void correct_row(const StageArguments<Real>& arguments, const Real* flow, int j, int k) {
  const StageArguments<Real> a = arguments;
  const Layout& l = a.layout;
  const std::int64_t f = l.field_stride, from = l.index(0, j, k);
  // Along an inactive axis all cells are the same.
  const auto step = [&](int axis) { return l.ghosts[axis] > 0 ? l.stride[axis] : 0; };
  const std::int64_t steps[3] = {step(0), step(1), step(2)};
  const int whole = whole_vectors<Real>(l.cells[0]);
#pragma GCC ivdep
  for (int i = 0; i < whole; ++i) {
    const auto at = [&](std::int64_t offset) HALFSTEP_INLINED -> FlowState<Real> {
      const Real* q = flow + from + i + offset;
      return {q[0], {q[f], q[2 * f], q[3 * f]}, q[4 * f]};
    };
    const auto difference = [&](std::int64_t offset, int axis) HALFSTEP_INLINED {
      return half_difference(at(offset - steps[axis]), at(offset + steps[axis]));
    };
    const auto along = [&]<int axis>() HALFSTEP_INLINED {
      constexpr int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
      const auto tangential = [&](std::int64_t offset) HALFSTEP_INLINED {
        return tangential_flux<axis>(at(offset), difference(offset, first), difference(offset, second),
                                     a.gas);
      };
      const std::int64_t s = steps[axis];
      return covariance_outflow(a.inverse_dx[axis], tangential(-s), tangential(s),
                                conversion_flux<axis>(at(-s), at(0), a.gas),
                                conversion_flux<axis>(at(0), at(s), a.gas));
    };
    const Conserved<Real> x = along.template operator()<0>(), y = along.template operator()<1>(),
                          z = along.template operator()<2>();
    store_corrected(a, a.dt, (x + y) + z, i, j, k);
  }
}

}  // namespace host

/// Writes the state that a stage starts from, with the corrections, to `a.out`. `flow`: memory for
/// kFlowFields fields and a vector.
template <class Real>
void add_fourth_order_fluxes(const StageArguments<Real>& a, Real* flow, int threads) {
  const Layout& l = a.layout;
  const auto reach = [&](int axis) { return l.ghosts[axis] > 0 ? 1 : 0; };
#pragma omp parallel num_threads(threads)
  {
#pragma omp for collapse(2)
    for (int k = -reach(2); k < l.cells[2] + reach(2); ++k)
      for (int j = -reach(1); j < l.cells[1] + reach(1); ++j) host::find_flow(l, a.in, a.gas, flow, j, k);
#pragma omp for collapse(2)
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j) host::correct_row(a, flow, j, k);
  }
}

/// Takes the corrections of faces that do without them back from `a.out`.
template <class Real>
void take_corrections_back(const StageArguments<Real>& a, const UncorrectedFaces& faces, int threads) {
  const Layout& l = a.layout;
#pragma omp parallel for collapse(2) num_threads(threads)
  for (int k = 0; k < l.cells[2]; ++k)
    for (int j = 0; j < l.cells[1]; ++j)
      for (int i = 0; i < l.cells[0]; ++i) take_corrections_back(a, faces, i, j, k);
}

}  // namespace halfstep
