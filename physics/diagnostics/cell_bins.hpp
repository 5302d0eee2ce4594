// The bins of a histogram and the bin of a cell.
#pragma once

#include <cmath>
#include <limits>

#include "physics/base/select.hpp"
#include "physics/diagnostics/histogram.hpp"
#include "physics/gas/eos.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/solids/solid_mask.hpp"

namespace halfstep {

/// A histogram's field of the state `u`, cell by cell.
template <class Real>
struct CellField {
  HistogramField field;
  Layout layout;
  const Real* u;
  Gases<double> gases;
  SolidMask solids = {};

  /// Whether the cell has a value: it lies in no body.
  HALFSTEP_HD bool has(int i, int j, int k) const { return !solids.has(layout, i, j, k); }

  HALFSTEP_HD double operator()(int i, int j, int k) const {
    const IdealGas<double> gas = gas_in(gases, layout, u, i, j, k);
    const Primitive<double> q = to_primitive(widened(load(layout, u, i, j, k)), gas);
    const double speed2 = q.u * q.u + q.v * q.v + q.w * q.w;
    switch (field) {
      case HistogramField::density:
        return q.density;
      case HistogramField::velocity_x:
        return q.u;
      case HistogramField::velocity_y:
        return q.v;
      case HistogramField::velocity_z:
        return q.w;
      case HistogramField::speed:
        return std::sqrt(speed2);
      case HistogramField::pressure:
        return q.pressure;
      case HistogramField::mach:
        return std::sqrt(mach_squared(q, gas));
      case HistogramField::mass_fraction:
        break;
    }
    return double(scalar(layout, u, 0, i, j, k)) / (layout.scalars() > 0 ? q.density : 1);
  }
};

/// A Sum of runtime/device/reduction.hpp.
struct Extrema {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};
HALFSTEP_HD void add_value(Extrema& extrema, double value) {
  extrema.low = min(value, extrema.low);
  extrema.high = max(value, extrema.high);
}
HALFSTEP_HD void merge(Extrema& extrema, const Extrema& other) {
  extrema.low = min(other.low, extrema.low);
  extrema.high = max(other.high, extrema.high);
}

/// The bins in the order of Histogram: 0 is below `lower`, `count` + 1 above `upper`.
struct Bins {
  int count;
  double lower, upper;

  HALFSTEP_HD int bin_of(double value) const {
    if (!(value >= lower)) return 0;
    if (value > upper) return count + 1;
    const int bin = static_cast<int>((value - lower) / (upper - lower) * count);
    return 1 + (bin < count ? bin : count - 1);
  }
};

/// Returns the requested bins. extrema() returns the field's extrema and is called only if they are needed.
template <class ExtremaOf>
Bins bins_for(const HistogramRequest& request, ExtremaOf extrema) {
  if (request.lower < request.upper) return {request.bins, request.lower, request.upper};
  const Extrema range = extrema();
  if (range.low < range.high) return {request.bins, range.low, range.high};
  // A uniform field is put in the middle of a range about as large as its value.
  const double half = range.low == 0 ? 0.5 : 0.5 * std::abs(range.low);
  return {request.bins, range.low - half, range.low + half};
}

/// The bin of an item, or none.
struct AtMostOneBin {
  int bin = 0, count = 0;

  HALFSTEP_HD const int* begin() const { return &bin; }
  HALFSTEP_HD const int* end() const { return &bin + count; }
};

/// The bins of items for runtime/device/histogram.hpp; the items are the cells, x fastest. Those in bodies
/// have none.
template <class Real>
struct BinsOfCells {
  CellField<Real> field;
  Bins bins;

  HALFSTEP_HD AtMostOneBin operator()(std::int64_t cell) const {
    const int nx = field.layout.cells[0], ny = field.layout.cells[1];
    const std::int64_t row = cell / nx;
    const int i = static_cast<int>(cell % nx), j = static_cast<int>(row % ny), k = static_cast<int>(row / ny);
    if (!field.has(i, j, k)) return {};
    return {bins.bin_of(field(i, j, k)), 1};
  }
};

}  // namespace halfstep
