// The body of the host stage. Included by the generated files that instantiate it, and by nothing else.
#pragma once

#include <cstring>

#include "physics/positivity.hpp"
#include "physics/reactant.hpp"
#include "physics/stage_host.hpp"

namespace halfstep {

namespace host {

constexpr int kMargin = 16;  // of a row on both sides; at least the ghost layers, a multiple of a vector
constexpr int kPitch = kLanes + 2 * kMargin;
constexpr int kFaceLanes = kLanes + 8;  // x faces computed per row; kLanes + 1 are used

/// One thread's working set: a ring of primitive planes and the fluxes of one plane. About 300 kB in double.
template <class Real, int ghosts, int fields>
struct Scratch {
  static constexpr int planes = 2 * ghosts;
  static constexpr int rows = kRows + 2 * ghosts;
  using Row = Real[kPitch];
  alignas(64) Real primitive[fields][planes][rows][kPitch];
  alignas(64) Real flux_x[fields][kRows][kPitch];
  alignas(64) Real flux_y[fields][kRows + 1][kPitch];
  alignas(64) Real flux_z[2][fields][kRows][kPitch];
  alignas(64) Real bad[kPitch];
};

/// The reactant's part of flux_row. Compiled once for all axes: where it is inlined into their sweeps, each
/// contracts a b + c d in its own way.
template <class Reconstruction, class Real>
[[gnu::noipa]] void reactant_flux_row(const Real* fraction, std::int64_t stride, const Real* mass_flux,
                                      const Real* bad, Real* flux, int lanes) {
  constexpr int layers = Reconstruction::radius + 1;
#pragma GCC ivdep
  for (int i = 0; i < lanes; ++i) {
    Real stencil[2 * layers];
    unrolled<2 * layers>([=, &stencil](int m)
                             HALFSTEP_INLINED { stencil[m] = fraction[i + (m - layers) * stride]; });
    flux[i] = reactant_flux<Reconstruction>(stencil, mass_flux[i], bad[i] != Real(0));
  }
}

/// Limits the fluxes of flux_row. Compiled once for all axes, too.
template <class Real>
[[gnu::noipa]] void positive_flux_row(const Real* const (&q)[kFields], std::int64_t stride,
                                      Real* const (&flux)[kFields], FaceStep<Real> step, int lanes,
                                      const IdealGas<Real> gas) {
  const Real *density = q[0], *u = q[1], *v = q[2], *w = q[3], *pressure = q[4];
  Real *f0 = flux[0], *f1 = flux[1], *f2 = flux[2], *f3 = flux[3], *f4 = flux[4];
  const auto through = [=](int i) HALFSTEP_INLINED -> Conserved<Real> {
    return {f0[i], f1[i], f2[i], f3[i], f4[i]};
  };
  const auto cell = [=](std::int64_t at) HALFSTEP_INLINED -> Primitive<Real> {
    return {density[at], u[at], v[at], w[at], pressure[at]};
  };
  alignas(64) Real good[kPitch];
#pragma GCC ivdep
  for (int i = 0; i < lanes; ++i)
    good[i] = leaves_positive(through(i), cell(i - stride), cell(i), step, gas) ? Real(1) : Real(0);
  for (int i = 0; i < lanes; ++i) {
    if (good[i] != Real(0)) continue;
    const Conserved<Real> limited = positive_flux(through(i), cell(i - stride), cell(i), step, gas);
    f0[i] = limited.density;
    f1[i] = limited.mu;
    f2[i] = limited.mv;
    f3[i] = limited.mw;
    f4[i] = limited.energy;
  }
}

/// Fluxes through a row of `lanes` faces. `q[f]`: the field f of the cell above the first face, `stride`: to
/// the next cell along the normal. Fields and fluxes come rotated: [1] is normal.
template <class Reconstruction, Variables variables, class RiemannSolver, int lanes, int fields, class Real>
void flux_row(const Real* const (&q)[fields], std::int64_t stride, Real* const (&flux)[fields], Real* bad,
              const IdealGas<Real> gas) {
  constexpr int layers = Reconstruction::radius + 1;
  const Real *density = q[0], *u = q[1], *v = q[2], *w = q[3], *pressure = q[4];
  Real *f0 = flux[0], *f1 = flux[1], *f2 = flux[2], *f3 = flux[3], *f4 = flux[4];
#pragma GCC ivdep
  for (int i = 0; i < lanes; ++i) {
    Primitive<Real> stencil[2 * layers];
    unrolled<2 * layers>([=, &stencil](int m) HALFSTEP_INLINED {
      const std::int64_t at = i + (m - layers) * stride;
      stencil[m] = {density[at], u[at], v[at], w[at], pressure[at]};
    });
    const FaceFlux<Real> face = face_flux<Reconstruction, variables, RiemannSolver>(stencil, gas);
    f0[i] = face.flux.density;
    f1[i] = face.flux.mu;
    f2[i] = face.flux.mv;
    f3[i] = face.flux.mw;
    f4[i] = face.flux.energy;
    bad[i] = face.bad ? Real(1) : Real(0);
  }
  if constexpr (fields > kReactant)
    reactant_flux_row<Reconstruction>(q[kReactant], stride, f0, bad, flux[kReactant], lanes);
}

/// Where the components of a rotated state are: the axis' own first, the other two in order.
constexpr int kRotation[3][kReactant + 1] = {{0, 1, 2, 3, 4, 5}, {0, 2, 1, 3, 4, 5}, {0, 3, 1, 2, 4, 5}};

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, int fields>
class Tile {
 public:
  static constexpr int ghosts = Reconstruction::radius + 1;
  using Memory = Scratch<Real, ghosts, fields>;

  Tile(const StageArguments<Real>& args, Memory& memory, int i0, int j0, int k0, int k1)
      : a_(args), m_(memory), i0_(i0), j0_(j0), k0_(k0), k1_(k1) {
    lanes_ = std::min(kLanes, a_.layout.cells[0] - i0);
    rows_ = std::min(kRows, a_.layout.cells[1] - j0);
  }

  /// Advances the tile's cells of planes k0 to k1.
  HostStageResult<Real> run(const soft_error::Reporter<>& reporter) {
    const int gz = a_.layout.ghosts[2];
    for (int k = k0_ - gz; k < k0_ + gz - 1; ++k) load_plane(k);
    if (gz > 0) {
      load_plane(k0_ + gz - 1);
      sweep_z(k0_);
    }
    for (int k = k0_; k < k1_; ++k) {
      if (gz == 0) load_plane(k);
      if (a_.layout.ghosts[0] > 0) sweep_x(k);
      if (a_.layout.ghosts[1] > 0) sweep_y(k);
      if (gz > 0) {
        load_plane(k + gz);
        sweep_z(k + 1);
      }
      for (int j = 0; j < rows_; ++j) update_row(j, k);
    }
    if (bad_cell_ || (a_.raise_bad_faces && result_.bad_faces > 0)) reporter.raise();
    return result_;
  }

 private:
  int slot(int k) const { return (k + Memory::planes) % Memory::planes; }

  Real* row(int field, int j, int k) {
    return m_.primitive[field][slot(k)][j + a_.layout.ghosts[1]] + kMargin;
  }

  /// Converts one plane of the tile with its ghosts to primitive variables.
  void load_plane(int k) {
    const int gx = a_.layout.ghosts[0], gy = a_.layout.ghosts[1];
    const int first = -gx, last = std::min(kLanes + gx, a_.layout.cells[0] + gx - i0_);
    for (int j = -gy; j < rows_ + gy; ++j) {
      alignas(64) Real c[fields][kPitch];
      for (int f = 0; f < fields; ++f) {
        const Real* source = a_.in + f * a_.layout.field_stride + a_.layout.index(i0_, j0_ + j, k);
        std::memcpy(c[f] + kMargin + first, source + first, sizeof(Real) * (last - first));
        // The rest of the row repeats valid states, so that unused lanes do harmless work.
        std::fill(c[f], c[f] + kMargin + first, source[first]);
        std::fill(c[f] + kMargin + last, c[f] + kPitch, source[last - 1]);
      }
      Real* q[fields];
      for (int f = 0; f < fields; ++f) q[f] = row(f, j, k) - kMargin;
      const IdealGas<Real> gas = a_.gas;
#pragma omp simd
      for (int i = 0; i < kPitch; ++i) {
        const Primitive<Real> p =
            to_primitive(Conserved<Real>{c[0][i], c[1][i], c[2][i], c[3][i], c[4][i]}, gas);
        q[0][i] = p.density;
        q[1][i] = p.u;
        q[2][i] = p.v;
        q[3][i] = p.w;
        q[4][i] = p.pressure;
      }
      if constexpr (fields > kReactant) {
#pragma omp simd
        for (int i = 0; i < kPitch; ++i) q[kReactant][i] = c[kReactant][i] / c[0][i];
      }
    }
  }

  template <int lanes>
  void row_of_fluxes(int axis, const Real* const (&q)[fields], std::int64_t stride,
                     Real* const (&flux)[fields]) {
    flux_row<Reconstruction, variables, RiemannSolver, lanes>(q, stride, flux, m_.bad, a_.gas);
    if constexpr (fields == kFields)
      if (a_.positive) positive_flux_row(q, stride, flux, face_step(a_, a_.dt, axis), lanes, a_.gas);
  }

  template <int lanes>
  void sweep(int axis, int j, int k, std::int64_t stride, Real(*const (&flux)[fields])) {
    const Real* q[fields];
    Real* f[fields];
    for (int n = 0; n < fields; ++n) {
      q[n] = row(kRotation[axis][n], j, k);
      f[n] = flux[kRotation[axis][n]];
    }
    row_of_fluxes<lanes>(axis, q, stride, f);
  }

  /// Faces are counted with the cell above them, and the last of the domain by itself, so once whatever the
  /// tiles.
  void count_bad(int faces) {
    for (int i = 0; i < faces; ++i) result_.bad_faces += m_.bad[i] != Real(0);
  }

  void sweep_x(int k) {
    const bool last = i0_ + lanes_ == a_.layout.cells[0];
    for (int j = 0; j < rows_; ++j) {
      Real* flux[fields];
      for (int f = 0; f < fields; ++f) flux[f] = m_.flux_x[f][j];
      sweep<kFaceLanes>(0, j, k, 1, flux);
      count_bad(lanes_ + last);
    }
  }

  void sweep_y(int k) {
    const bool last = j0_ + rows_ == a_.layout.cells[1];
    for (int j = 0; j <= rows_; ++j) {
      Real* flux[fields];
      for (int f = 0; f < fields; ++f) flux[f] = m_.flux_y[f][j];
      sweep<kLanes>(1, j, k, kPitch, flux);
      if (j < rows_ || last) count_bad(lanes_);
    }
  }

  /// The faces below plane k.
  void sweep_z(int k) {
    // The ring makes the stride along z irregular: gather the stencil's planes in order first.
    const bool counted = k < k1_ || k == a_.layout.cells[2];
    for (int j = 0; j < rows_; ++j) {
      alignas(64) Real planes[fields][Memory::planes][kPitch];
      for (int f = 0; f < fields; ++f)
        for (int m = 0; m < Memory::planes; ++m)
          std::memcpy(planes[f][m], row(kRotation[2][f], j, k - ghosts + m), sizeof(Real) * kLanes);
      const Real* q[fields];
      Real* flux[fields];
      for (int f = 0; f < fields; ++f) {
        q[f] = planes[f][ghosts];
        flux[f] = m_.flux_z[k & 1][kRotation[2][f]][j];
      }
      row_of_fluxes<kLanes>(2, q, kPitch, flux);
      if (counted) count_bad(lanes_);
    }
  }

  void update_row(int j, int k) {
    alignas(64) Real in[fields][kLanes], start[fields][kLanes], out[fields][kLanes];
    const std::int64_t at = a_.layout.index(i0_, j0_ + j, k);
    const bool keeps = a_.keep != Real(0);
    for (int f = 0; f < fields; ++f) {
      const std::int64_t n = at + f * a_.layout.field_stride;
      copy_row(in[f], a_.in + n);
      if (keeps)
        copy_row(start[f], a_.start + n);
      else
        std::fill(start[f], start[f] + kLanes, Real(0));
    }
    const int x = a_.layout.ghosts[0] > 0, y = a_.layout.ghosts[1] > 0, z = a_.layout.ghosts[2] > 0;
    const StageArguments<Real> args = a_;
    for (int f = 0; f < fields; ++f) {
      const Real *fx = m_.flux_x[f][j], *fy = m_.flux_y[f][j], *above_y = m_.flux_y[f][j + y];
      const Real *fz = m_.flux_z[k & 1][f][j], *above_z = m_.flux_z[(k + z) & 1][f][j];
#pragma omp simd
      for (int i = 0; i < kLanes; ++i)
        out[f][i] =
            updated(args, args.dt, start[f][i], in[f][i],
                    in_plane_divergence(args, fx[i + x] - fx[i], above_y[i] - fy[i]), above_z[i] - fz[i]);
      // Unused lanes had fluxes of no meaning: they must neither raise nor set the time step.
      std::fill(out[f] + lanes_, out[f] + kLanes, out[f][lanes_ - 1]);
    }
    Real good = 1, rate = 0;
#pragma omp simd reduction(min : good)
    for (int i = 0; i < kLanes; ++i) {
      const Conserved<Real> c{out[0][i], out[1][i], out[2][i], out[3][i], out[4][i]};
      good = smaller(good, physical(c) ? Real(1) : Real(0));
    }
    if (a_.wants_rate) {
#pragma omp simd reduction(max : rate) reduction(min : good)
      for (int i = 0; i < kLanes; ++i) {
        const Conserved<Real> c{out[0][i], out[1][i], out[2][i], out[3][i], out[4][i]};
        const Real own = signal_rate(to_primitive(c, args.gas), args.inverse_dx, args.gas);
        good = smaller(good, positive_and_finite(own) ? Real(1) : Real(0));
        rate = larger(own, rate);
      }
    }
    if constexpr (fields > kReactant) {
#pragma omp simd reduction(min : good)
      for (int i = 0; i < kLanes; ++i) good = smaller(good, finite(out[kReactant][i]) ? Real(1) : Real(0));
    }
    bad_cell_ |= good == Real(0);
    result_.signal_rate = std::max(result_.signal_rate, rate);
    for (int f = 0; f < fields; ++f)
      std::memcpy(a_.out + at + f * a_.layout.field_stride, out[f], sizeof(Real) * lanes_);
  }

  void copy_row(Real* to, const Real* from) const {
    std::memcpy(to, from, sizeof(Real) * lanes_);
    std::fill(to + lanes_, to + kLanes, from[lanes_ - 1]);
  }

  const StageArguments<Real>& a_;
  Memory& m_;
  int i0_, j0_, k0_, k1_, lanes_, rows_;
  bool bad_cell_ = false;
  HostStageResult<Real> result_;
};

}  // namespace host

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, int fields>
HostStageResult<Real> host_stage(const StageArguments<Real>& args, const soft_error::Reporter<>& reporter,
                                 const HostTiling& tiling, interruptible::HostTileQueue& queue, int threads) {
  using Tile = host::Tile<Reconstruction, variables, RiemannSolver, Real, fields>;
  if (reporter.cancelled()) return {};
  Real rate = 0;
  std::int64_t bad = 0;
#pragma omp parallel num_threads(threads) reduction(max : rate) reduction(+ : bad)
  {
    // Zero: the fluxes of axes that are not swept are read but never written.
    auto scratch = std::make_unique<typename Tile::Memory>();
    for (std::int64_t n; (n = queue.take()) >= 0;) {
      const int tx = static_cast<int>(n % tiling.x), ty = static_cast<int>(n / tiling.x % tiling.y),
                tz = static_cast<int>(n / tiling.x / tiling.y);
      Tile tile(args, *scratch, tx * host::kLanes, ty * host::kRows, tz * tiling.march,
                std::min((tz + 1) * tiling.march, args.layout.cells[2]));
      const HostStageResult<Real> r = tile.run(reporter);
      rate = std::max(rate, r.signal_rate);
      bad += r.bad_faces;
    }
  }
  return {rate, bad};
}

}  // namespace halfstep
