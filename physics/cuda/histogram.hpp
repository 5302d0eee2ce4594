// Histograms of a state on the device; only the counts are copied to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/cuda/rows_of_cells.hpp"
#include "physics/diagnostics/cell_bins.hpp"
#include "physics/solver/over_ranks.hpp"
#include "runtime/device/histogram.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

inline constexpr int kExtremaBlock = 128;

template <class Real>
__global__ void __launch_bounds__(kExtremaBlock)
    extrema_of_rows(const __grid_constant__ CellField<Real> field, Extrema* rows) {
  reduce_rows_of_cells<kExtremaBlock>(field.layout, rows, [&](Extrema& extrema, int i, int j, int k) {
    if (field.has(i, j, k)) add_value(extrema, field(i, j, k));
  });
}

/// Reduces the rows' sums to one, in lanes[0].
template <class Sum>
__global__ void __launch_bounds__(kRowLanes) merge_rows(const Sum* rows, std::int64_t count, Sum* lanes) {
  reduce_over_rows(rows, count, lanes);
}

/// Makes histograms. Memory is allocated with the first of them.
template <class Real>
class HistogramMaker {
 public:
  /// Returns the histogram of `field` in the order of `stream`, over all ranks of the problem; waits for the
  /// counts.
  Histogram make(const Problem& problem, const HistogramRequest& request, const CellField<Real>& field,
                 cudaStream_t stream) {
    const Bins bins = bins_for(request, [&] { return extrema_of_ranks(problem, extrema(field, stream)); });
    const int count = bins.count + 2;
    Histogram histogram{bins.lower, bins.upper, std::vector<std::int64_t>(static_cast<std::size_t>(count))};
    const std::size_t bytes = histogram.counts.size() * sizeof(Count);
    if (counts_.count() != histogram.counts.size()) counts_ = DeviceBuffer<Count>(histogram.counts.size());
    HALFSTEP_CUDA(cudaMemsetAsync(counts_.get(), 0, bytes, stream));
    const int(&n)[3] = field.layout.cells;
    Histogrammer<Count, BinsOfCells<Real>>(count).launch(std::int64_t{n[0]} * n[1] * n[2], {field, bins},
                                                         counts_.get(), stream);
    static_assert(sizeof(Count) == sizeof(histogram.counts[0]));
    HALFSTEP_CUDA(
        cudaMemcpyAsync(histogram.counts.data(), counts_.get(), bytes, cudaMemcpyDeviceToHost, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    add_counts_of_ranks(problem, histogram.counts);
    return histogram;
  }

  std::int64_t device_bytes() const {
    return static_cast<std::int64_t>(counts_.count() * sizeof(Count) +
                                     (rows_.count() + lanes_.count()) * sizeof(Extrema));
  }

 private:
  using Count = unsigned long long;

  Extrema extrema(const CellField<Real>& field, cudaStream_t stream) {
    const std::int64_t rows = std::int64_t{field.layout.cells[1]} * field.layout.cells[2];
    if (!rows_.get()) {
      rows_ = DeviceBuffer<Extrema>(static_cast<std::size_t>(rows));
      lanes_ = DeviceBuffer<Extrema>(kRowLanes);
    }
    const std::int64_t blocks = (row_threads(rows) + kExtremaBlock - 1) / kExtremaBlock;
    extrema_of_rows<<<static_cast<unsigned>(blocks), kExtremaBlock, 0, stream>>>(field, rows_.get());
    HALFSTEP_CUDA_LAUNCHED("extrema_of_rows");
    merge_rows<<<1, kRowLanes, 0, stream>>>(rows_.get(), rows, lanes_.get());
    HALFSTEP_CUDA_LAUNCHED("merge_rows");
    Extrema all;
    HALFSTEP_CUDA(cudaMemcpyAsync(&all, lanes_.get(), sizeof all, cudaMemcpyDeviceToHost, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    return all;
  }

  DeviceBuffer<Extrema> rows_, lanes_;
  DeviceBuffer<Count> counts_;
};

}  // namespace halfstep
