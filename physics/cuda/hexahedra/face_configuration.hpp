// How the kernels of faces between hexahedra are compiled.
#pragma once

#include <cstddef>

#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Threads of a block of the face kernels.
inline constexpr int kFaceThreads = 128;

/// Returns the blocks per multiprocessor that registers are to leave room for: as many as let no solver spill
/// more than a word.
constexpr int face_blocks(Riemann riemann, std::size_t real_bytes) {
  if (real_bytes == sizeof(float)) return 8;
  return riemann == Riemann::roe || riemann == Riemann::lhllc ? 5 : 6;
}

/// Returns the same of the kernel of a degree, of inviscid flows; 0: no bound. For Roe's solver at degree 5
/// the compiler takes no more registers without one, and orders the loads of the long lines better.
constexpr int inviscid_face_blocks(Riemann riemann, std::size_t real_bytes, int degree) {
  const bool has_bound = riemann != Riemann::roe || real_bytes == sizeof(float) || degree < 5;
  return has_bound ? face_blocks(riemann, real_bytes) : 0;
}

}  // namespace halfstep
