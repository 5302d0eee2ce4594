#include "physics/diagnostics/operation_count.hpp"

#include <cmath>
#include <initializer_list>
#include <vector>

#include "physics/base/classify.hpp"
#include "physics/flux/dispatch.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/stage/integrator.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {
namespace {

/// Returns a gas whose members are given constants, so that they do not count as operations.
template <class Real>
IdealGas<Real> given_gas() {
  const IdealGas<double> gas{1.4};
  return {gas.gamma, gas.energy_per_pressure};
}

/// Returns a cell of a smooth subsonic flow in which no quantity has an extremum.
template <class Real>
Primitive<Real> cell(int n) {
  const double x = 0.1 * n;
  return {1 + 0.2 * std::sin(x), 0.3 + 0.1 * std::sin(x + 0.1), 0.2 - 0.1 * std::sin(x + 0.2),
          0.1 + 0.1 * std::sin(x - 0.1), 1 + 0.3 * std::sin(x + 0.3)};
}
/// Returns the conserved variables of cell 0.
template <class Real>
Conserved<Real> conserved_cell() {
  const Conserved<double> c = to_conserved(cell<double>(0), IdealGas<double>{1.4});
  return {c.density, c.mu, c.mv, c.mw, c.energy};
}

template <class Real>
Operations needed_for(std::initializer_list<Real> results) {
  std::vector<int> places;
  for (const Real& result : results) places.push_back(result.place());
  return Real::tape.needed_for(places);
}

template <class Real>
Operations of_to_primitive() {
  const Primitive<Real> q = to_primitive(conserved_cell<Real>(), given_gas<Real>());
  return needed_for({q.density, q.u, q.v, q.w, q.pressure});
}

template <class Reconstruction, Variables variables, class Real>
Operations of_edges() {
  constexpr int r = Reconstruction::radius;
  Primitive<Real> stencil[2 * r + 1];
  for (int n = -r; n <= r; ++n) stencil[n + r] = cell<Real>(n);
  const auto [l, u] = edge_states<Reconstruction, variables>(stencil, given_gas<Real>());
  return needed_for({l.density, l.u, l.v, l.w, l.pressure, u.density, u.u, u.v, u.w, u.pressure});
}

template <class RiemannSolver, class Real>
Operations of_face() {
  const Primitive<Real> l = cell<Real>(0), r = cell<Real>(1);
  const Conserved<Real> f = checked_flux<RiemannSolver>(l, r, l, r, given_gas<Real>()).flux;
  return needed_for({f.density, f.mu, f.mv, f.mw, f.energy});
}

template <class Real>
Operations of_update() {
  const StageArguments<Real> args{.layout = Layout({1, 1, 1}, {1, 1, 1}),
                                  .start = nullptr,
                                  .in = nullptr,
                                  .out = nullptr,
                                  .beta = 0.75,
                                  .dt = 0.01,
                                  .inverse_dx = {1, 1, 1},
                                  .gas = given_gas<Real>(),
                                  .raise_bad_faces = false,
                                  .wants_rate = false,
                                  .kept = 1,  // made once a stage, as the weight
                                  .weight_of_start = 0.25};
  const auto update = [&](Real value) {
    const Real below = 1, above = 1;
    const Real in_plane = in_plane_divergence(args.inverse_dx, above - below, above - below);
    return updated(args, args.inverse_dx, args.dt, value, value, in_plane, above - below);
  };
  const Conserved<Real> c = conserved_cell<Real>();
  const Conserved<Real> out{update(c.density), update(c.mu), update(c.mv), update(c.mw), update(c.energy)};
  is_admissible(out);
  return needed_for({out.density, out.mu, out.mv, out.mw, out.energy});
}

template <class Real>
Operations of_signal_rate() {
  const Real inverse_dx[3] = {1, 1, 1};
  const Primitive<Real> q = cell<Real>(0);
  const Real rate = cfl_rate(q, inverse_dx, given_gas<Real>());
  positive_and_finite(q.pressure);
  return needed_for({rate});
}

template <class Real>
SchemeOperations operations_in(const Scheme& scheme) {
  SchemeOperations all;
  all.to_primitive = of_to_primitive<Real>();
  with_scheme(scheme, [&]<class Reconstruction, Variables variables, class RiemannSolver>() {
    all.edges = of_edges<Reconstruction, variables, Real>();
    all.face = of_face<RiemannSolver, Real>();
  });
  all.update = of_update<Real>();
  all.cfl_rate = of_signal_rate<Real>();
  return all;
}

}  // namespace

Operations SchemeOperations::step(Integrator integrator, int active_axes) const {
  Operations stage = to_primitive;
  stage += active_axes * edges;
  stage += active_axes * face;
  stage += update;
  Operations all = stage_count(integrator) * stage;
  all += cfl_rate;
  return all;
}

SchemeOperations operations(const Scheme& scheme) {
  return scheme.precision == Precision::double_precision ? operations_in<Counted<double>>(scheme)
                                                         : operations_in<Counted<float>>(scheme);
}

}  // namespace halfstep
