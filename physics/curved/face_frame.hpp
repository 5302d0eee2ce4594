// The frame of a face: its normal and two tangents.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/base/select.hpp"
#include "physics/curved/hexahedra_view.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

template <class Real>
struct FaceFrame {
  Vector<Real> normal, first, second;  ///< orthonormal
  Real area;

  /// The frame of a face whose area times its normal is `across`, not zero.
  HALFSTEP_HD explicit FaceFrame(const Vector<Real>& across) : area(square_root(dot(across, across))) {
    normal = reciprocal(area) * across;
    // The axis that is the least along the normal makes the first tangent; z in the plane.
    const Real x = normal.of[0], y = normal.of[1], z = normal.of[2];
    const bool y_not_z = magnitude(y) < magnitude(z);
    if (magnitude(x) < magnitude(y_not_z ? y : z))
      first = unit(Real(0), -z, y);
    else if (y_not_z)
      first = unit(z, Real(0), -x);
    else
      first = unit(-y, x, Real(0));
    for (int c = 0; c < 3; ++c) {
      const int next = (c + 1) % 3, last = (c + 2) % 3;
      second.of[c] = normal.of[next] * first.of[last] - normal.of[last] * first.of[next];
    }
  }

  /// Returns the state with its velocity along the normal and the tangents.
  HALFSTEP_HD Primitive<Real> into(const Primitive<Real>& q) const {
    const Vector<Real> u{{q.u, q.v, q.w}};
    return {q.density, dot(u, normal), dot(u, first), dot(u, second), q.pressure};
  }
  /// Returns the state with its velocity along x, y and z.
  HALFSTEP_HD Primitive<Real> out_of(const Primitive<Real>& q) const {
    const auto component = [&](int c) {
      return fma(q.w, second.of[c], fma(q.v, first.of[c], q.u * normal.of[c]));
    };
    return {q.density, component(0), component(1), component(2), q.pressure};
  }
  /// Returns what flows through the face by the flux f along its normal, momenta along x, y and z.
  HALFSTEP_HD Conserved<Real> through(const Conserved<Real>& f) const {
    const auto component = [&](int c) {
      return area * fma(f.mw, second.of[c], fma(f.mv, first.of[c], f.mu * normal.of[c]));
    };
    return {area * f.density, component(0), component(1), component(2), area * f.energy};
  }

 private:
  HALFSTEP_HD static Vector<Real> unit(Real x, Real y, Real z) {
    return reciprocal(square_root(x * x + y * y + z * z)) * Vector<Real>{{x, y, z}};
  }
};

}  // namespace halfstep
