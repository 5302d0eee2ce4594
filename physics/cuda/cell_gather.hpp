// Reads some cells of a state on the device: only their values are copied to the host.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/mesh/fields.hpp"
#include "physics/mesh/layout.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Copies the cells of each field to values[field * count + n].
template <class Real>
__global__ void gather_cells(const std::int64_t* indices, std::int64_t count, int fields,
                             std::int64_t field_stride, const Real* u, Real* values) {
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  for (int f = 0; f < fields; ++f) values[f * count + n] = u[f * field_stride + indices[n]];
}

template <class Real>
class CellGather {
 public:
  /// `indices`: those of the cells within a field, at least one.
  CellGather(const std::vector<std::int64_t>& indices, int fields, cudaStream_t stream)
      : count_(static_cast<std::int64_t>(indices.size())),
        fields_(fields),
        indices_(indices.size()),
        gathered_(indices.size() * fields),
        values_(indices.size() * fields) {
    HALFSTEP_CUDA(cudaMemcpyAsync(indices_.get(), indices.data(), indices.size() * sizeof(std::int64_t),
                                  cudaMemcpyHostToDevice, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
  }

  /// Returns the cells of `u` in the order of `stream`; waits for them.
  Fields read(const Real* u, std::int64_t field_stride, cudaStream_t stream) {
    constexpr int block = 256;
    gather_cells<<<static_cast<unsigned>((count_ + block - 1) / block), block, 0, stream>>>(
        indices_.get(), count_, fields_, field_stride, u, gathered_.get());
    HALFSTEP_CUDA_LAUNCHED("gather_cells");
    HALFSTEP_CUDA(cudaMemcpyAsync(values_.get(), gathered_.get(), gathered_.count() * sizeof(Real),
                                  cudaMemcpyDeviceToHost, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    Fields fields;
    fields.scalars.resize(fields_ - kFields);
    for (int f = 0; f < fields_; ++f)
      fields.field(f).assign(values_.get() + f * count_, values_.get() + (f + 1) * count_);
    return fields;
  }

 private:
  std::int64_t count_;
  int fields_;
  DeviceBuffer<std::int64_t> indices_;
  DeviceBuffer<Real> gathered_;
  PinnedBuffer<Real> values_;
};

}  // namespace halfstep
