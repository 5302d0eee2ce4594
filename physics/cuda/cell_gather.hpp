// Reads some cells of a state on the device: only their values are copied to the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "physics/cuda/snapshot.hpp"
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
        copies_(fields, count_) {
    HALFSTEP_CUDA(cudaMemcpyAsync(indices_.get(), indices.data(), indices.size() * sizeof(std::int64_t),
                                  cudaMemcpyHostToDevice, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
  }

  /// Begins to copy the cells of `u`, in the order of `stream`.
  std::unique_ptr<Snapshot> read(const Real* u, std::int64_t field_stride, cudaStream_t stream) {
    return copies_.take(stream, [&](Real* packed) {
      constexpr int block = 256;
      gather_cells<<<static_cast<unsigned>((count_ + block - 1) / block), block, 0, stream>>>(
          indices_.get(), count_, fields_, field_stride, u, packed);
      HALFSTEP_CUDA_LAUNCHED("gather_cells");
    });
  }

 private:
  std::int64_t count_;
  int fields_;
  DeviceBuffer<std::int64_t> indices_;
  FieldCopies<Real> copies_;
};

}  // namespace halfstep
