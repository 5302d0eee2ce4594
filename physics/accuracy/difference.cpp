#include "physics/accuracy/difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace halfstep {
namespace {

using Components = std::span<const double>;

double magnitude(Components v) {
  double length = 0;
  for (const double component : v) length = std::hypot(length, component);
  return length;
}

bool has_nan(Components v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Returns |a - b|; 0 for NaN against NaN and for equal infinities.
double distance(double a, double b) {
  if (same_bits(a, b) || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

double distance(Components a, Components b) {
  double length = 0;
  for (std::size_t c = 0; c < a.size(); ++c) length = std::hypot(length, distance(a[c], b[c]));
  return length;
}

bool same(Components a, Components b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return same_bits(x, y) || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

Difference difference(std::span<const double> a, std::span<const double> b, int components,
                      const Tolerance& tolerance) {
  const std::size_t width = static_cast<std::size_t>(components), values = a.size() / width;
  Difference all;
  for (std::size_t n = 0; n < values; ++n)
    for (const double m : {magnitude(a.subspan(n * width, width)), magnitude(b.subspan(n * width, width))})
      if (std::isfinite(m)) all.largest = std::max(all.largest, m);
  all.allowed = tolerance.absolute + tolerance.relative * all.largest;

  std::size_t finite = 0;
  double worst = 0;
  for (std::size_t n = 0; n < values; ++n) {
    const Components x = a.subspan(n * width, width), y = b.subspan(n * width, width);
    const double d = distance(x, y);
    const bool equal = same(x, y);
    if (has_nan(x) && has_nan(y) && all.both_nan++ == 0) all.first_nan = n;
    if (!equal && (tolerance.exact() || d > all.allowed)) all.count += 1;
    if (!equal && (all.same_bits || d > worst)) {
      worst = d;
      all.worst = n;
    }
    all.same_bits &= equal;
    if (!std::isfinite(d)) continue;
    finite += 1;
    all.norms.l1 += d;
    all.norms.l2 += d * d;
    all.norms.linf = std::max(all.norms.linf, d);
  }
  if (finite > 0) {
    all.norms.l1 /= static_cast<double>(finite);
    all.norms.l2 = std::sqrt(all.norms.l2 / static_cast<double>(finite));
  }
  return all;
}

}  // namespace halfstep
