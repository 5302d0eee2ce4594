// The passes of a stage in hexahedra, but for the rest of the launch.
#pragma once

#include <cuda_runtime.h>

#include "physics/cuda/hexahedra/device_hexahedra.hpp"
#include "physics/cuda/stage/reports.cuh"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

/// The extrapolated states that the first pass has left.
template <class C, class Real>
struct StoredEnds {
  const C& c;
  const DeviceHexahedra<Real>& h;
  HALFSTEP_HD Conserved<Real> operator()(const FacePoint& f) const {
    return h.ends.state(h.flow.mesh.slot(c, f));
  }
};

/// Copies the operators to shared memory. All threads of a block call it, and a barrier follows.
template <class Real>
__device__ void copy_operators(const OperatorTable<Real>* from, OperatorTable<Real>& to) {
  constexpr int count = sizeof to / sizeof(Real);
  for (int n = threadIdx.x; n < count; n += HexahedraBlock::kThreads)
    reinterpret_cast<Real*>(&to)[n] = reinterpret_cast<const Real*>(from)[n];
}

/// Extrapolates the states of a line of points to face point number n.
template <int degree, class Real>
__device__ __forceinline__ void extrapolate_to_face(const FacePass<Real>& p, int n) {
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const CubeOfDegree<degree, Real> c(h.cube.dimensions, h.operators);
  if (n >= h.ends.points) return;
  const FacePoint f{n / c.face_points / c.faces, n / c.face_points % c.faces, n % c.face_points};
  h.ends.put(n, ExtrapolatedStates<CubeOfDegree<degree, Real>, Real>{c, p.stage.arguments}(f));
}

/// The gradients of a block's points in shared memory, `pitch` values a component.
template <class Real>
struct GradientsOfBlock {
  Real* first;
  int pitch;

  __device__ Real& at(int point, int along, int component) const {
    return first[(along * kMotion + component) * pitch + point];
  }
  __device__ void put(int point, const MotionGradient<Real>& g) const {
    for (int along = 0; along < 3; ++along) {
      for (int c = 0; c < 3; ++c) at(point, along, c) = g.along[along].velocity[c];
      at(point, along, 3) = g.along[along].temperature;
    }
  }
  __device__ MotionGradient<Real> get(int point) const {
    MotionGradient<Real> g;
    for (int along = 0; along < 3; ++along) {
      for (int c = 0; c < 3; ++c) g.along[along].velocity[c] = at(point, along, c);
      g.along[along].temperature = at(point, along, 3);
    }
    return g;
  }
};

/// The elements of this block of threads.
struct OwnElements {
  int first, count;  ///< of them
  int element;       ///< of this thread, among them
  int point;         ///< in that element
  __device__ OwnElements(int block, int elements, int points)
      : first(block * HexahedraBlock::elements(points)),
        count(min(HexahedraBlock::elements(points), elements - first)),
        element(static_cast<int>(threadIdx.x) / points),
        point(static_cast<int>(threadIdx.x) % points) {}
  /// Whether this thread has a point.
  __device__ bool has_point() const { return element < count; }
};

/// Finds what flows out of each element by its own gradients, and the steps to the common motion. `on_sides`:
/// there are faces on sides of the mesh.
template <int degree, bool on_sides, class Real>
__device__ __forceinline__ void find_viscous_outflows_of_block(const FacePass<Real>& p) {
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const HexahedraView<Real>& mesh = h.flow.mesh;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  static __shared__ OperatorTable<Real> operators;
  copy_operators(h.operators, operators);
  const CubeOfDegree<degree, Real> c(h.cube.dimensions, &operators);
  const OwnElements own(static_cast<int>(blockIdx.x), h.elements(), c.points);
  const int pitch = HexahedraBlock::pitch(c.points), thread = static_cast<int>(threadIdx.x);
  const FaceFields<Real> motions{reinterpret_cast<Real*>(shared_memory), pitch};
  const GradientsOfBlock<Real> gradients{motions.first + kMotion * pitch, pitch};
  const auto motion = [&](int element, int m) {
    return motions.motion((element - own.first) * c.points + m);
  };
  const int element = own.first + own.element;
  if (own.has_point()) motions.put(thread, MotionOfPoints<Real>{p.stage.arguments}(element, own.point));
  __syncthreads();
  if (own.has_point()) gradients.put(thread, own_gradient(c, mesh, element, own.point, motion));
  __syncthreads();

  HexahedraStage<Real> s = h.flow;
  if constexpr (on_sides) s = flow_of(h, p.rules, *p.time);
  const int of_element = c.faces * c.face_points;
  for (int n = thread; n < own.count * of_element; n += HexahedraBlock::kThreads) {
    const FacePoint f{own.first + n / of_element, n % of_element / c.face_points, n % c.face_points};
    const std::int64_t slot = mesh.slot(c, f);
    const Motion<Real> common = common_motion<on_sides>(c, p.stage.arguments, s, f,
                                                        StoredEnds<CubeOfDegree<degree, Real>, Real>{c, h});
    const Motion<Real> step = difference(common, motion_at_end<Real>(c, f, motion));
    h.steps.put(slot, step);
    h.viscous_outflows.put(slot, own_viscous_flux(c, s, f, common, step, [&](int e, int m) {
                             return gradients.get((e - own.first) * c.points + m);
                           }));
  }
}

template <class RiemannSolver>
struct RiemannFlux {
  template <class Real>
  HALFSTEP_HD Conserved<Real> operator()(const Primitive<Real>& left, const Primitive<Real>& right,
                                         const IdealGas<Real>& gas) const {
    return RiemannSolver::flux(left, right, gas);
  }
};

/// Finds what flows through the face points of this block, of faces of two elements or of those on sides.
/// `Reports`: see reports.cuh; a face's cell is (its point, its left element, 0).
template <class RiemannSolver, bool on_sides, class Reports = RaiseOnce, class Real>
__device__ __forceinline__ void find_face_fluxes_of_block(const FacePass<Real>& p) {
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const AnyCube& c = h.cube;
  static __shared__ typename Reports::Shared reports;
  if constexpr (Reports::kReports) {
    if (threadIdx.x == 0) Reports::begin(reports);
    __syncthreads();
  }
  const int n = static_cast<int>(blockIdx.x * HexahedraBlock::kThreads + threadIdx.x);
  if (n < (on_sides ? h.outer_faces : h.inner_faces) * c.face_points) {
    const int face = h.faces[(on_sides ? h.inner_faces : 0) + n / c.face_points];
    const FacePoint f{face / c.faces, face % c.faces, n % c.face_points};
    const StoredEnds<AnyCube, Real> ends{c, h};
    HexahedraStage<Real> s = h.flow;
    if constexpr (on_sides) s = flow_of(h, p.rules, *p.time);
    const FaceOfTwo<Real> both =
        face_of_two<on_sides>(c, p.stage.arguments, s, f, ends, RiemannFlux<RiemannSolver>{}, false);
    Conserved<Real> out = both.frame.through(both.record.flux);
    if (s.is_viscous)
      add_multiple(out, Real(1),
                   common_viscous_flux<on_sides>(
                       c, s, both,
                       [&](const FacePoint& of) { return common_motion(c, p.stage.arguments, s, of, ends); },
                       [&](const FacePoint& of) { return h.viscous_outflows.state(s.mesh.slot(c, of)); }));
    h.outflows.put(s.mesh.slot(c, f), out);
    if constexpr (!on_sides) h.outflows.put(s.mesh.slot(c, both.right), Real(-1) * out);
    if constexpr (Reports::kReports)
      if (both.record.bad) [[unlikely]]
        Reports::bad_face(reports, p.stage, true, {f.point, f.element, 0}, f.axis(), both.record.left,
                          both.record.right);
  }
  if constexpr (Reports::kReports) {
    __syncthreads();
    if (threadIdx.x == 0) Reports::end(reports, p.stage);
  }
}

/// Advances the elements of a tile, and checks their points.
template <int degree, bool is_viscous, class Real>
__device__ __forceinline__ void advance_hexahedra(const CudaStage<Real>& stage,
                                                  const DeviceHexahedra<Real>& h) {
  wait_for_earlier_kernels();
  const StageArguments<Real>& a = stage.arguments;
  const HexahedraView<Real>& mesh = h.flow.mesh;
  const int thread = static_cast<int>(threadIdx.x);
  extern __shared__ __align__(16) unsigned char shared_memory[];
  static __shared__ OperatorTable<Real> operators;
  static __shared__ RaiseOnce::Shared reports;
  static __shared__ int taken;
  if (thread == 0) {
    RaiseOnce::begin(reports);
    taken = stage.queue.active() ? static_cast<int>(stage.queue.take()) : static_cast<int>(blockIdx.x);
    if (stage.reporter.cancelled()) taken = -1;
  }
  copy_operators(h.operators, operators);
  __syncthreads();
  if (taken < 0) return;

  const CubeOfDegree<degree, Real> c(h.cube.dimensions, &operators);
  const OwnElements own(taken, h.elements(), c.points);
  const int element = own.first + own.element, m = own.point, pitch = HexahedraBlock::pitch(c.points);
  Real* const fluxes = reinterpret_cast<Real*>(shared_memory);
  const auto flux_along = [&](int d) { return FaceFields<Real>{fluxes + d * kFields * pitch, pitch}; };
  const FaceFields<Real> motions{fluxes + c.dimensions * kFields * pitch, pitch};
  Conserved<Real> u{};
  Motion<Real> motion{};
  if (own.has_point()) u = state_at(a, element, m);
  if constexpr (is_viscous) {
    if (own.has_point()) {
      motion = motion_of(to_primitive(u, a.gas));
      motions.put(thread, motion);
    }
    __syncthreads();
  }
  if (own.has_point()) {
    MotionGradient<Real> gradient{};
    if constexpr (is_viscous)
      gradient = corrected_gradient(
          c, mesh, element, m,
          own_gradient(c, mesh, element, m,
                       [&](int, int point) { return motions.motion(own.element * c.points + point); }),
          [&](const FacePoint& f) { return h.steps.motion(mesh.slot(c, f)); });
    for (int d = 0; d < c.dimensions; ++d) {
      const Vector<Real> across = mesh.metric_at(c, element, m, d);
      Conserved<Real> flux = inviscid_flux_across(u, across, a.gas);
      if constexpr (is_viscous)
        add_multiple(flux, Real(1), viscous_flux_across(gradient, motion, h.flow.transport, across));
      flux_along(d).put(thread, flux);
    }
  }
  __syncthreads();

  Real rate = 0;
  if (own.has_point()) {
    const Conserved<Real> divergence = divergence_at<Real>(
        c, element, m, [&](int point, int d) { return flux_along(d).state(own.element * c.points + point); },
        [&](const FacePoint& f) { return h.outflows.state(mesh.slot(c, f)); });
    const Conserved<Real> next =
        updated_at(a, mesh, static_cast<Real>(__ldg(stage.dt)), element, m, u, divergence);
    store(a.layout, a.out, m, element, 0, next);
    Real own_rate = 0;
    if (!check_point(c, a, mesh, element, m, next, own_rate)) RaiseOnce::bad_cell(reports, stage, {}, next);
    rate = max(own_rate, rate);  // without what is no number
  }
  __syncthreads();
  if (thread == 0) RaiseOnce::end(reports, stage);
  if (a.wants_rate) {
    for (int lane = 16; lane > 0; lane /= 2) rate = max(__shfl_xor_sync(~0u, rate, lane), rate);
    if (thread % 32 == 0)
      atomicMax(&stage.result->cfl_rate_bits,
                static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
  }
}

}  // namespace halfstep
