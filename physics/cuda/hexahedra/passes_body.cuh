// The passes of a stage in hexahedra, but for the rest of the launch.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <type_traits>

#include "physics/cuda/hexahedra/device_hexahedra.hpp"
#include "physics/cuda/stage/reports.cuh"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

/// The extrapolated states that a pass has left.
template <class C, class Real>
struct StoredEnds {
  const C& c;
  const DeviceHexahedra<Real>& h;
  HALFSTEP_HD Primitive<Real> operator()(const FacePoint& f) const { return h.ends.at(c, f).primitive(0); }
};

/// Copies the operators to shared memory. All threads of a block call it, and a barrier follows.
template <class Real>
__device__ void copy_operators(const OperatorTable<Real>* from, OperatorTable<Real>& to) {
  constexpr unsigned count = sizeof to / sizeof(Real);
  for (unsigned n = threadIdx.x; n < count; n += blockDim.x)
    reinterpret_cast<Real*>(&to)[n] = reinterpret_cast<const Real*>(from)[n];
}

/// Returns the block's number, counted from the last. The passes take the mesh forwards and backwards in
/// turn, so that each begins where the one before has ended, with what the cache still holds.
__device__ __forceinline__ unsigned block_from_last() { return gridDim.x - 1 - blockIdx.x; }

/// The elements of a block of threads.
template <class C, class Block = HexahedraBlock<C>>
struct OwnElements {
  int first, count;  ///< of them
  int element;       ///< this thread's
  int point;         ///< in that element

  __device__ OwnElements(int block, int elements)
      : first(block * Block::kElements),
        count(min(Block::kElements, elements - first)),
        element(first + static_cast<int>(threadIdx.x) / C::points),
        point(static_cast<int>(threadIdx.x) % C::points) {}
  /// Whether this thread has a point.
  __device__ bool has_point() const { return element < first + count; }
  /// Returns where the block has the values of a point, or of a face point.
  __device__ int place(int of_element, int of_point) const {
    return (of_element - first) * C::points + of_point;
  }
  __device__ int padded_place(int of_element, const PointOnLine& of) const {
    return Block::padded(place(of_element, of.first)) + of.j * Block::padded_stride(of.stride);
  }
  __device__ int place(const FacePoint& f) const {
    return (f.element - first) * face_points_of_element(C{}) + number_in_element(C{}, f);
  }
  /// Calls visit(lower end, upper end) with the ends of each of this thread's lines of points.
  template <class Visit>
  __device__ void for_lines(const Visit& visit) const {
    constexpr int of_element = C::dimensions * C::face_points;
    for (int n = static_cast<int>(threadIdx.x); n < count * of_element; n += Block::kThreads) {
      const int axis = n % of_element / C::face_points, line = n % C::face_points;
      visit(FacePoint{first + n / of_element, 2 * axis, line},
            FacePoint{first + n / of_element, 2 * axis + 1, line});
    }
  }
  /// Calls visit(face point) with each of this thread's.
  template <class Visit>
  __device__ void for_face_points(const Visit& visit) const {
    constexpr int of_element = C::faces * C::face_points;
    for (int n = static_cast<int>(threadIdx.x); n < count * of_element; n += Block::kThreads)
      visit(FacePoint{first + n / of_element, n % of_element / C::face_points, n % C::face_points});
  }
};

/// Begins to copy `values` of each of a block's elements to shared memory. values_of(element): where they
/// are. `to`: aligned as two values.
template <int values, class C, class Block, class Real, class ValuesOf>
__device__ void begin_to_fetch(const OwnElements<C, Block>& own, Real* to, const ValuesOf& values_of) {
  static_assert(values % 2 == 0);
  for (int n = 2 * static_cast<int>(threadIdx.x); n < own.count * values; n += 2 * Block::kThreads)
    __pipeline_memcpy_async(to + n, values_of(own.first + n / values) + n % values, 2 * sizeof(Real));
  __pipeline_commit();
}

/// Extrapolates the states of a block's elements to their faces.
template <class C, class Real>
__device__ __forceinline__ void extrapolate_to_faces_of_block(const FacePass<Real>& p) {
  using Block = HexahedraBlock<C>;
  const DeviceHexahedra<Real>& h = p.hexahedra;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  const PointFields<Real> states{reinterpret_cast<Real*>(shared_memory), Block::kPadded};
  const OwnElements<C> own(static_cast<int>(block_from_last()), h.with_near);
  if (own.has_point())
    states.put(Block::padded(static_cast<int>(threadIdx.x)),
               state_at(p.stage.arguments, own.element, own.point));
  __syncthreads();
  own.for_lines([&](const FacePoint& lower, const FacePoint& upper) {
    Conserved<Real> line[C::n];
    const int first = first_of_line(C{}, lower.axis(), lower.point);
#pragma unroll
    for (int j = 0; j < C::n; ++j)
      line[j] = states.state(own.padded_place(lower.element, point_on_line(C{}, lower.axis(), first, j)));
    for (const FacePoint& f : {lower, upper}) {
      const Conserved<Real> end = extrapolated(C{}, f, [&](const PointOnLine& at) { return line[at.j]; });
      h.ends.at(C{}, f).put(0, to_primitive(end, p.stage.arguments.gas));
    }
  });
}

/// The gradients of a block's points in shared memory, and 1 / J where it is not one for all; `pitch` values
/// a component.
template <class C, class Real>
struct GradientsOfBlock {
  Real* first;
  int pitch;
  const HexahedraView<Real>& mesh;

  __device__ void put(int point, const MotionGradient<Real>& g, Real inverse_jacobian) const {
    if constexpr (!C::is_straight) first[9 * pitch + point] = inverse_jacobian;
    for (int c = 0; c < 3; ++c) {
      first[c * pitch + point] = g.stretch[c];
      first[(3 + c) * pitch + point] = g.shear[c];
      first[(6 + c) * pitch + point] = g.slope[c];
    }
  }
  __device__ Real inverse_jacobian(int point) const {
    if constexpr (C::is_straight) return mesh.straight.inverse_jacobian;
    return first[9 * pitch + point];
  }
  __device__ MotionGradient<Real> get(int point) const {
    MotionGradient<Real> g;
    for (int c = 0; c < 3; ++c) {
      g.stretch[c] = first[c * pitch + point];
      g.shear[c] = first[(3 + c) * pitch + point];
      g.slope[c] = first[(6 + c) * pitch + point];
    }
    return g;
  }
};

/// Finds what flows out of each element by its own gradients, and what its viscous flux adds to the
/// divergence inside. `on_sides`: there are faces on sides of the mesh.
template <class C, bool on_sides, class Real>
__device__ __forceinline__ void find_viscous_fluxes_of_block(const FacePass<Real>& p) {
  using Block = ViscousBlock<C>;
  using Tabled = TabledCube<C, Real>;
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const HexahedraView<Real>& mesh = h.flow.mesh;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  static __shared__ OperatorTable<Real> operators;
  const OwnElements<C, Block> own(static_cast<int>(blockIdx.x), h.with_near);
  const int element = own.element, m = own.point;
  const PointFields<Real> steps{reinterpret_cast<Real*>(shared_memory), Block::kFacePoints};
  const PointFields<Real> commons{steps.first + Block::kMotion * Block::kFacePoints, Block::kFacePoints};
  Real* const areas = commons.first + Block::kMotion * Block::kFacePoints;
  const PointFields<Real> motions{areas + Block::kAreas, Block::kPadded};
  const GradientsOfBlock<C, Real> gradients{motions.first + Block::kMotion * Block::kPadded, Block::kPadded,
                                            mesh};
  static_assert(C::dimensions * kViscousFields <= Block::kMotion + Block::kGradient);
  const auto flux_along =
      [&](int d) {  // in the place of the motion and the gradient, which only their point reads then
        return PointFields<Real>{motions.first + d * kViscousFields * Block::kPadded, Block::kPadded};
      };
  const int here = Block::padded(static_cast<int>(threadIdx.x));
  const Tabled c(&operators);
  const auto motion = [&](int e, const PointOnLine& point) {
    return motions.motion(own.padded_place(e, point));
  };
  const auto area = [&](const FacePoint& f) {
    if constexpr (C::is_straight)
      return mesh.straight.across(f.axis());
    else
      return area_among(c, areas + (f.element - own.first) * C::dimensions * face_points_of_element(c), f);
  };
  HexahedraStage<Real> s = h.flow;
  if constexpr (on_sides) s = flow_of(h, p.rules, *p.time);

  // Areas, states and states at faces are fetched before the first barrier, all at once.
  if constexpr (!C::is_straight)
    begin_to_fetch<C::dimensions * face_points_of_element(C{})>(own, areas,
                                                                [&](int e) { return mesh.areas_of(C{}, e); });
  copy_operators(h.operators, operators);
  Conserved<Real> u{};
  if (own.has_point()) u = state_at(p.stage.arguments, element, m);
  own.for_face_points([&](const FacePoint& f) {
    if (!h.is_idle(f))
      commons.put(own.place(f), common_motion<on_sides>(c, s, f, StoredEnds<Tabled, Real>{c, h}));
  });
  if (own.has_point()) motions.put(here, motion_of(to_primitive(u, p.stage.arguments.gas)));
  __pipeline_wait_prior(0);
  __syncthreads();

  if (own.has_point())
    gradients.put(here, own_gradient(c, mesh, element, m, motion), mesh.inverse_jacobian_at(c, element, m));
  own.for_face_points([&](const FacePoint& f) {
    if (!h.is_idle(f))
      steps.put(own.place(f), difference(commons.motion(own.place(f)), motion_at_end<Real>(c, f, motion)));
  });
  __syncthreads();

  const auto leave_flux = [&](const FacePoint& f, const GradientAtFace<Real>& gradient) {
    h.viscous_outflows.at(c, f).put(
        0, own_viscous_flux(s.transport, f.side(), static_cast<Vector<Real>>(area(f)),
                            commons.motion(own.place(f)), steps.motion(own.place(f)), gradient));
  };
  own.for_lines([&](const FacePoint& lower, const FacePoint& upper) {  // both ends read the gradients once
    GradientAtFace<Real> below, above;
#pragma unroll 1  // more would spill
    for (int j = 0; j < C::n; ++j) {
      const int first = first_of_line(c, lower.axis(), lower.point);
      const int at = own.padded_place(lower.element, point_on_line(c, lower.axis(), first, j));
      const MotionGradient<Real> gradient = gradients.get(at);
      const Real inverse_jacobian = gradients.inverse_jacobian(at);
      below.add(c, 0, j, gradient, inverse_jacobian);
      above.add(c, 1, j, gradient, inverse_jacobian);
    }
    leave_flux(lower, below);
    leave_flux(upper, above);
  });
  __syncthreads();

  if (own.has_point()) {
    const MotionGradient<Real> gradient = corrected_gradient(
        c, element, m, gradients.inverse_jacobian(here), gradients.get(here),
        [&](const FacePoint& f) { return steps.motion(own.place(f)); }, area);
    const Motion<Real> at = motions.motion(here);
    for (int d = 0; d < C::dimensions; ++d)
      flux_along(d).put(here,
                        viscous_flux_across(gradient, at, s.transport, mesh.metric_at(c, element, m, d)));
  }
  __syncthreads();
  if (own.has_point())
    h.viscous_divergence.at(element, C::points, m)
        .put(0, viscous_divergence_at<Real>(c, m, [&](const PointOnLine& point, int d) {
               return flux_along(d).viscous(own.padded_place(element, point));
             }));
}

template <class RiemannSolver>
struct RiemannFlux {
  template <class Real>
  HALFSTEP_HD Conserved<Real> operator()(const Primitive<Real>& left, const Primitive<Real>& right,
                                         const IdealGas<Real>& gas) const {
    return RiemannSolver::flux(left, right, gas);
  }
};

/// Leaves what flows out by the inviscid flux `out` at a face point, and its bad states, with the viscous
/// part.
template <bool on_sides, class Reports, class C, class Real, class Ends>
__device__ __forceinline__ void leave_face_flux(const C& c, const FacePass<Real>& p,
                                                const HexahedraStage<Real>& s, bool is_viscous,
                                                const Ends& ends, const FaceOfTwo<Real>& both,
                                                const FacePoint& f, Conserved<Real> out) {
  const DeviceHexahedra<Real>& h = p.hexahedra;
  if (is_viscous)
    add_multiple(out, Real(1),
                 common_viscous_flux<on_sides>(
                     c, s, both, [&](const FacePoint& of) { return common_motion(c, s, of, ends); },
                     [&](const FacePoint& of) { return h.viscous_outflows.at(c, of).viscous(0); }));
  h.outflows.at(c, f).put(0, out);
  if constexpr (!on_sides) h.outflows.at(c, both.right).put(0, Real(-1) * out);
  if constexpr (Reports::kReports) {
    static_assert(std::is_empty_v<typename Reports::Shared>);
    typename Reports::Shared none;
    if (both.record.bad && f.element < h.elements()) [[unlikely]]  // else another rank reports it
      Reports::bad_face(none, p.stage, true, {f.point, f.element, 0}, f.axis(), both.record.left,
                        both.record.right);
  }
}

/// Finds what flows through this thread's face point, of the faces of two elements or of those on sides.
/// ends(face point): the extrapolated states. `Reports`: see reports.cuh, without state of a block; a face's
/// cell is (its point, its left element, 0).
template <class RiemannSolver, bool on_sides, class Reports = RaiseAtThePlace, class C, class Real,
          class Ends>
__device__ __forceinline__ void find_face_flux(const C& c, const FacePass<Real>& p, bool is_viscous,
                                               const Ends& ends) {
  wait_for_earlier_kernels();
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const int n = static_cast<int>(block_from_last() * blockDim.x + threadIdx.x);
  if (n >= (on_sides ? h.outer_faces : h.inner_faces) * c.face_points) return;
  // A cancelled attempt may run beside the next one, whose outflows these are. Nothing waits for the answer
  // but what leaves the flux.
  const bool is_cancelled = Reports::kReports && p.stage.reporter.was_cancelled();
  const int face = h.faces[(on_sides ? h.inner_faces : 0) + n / c.face_points];
  const FacePoint f{face / c.faces, face % c.faces, n % c.face_points};
  HexahedraStage<Real> s = h.flow;
  if constexpr (on_sides) s = flow_of(h, p.rules, *p.time);
  const FaceOfTwo<Real> both =
      face_of_two<on_sides>(c, p.stage.arguments, s, f, ends, RiemannFlux<RiemannSolver>{}, false);
  if (is_cancelled) return;
  leave_face_flux<on_sides, Reports>(c, p, s, is_viscous, ends, both, f,
                                     both.frame.through(both.record.flux));
}

/// The body of the face kernel of inviscid flows: interpolates the states in registers.
template <class RiemannSolver, class C, class Reports = RaiseAtThePlace, class Real>
__device__ __forceinline__ void find_inviscid_face_flux(const FacePass<Real>& p) {
  find_face_flux<RiemannSolver, false, Reports>(C{}, p, false,
                                                ExtrapolatedStates<C, Real>{C{}, p.stage.arguments});
}

/// The body of the face kernel of viscous flows, in which the states have been extrapolated.
template <class RiemannSolver, class Reports = RaiseAtThePlace, class Real>
__device__ __forceinline__ void find_viscous_face_flux(const FacePass<Real>& p) {
  const AnyCube& c = p.hexahedra.cube;
  find_face_flux<RiemannSolver, false, Reports>(c, p, true, StoredEnds<AnyCube, Real>{c, p.hexahedra});
}

/// Calls visit(0), ..., visit(count - 1) by the threads of a block, which all call it, and waits for all.
struct ByThreadsOfBlock {
  template <class Visit>
  __device__ __forceinline__ void operator()(int count, const Visit& visit) const {
    for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) visit(n);
    __syncthreads();
  }
};

/// Finds what flows through a block's faces of two elements at their fine points. ends(face point): the
/// extrapolated states.
template <class C, bool is_viscous, class Real, class Ends>
__device__ __forceinline__ void integrate_face_fluxes(const FacePass<Real>& p, const Ends& ends) {
  using Block = IntegratedFaceBlock<C>;
  using Grid = FineGrid<C::degree, C::dimensions - 1, Real>;
  constexpr C c{};
  constexpr ByThreadsOfBlock by_threads;
  const DeviceHexahedra<Real>& h = p.hexahedra;
  const HexahedraStage<Real>& s = h.flow;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  static __shared__ int is_bad[Block::kFaces];
  static __shared__ bool is_cancelled;
  const int first = static_cast<int>(block_from_last()) * Block::kFaces,
            count = min(Block::kFaces, h.inner_faces - first);
  if (threadIdx.x == 0) is_cancelled = p.stage.reporter.cancelled();
  by_threads(count, [&](int face) { is_bad[face] = 0; });
  if (is_cancelled) return;

  Real* const values = reinterpret_cast<Real*>(shared_memory);
  const auto grids_of = [&](int face, int grid, int fields) {
    return PointFields<Real>{values + (grid * Block::kFaces + face * fields) * Grid::size, Grid::size};
  };
  const auto left = [&](int face) { return grids_of(face, 0, kFields); };
  const auto right = [&](int face) { return grids_of(face, kFields, kFields); };
  const auto area = [&](int face) { return grids_of(face, 2 * kFields, 3); };
  const auto face_point = [&](int n) {
    const int face = h.faces[first + n / C::face_points];
    return FacePoint{face / C::faces, face % C::faces, n % C::face_points};
  };
  by_threads(count * C::face_points, [&](int n) {
    const FacePoint f = face_point(n);
    const int face = n / C::face_points, place = Grid::own_place(f.point);
    left(face).put(place, to_conserved(ends(f), p.stage.arguments.gas));
    right(face).put(place, to_conserved(ends(s.mesh.across(c, f)), p.stage.arguments.gas));
    const Vector<Real> across = outward_area(c, s.mesh, f);
    for (int k = 0; k < 3; ++k) area(face).first[k * Grid::size + place] = across.of[k];
    if (has_bad_state(c, p.stage.arguments, s, f, ends)) is_bad[face] = 1;  // all store the same
  });
  Grid::interpolate(values, Block::kFaces * Block::kGrids, by_threads);
  by_threads(count * Grid::count, [&](int n) {
    const int face = n / Grid::count, place = Grid::place(n % Grid::count);
    const Real* const across = area(face).first + place;
    Conserved<Real> flux;
    if (!find_flux_between(left(face).state(place), right(face).state(place),
                           Vector<Real>{{across[0], across[Grid::size], across[2 * Grid::size]}},
                           p.stage.arguments.gas, AnyRiemannFlux<Real>{s.riemann}, flux))
      is_bad[face] = 1;
    left(face).put(place, flux);
  });
  Grid::project(values, count * kFields, by_threads);
  by_threads(count * C::face_points, [&](int n) {
    const FacePoint f = face_point(n);
    const bool is_integrated = !is_bad[n / C::face_points];
    const auto riemann_flux = [&](const Primitive<Real>& l, const Primitive<Real>& r,
                                  const IdealGas<Real>& gas) {
      return is_integrated ? Conserved<Real>{} : AnyRiemannFlux<Real>{s.riemann}(l, r, gas);
    };
    const FaceOfTwo<Real> both = face_of_two<false>(c, p.stage.arguments, s, f, ends, riemann_flux, false);
    leave_face_flux<false, RaiseAtThePlace>(c, p, s, is_viscous, ends, both, f,
                                            is_integrated
                                                ? left(n / C::face_points).state(Grid::own_place(f.point))
                                                : both.frame.through(both.record.flux));
  });
}

/// The body of the kernel that does so in place of the face kernels.
template <class C, bool is_viscous, class Real>
__device__ __forceinline__ void integrate_face_fluxes_of_block(const FacePass<Real>& p) {
  wait_for_earlier_kernels();
  if constexpr (is_viscous)
    integrate_face_fluxes<C, true>(p, StoredEnds<C, Real>{C{}, p.hexahedra});
  else
    integrate_face_fluxes<C, false>(p, ExtrapolatedStates<C, Real>{C{}, p.stage.arguments});
}

/// Returns the divergence of the inviscid fluxes, times J, at this thread's point. flux(d): J a^d . F there.
/// All threads of a block call it, after they have begun to fetch what flows out.
/// outflows(face point): the block's copy of it, at index 0. `memory`: shared, of the block.
template <class C, class Tabled, class Real, class Flux, class Outflows>
__device__ __forceinline__ Conserved<Real> divergence_of_block(const Tabled& c, const OwnElements<C>& own,
                                                               const Flux& flux, const Outflows& outflows,
                                                               Real* memory) {
  using Block = HexahedraBlock<C>;
  const auto flux_along = [&](int d) {
    return PointFields<Real>{memory + d * kFields * Block::kPoints, Block::kPoints};
  };
  if (own.has_point())
    for (int d = 0; d < C::dimensions; ++d) flux_along(d).put(static_cast<int>(threadIdx.x), flux(d));
  __pipeline_wait_prior(0);
  __syncthreads();
  if (!own.has_point()) return {};
  return divergence_at<Real>(
      c, own.element, own.point,
      [&](int point, int d) { return flux_along(d).state(own.place(own.element, point)); },
      [&](const FacePoint& f) { return outflows(f).state(0); });
}

/// Returns this thread's point's projected fluxes. `u`: its state.
template <class C, class Real>
__device__ __forceinline__ FluxTensor<Real> projected_flux_of_block(const IdealGas<Real>& gas,
                                                                    const OwnElements<C>& own,
                                                                    const Conserved<Real>& u, Real* memory) {
  using Block = HexahedraBlock<C>;
  using Grid = FineGrid<C::degree, C::dimensions, Real>;
  constexpr ByThreadsOfBlock by_threads;
  constexpr int most = (Block::kElements * Grid::count + Block::kThreads - 1) / Block::kThreads;
  const int element = own.element - own.first, place = Grid::own_place(own.point);
  // Calls visit(r, its element, its place) with each of this thread's fine points.
  const auto for_fine_points = [&](const auto& visit) {
#pragma unroll
    for (int r = 0; r < most; ++r) {
      const int n = static_cast<int>(threadIdx.x) + r * Block::kThreads;
      if (n < own.count * Grid::count) visit(r, n / Grid::count, Grid::place(n % Grid::count));
    }
    __syncthreads();
  };
  const auto grids_of = [&](int of_element) {
    return PointFields<Real>{memory + of_element * kFields * Grid::size, Grid::size};
  };
  if (own.has_point()) grids_of(element).put(place, u);
  __syncthreads();
  Grid::interpolate(memory, own.count * kFields, by_threads);
  Conserved<Real> state[most];
  for_fine_points([&](int r, int e, int at) { state[r] = grids_of(e).state(at); });
  FluxTensor<Real> tensor{};
#pragma unroll
  for (int d = 0; d < C::dimensions; ++d) {  // in the place of the states
    const int fields = tensor.fields_along(d);
    for_fine_points([&](int r, int e, int at) {
      FluxTensor<Real> flux;
      find_flux_along(d, state[r], gas, flux);
#pragma unroll
      for (int f = 0; f < fields; ++f) memory[(e * fields + f) * Grid::size + at] = flux.of[flux.index(d, f)];
    });
    Grid::project(memory, own.count * fields, by_threads);
    if (own.has_point())
#pragma unroll
      for (int f = 0; f < fields; ++f)
        tensor.of[tensor.index(d, f)] = memory[(element * fields + f) * Grid::size + place];
    __syncthreads();
  }
  return tensor;
}

/// Returns the same of the split form. It leaves the excess of what flows out in the place of the outflows.
template <class C, class Tabled, class Real, class Outflows>
__device__ __forceinline__ Conserved<Real> split_divergence_of_block(
    const Tabled& c, const HexahedraView<Real>& mesh, const IdealGas<Real>& gas, const OwnElements<C>& own,
    const Conserved<Real>& u, const Outflows& outflows, Real* memory) {
  using Block = HexahedraBlock<C>;
  const PointFields<Real> states{memory, Block::kPoints},
      ends{memory + kFields * Block::kPoints, Block::kFacePoints};
  const auto state = [&](int element, int point) { return states.primitive(own.place(element, point)); };
  const SplitForm split{c, mesh, gas, state,
                        [&](const FacePoint& f) { return ends.primitive(own.place(f)); }};
  if (own.has_point()) states.put(static_cast<int>(threadIdx.x), to_primitive(u, gas));
  __pipeline_wait_prior(0);
  __syncthreads();
  own.for_face_points([&](const FacePoint& f) {
    ends.put(own.place(f), primitive_at_end<Real>(c, f, state));
    outflows(f).put(0, split.excess(f, outflows(f).state(0)));
  });
  __syncthreads();
  if (!own.has_point()) return {};
  return split.divergence(own.element, own.point, [&](const FacePoint& f) { return outflows(f).state(0); });
}

/// Advances the elements of a tile, and checks their points.
template <class C, bool is_viscous, Dealiasing dealiasing, class Real>
__device__ __forceinline__ void advance_hexahedra(const CudaStage<Real>& stage,
                                                  const DeviceHexahedra<Real>& h) {
  wait_for_earlier_kernels();
  using Block = HexahedraBlock<C>;
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

  const OwnElements<C> own(taken, h.elements());
  const int element = own.element, m = own.point;
  const ElementFields<Real, kFields> fetched{reinterpret_cast<Real*>(shared_memory)};
  const auto outflows = [&](const FacePoint& f) {
    return fetched.at(C{}, {f.element - own.first, f.face, f.point});
  };
  Real* const memory = fetched.first + kFields * Block::kFacePoints;
  begin_to_fetch<kFields * face_points_of_element(C{})>(own, fetched.first, [&](int e) {
    return h.outflows.at(C{}, {e, 0, 0}).first;
  });
  Conserved<Real> u{};
  if (own.has_point()) u = state_at(a, element, m);
  const TabledCube<C, Real> c(&operators);
  Conserved<Real> divergence;
  if constexpr (dealiasing == Dealiasing::split_form)
    divergence = split_divergence_of_block(c, mesh, a.gas, own, u, outflows, memory);
  else if constexpr (dealiasing == Dealiasing::over_integration) {
    const FluxTensor<Real> projected = projected_flux_of_block(a.gas, own, u, memory);
    divergence = divergence_of_block(
        c, own, [&](int d) { return flux_across(projected, u, mesh.metric_at(c, element, m, d)); }, outflows,
        memory);
  } else
    divergence = divergence_of_block(
        c, own, [&](int d) { return inviscid_flux_across(u, mesh.metric_at(c, element, m, d), a.gas); },
        outflows, memory);

  Real rate = 0;
  if (own.has_point()) {
    if constexpr (is_viscous)
      add_multiple(divergence, Real(1), h.viscous_divergence.at(element, C::points, m).viscous(0));
    const Conserved<Real> next =
        updated_at(c, a, mesh, static_cast<Real>(__ldg(stage.dt)), element, m, u, divergence);
    store(a.layout, a.out, m, element, 0, next);
    Real own_rate = 0;
    const TransportLaw<Real> law = is_viscous ? h.flow.transport : TransportLaw<Real>{};
    if (!check_point(c, a, mesh, law, element, m, next, own_rate))
      RaiseOnce::bad_cell(reports, stage, {}, next);
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
