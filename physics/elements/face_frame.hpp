// The frame of a face: its normal and two tangents.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

template <class Real>
struct FaceFrame {
  Real normal[3], first[3], second[3];  ///< orthonormal
  Real area;

  /// The frame of a face whose area times its normal is `across`, not zero.
  HALFSTEP_HD explicit FaceFrame(const Real (&across)[3]) {
    area = square_root(dot(across, across));
    const Real inverse = reciprocal(area);
    for (int c = 0; c < 3; ++c) normal[c] = across[c] * inverse;
    // The axis that is the least along the normal makes the first tangent; z in the plane.
    int least = 2;
    for (int c = 1; c >= 0; --c)
      if (magnitude(normal[c]) < magnitude(normal[least])) least = c;
    const int j = (least + 1) % 3, k = (least + 2) % 3;
    const Real length = reciprocal(square_root(normal[j] * normal[j] + normal[k] * normal[k]));
    first[least] = 0;
    first[j] = -normal[k] * length;
    first[k] = normal[j] * length;
    second[0] = normal[1] * first[2] - normal[2] * first[1];
    second[1] = normal[2] * first[0] - normal[0] * first[2];
    second[2] = normal[0] * first[1] - normal[1] * first[0];
  }

  HALFSTEP_HD static Real dot(const Real (&a)[3], const Real (&b)[3]) {
    return fma(a[2], b[2], fma(a[1], b[1], a[0] * b[0]));
  }
  /// Returns the state with its velocity along the normal and the tangents.
  HALFSTEP_HD Primitive<Real> into(const Primitive<Real>& q) const {
    const Real u[3] = {q.u, q.v, q.w};
    return {q.density, dot(u, normal), dot(u, first), dot(u, second), q.pressure};
  }
  /// Returns the state with its velocity along x, y and z.
  HALFSTEP_HD Primitive<Real> out_of(const Primitive<Real>& q) const {
    const auto component = [&](int c) { return fma(q.w, second[c], fma(q.v, first[c], q.u * normal[c])); };
    return {q.density, component(0), component(1), component(2), q.pressure};
  }
  /// Returns what flows through the face by the flux f along its normal, momenta along x, y and z.
  HALFSTEP_HD Conserved<Real> through(const Conserved<Real>& f) const {
    const auto component = [&](int c) {
      return area * fma(f.mw, second[c], fma(f.mv, first[c], f.mu * normal[c]));
    };
    return {area * f.density, component(0), component(1), component(2), area * f.energy};
  }
};

}  // namespace halfstep
