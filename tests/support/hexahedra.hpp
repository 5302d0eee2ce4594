// Meshes of hexahedra, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/hexahedra/mapped_box.hpp"

namespace halfstep {

/// Returns the ids of the corners of a box's elements, xi fastest; along a periodic axis the last are the
/// first.
inline std::vector<std::int64_t> corner_ids(const BoxOfElements& box) {
  std::array<std::int64_t, 3> places;
  for (int axis = 0; axis < 3; ++axis) places[axis] = box.count[axis] + (box.is_periodic[axis] ? 0 : 1);
  const int layers = box.count[2] > 1 ? 2 : 1;
  std::vector<std::int64_t> ids;
  for (int k = 0; k < box.count[2]; ++k)
    for (int j = 0; j < box.count[1]; ++j)
      for (int i = 0; i < box.count[0]; ++i)
        for (int c = 0; c < layers; ++c)
          for (int b = 0; b < 2; ++b)
            for (int a = 0; a < 2; ++a)
              ids.push_back(((k + c) % places[2] * places[1] + (j + b) % places[1]) * places[0] +
                            (i + a) % places[0]);
  return ids;
}

/// Changes an element's own axes: xi of the new element runs along the axis `axes[0]` of the old one, or
/// against it, and so on. `values` has those of (n)^dimensions points, xi fastest.
template <class T>
void reorient(T* values, int n, int dimensions, const std::array<int, 3>& axes,
              const std::array<bool, 3>& reversed) {
  const int layers = dimensions == 3 ? n : 1;
  const std::vector<T> old(values, values + n * n * layers);
  const int strides[] = {1, n, n * n};
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int index[] = {i, j, k};
        int from = 0;
        for (int d = 0; d < dimensions; ++d)
          from += strides[axes[d]] * (reversed[d] ? n - 1 - index[d] : index[d]);
        *values++ = old[static_cast<std::size_t>(from)];
      }
}

}  // namespace halfstep
