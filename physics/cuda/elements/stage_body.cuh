// The stage kernel of flux reconstruction.
//
// A block advances a tile. Its states are in shared memory, with the sum of dF/dx, dG/dy and dH/dz so far.
// Along each axis in turn a thread has a line: it extrapolates its states and those beyond to the ends, finds
// the fluxes there and adds the slopes of the line's flux. Lines beyond the tile are read where they are,
// most of them from the cache: the states of all neighbours are always those of the stage's input, whatever
// changed them. The axis is a number at run time, so that there is one sweep in the code, of registers and
// strides. Behind the last axis the points are updated.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include "physics/cuda/elements/tile.hpp"
#include "physics/cuda/stage/reports.cuh"
#include "physics/cuda/stage/stage.hpp"
#include "physics/elements/element.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

/// Where the fields of states are that are rotated to an axis: their distances, `field` values apart.
template <class Offset>
struct RotatedFields {
  Offset normal, first, second, energy;

  HALFSTEP_HD RotatedFields(int axis, Offset field)
      : normal((1 + axis) * field),
        first((axis == 0 ? 2 : 1) * field),
        second((axis == 2 ? 2 : 3) * field),
        energy(4 * field) {}

  template <class Real>
  HALFSTEP_HD Conserved<Real> load(const Real* p) const {
    return {p[0], p[normal], p[first], p[second], p[energy]};
  }
  template <class Real>
  HALFSTEP_HD void store(Real* p, const Conserved<Real>& c) const {
    p[0] = c.density;
    p[normal] = c.mu;
    p[first] = c.mv;
    p[second] = c.mw;
    p[energy] = c.energy;
  }
};

/// The rotated states of a line in memory.
template <class Real, class Offset>
struct LineInMemory {
  const Real* first;
  Offset step;
  const RotatedFields<Offset>& fields;

  HALFSTEP_HD Conserved<Real> operator[](int point) const { return fields.load(first + point * step); }
};

template <int degree, class RiemannSolver, class Real>
__device__ __forceinline__ void advance_elements(const CudaStage<Real>& stage) {
  wait_for_earlier_kernels();
  using Block = ElementBlock<degree, Real>;
  constexpr int n = Block::n;
  const StageArguments<Real>& a = stage.arguments;
  const Layout& l = a.layout;
  const int thread = threadIdx.x;
  static __shared__ RaiseOnce::Shared reports;
  static __shared__ int taken;
  if (thread == 0) {
    RaiseOnce::begin(reports);
    taken = stage.queue.active() ? static_cast<int>(stage.queue.take()) : static_cast<int>(blockIdx.x);
    if (stage.reporter.cancelled()) taken = -1;
  }
  __syncthreads();
  if (taken < 0) return;

  // The tile: its first point, and its points along x, y and z.
  const ElementTiles tiles = ElementTiles::of<Block>(l);
  const int of_x = tiles.points[0], high = tiles.points[1], deep = tiles.points[2], in_row = tiles.in_row;
  const int tile_x = taken % stage.tiles_x, row = taken / stage.tiles_x;
  const int i0 = tile_x * in_row * of_x, j0 = row % tiles.elements[1] * high,
            k0 = row / tiles.elements[1] * deep;
  const int own_elements = min(in_row, tiles.elements[0] - tile_x * in_row), wide = own_elements * of_x;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  Real* const states = reinterpret_cast<Real*>(shared_memory);
  constexpr int to_sum = kFields * Block::kPitch;
  const int step_y = in_row * (of_x > 1 ? Block::kStep : 1), step_z = step_y * high;
  const auto place = [&](int i, int j, int k) {
    return i / n * Block::kStep + i % n + j * step_y + k * step_z;
  };

  for (int m = thread; m < wide * high * deep; m += Block::kThreads) {
    const int i = m % wide, j = m / wide % high, k = m / wide / high;
    const Real* const from = a.in + l.index(i0 + i, j0 + j, k0 + k);
    Real* const to = states + place(i, j, k);
    for (int f = 0; f < kFields; ++f)
      __pipeline_memcpy_async(to + f * Block::kPitch, from + f * l.field_stride, sizeof(Real));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  Real rate = 0;
  const int last_axis = deep > 1 ? 2 : high > 1 ? 1 : 0;
  bool is_first = true;
#pragma unroll 1
  for (int axis = 0; axis <= last_axis; ++axis) {
    if (l.ghosts[axis] == 0) continue;
    // This thread's line: its number along x, y and z, elements along the axis itself.
    const int lines_x = axis == 0 ? own_elements : wide, lines_y = axis == 1 ? 1 : high,
              lines_z = axis == 2 ? 1 : deep;
    const int x = thread % lines_x, y = thread / lines_x % lines_y, z = thread / lines_x / lines_y;
    if (z < lines_z) {
      const int i = axis == 0 ? x * n : x;
      const int step = axis == 0 ? 1 : axis == 1 ? step_y : step_z;
      const RotatedFields<int> fields(axis, Block::kPitch);
      Real* const own_first = states + place(i, y, z);
      const LineInMemory<Real, int> own{own_first, step, fields};
      const RotatedFields<std::int64_t> fields_in_mesh(axis, l.field_stride);
      const std::int64_t in_mesh = l.index(i0 + i, j0 + y, k0 + z), step_in_mesh = l.stride[axis];
      const int first = axis == 0 ? i0 + i : axis == 1 ? j0 : k0;  // along the axis

      // The line beyond a face: one of the tile, or of the mesh, where in place of a ghost cell that is a
      // periodic image its interior cell is read.
      const auto visit_line_beyond = [&](int side, const auto& visit) {
        if (axis == 0 && (side == 0 ? x > 0 : x + 1 < own_elements))
          return visit(
              LineInMemory<Real, int>{own_first + (side == 0 ? -Block::kStep : Block::kStep), step, fields});
        const int beyond = first + (side == 0 ? -n : n);
        const int to = beyond + (beyond < 0                ? stage.period[axis]
                                 : beyond >= l.cells[axis] ? -stage.period[axis]
                                                           : 0);
        return visit(LineInMemory<Real, std::int64_t>{a.in + in_mesh + (to - first) * step_in_mesh,
                                                      step_in_mesh, fields_in_mesh});
      };
      const auto flux_through = [&](int side) {
        const Conserved<Real> beyond =
            visit_line_beyond(side, [&](const auto& line) { return at_end<degree>(line, 1 - side); });
        const Primitive<Real> inside = to_primitive(at_end<degree>(own, side), a.gas),
                              outside = to_primitive(beyond, a.gas);
        Primitive<Real> left = side == 0 ? outside : inside, right = side == 0 ? inside : outside;
        if (!(is_admissible(left) & is_admissible(right))) [[unlikely]] {
          const Primitive<Real> point = to_primitive(own[side * degree], a.gas),
                                point_beyond = to_primitive(
                                    visit_line_beyond(
                                        side, [&](const auto&line) { return line[(1 - side) * degree]; }),
                                    a.gas);
          left = side == 0 ? point_beyond : point;
          right = side == 0 ? point : point_beyond;
          // The element above counts the face.
          const bool is_counted = side == 0 || (first + n == l.cells[axis] && !a.shares_last[axis]);
          RaiseOnce::bad_face(reports, stage, is_counted, {}, axis, left, right);
        }
        return RiemannSolver::flux(left, right, a.gas);
      };
      const Conserved<Real> lower = flux_through(0), upper = flux_through(1);
      Conserved<Real> slope[n];
      find_slope<degree>(own, lower, upper, a.gas, slope);

      const Real metric = xi_x(a, degree, axis);
      Real* const own_sum = own_first + to_sum;
#pragma unroll
      for (int m = 0; m < n; ++m) {
        Conserved<Real> sum{};
        if (!is_first) sum = fields.load(own_sum + m * step);
        add_multiple(sum, metric, slope[m]);
        if (axis < last_axis)
          fields.store(own_sum + m * step, sum);
        else
          slope[m] = sum;
      }
      if (axis == last_axis) {
        // All of U^n is read before anything is written, so that the reads overlap.
        const Real dt = static_cast<Real>(__ldg(stage.dt));
#pragma unroll
        for (int m = 0; m < n; ++m) {
          Conserved<Real> start{};
          if (a.start) start = fields_in_mesh.load(a.start + in_mesh + m * step_in_mesh);
          slope[m] = updated_point(a, dt, start, own[m], slope[m]);
        }
#pragma unroll
        for (int m = 0; m < n; ++m) {
          fields_in_mesh.store(a.out + in_mesh + m * step_in_mesh, slope[m]);
          const Conserved<Real> c = unrotated(slope[m], axis);
          bool good = is_admissible(c);
          if (a.wants_rate) {
            const Primitive<Real> q = to_primitive(c, a.gas);
            const Real own_rate = cfl_rate(
                q,
                a.inverse_widths(i0 + i + (axis == 0) * m, j0 + y + (axis == 1) * m, k0 + z + (axis == 2) * m)
                    .along,
                a.gas);
            good &= positive_and_finite(q.pressure);
            rate = max(own_rate, rate);
          }
          if (!good) RaiseOnce::bad_cell(reports, stage, {}, c);
        }
      }
    }
    is_first = false;
    __syncthreads();
  }

  if (thread == 0) RaiseOnce::end(reports, stage);
  if (a.wants_rate) {
    for (int lane = 16; lane > 0; lane /= 2) rate = max(__shfl_xor_sync(~0u, rate, lane), rate);
    if (thread % 32 == 0)
      atomicMax(&stage.result->cfl_rate_bits,
                static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
  }
}

template <int degree, class RiemannSolver, class Real>
__global__ void __launch_bounds__((ElementBlock<degree, Real>::kThreads),
                                  (ElementBlock<degree, Real>::kBlocks))
    stage_of_elements(const __grid_constant__ CudaStage<Real> stage) {
  advance_elements<degree, RiemannSolver>(stage);
}

}  // namespace halfstep
