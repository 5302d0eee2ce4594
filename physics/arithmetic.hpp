// Arithmetic of the stage kernels where a processor does better than IEEE's operators. In a strict build
// these are IEEE's.
//
// Which products a compiler contracts into fused multiply-adds hangs on what stands around them, so that the
// same function might give other bits in another kernel. Device code is compiled without contraction, and
// says where it fuses.
//
// IEEE's divisions and square roots need a path of their own for numbers near the ends of the range, and a
// branch to it in every kernel, for every division. On a device those here start from its approximation. In
// double precision they correct it to one unit in the last place, quotients to two; in single they take it as
// it is. Where an argument, or one over it, is not a normal number the result may be 0, infinite or NaN.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/device/host_device.hpp"

#if defined(__CUDA_ARCH__) && !HALFSTEP_STRICT_FP
#define HALFSTEP_FAST_ARITHMETIC 1
#else
#define HALFSTEP_FAST_ARITHMETIC 0
#endif

// HALFSTEP_PLAIN_ARITHMETIC: of files whose results are to be the same on every processor, and with two axes
// exchanged.
#if defined(FP_FAST_FMA) && defined(FP_FAST_FMAF) && !HALFSTEP_STRICT_FP && !HALFSTEP_PLAIN_ARITHMETIC
#define HALFSTEP_HOST_FMA 1
#else
#define HALFSTEP_HOST_FMA 0
#endif

namespace halfstep {

/// a b + c, rounded once where that is one instruction.
template <class Real>
HALFSTEP_HD Real multiply_add(Real a, Real b, Real c) {
#if HALFSTEP_FAST_ARITHMETIC || HALFSTEP_HOST_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// 1 / x.
template <class Real>
HALFSTEP_HD Real reciprocal(Real x) {
#if HALFSTEP_FAST_ARITHMETIC
  Real y;
  if constexpr (sizeof(Real) == 4) {
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    // The approximation is good to 2^-20 or so; e is its relative error, of which a step of third order
    // leaves the cube.
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const Real e = fma(-x, y, Real(1));
    return fma(fma(e, e, e), y, y);
  }
#else
  return Real(1) / x;
#endif
}

/// x / y.
template <class Real>
HALFSTEP_HD Real quotient(Real x, Real y) {
#if HALFSTEP_FAST_ARITHMETIC
  return x * reciprocal(y);
#else
  return x / y;
#endif
}

template <class Real>
HALFSTEP_HD Real square_root(Real x) {
#if HALFSTEP_FAST_ARITHMETIC
  Real y;
  if constexpr (sizeof(Real) == 4) {
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    // Of x y, y about 1 / sqrt(x); of the square's relative error e the cube is left.
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const Real root = x * y, e = fma(-root, y, Real(1));
    return fma(root, e * fma(e, Real(0.375), Real(0.5)), root);
  }
#else
  return std::sqrt(x);
#endif
}

/// Whether numbers range far beyond those of single precision.
template <class Real>
inline constexpr bool wide = std::numeric_limits<Real>::max_exponent > 128;

template <class Real>
struct Reciprocals {
  Real a, b;
};

/// 1 / a and 1 / b. By one division where there is room for the product.
template <class Real>
HALFSTEP_HD Reciprocals<Real> reciprocals(Real a, Real b) {
  if constexpr (wide<Real>) {
    const Real of_both = reciprocal(a * b);
    return {b * of_both, a * of_both};
  } else {
    return {reciprocal(a), reciprocal(b)};
  }
}

}  // namespace halfstep
