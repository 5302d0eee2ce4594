// Over-integration of the inviscid terms in hexahedra: their products are taken at fine points, more than the
// solution has, and projected to its polynomials: R. M. Kirby & G. E. Karniadakis, J. Comput. Phys. 191
// (2003) 249; S. C. Spiegel, H. T. Huynh & J. R. DeBonis, AIAA Paper 2015-2744. What is projected are the
// fluxes along x, y and z. Their product with the metric terms stays at the solution points, where these keep
// a free stream: a uniform flux is its own projection.
#pragma once

#include "physics/curved/face_of_two.hpp"

namespace halfstep {

/// Returns the fine points along an axis: as few as integrate products of three polynomials, but more than
/// the solution has.
constexpr int count_of_fine_points(int degree) { return degree == 1 ? 3 : 3 * degree / 2 + 1; }

/// The fine points of a degree: Gauss's.
template <int degree>
struct FinePoints {
  static constexpr int n = degree + 1, q = count_of_fine_points(degree);

  double I[q][n]{};  ///< interpolation: I[m][i] is Lagrange's polynomial i of the solution points at m
  double P[n][q]{};  ///< projection by the fine points' quadrature

  constexpr FinePoints() {
    const Operators<degree> own;
    const Operators<q - 1> fine;
    for (int m = 0; m < q; ++m)
      for (int i = 0; i < n; ++i) {
        I[m][i] = 1;
        for (int k = 0; k < n; ++k)
          if (k != i) I[m][i] *= (fine.xi[m] - own.xi[k]) / (own.xi[i] - own.xi[k]);
        P[i][m] = I[m][i] * fine.w[m] / own.w[i];
      }
  }
};

/// Returns the fine points of a degree; a variable could not be named in device code.
template <int degree>
HALFSTEP_HD const FinePoints<degree>& fine_points() {
  static constexpr FinePoints<degree> all{};
  return all;
}

/// The fine points of a degree known at run time.
struct FineTable {
  static constexpr int kOwn = kMaxDegree + 1, kFine = count_of_fine_points(kMaxDegree);

  int q = 0;
  double I[kFine][kOwn], P[kOwn][kFine];

  FineTable() = default;
  template <int degree>
  explicit FineTable(const FinePoints<degree>& of) : FineTable{} {
    q = of.q;
    for (int m = 0; m < q; ++m)
      for (int i = 0; i <= degree; ++i) {
        I[m][i] = of.I[m][i];
        P[i][m] = of.P[i][m];
      }
  }
};

inline FineTable fine_table(int degree) {
  return with_degree(degree, [&]<int own>() { return FineTable(fine_points<own>()); });
}

template <class Real>
HALFSTEP_HD void add_multiple(Vector<Real>& a, Real s, const Vector<Real>& b) {
  for (int c = 0; c < 3; ++c) a.of[c] = fma(s, b.of[c], a.of[c]);
}
HALFSTEP_HD void add_multiple(double& a, double s, double b) { a = fma(s, b, a); }
HALFSTEP_HD void add_multiple(float& a, float s, float b) { a = fma(s, b, a); }

/// The fluxes of momentum and energy along x, y and z. That of momentum is symmetric: a flux along axis d has
/// the momenta from d on. The flux of mass is the momentum, which needs no projection.
template <class Real>
struct FluxTensor {
  static constexpr int kFields = 9;
  Real of[kFields];

  HALFSTEP_HD static constexpr int fields_along(int d) { return 4 - d; }
  /// Returns the index of field f of the flux along d: the momenta from d on, then energy.
  HALFSTEP_HD static constexpr int index(int d, int f) { return f < 3 - d ? d * (5 - d) / 2 + d + f : 6 + d; }
  HALFSTEP_HD Real momentum(int d, int k) const { return d < k ? of[index(d, k - d)] : of[index(k, d - k)]; }
  HALFSTEP_HD Real energy(int d) const { return of[6 + d]; }
};
template <class Real>
HALFSTEP_HD void add_multiple(FluxTensor<Real>& a, Real s, const FluxTensor<Real>& b) {
  for (int f = 0; f < FluxTensor<Real>::kFields; ++f) a.of[f] = fma(s, b.of[f], a.of[f]);
}

/// Finds the flux along axis d of the state u.
template <class Real>
HALFSTEP_HD void find_flux_along(int d, const Conserved<Real>& u, const IdealGas<Real>& gas,
                                 FluxTensor<Real>& flux) {
  const Primitive<Real> q = to_primitive(u, gas);
  const Real momentum[3] = {u.mu, u.mv, u.mw}, along = d == 0 ? q.u : d == 1 ? q.v : q.w;
  flux.of[flux.index(d, 0)] = fma(momentum[d], along, q.pressure);
  for (int k = d + 1; k < 3; ++k) flux.of[flux.index(d, k - d)] = momentum[k] * along;
  flux.of[flux.index(d, 3 - d)] = (u.energy + q.pressure) * along;
}

/// Returns J a^d . F at a solution point with the state u from the projected fluxes there.
template <class Real>
HALFSTEP_HD Conserved<Real> flux_across(const FluxTensor<Real>& flux, const Conserved<Real>& u,
                                        const Vector<Real>& across) {
  const auto momentum = [&](int k) {
    return dot({{flux.momentum(0, k), flux.momentum(1, k), flux.momentum(2, k)}}, across);
  };
  return {dot({{u.mu, u.mv, u.mw}}, across), momentum(0), momentum(1), momentum(2),
          dot({{flux.energy(0), flux.energy(1), flux.energy(2)}}, across)};
}

#if defined(__CUDACC__)
#define HALFSTEP_UNROLLED _Pragma("unroll")
#else
#define HALFSTEP_UNROLLED
#endif

/// Replaces the values of a line by their sums with the rows of a matrix.
template <class Real, int to, int from, class T>
HALFSTEP_HD void change_line(T* first, int stride, const double (&matrix)[to][from]) {
  T old[from];
  HALFSTEP_UNROLLED
  for (int i = 0; i < from; ++i) old[i] = first[i * stride];
  HALFSTEP_UNROLLED
  for (int m = 0; m < to; ++m) {
    T sum{};
    HALFSTEP_UNROLLED
    for (int i = 0; i < from; ++i) add_multiple(sum, Real(matrix[m][i]), old[i]);
    first[m * stride] = sum;
  }
}

#undef HALFSTEP_UNROLLED

/// The grid of an element's fine points, or of a face's, as place + stride along each axis. Before they are
/// interpolated and after they are projected, values at solution points have its first places along each
/// axis. `for_each` calls visit(0), ..., visit(count - 1), in any order, and waits for all.
template <int degree, int axes, class Real>
struct FineGrid {
  using Points = FinePoints<degree>;
  static constexpr int n = Points::n, q = Points::q;
  static constexpr int pitch = q % 2 == 0 ? q + 1 : q;  ///< odd: threads on lines along x use all banks
  static constexpr int rows = axes == 1 ? 1 : axes == 2 ? q : q * q;
  static constexpr int count = q * rows, size = pitch * rows;

  HALFSTEP_HD static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? pitch : pitch * q; }
  /// Returns the place of a fine point, or of a solution point.
  HALFSTEP_HD static constexpr int place(int fine) { return fine % q + pitch * (fine / q); }
  HALFSTEP_HD static constexpr int own_place(int point) {
    return point % n + stride(1) * (point / n % n) + stride(2) * (point / (n * n));
  }

  /// Interpolates the values of `grids` grids to the fine points, along the last axis first.
  template <class T, class ForEach>
  HALFSTEP_HD static void interpolate(T* values, int grids, const ForEach& for_each) {
    if constexpr (axes == 3) change_lines<2>(values, grids, fine_points<degree>().I, for_each);
    if constexpr (axes >= 2) change_lines<1>(values, grids, fine_points<degree>().I, for_each);
    change_lines<0>(values, grids, fine_points<degree>().I, for_each);
  }
  /// Projects them, along the first axis first.
  template <class T, class ForEach>
  HALFSTEP_HD static void project(T* values, int grids, const ForEach& for_each) {
    change_lines<0>(values, grids, fine_points<degree>().P, for_each);
    if constexpr (axes >= 2) change_lines<1>(values, grids, fine_points<degree>().P, for_each);
    if constexpr (axes == 3) change_lines<2>(values, grids, fine_points<degree>().P, for_each);
  }

 private:
  /// Changes the lines along an axis: those before it have values at solution points, those behind it at fine
  /// ones.
  template <int axis, class T, int to, int from, class ForEach>
  HALFSTEP_HD static void change_lines(T* values, int grids, const double (&matrix)[to][from],
                                       const ForEach& for_each) {
    constexpr int before = axis == 0   ? 1
                           : axis == 1 ? n
                                       : n * n,
                  behind = axes - axis == 3   ? q * q
                           : axes - axis == 2 ? q
                                              : 1,
                  lines = before * behind;
    for_each(grids * lines, [&](int task) {
      int line = task % lines, first = task / lines * size;
      for (int a = 0; a < axes; ++a) {
        if (a == axis) continue;
        const int values_along = a < axis ? n : q;
        first += line % values_along * stride(a);
        line /= values_along;
      }
      change_line<Real>(values + first, stride(axis), matrix);
    });
  }
};

/// Returns the sum of a row of a matrix with value(0), value(1), ...
template <class Real, int from, class Value>
HALFSTEP_HD auto sum_with(const double (&row)[from], int count, const Value& value) {
  decltype(value(0)) sum{};
  for (int i = 0; i < count; ++i) add_multiple(sum, Real(row[i]), value(i));
  return sum;
}

/// Returns the projected fluxes at point m of an element as the grid finds them. state(point): of its points.
template <class Real, class C, class States>
HALFSTEP_HD_COLD FluxTensor<Real> projected_flux_at(const C& c, const FineTable& fine,
                                                    const IdealGas<Real>& gas, int m, const States& state) {
  const int own[3] = {index_along(c, 0, m), index_along(c, 1, m), m / (c.n * c.n)};
  const bool is_flat = c.dimensions == 2;
  const auto flux_in_row = [&](int y, int z) {
    Conserved<Real> along_x[FineTable::kOwn];
    for (int a = 0; a < c.n; ++a)
      along_x[a] = sum_with<Real>(fine.I[y], c.n, [&](int b) {
        if (is_flat) return state(a + c.n * b);
        return sum_with<Real>(fine.I[z], c.n, [&](int k) { return state(a + c.n * (b + c.n * k)); });
      });
    return sum_with<Real>(fine.P[own[0]], fine.q, [&](int x) {
      const Conserved<Real> u = sum_with<Real>(fine.I[x], c.n, [&](int a) { return along_x[a]; });
      FluxTensor<Real> flux{};
      for (int d = 0; d < c.dimensions; ++d) find_flux_along(d, u, gas, flux);
      return flux;
    });
  };
  const auto flux_in_plane = [&](int z) {
    return sum_with<Real>(fine.P[own[1]], fine.q, [&](int y) { return flux_in_row(y, z); });
  };
  return is_flat ? flux_in_plane(0) : sum_with<Real>(fine.P[own[2]], fine.q, flux_in_plane);
}

}  // namespace halfstep
