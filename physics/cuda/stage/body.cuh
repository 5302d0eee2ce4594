// The fused stage kernel: reconstruction, Riemann problems, update, detection and wave speeds in one pass.
// Included by the generated files that instantiate it, and by nothing else.
//
// A block owns a tile of the x-y plane and marches along z, a thread per column. Along z a thread keeps its
// column's stencil in registers and solves the face below its cell. Along x and y it reconstructs its cell
// from a primitive plane in shared memory and stores the edge states there for the adjacent faces; then it
// solves the faces below its cell. The additional cells and faces at the tile's border are distributed among
// the threads. One body serves both axes, with the axis as a stride and a permutation of fields.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "physics/base/classify.hpp"
#include "physics/cuda/stage/corrections.cuh"
#include "physics/cuda/stage/reports.cuh"
#include "physics/flux/face_flux.hpp"
#include "physics/flux/scalar_flux.hpp"
#include "physics/flux/two_gas_flux.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/gas/rotate.hpp"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

/// The flux through a face. `bad`: an inadmissible edge state made it first order, which scalars have to
/// know. `volume`: of two gases.
template <class Real>
struct ThroughFace {
  Conserved<Real> flow;
  bool bad;
  VolumeFlux<Real> volume;
};

/// The architecture that the code is compiled for; 0 in the host's pass.
#ifdef __CUDA_ARCH__
inline constexpr int kCompiledArchitecture = __CUDA_ARCH__ / 10;
#else
inline constexpr int kCompiledArchitecture = 0;
#endif

template <class Reconstruction, Variables variables, class RiemannSolver, class Real>
inline constexpr KernelConfiguration kKernelConfiguration =
    kernel_configuration(ReconstructionOf<Reconstruction>::value, variables, RiemannOf<RiemannSolver>::value,
                         sizeof(Real), kCompiledArchitecture);

/// Tells other ranks that the stage before has written their ghost cells. A piece that reads ghost cells
/// waits until they have written this rank's. For all threads of a block, before they need their registers.
template <class Real>
__device__ __forceinline__ void exchange_notes(const CudaStage<Real>& stage) {
  const exchange::NotesAlongAxis& notes = stage.twins.notes;
  if (notes.count == 0) return;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const bool is_first = blockIdx.x == 0 && blockIdx.y == 0;
  if (thread < notes.count && is_first) notes.tell(thread);
  const Layout& l = stage.arguments.layout;
  const int k0 = (stage.pieces.first + blockIdx.y * stage.pieces.step) * stage.march, k1 = k0 + stage.march;
  if (k0 >= l.ghosts[2] && k1 + l.ghosts[2] <= l.cells[2]) return;
  const std::uint64_t began = exchange::nanoseconds();
  if (thread < notes.count) notes.await(thread);
  __syncthreads();
  if (thread == 0 && is_first) *notes.waited += exchange::nanoseconds() - began;
}

/// Writes the new state of a cell of plane k to the ghost cells of other ranks that copy it. `column`: the
/// index of the cell's column in plane 0.
template <class Real>
__device__ __forceinline__ void write_twins(const CudaStage<Real>& stage, unsigned column, int k,
                                            const Conserved<Real>& c) {
  const auto& [planes, of, field_stride, notes] = stage.twins;
  const int above = stage.arguments.layout.cells[2] - planes[1];
  if (k >= planes[0] && k < above) return;
#pragma unroll 1
  for (int side = 0; side < 2; ++side) {
    if (side == 0 ? k >= planes[0] : k < above) continue;
    Real* const twin = of[side] + column + k * stage.arguments.layout.stride[2];
    const std::int64_t f = field_stride[side];
    twin[0] = c.density;
    twin[f] = c.mu;
    twin[2 * f] = c.mv;
    twin[3 * f] = c.mw;
    twin[4 * f] = c.energy;
  }
}

/// Advances a piece of a tile.
template <KernelConfiguration configuration, class Reconstruction, Variables variables, class RiemannSolver,
          class Real, class Reports, bool has_scalars, class Correction, bool writes_twins = false,
          bool is_stretched = false, bool two_gases = false>
__device__ __forceinline__ void advance_tile(const CudaStage<Real>& stage) {
  wait_for_earlier_kernels();
  if constexpr (writes_twins) exchange_notes(stage);
  constexpr int r = Reconstruction::radius;
  const StageArguments<Real>& a = stage.arguments;
  const Layout& l = a.layout;
  // Tested below, after the first loads have been issued.
  const bool cancelled = Reports::kReports && stage.reporter.cancelled();
  // The tile, and this thread's column. Columns outside the domain do harmless work on the memory there.
  constexpr int tile_x = kTileWidth;
  const int tile_y = blockDim.y, lx = threadIdx.x, ly = threadIdx.y;
  const int threads = tile_x * tile_y, thread = ly * tile_x + lx;
  int tile = blockIdx.x, piece = stage.pieces.first + blockIdx.y * stage.pieces.step;
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
  constexpr int layers = r + 1;
  const bool active_x = l.ghosts[0] > 0, active_y = l.ghosts[1] > 0, active_z = l.ghosts[2] > 0;
  const int gx = active_x ? layers : 0, gy = active_y ? layers : 0;
  const int used_x = min(tile_x, l.cells[0] - i0), used_y = min(tile_y, l.cells[1] - j0);
  const bool in_domain = lx < used_x && ly < used_y;
  const int last_x = l.cells[0] - 1 + gx, last_y = l.cells[1] - 1 + gy;
  // Offsets of cells in a plane, and of planes. In place of a ghost cell that is a periodic image its
  // interior cell is read.
  const auto wrapped = [&](int axis, int n) {
    return n + (n < 0 ? stage.period[axis] : n >= l.cells[axis] ? -stage.period[axis] : 0);
  };
  const auto in_plane_at = [&](int i, int j) {
    return static_cast<unsigned>(l.index(wrapped(0, min(i, last_x)), wrapped(1, min(j, last_y)), 0));
  };
  const auto plane_of = [&](const Real* u, int k) { return u + wrapped(2, k) * l.stride[2]; };
  const unsigned column = in_plane_at(i0 + lx, j0 + ly);

  // The inverse widths of this thread's cell in plane k. Kernels for meshes that are not stretched take the
  // mean ones from their arguments.
  struct MeanWidths {
    const Real* along;
  };
  const auto inverse_widths = [&]([[maybe_unused]] int k) {
    if constexpr (is_stretched)
      return a.inverse_widths(min(i0 + lx, l.cells[0] - 1), min(j0 + ly, l.cells[1] - 1), k);
    else
      return MeanWidths{a.inverse_dx};
  };

  // Primitive variables from fields that are `f` values apart.
  const auto primitive_of = [&](const Real* u, std::int64_t f, const IdealGas<Real>& gas) {
    return to_primitive(Conserved<Real>{u[0], u[f], u[2 * f], u[3 * f], u[4 * f]}, gas);
  };
  // The volume fraction of the second gas, the last field, in the cell whose density is at `u`; the mixture.
  [[maybe_unused]] const auto fraction_at = [&](const Real* u) { return u[(l.fields - 1) * l.field_stride]; };
  const auto mixture = [&]([[maybe_unused]] Real fraction) {
    if constexpr (two_gases)
      return a.gases().mixed(fraction);
    else
      return a.gas;
  };
  const auto gas_at = [&]([[maybe_unused]] const Real* u) {
    if constexpr (two_gases)
      return mixture(fraction_at(u));
    else
      return a.gas;
  };

  // Shared memory, row by row so that all strides are compile-time constants: the primitive plane, then the
  // states on both sides of the x faces and of the y faces, rotated. A face's flux replaces its left state.
  extern __shared__ __align__(16) unsigned char shared_memory[];
  using Rows = StageRows<layers, two_gases>;
  constexpr int field = Rows::pitch, row = Rows::plane_row, face_field = kRowFaces, face_row = Rows::face_row;
  Real* const plane = reinterpret_cast<Real*>(shared_memory) + gy * row + layers;  // at the tile's first cell
  Real* const left = reinterpret_cast<Real*>(shared_memory) + (tile_y + 2 * gy) * row;
  Real* const right = left + Rows::right;
  // Behind them, the data prefetched for each thread's column.
  constexpr bool ahead = fetches_ahead(sizeof(Real));
  Real* const own_fetched =
      left + (tile_y + (active_y ? 1 : 0)) * face_row + ly * kFetchedStates * kFields * kTileWidth + lx;
  const auto fetched = [&](Fetched what, int n) -> Real& {
    return own_fetched[(what * kFields + n) * kTileWidth];
  };
  const auto fetch = [&](Fetched what, const Real* from) {
    for (int n = 0; n < kFields; ++n)
      __pipeline_memcpy_async(&fetched(what, n), from + column + n * l.field_stride, sizeof(Real));
  };

  // A cell of the tile, seen along an axis.
  struct Along {
    const Real* cell;              // in the plane
    int step, normal, tangential;  // offsets to the next cell and to the two velocities
    int below, above;              // its faces
  };
  const auto along = [&](int axis, int x, int y) -> Along {
    const bool is_x = axis == 0;
    const int face = y * face_row + x + (is_x ? 0 : kFirstYFace);
    return {plane + y * row + x,      is_x ? 1 : row, is_x ? field : 2 * field,
            is_x ? 2 * field : field, face,           face + (is_x ? 1 : face_row)};
  };
  const auto state_at = [&](const Along& c, int m) -> Primitive<Real> {
    const Real* s = c.cell + m * c.step;
    return {s[0], s[c.normal], s[c.tangential], s[3 * field], s[4 * field]};
  };
  const auto put = [&](Real* to, const Primitive<Real>& q) {
    to[0] = q.density;
    to[face_field] = q.u;
    to[2 * face_field] = q.v;
    to[3 * face_field] = q.w;
    to[4 * face_field] = q.pressure;
  };
  const auto got = [&](const Real* from) -> Primitive<Real> {
    return {from[0], from[face_field], from[2 * face_field], from[3 * face_field], from[4 * face_field]};
  };
  // Of two gases: the volume fraction in a cell of the plane, and the volumes that pass a face, which take
  // the place of its right state.
  [[maybe_unused]] const auto fraction_in = [&](const Real* cell) -> const Real& { return cell[5 * field]; };
  [[maybe_unused]] const auto volume_at = [&](int face) -> VolumeFlux<Real> {
    return {right[face + face_field], right[face + 2 * face_field]};
  };

  // Find this thread's share of the cells beside the tile, and of the tile's last faces; false if none.
  const auto beside_tile = [&](int& axis, int& x, int& y) {
    const int of_y = active_y ? 2 * tile_x : 0;
    axis = thread < of_y ? 1 : 0;
    const int n = axis == 1 ? thread : thread - of_y, count = axis == 1 ? tile_x : tile_y;
    const bool after = n >= count;
    const int place = after ? n - count : n;
    x = axis == 1 ? place : after ? tile_x : -1;
    y = axis == 0 ? place : after ? tile_y : -1;
    return place < count && (axis == 1 || active_x);
  };
  const auto last_of_tile = [&](int& axis, int& x, int& y) {
    const int last = threads - 1 - thread, of_y = active_y ? tile_x : 0;
    axis = last < of_y ? 1 : 0;
    x = axis == 1 ? last : tile_x;
    y = axis == 0 ? last - of_y : tile_y;
    return axis == 1 || (active_x && y < tile_y);
  };

  static __shared__ typename Reports::Shared reports;
  // A face between two tiles counts with the tile above it, the domain's last one with the last tile.
  // counted[axis]: the extent in x and y of the faces that count; counted_end: the plane before which faces
  // along z count. In shared memory, because they would occupy registers through the march.
  static __shared__ int counted[3][2], counted_end;
  if constexpr (Reports::kReports)
    if (thread == 0) {
      Reports::begin(reports);
      counted[0][0] = i0 + used_x == l.cells[0] ? used_x + (a.shares_last[0] ? 0 : 1) : tile_x;
      counted[0][1] = used_y;
      counted[1][0] = used_x;
      counted[1][1] = j0 + used_y == l.cells[1] ? used_y + (a.shares_last[1] ? 0 : 1) : tile_y;
      if constexpr (!configuration.keeps_in_domain) {
        counted[2][0] = used_x;
        counted[2][1] = used_y;
      }
      counted_end = k1 == l.cells[2] && !a.shares_last[2] ? k1 + 1 : k1;
    }
  const auto counts = [&](int axis, int x, int y) { return x < counted[axis][0] && y < counted[axis][1]; };
  // The ghosts around the tile: the rows below and above it, then the columns beside it.
  struct Ghost {
    unsigned from;  // in a plane of the mesh
    int to;         // in the plane in shared memory
  };
  const int in_rows = 2 * gy * tile_x, ghost_count = in_rows + 2 * gx * tile_y;
  const auto ghost = [&](int n) -> Ghost {
    const bool in_row = n < in_rows;
    const int m = in_row ? n : n - in_rows, across = in_row ? m / tile_x : m % (2 * layers);
    const int outside = across < layers ? across - layers : across - layers + (in_row ? tile_y : tile_x);
    const int x = in_row ? m % tile_x : outside, y = in_row ? outside : m / (2 * layers);
    return {in_plane_at(i0 + x, j0 + y), y * row + x};
  };
  // Computed once for all planes where that is faster: in single precision, and in double with plm.
  constexpr bool found_once = sizeof(Real) == 4 || r == 1;
  static __shared__ Ghost ghosts[found_once ? 2 * layers * (kTileWidth + kMostRows) : 1];
  if constexpr (found_once)
    for (int n = thread; n < ghost_count; n += threads) ghosts[n] = ghost(n);
  // The largest CFL rate of this thread's cells, in shared memory where that is faster.
  constexpr bool rate_is_shared =
      sizeof(Real) == 4 && ReconstructionOf<Reconstruction>::value == halfstep::Reconstruction::weno5z;
  static __shared__ Real shared_rates[rate_is_shared ? kTileWidth * kMostRows : 1];
  Real own_rate;
  Real& rate = rate_is_shared ? shared_rates[thread] : own_rate;
  rate = 0;
  __syncthreads();

  // The new volume fraction in this thread's cell of plane k.
  [[maybe_unused]] const auto advected_fraction =
      [&](int k, const Real* widths, const VolumeFlux<Real>& below, const VolumeFlux<Real>& above) {
        const std::int64_t at = column + k * l.stride[2] + (l.fields - 1) * l.field_stride;
        const Real own = a.in[at], start = a.start ? a.start[at] : Real(0);
        const auto jump = [&](int low, int high) {
          return volume_at(high).relative_to(own) - volume_at(low).relative_to(own);
        };
        const int x = ly * face_row + lx, y = x + kFirstYFace;
        const Real in_plane = in_plane_divergence(widths, active_x ? jump(x, x + 1) : Real(0),
                                                  active_y ? jump(y, y + face_row) : Real(0));
        return updated(a, widths, static_cast<Real>(__ldg(stage.dt)), start, own, in_plane,
                       above.relative_to(own) - below.relative_to(own));
      };

  const auto finish = [&](int k, const Conserved<Real>& plane_part, const ThroughFace<Real>& below,
                          const ThroughFace<Real>& above) {
    if (!in_domain) return;
    const std::int64_t at = column + k * l.stride[2], f = l.field_stride;
    // Read from the cache for every cell, which saves a register. The attempt before may have written it
    // while this kernel was placed, but nothing reads it before that has ended.
    const Real dt = static_cast<Real>(__ldg(stage.dt));
    const auto widths = inverse_widths(k);
    const auto advance = [&](int n, Real plane_part, Real low, Real high) {
      const Real in = ahead ? fetched(kInput, n) : a.in[at + n * f];
      const Real start = !a.start ? Real(0) : ahead ? fetched(kStart, n) : a.start[at + n * f];
      return updated(a, widths.along, dt, start, in, plane_part, high - low);
    };
    const Conserved<Real>&low = below.flow, &high = above.flow;
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
    if constexpr (writes_twins) write_twins(stage, column, k, c);
    bool good = true;
    good &= is_admissible(c);
    Real fraction = 0;
    if constexpr (two_gases) {
      fraction = advected_fraction(k, widths.along, below.volume, above.volume);
      out[(l.fields - 1) * f] = fraction;
      good &= finite(fraction);
    }
    if (a.wants_rate) {
      const IdealGas<Real> gas = mixture(fraction);
      const Primitive<Real> q = to_primitive(c, gas);
      const Real own = cfl_rate(q, widths.along, gas);
      good &= positive_and_finite(q.pressure);
      rate = max(own, rate);
    }
    if constexpr (Reports::kReports)
      if (!good) Reports::bad_cell(reports, stage, {i0 + lx, j0 + ly, k}, c);
  };

  Primitive<Real> window[2 * r + 1];  // rotated: along z
  Primitive<Real> upper_edge{};       // of the cell below
  ThroughFace<Real> flux_below{};
  const auto look_up = [&](int m, const Real* u, std::int64_t f, const IdealGas<Real>& gas) {
    window[m] = rotated(primitive_of(u, f, gas), 2);
  };
  const auto column_cell = [&](int k) { return plane_of(a.in, k) + column; };
  if (active_z)
    for (int m = 0; m < 2 * r; ++m) {
      const Real* const cell = column_cell(k0 - 1 - r + m);
      look_up(m + 1, cell, l.field_stride, gas_at(cell));
    }
  else
    look_up(r, column_cell(k0), l.field_stride, gas_at(column_cell(k0)));

  // These parts of a plane's work are lambdas. With the faces in one, too, the kernels spill more registers
  // (docs/what_was_tried.md).
  //
  // Stores plane `plane_k`: this thread's cell, then a share of the ghosts around the tile.
  const auto store_plane = [&](int plane_k) {
    const Primitive<Real>& q = window[r];
    Real* own = plane + ly * row + lx;
    own[0] = q.density;
    own[field] = q.v;
    own[2 * field] = q.w;
    own[3 * field] = q.u;
    own[4 * field] = q.pressure;
    if constexpr (two_gases) own[5 * field] = fraction_at(a.in + column + plane_k * l.stride[2]);
    for (int n = thread; n < ghost_count; n += threads) {
      const Ghost g = found_once ? ghosts[n] : ghost(n);
      const Real* const from = a.in + plane_k * l.stride[2] + g.from;
      Real* const to = plane + g.to;
      const Primitive<Real> s = primitive_of(from, l.field_stride, gas_at(from));
      to[0] = s.density;
      to[field] = s.u;
      to[2 * field] = s.v;
      to[3 * field] = s.w;
      to[4 * field] = s.pressure;
      if constexpr (two_gases) to[5 * field] = fraction_at(from);
    }
  };
  // Stores the edge states of this thread's cell along x and y, and of one cell beside the tile.
  const auto find_edge_states = [&] {
#pragma unroll(configuration.unrolls_edges ? 3 : 1)
    for (int pass = 0; pass < 3; ++pass) {
      int axis = pass, x = lx, y = ly;
      if (pass == 2 && !beside_tile(axis, x, y)) break;
      if (!(axis == 0 ? active_x : active_y)) continue;
      const Along c = along(axis, x, y);
      Primitive<Real> q[2 * r + 1];
      unrolled<2 * r + 1>([&](int m) { q[m] = state_at(c, m - r); });
      const EdgeStates<Real> edges = edge_states<Reconstruction, variables>(q, mixture(fraction_in(c.cell)));
      const bool has_below = x >= 0 && y >= 0, has_above = x < tile_x && y < tile_y;
      if (has_below) put(right + c.below, edges.lower);
      if (has_above) put(left + c.above, edges.upper);
    }
  };
  // The flux between the states of two gases on the sides of a face. fraction(m): that in the m-th cell of
  // the face's stencil.
  [[maybe_unused]] const auto flux_of_two = [&](const Primitive<Real>& low, const Primitive<Real>& high,
                                                bool bad, const auto& fraction) {
    const SideFractions<Real> z = bad ? SideFractions<Real>{fraction(r), fraction(r + 1)}
                                      : side_fractions<Reconstruction, Real>(fraction);
    return two_gas_flux(low, high, z, a.gases());
  };
  // Sets the x and y part of the divergence in this thread's cell, from the fluxes in shared memory.
  const auto add_jumps = [&](Conserved<Real>& in_plane, int k) {
    const auto widths = inverse_widths(k);
    const auto jump_of = [&](int along_x, int along_y) {
      const Real* fx = left + along_x * face_field + ly * face_row + lx;
      const Real* fy = left + along_y * face_field + ly * face_row + lx + kFirstYFace;
      return in_plane_divergence(widths.along, active_x ? fx[1] - fx[0] : Real(0),
                                 active_y ? fy[face_row] - fy[0] : Real(0));
    };
    in_plane = {jump_of(0, 0), jump_of(1, 2), jump_of(2, 1), jump_of(3, 3), jump_of(4, 4)};
  };
  // Moves the window up by a cell: plane k is in its middle.
  const auto shift_window = [&](int k) {
    for (int m = 0; m < 2 * r; ++m) window[m] = window[m + 1];
    if constexpr (ahead)
      look_up(2 * r, &fetched(kNextCell, 0), kTileWidth, gas_at(column_cell(k + r)));
    else
      look_up(2 * r, column_cell(k + r), l.field_stride, gas_at(column_cell(k + r)));
  };

  // Advances scalar s in this thread's cell of plane k. `fractions`: the mass fraction in that cell, in
  // shared memory, where the mass that passes the faces along x and y still is, and in place of their right
  // states whether they are bad. Along z mass fractions are read again, from the cache.
  [[maybe_unused]] const auto advance_scalar = [&](int k, int s, const Real* fractions,
                                                   const ThroughFace<Real>& below,
                                                   const ThroughFace<Real>& above) {
    const std::int64_t mass = (kFields + s) * l.field_stride, at = column + k * l.stride[2] + mass;
    Real jump_x = 0, jump_y = 0, jump_z = 0;
#pragma unroll 1
    for (int n = 0; n < 4; ++n) {
      const bool along_x = n < 2;
      if (!(along_x ? active_x : active_y)) continue;
      const int side = n % 2, step = along_x ? 1 : row;
      const Real* face = left + ly * face_row + lx + (along_x ? side : kFirstYFace + side * face_row);
      const auto fraction = [&](int m) { return fractions[(m - 1 - r + side) * step]; };
      const Real flux = scalar_flux<Reconstruction>(fraction, face[0], face[Rows::right] != Real(0));
      (along_x ? jump_x : jump_y) += side == 0 ? -flux : flux;
    }
#pragma unroll 1
    for (int side = 0; active_z && side < 2; ++side) {
      const auto fraction = [&](int m) {
        const Real* u = column_cell(k + m - 1 - r + side);
        return quotient(u[mass], u[0]);
      };
      const Real flux = scalar_flux<Reconstruction>(
          fraction, side == 0 ? below.flow.density : above.flow.density, side == 0 ? below.bad : above.bad);
      jump_z += side == 0 ? -flux : flux;
    }
    const Real dt = static_cast<Real>(__ldg(stage.dt));
    const Real start = a.start ? a.start[at] : Real(0);
    const auto widths = inverse_widths(k);
    const Real after = updated(a, widths.along, dt, start, a.in[at],
                               in_plane_divergence(widths.along, jump_x, jump_y), jump_z);
    a.out[at] = after;
    if constexpr (Reports::kReports)
      if (!finite(after)) Reports::bad_cell(reports, stage, {i0 + lx, j0 + ly, k}, Conserved<Real>{});
  };
  // Advances the scalars of plane k, as many at a time as there are fields: their mass fractions take the
  // place of the primitive plane, whose faces are done.
  [[maybe_unused]] const auto advance_scalars = [&](int k, const ThroughFace<Real>& below,
                                                    const ThroughFace<Real>& above) {
    const int masses = two_gases ? l.scalars() : l.carried();
    for (int first = 0; first < masses; first += kFields) {
      const int count = min(kFields, masses - first);
      const auto store_fractions = [&](const Real* u, Real* to) {
        for (int n = 0; n < count; ++n)
          to[n * field] = quotient(u[(kFields + first + n) * l.field_stride], u[0]);
      };
      store_fractions(a.in + k * l.stride[2] + column, plane + ly * row + lx);
      for (int n = thread; n < ghost_count; n += threads) {
        const Ghost g = found_once ? ghosts[n] : ghost(n);
        store_fractions(a.in + k * l.stride[2] + g.from, plane + g.to);
      }
      __syncthreads();
      for (int n = 0; in_domain && n < count; ++n)
        advance_scalar(k, first + n, plane + ly * row + lx + n * field, below, above);
      __syncthreads();
    }
  };

  if (cancelled) return;
  // First the faces along x and y of plane k - 1, then the face between it and plane k.
  for (int k = active_z ? k0 - 1 : k0 + 1; k <= (active_z ? k1 : k0 + 1); ++k) {
    Conserved<Real> in_plane{};
    ThroughFace<Real> flux_above{};
    if constexpr (ahead) {
      if (active_z) fetch(kNextCell, plane_of(a.in, k + r));
      if (k > k0) {
        fetch(kInput, a.in + (k - 1) * l.stride[2]);
        if (a.start) fetch(kStart, a.start + (k - 1) * l.stride[2]);
      }
      __pipeline_commit();
    }
    if (const int plane_k = k - 1; plane_k >= k0) {
      store_plane(plane_k);
      __syncthreads();
      find_edge_states();
      __syncthreads();

      // The faces below this thread's cell along x and y, and one of the tile's last.
#pragma unroll(configuration.unrolls_faces ? 3 : 1)
      for (int pass = 0; pass < 3; ++pass) {
        int axis = pass, x = lx, y = ly;
        if (pass == 2 && !last_of_tile(axis, x, y)) break;
        if (!(axis == 0 ? active_x : active_y)) continue;
        const Along c = along(axis, x, y);
        Primitive<Real> low = got(left + c.below), high = got(right + c.below);
        [[maybe_unused]] bool bad = false;
        [[maybe_unused]] const auto report = [&] {
          if constexpr (Reports::kReports)
            Reports::bad_face(reports, stage, counts(axis, x, y), {i0 + x, j0 + y, plane_k}, axis, low, high);
        };
        if (!(is_admissible(low) & is_admissible(high))) [[unlikely]] {
          bad = true;
          low = state_at(c, -1);
          high = state_at(c, 0);
          if constexpr (!configuration.reports_xy_late) report();
        }
        Conserved<Real> through;
        if constexpr (two_gases) {
          const TwoGasFlux<Real> f =
              flux_of_two(low, high, bad, [&](int m) { return fraction_in(c.cell + (m - 1 - r) * c.step); });
          through = f.flux;
          right[c.below + face_field] = f.volume.of_both;
          right[c.below + 2 * face_field] = f.volume.of_second;
        } else {
          through = RiemannSolver::flux(low, high, a.gas);
        }
        if constexpr (has_scalars) right[c.below] = bad ? Real(1) : Real(0);
        if constexpr (Correction::kCorrects)
          through = Correction::corrected(through, stage, {i0 + x, j0 + y, plane_k}, axis, state_at(c, -1),
                                          state_at(c, 0));
        put(left + c.below, {through.density, through.mu, through.mv, through.mw, through.energy});
        if constexpr (configuration.reports_xy_late)
          if (bad) [[unlikely]]
            report();
      }
      __syncthreads();

      add_jumps(in_plane, plane_k);
    }

    if constexpr (ahead) __pipeline_wait_prior(0);
    if (active_z) {
      shift_window(k);
      const EdgeStates<Real> edges = edge_states<Reconstruction, variables>(window, gas_at(column_cell(k)));
      if (k >= k0) {
        const Primitive<Real>&cell_below = window[r > 0 ? r - 1 : 0], &cell = window[r];
        Primitive<Real> low = upper_edge, high = edges.lower;
        [[maybe_unused]] bool bad = false;
        [[maybe_unused]] const auto report = [&] {
          if constexpr (Reports::kReports)
            Reports::bad_face(
                reports, stage,
                (configuration.keeps_in_domain ? in_domain : counts(2, lx, ly)) && k < counted_end,
                {i0 + lx, j0 + ly, k}, 2, low, high);
        };
        if (!(is_admissible(low) & is_admissible(high))) [[unlikely]] {
          if (r > 0) low = cell_below;
          high = cell;
          bad = true;
          if constexpr (!configuration.reports_z_late) report();
        }
        Conserved<Real> through;
        if constexpr (two_gases) {
          const TwoGasFlux<Real> f =
              flux_of_two(low, high, bad, [&](int m) { return fraction_at(column_cell(k + m - 1 - r)); });
          through = f.flux;
          flux_above.volume = f.volume;
        } else {
          through = RiemannSolver::flux(low, high, a.gas);
        }
        if constexpr (Correction::kCorrects)
          through = Correction::corrected(through, stage, {i0 + lx, j0 + ly, k}, 2,
                                          r > 0 ? cell_below : upper_edge, cell);
        flux_above.flow = unrotated(through, 2);
        if constexpr (has_scalars) flux_above.bad = bad;
        if constexpr (configuration.reports_z_late)
          if (bad) [[unlikely]]
            report();
      }
      upper_edge = edges.upper;
    }
    if (k > k0) finish(k - 1, in_plane, flux_below, flux_above);
    if constexpr (has_scalars)
      if (k > k0) advance_scalars(k - 1, flux_below, flux_above);
    flux_below = flux_above;
  }

  // At the end, one report per block and one reduction of the CFL rate per warp.
  if constexpr (Reports::kReports) {
    __syncthreads();
    if (thread == 0) Reports::end(reports, stage);
  }
  if (a.wants_rate) {
    Real largest = rate;
    for (int lane = 16; lane > 0; lane /= 2) largest = max(__shfl_xor_sync(~0u, largest, lane), largest);
    if (thread % 32 == 0)
      atomicMax(&stage.result->cfl_rate_bits,
                static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(largest))));
  }
}

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          bool has_scalars, class Correction, bool writes_twins, bool is_stretched, bool two_gases>
__global__ void __maxnreg__(
    (kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>.max_registers))
    stage_of_registers(const __grid_constant__ CudaStage<Real> stage) {
  advance_tile<kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>, Reconstruction,
               variables, RiemannSolver, Real, Reports, has_scalars, Correction, writes_twins, is_stretched,
               two_gases>(stage);
}

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          bool has_scalars, class Correction, bool writes_twins, bool is_stretched, bool two_gases>
__global__ void __launch_bounds__(
    (kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>.threads),
    (kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>.min_blocks))
    stage_of_blocks(const __grid_constant__ CudaStage<Real> stage) {
  advance_tile<kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>, Reconstruction,
               variables, RiemannSolver, Real, Reports, has_scalars, Correction, writes_twins, is_stretched,
               two_gases>(stage);
}

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, class Reports,
          bool has_scalars, class Correction, bool writes_twins, bool is_stretched, bool two_gases>
StageKernel<Real> stage_kernel() {
  if constexpr (kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>.max_registers > 0)
    return &stage_of_registers<Reconstruction, variables, RiemannSolver, Real, Reports, has_scalars,
                               Correction, writes_twins, is_stretched, two_gases>;
  else
    return &stage_of_blocks<Reconstruction, variables, RiemannSolver, Real, Reports, has_scalars, Correction,
                            writes_twins, is_stretched, two_gases>;
}

}  // namespace halfstep
