// The fused stage kernel: reconstruction, Riemann problems, update, detection and wave speeds in one pass.
// Included by the generated files that instantiate it, and by nothing else.
//
// A block owns a tile of the x-y plane and marches along z. Each thread keeps its column's stencil in
// registers and solves the face below its cell there; the faces in x and y go through a primitive plane in
// shared memory and are dealt out to all threads, one body for both axes, with the axis a stride and a
// permutation of fields.
#pragma once

#include "physics/face_flux.hpp"
#include "physics/positivity.hpp"
#include "physics/reactant.hpp"
#include "physics/stage_reports.cuh"
#include "physics/viscous_face.hpp"

namespace halfstep {

/// Through a face: of the conserved fields, and of the reactant where there is one.
template <class Real>
struct StateFlux {
  Conserved<Real> flow;
  Real reactant;
};

/// Advances one piece of one tile by a block of `threads` threads.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          int fields, int threads, bool viscous = false, bool positive = false>
__device__ __forceinline__ void advance_tile(const CudaStage<Real>& stage) {
  constexpr int r = Reconstruction::radius;
  const StageArguments<Real>& a = stage.arguments;
  const Layout& l = a.layout;
  constexpr bool has_reactant = fields > kReactant;
  // Acted on below, once the first loads are under way as well.
  const bool cancelled = Reports::kReports && stage.reporter.cancelled();
  // Where a bad face is reported, before its flux is passed on or after that, decides what the compiler keeps
  // in registers: this is what costs least (docs/performance.md).
  constexpr bool early_in_z = Reconstruction::kind == halfstep::Reconstruction::weno5z,
                 early_in_plane = early_in_z || Reconstruction::kind == halfstep::Reconstruction::ppm;

  // The tile, and this thread's column. Columns outside the domain do harmless work on ghost cells.
  const int tile_x = blockDim.x, tile_y = blockDim.y, lx = threadIdx.x, ly = threadIdx.y;
  const int thread = ly * tile_x + lx;
  int tile = blockIdx.x, piece = blockIdx.y;
  if (stage.queue.active()) {
    static __shared__ int taken;
    if (thread == 0) taken = static_cast<int>(stage.queue.take());
    __syncthreads();
    if (taken < 0) return;
    tile = taken % stage.tiles;
    piece = taken / stage.tiles;
  }
  const int i0 = tile % stage.tiles_x * tile_x, j0 = tile / stage.tiles_x * tile_y;
  const int k0 = piece * stage.march, k1 = min(k0 + stage.march, l.cells[2]);
  const int gx = l.ghosts[0], gy = l.ghosts[1];
  const bool swept_x = gx > 0, swept_y = gy > 0, swept_z = l.ghosts[2] > 0;
  const int used_x = min(tile_x, l.cells[0] - i0), used_y = min(tile_y, l.cells[1] - j0);
  const bool in_domain = lx < used_x && ly < used_y;
  const int last_x = l.cells[0] - 1 + gx, last_y = l.cells[1] - 1 + gy;
  const std::int64_t column = l.index(min(i0 + lx, last_x), min(j0 + ly, last_y), 0);

  const auto cell_state = [&](std::int64_t at) {
    const Real* u = a.in + at;
    const std::int64_t f = l.field_stride;
    return to_primitive(Conserved<Real>{u[0], u[f], u[2 * f], u[3 * f], u[4 * f]}, a.gas);
  };

  const auto cell_fraction = [&](std::int64_t at) {
    return a.in[at + kReactant * l.field_stride] / a.in[at];
  };

  // Shared memory: the primitive plane, then the fluxes through x faces and y faces.
  extern __shared__ __align__(16) unsigned char shared_memory[];
  const int pitch = tile_x + 2 * gx, field = pitch * (tile_y + 2 * gy);
  const int field_x = swept_x ? (tile_x + 1) * tile_y : 0, field_y = swept_y ? tile_x * (tile_y + 1) : 0;
  Real* const plane = reinterpret_cast<Real*>(shared_memory);
  Real* const flux_x = plane + fields * field;
  Real* const flux_y = flux_x + fields * field_x;

  static __shared__ typename Reports::Shared reports;
  if constexpr (Reports::kReports)
    if (thread == 0) Reports::begin(reports);
  Real rate = 0;

  const auto finish = [&](int k, const StateFlux<Real>& in_plane, const StateFlux<Real>& below,
                          const StateFlux<Real>& above) {
    if (!in_domain) return;
    const std::int64_t at = column + k * l.stride[2], f = l.field_stride;
    // Read from the cache for every cell: a register less than to keep it.
    const Real dt = static_cast<Real>(__ldg(stage.dt));
    const auto advance = [&](int n, Real plane_part, Real low, Real high) {
      const Real start = a.keep != Real(0) ? a.start[at + n * f] : Real(0);
      return updated(a, dt, start, a.in[at + n * f], plane_part, high - low);
    };
    const Conserved<Real>&plane_part = in_plane.flow, &low = below.flow, &high = above.flow;
    const Conserved<Real> c = {
        advance(0, plane_part.density, low.density, high.density), advance(1, plane_part.mu, low.mu, high.mu),
        advance(2, plane_part.mv, low.mv, high.mv), advance(3, plane_part.mw, low.mw, high.mw),
        advance(4, plane_part.energy, low.energy, high.energy)};
    Real* out = a.out + at;
    out[0] = c.density;
    out[f] = c.mu;
    out[2 * f] = c.mv;
    out[3 * f] = c.mw;
    out[4 * f] = c.energy;
    bool good = physical(c);
    if constexpr (has_reactant) {
      out[kReactant * f] = advance(kReactant, in_plane.reactant, below.reactant, above.reactant);
      good &= finite(out[kReactant * f]);
    }
    if (a.wants_rate) {
      // No rate means no pressure: in very cold, fast flow the two forms of the test can differ by round-off.
      const Real own = signal_rate(to_primitive(c, a.gas), a.inverse_dx, a.gas);
      good &= positive_and_finite(own);
      rate = larger(own, rate);
    }
    if constexpr (Reports::kReports)
      if (!good) Reports::bad_cell(reports, stage, {i0 + lx, j0 + ly, k}, c);
  };

  // Of the limiter, if there is one.
  [[maybe_unused]] const auto step_at = [&](int axis) {
    return face_step(a, static_cast<Real>(__ldg(stage.dt)), axis);
  };

  Primitive<Real> window[2 * r + 1];  // rotated: along z
  Primitive<Real> upper_edge{};       // of the cell below
  StateFlux<Real> flux_below{}, in_plane{};
  [[maybe_unused]] Real fractions[2 * r + 1];  // the reactant's, beside the window
  [[maybe_unused]] Real upper_fraction{};
  if (swept_z)
    for (int m = 0; m < 2 * r; ++m) {
      const std::int64_t at = column + (k0 - 1 - r + m) * l.stride[2];
      window[m + 1] = rotated(cell_state(at), 2);
      if constexpr (has_reactant) fractions[m + 1] = cell_fraction(at);
    }

  if (cancelled) return;
  for (int k = swept_z ? k0 - 1 : k0; k <= (swept_z ? k1 : k0); ++k) {
    for (int m = 0; m < 2 * r; ++m) window[m] = window[m + 1];
    const int ahead = swept_z ? k + r : k;
    window[2 * r] = rotated(cell_state(column + ahead * l.stride[2]), 2);
    if constexpr (has_reactant) {
      for (int m = 0; m < 2 * r; ++m) fractions[m] = fractions[m + 1];
      fractions[2 * r] = cell_fraction(column + ahead * l.stride[2]);
    }
    const bool advances = k >= k0 && k < k1;

    if (advances) {
      // The plane: this thread's cell, then a share of the ghosts around the tile.
      const Primitive<Real> q = swept_z ? window[r] : window[2 * r];
      Real* own = plane + (ly + gy) * pitch + lx + gx;
      own[0] = q.density;
      own[field] = q.v;
      own[2 * field] = q.w;
      own[3 * field] = q.u;
      own[4 * field] = q.pressure;
      if constexpr (has_reactant) own[kReactant * field] = swept_z ? fractions[r] : fractions[2 * r];
      const int beside = 2 * gx * tile_y, around = beside + 2 * gy * tile_x;
      for (int n = thread; n < around; n += threads) {
        int x, y;  // in the plane
        if (n < beside) {
          x = n % (2 * gx);
          y = gy + n / (2 * gx);
          if (x >= gx) x += tile_x;
        } else {
          x = gx + (n - beside) % tile_x;
          y = (n - beside) / tile_x;
          if (y >= gy) y += tile_y;
        }
        const std::int64_t at = l.index(min(i0 + x - gx, last_x), min(j0 + y - gy, last_y), k);
        const Primitive<Real> s = cell_state(at);
        Real* to = plane + y * pitch + x;
        to[0] = s.density;
        to[field] = s.u;
        to[2 * field] = s.v;
        to[3 * field] = s.w;
        to[4 * field] = s.pressure;
        if constexpr (has_reactant) to[kReactant * field] = cell_fraction(at);
      }
    }
    __syncthreads();

    // The face below this cell, and with it the cell below is done.
    if (swept_z) {
      const EdgeStates<Real> edges = edge_states<Reconstruction, variables>(window, a.gas);
      [[maybe_unused]] EdgeFractions<Real> edges_of_fraction{};
      if constexpr (has_reactant) edges_of_fraction = edge_fractions<Reconstruction>(fractions);
      if (k >= k0) {
        const Primitive<Real> cell_below = r > 0 ? window[r > 0 ? r - 1 : 0] : upper_edge;
        const FaceFlux<Real> face =
            checked_flux<RiemannSolver>(upper_edge, edges.lower, cell_below, window[r], a.gas);
        const auto report = [&] {
          if constexpr (Reports::kReports)
            if (face.bad) [[unlikely]]
              if (in_domain && (k < k1 || k == l.cells[2]))
                Reports::bad_face(reports, stage, {i0 + lx, j0 + ly, k}, 2, cell_below, window[r]);
        };
        if constexpr (early_in_z) report();
        Conserved<Real> through = face.flux;
        if constexpr (positive) through = positive_flux(through, cell_below, window[r], step_at(2), a.gas);
        if constexpr (viscous)
          if (in_domain)
            through = through + viscous_face_flux(a, column + k * l.stride[2], 2, cell_below, window[r]);
        StateFlux<Real> flux{unrotated(through, 2), {}};
        if constexpr (has_reactant)
          flux.reactant = face.bad
                              ? reactant_flux(face.flux.density, fractions[r > 0 ? r - 1 : 0], fractions[r])
                              : reactant_flux(face.flux.density, upper_fraction, edges_of_fraction.lower);
        if (k > k0) finish(k - 1, in_plane, flux_below, flux);
        flux_below = flux;
        if constexpr (!early_in_z) report();
      }
      upper_edge = edges.upper;
      if constexpr (has_reactant) upper_fraction = edges_of_fraction.upper;
    }

    if (advances) {
      // Faces in x, then in y. The number of x faces is rounded up to whole warps, so that a warp has one
      // axis.
      const int tasks_x = swept_x ? (field_x + 31) / 32 * 32 : 0;
      for (int n = thread; n < tasks_x + field_y; n += threads) {
        const bool along_x = n < tasks_x;
        const int face = along_x ? n : n - tasks_x, row_length = along_x ? tile_x + 1 : tile_x;
        const int y = face / row_length, x = face % row_length;
        if (along_x && y >= tile_y) continue;
        const int step = along_x ? 1 : pitch;
        const int normal = along_x ? field : 2 * field, tangential = along_x ? 2 * field : field;
        const Real* above = plane + (y + gy) * pitch + x + gx;
        Primitive<Real> q[2 * r + 2];
        unrolled<2 * r + 2>([&](int m) {
          const Real* s = above + (m - r - 1) * step;
          q[m] = {s[0], s[normal], s[tangential], s[3 * field], s[4 * field]};
        });
        const FaceFlux<Real> f = face_flux<Reconstruction, variables, RiemannSolver>(q, a.gas);
        // A face between two tiles counts with the tile above it, the domain's last one with the last tile.
        const auto counts = [&] {
          const int i = i0 + x, j = j0 + y, nx = l.cells[0], ny = l.cells[1];
          return along_x ? (i == nx || (i < nx && x < tile_x)) && j < ny
                         : (j == ny || (j < ny && y < tile_y)) && i < nx;
        };
        const auto report = [&] {
          if constexpr (Reports::kReports)
            if (f.bad) [[unlikely]]
              if (counts())
                Reports::bad_face(reports, stage, {i0 + x, j0 + y, k}, along_x ? 0 : 1, q[r], q[r + 1]);
        };
        if constexpr (early_in_plane) report();
        Conserved<Real> through = f.flux;
        if constexpr (positive)
          through = positive_flux(through, q[r], q[r + 1], step_at(along_x ? 0 : 1), a.gas);
        if constexpr (viscous) {
          // Not beyond the domain, where neighbours are missing.
          const int i = i0 + x, j = j0 + y;
          if (along_x ? i <= l.cells[0] && j < l.cells[1] : i < l.cells[0] && j <= l.cells[1])
            through = through + viscous_face_flux(a, l.index(i, j, k), along_x ? 0 : 1, q[r], q[r + 1]);
        }
        Real* to = along_x ? flux_x + face : flux_y + face;
        const int stride = along_x ? field_x : field_y;
        to[0] = through.density;
        to[along_x ? stride : 2 * stride] = through.mu;
        to[along_x ? 2 * stride : stride] = through.mv;
        to[3 * stride] = through.mw;
        to[4 * stride] = through.energy;
        if constexpr (!early_in_plane) report();
        if constexpr (has_reactant) {
          Real y_around[2 * r + 2];
          unrolled<2 * r + 2>([&](int m) { y_around[m] = above[(m - r - 1) * step + kReactant * field]; });
          to[kReactant * stride] = reactant_flux<Reconstruction>(y_around, f.flux.density, f.bad);
        }
      }
      __syncthreads();

      const auto jump_of = [&](int n) {
        const Real* fx = flux_x + n * field_x + thread + ly;
        const Real* fy = flux_y + n * field_y + thread;
        return in_plane_divergence(a, swept_x ? fx[1] - fx[0] : Real(0),
                                   swept_y ? fy[tile_x] - fy[0] : Real(0));
      };
      in_plane.flow = {jump_of(0), jump_of(1), jump_of(2), jump_of(3), jump_of(4)};
      if constexpr (has_reactant) in_plane.reactant = jump_of(kReactant);
      if (!swept_z) finish(k, in_plane, {}, {});
    }
  }

  // Once a block, after everything: what it reports; then the largest rate, once a warp.
  if constexpr (Reports::kReports) {
    __syncthreads();
    if (thread == 0) Reports::end(reports, stage);
  }
  if (a.wants_rate) {
    for (int lane = 16; lane > 0; lane /= 2) rate = larger(__shfl_xor_sync(~0u, rate, lane), rate);
    if (thread % 32 == 0)
      atomicMax(&stage.result->signal_rate_bits,
                static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
  }
}

/// On the device that is compiled for; the host asks the kernel.
#ifdef __CUDA_ARCH__
inline constexpr int kCapability = __CUDA_ARCH__ / 10;
#else
inline constexpr int kCapability = 0;
#endif
template <class Reconstruction, class Real>
inline constexpr StageBlock kStageBlock = stage_block(Reconstruction::kind, sizeof(Real), kCapability);

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          int fields, bool viscous, bool positive>
__global__ void __launch_bounds__((kStageBlock<Reconstruction, Real>.threads),
                                  (kStageBlock<Reconstruction, Real>.min_blocks))
    stage(const __grid_constant__ CudaStage<Real> stage) {
  advance_tile<Reconstruction, variables, RiemannSolver, Real, Reports, fields,
               kStageBlock<Reconstruction, Real>.threads, viscous, positive>(stage);
}

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          int fields, bool viscous, bool positive>
StageKernel<Real> stage_kernel() {
  return &stage<Reconstruction, variables, RiemannSolver, Real, Reports, fields, viscous, positive>;
}

}  // namespace halfstep
