// Fast arithmetic for the stage kernels. In a strict build these functions are IEEE's operators.
//
// Which products a compiler contracts into fused multiply-adds depends on the surrounding code, so that the
// same function could give different bits in different kernels. Device code is compiled without contraction
// and fuses explicitly.
//
// IEEE's divisions and square roots need a slow path for numbers near the ends of the range, and a branch to
// it for every division. On a device the functions here start from the hardware's approximation. In double
// precision they correct it to one unit in the last place, quotients to two; in single precision they use it
// as it is. Where an argument, or its reciprocal, is not a normal number the result may be 0, infinite or
// NaN.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/device/host_device.hpp"

#if defined(__CUDA_ARCH__) && !HALFSTEP_STRICT_FP
#define HALFSTEP_FAST_ARITHMETIC 1
#else
#define HALFSTEP_FAST_ARITHMETIC 0
#endif

// HALFSTEP_PLAIN_ARITHMETIC: defined for files whose results must be the same on every processor, and with
// two axes exchanged.
#if defined(FP_FAST_FMA) && defined(FP_FAST_FMAF) && !HALFSTEP_STRICT_FP && !HALFSTEP_PLAIN_ARITHMETIC
#define HALFSTEP_HOST_FMA 1
#else
#define HALFSTEP_HOST_FMA 0
#endif

namespace halfstep {

/// Returns a b + c, rounded once where that is one instruction.
template <class Real>
HALFSTEP_HD Real fma(Real a, Real b, Real c) {
#if HALFSTEP_FAST_ARITHMETIC || HALFSTEP_HOST_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Returns 1 / x.
template <class Real>
HALFSTEP_HD Real reciprocal(Real x) {
#if HALFSTEP_FAST_ARITHMETIC
  Real y;
  if constexpr (sizeof(Real) == 4) {
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    // The approximation has a relative error e of about 2^-20, which a third-order step reduces to its cube.
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const Real e = fma(-x, y, Real(1));
    return fma(fma(e, e, e), y, y);
  }
#else
  return Real(1) / x;
#endif
}

/// Returns x / y.
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
    // Corrects root = x y, y about 1 / sqrt(x), to the cube of the relative error e of its square.
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const Real root = x * y, e = fma(-root, y, Real(1));
    return fma(root, e * fma(e, Real(0.375), Real(0.5)), root);
  }
#else
  return std::sqrt(x);
#endif
}

/// Whether the range of Real exceeds that of single precision.
template <class Real>
inline constexpr bool wide = std::numeric_limits<Real>::max_exponent > 128;

template <class Real>
struct Reciprocals {
  Real a, b;
};

/// Returns 1 / a and 1 / b, by one division where the range allows the product.
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
