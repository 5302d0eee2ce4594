// Points of faces in a list.
#pragma once

#include "physics/curved/hexahedra_view.hpp"

namespace halfstep {

/// Returns face point number n of faces, each given as element * faces + face.
template <class C>
HALFSTEP_HD FacePoint face_point_of_list(const C& c, const std::int32_t* faces, std::int64_t n) {
  const std::int32_t face = faces[n / c.face_points];
  return {face / c.faces, face % c.faces, static_cast<int>(n % c.face_points)};
}

/// Returns the weight that a point has in an integral over its face.
template <class C>
HALFSTEP_HD double weight_on_face(const C& c, const FacePoint& f) {
  const double first = weight(c, f.point % c.n);
  return c.dimensions == 3 ? first * weight(c, f.point / c.n) : first;
}

}  // namespace halfstep
