// The kernels of flux reconstruction in hexahedra of any degree, for files that instantiate them: the flux
// through faces, and what few steps need.
#pragma once

#include "physics/cuda/diagnosis.hpp"
#include "physics/cuda/hexahedra/face_launch.cuh"
#include "physics/cuda/hexahedra/passes_body.cuh"
#include "physics/cuda/step_kernels.cuh"
#include "physics/curved/budget_of_hexahedra.hpp"

namespace halfstep {

/// The face kernel of viscous flows.
template <class RiemannSolver, class Real>
__global__ void __launch_bounds__(kFaceThreads, kFaceBlocks<RiemannSolver, Real>)
    viscous_face_fluxes(const __grid_constant__ FacePass<Real> pass) {
  find_viscous_face_flux<RiemannSolver>(pass);
}

/// The face kernel of those on sides.
template <class RiemannSolver, class Real>
__global__ void __launch_bounds__(kFaceThreads) side_fluxes(const __grid_constant__ FacePass<Real> pass) {
  const AnyCube& c = pass.hexahedra.cube;
  find_face_flux<RiemannSolver, true>(c, pass, pass.hexahedra.flow.is_viscous,
                                      ExtrapolatedStates<AnyCube, Real>{c, pass.stage.arguments});
}

template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    max_rate_of_points(const __grid_constant__ FacePass<Real> pass, const Real* u) {
  if (pass.stage.reporter.cancelled()) return;
  const StageArguments<Real>& a = pass.stage.arguments;
  const DeviceHexahedra<Real>& h = pass.hexahedra;
  Real rate = 0;
  bool good = true;
  visit_cells_in_warps(a.layout, [&](bool is_one, int i, int j, int k) {
    if (!is_one) return;
    const Primitive<Real> q = to_primitive(load(a.layout, u, i, j, k), a.gas);
    const Real own = rate_at(h.cube, h.flow.mesh, j, i, q, a.gas, h.flow.transport);
    good &= positive_and_finite(q.pressure) & positive_and_finite(own);
    rate = max(own, rate);
  });
  if (!good) pass.stage.reporter.raise();
  rate = largest_of_warp(rate);
  if (threadIdx.x % 32 == 0) add_rate(pass.stage.result, rate);
}

/// As look_at() of a cell.
template <class Real>
__device__ void look_at_point(const StageArguments<Real>& a, const DeviceHexahedra<Real>& h, int i, int j,
                              StageResult* result, const soft_error::Reporter<>& reporter) {
  Real rate = 0;
  if (!check_point(h.cube, a, h.flow.mesh, h.flow.transport, j, i, load(a.layout, a.out, i, j, 0), rate))
    reporter.raise();
  if (a.wants_rate) add_rate(result, rate);
}

template <class Real>
__global__ void inject_fault_in_point(const __grid_constant__ FacePass<Real> pass,
                                      const __grid_constant__ Fault fault) {
  if (pass.stage.reporter.cancelled()) return;
  const StageArguments<Real>& a = pass.stage.arguments;
  const int i = fault.cell[0], j = fault.cell[1];
  store(a.layout, a.out, i, j, 0, corrupted(load(a.layout, a.out, i, j, 0), fault, a.gas));
  look_at_point(a, pass.hexahedra, i, j, pass.stage.result, pass.stage.reporter);
}

/// Adds the loads of the gas in the pass' input on faces of a wall.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    add_loads_on_wall(const __grid_constant__ FacePass<Real> pass, const std::int32_t* faces,
                      std::int64_t count, double depth, ExactLoads* to) {
  if (pass.stage.reporter.cancelled()) return;
  const AnyCube& c = pass.hexahedra.cube;
  LoadsWindow window;
  visit_in_warps(count * c.face_points, [&](std::int64_t n) {
    window.add(n < count * c.face_points
                   ? load_on_wall(c, pass.stage.arguments, flow_of(pass.hexahedra, pass.rules, *pass.time),
                                  faces, n, depth)
                   : BodyLoads{},
               *to);
  });
  window.flush(*to);
}

/// Adds what comes in through the sides of the mesh in the pass' stage, a side to each blockIdx.y.
template <bool has_remedy, class Real>
__global__ void __launch_bounds__(kSmallBlock)
    add_up_sides_of_mesh(const __grid_constant__ FacePass<Real> pass,
                         const __grid_constant__ FacesOnSides on_sides,
                         const __grid_constant__ FlaggedHexahedra flagged, double scale,
                         ExactBudget* budget) {
  if (pass.stage.reporter.cancelled()) return;
  const DeviceHexahedra<Real>& h = pass.hexahedra;
  const Real dt = static_cast<Real>(*pass.stage.dt);
  const FacesOnSide on_side = on_sides.of(blockIdx.y);
  const std::int64_t count = std::int64_t{on_side.count} * h.cube.face_points;
  const auto outflow = [&](const FacePoint& f) {
    const Conserved<Real> found = h.outflows.at(h.cube, f).state(0);
    if constexpr (!has_remedy) return found;
    StageArguments<Real> a = pass.stage.arguments;
    a.dt = dt;
    return flux_taken(h.cube, a, flow_of(h, pass.rules, *pass.time), flagged, f, found);
  };
  ExactConserved& to = budget->sides[blockIdx.y / 2][blockIdx.y % 2];
  ConservedWindow window;
  visit_in_warps(count, [&](std::int64_t n) {
    Conserved<double> change{};
    if (n < count) {
      const FacePoint f = face_point_of_list(h.cube, h.faces + on_side.first, n);
      change = scale * inflow_through_face(h.cube, dt, f, outflow(f));
    }
    window.add(change, to);
  });
  window.flush(to);
}

/// Scales the flagged elements, a thread to each.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    scale_hexahedra(const __grid_constant__ ElementRemedy<Real> r,
                    const __grid_constant__ DeviceHexahedra<Real> h) {
  const auto element = static_cast<int>(global_thread());
  if (element >= h.elements()) return;
  const FlaggedHexahedra flagged{r.mask, r.rules.flags, r.remedy};
  if (flagged.is_scaled(element))
    scale_hexahedron(h.cube, h.flow.mesh, HexahedronInMemory<Real>{element, r.stage.layout, r.stage.out},
                     r.stage.gas);
}

/// Applies the attempt's remedy to the points, then checks them: the stage's own raises were muted.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    correct_points_of_hexahedra(const __grid_constant__ ElementRemedy<Real> r,
                                const __grid_constant__ DeviceHexahedra<Real> h, const double* time) {
  StageArguments<Real> a = r.stage;
  a.dt = static_cast<Real>(*r.dt);
  int i, j, k;
  if (!thread_cell(a.layout, i, j, k)) return;
  const FirstOrderParts parts =
      FlaggedHexahedra{r.mask, r.rules.flags, r.remedy}.parts(h.cube, h.flow.mesh, j);
  if (parts.any()) {
    const HexahedraStage<Real> s = flow_of(h, r.rules, *time);
    const ComputedAnew<AnyCube, Real> anew{h.cube, a, s, parts};
    store(a.layout, a.out, i, j, 0,
          updated_at(h.cube, a, s.mesh, a.dt, j, i, state_at(a, j, i), anew.divergence(j, i)));
  }
  if (r.remedy == Remedy::floor) raise_to_floors(a, r.floors, i, j, k, *r.added);
  look_at_point(a, h, i, j, r.result, r.reporter);
}

/// As find_defects() of cells; the flag of an element is at its first point.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    find_defects_of_hexahedra(const __grid_constant__ ElementDiagnosis<Real> d,
                              const __grid_constant__ DeviceHexahedra<Real> h, double time,
                              std::uint8_t* flags) {
  count_defects(d.stage.layout, d.setup.cells, d.defects, [&](int i, int j, int) {
    const int kind = diagnose_point(h.cube, d.stage, d.setup, flow_of(h, d.rules, time), j, i,
                                    FlaggedHexahedra{d.mask, d.rules.flags, d.remedy})
                         .kind;
    if (kind >= 0 && calls_for_remedy(kind)) flags[d.rules.flags.index(0, j, 0)] = 1;
    return kind;
  });
}

template <class Real>
__global__ void report_point_of_hexahedron(const __grid_constant__ ElementDiagnosis<Real> d,
                                           const __grid_constant__ DeviceHexahedra<Real> h, double time,
                                           std::uint64_t epoch, DefectsRecord* to_host,
                                           CellDiagnosis<Real>* point) {
  static __shared__ ElementScratch<Real> scratch;
  int at[3];
  reported_cell(d.setup.cells, d.defects->key, at);
  if (d.setup.cells.rows) at[1] = d.setup.cells.own_row(at[1]);
  if (!d.stage.layout.holds(at[0], at[1], at[2])) at[0] = at[1] = 0;
  *point = diagnose_point_in_full(h.cube, d.stage, d.setup, flow_of(h, d.rules, time), at[1], at[0],
                                  FlaggedHexahedra{d.mask, d.rules.flags, d.remedy}, scratch);
  show_defects(d.defects, epoch, to_host);
}

template <class Real>
void AnyHexahedraKernels<Real>::find_viscous_face_fluxes(const FacePass<Real>& pass, cudaStream_t stream) {
  switch (pass.hexahedra.flow.riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return launch_on_faces(pass.hexahedra.inner_faces, viscous_face_fluxes<Type, Real>, pass, stream);
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
}

template <class Real>
void AnyHexahedraKernels<Real>::find_side_fluxes(const FacePass<Real>& pass, cudaStream_t stream) {
  switch (pass.hexahedra.flow.riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return launch_on_faces(pass.hexahedra.outer_faces, side_fluxes<Type, Real>, pass, stream);
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
}

template <class Real>
void AnyHexahedraKernels<Real>::find_rate(const FacePass<Real>& pass, const Real* u, unsigned blocks,
                                          cudaStream_t stream) {
  max_rate_of_points<<<blocks, kSmallBlock, 0, stream>>>(pass, u);
  HALFSTEP_CUDA_LAUNCHED("max_rate_of_points");
}

template <class Real>
void AnyHexahedraKernels<Real>::inject_fault(const FacePass<Real>& pass, const Fault& fault,
                                             cudaStream_t stream) {
  inject_fault_in_point<<<1, 1, 0, stream>>>(pass, fault);
  HALFSTEP_CUDA_LAUNCHED("inject_fault_in_point");
}

template <class Real>
void AnyHexahedraKernels<Real>::add_loads(const FacePass<Real>& pass, const std::int32_t* faces,
                                          std::int64_t count, double depth, ExactLoads* to, unsigned blocks,
                                          cudaStream_t stream) {
  add_loads_on_wall<<<blocks, kSmallBlock, 0, stream>>>(pass, faces, count, depth, to);
  HALFSTEP_CUDA_LAUNCHED("add_loads_on_wall");
}

template <class Real>
void AnyHexahedraKernels<Real>::add_up_sides(const FacePass<Real>& pass, const FacesOnSides& on_sides,
                                             const FlaggedHexahedra& flagged, double scale,
                                             ExactBudget* budget, unsigned blocks, cudaStream_t stream) {
  const auto kernel =
      flagged.remedy == Remedy::none ? add_up_sides_of_mesh<false, Real> : add_up_sides_of_mesh<true, Real>;
  kernel<<<dim3(blocks, Hexahedra::kMaxSides), kSmallBlock, 0, stream>>>(pass, on_sides, flagged, scale,
                                                                         budget);
  HALFSTEP_CUDA_LAUNCHED("add_up_sides_of_mesh");
}

template <class Real>
void AnyHexahedraKernels<Real>::correct(const ElementRemedy<Real>& remedy,
                                        const DeviceHexahedra<Real>& hexahedra, const double* time,
                                        cudaStream_t stream) {
  if (remedy.remedy == Remedy::scaling) {
    scale_hexahedra<<<blocks_for(hexahedra.elements()), kSmallBlock, 0, stream>>>(remedy, hexahedra);
    HALFSTEP_CUDA_LAUNCHED("scale_hexahedra");
  }
  correct_points_of_hexahedra<<<blocks_for(remedy.stage.layout.cell_count()), kSmallBlock, 0, stream>>>(
      remedy, hexahedra, time);
  HALFSTEP_CUDA_LAUNCHED("correct_points_of_hexahedra");
}

template <class Real>
void AnyHexahedraKernels<Real>::find_defects(const ElementDiagnosis<Real>& diagnosis,
                                             const DeviceHexahedra<Real>& hexahedra, double time,
                                             std::uint8_t* flags, cudaStream_t stream) {
  find_defects_of_hexahedra<<<blocks_for(diagnosis.stage.layout.cell_count()), kSmallBlock, 0, stream>>>(
      diagnosis, hexahedra, time, flags);
  HALFSTEP_CUDA_LAUNCHED("find_defects_of_hexahedra");
}

template <class Real>
void AnyHexahedraKernels<Real>::report(const ElementDiagnosis<Real>& diagnosis,
                                       const DeviceHexahedra<Real>& hexahedra, double time,
                                       std::uint64_t epoch, DefectsRecord* defects,
                                       CellDiagnosis<Real>* point, cudaStream_t stream) {
  report_point_of_hexahedron<<<1, 1, 0, stream>>>(diagnosis, hexahedra, time, epoch, defects, point);
  HALFSTEP_CUDA_LAUNCHED("report_point_of_hexahedron");
}

}  // namespace halfstep
