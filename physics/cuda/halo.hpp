// Ghost cells from other ranks, on a device: one kernel packs them into a message for each neighbour, another
// unpacks what came. Include it only in files compiled by nvcc.
#pragma once

#include <vector>

#include "physics/mesh/block.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/exchange/device_exchange.hpp"

namespace halfstep {

/// The cells of all messages of a rank, box behind box.
struct HaloBoxes {
  static constexpr int kMost = 26;  // neighbours of a block
  int count = 0;
  int first[kMost][3], cells[kMost][3];
  std::int64_t begin[kMost + 1] = {};  // of each box among the cells of all

  void add(const exchange::Box& box) {
    for (int axis = 0; axis < 3; ++axis) {
      first[count][axis] = box.first[axis];
      cells[count][axis] = box.cells[axis];
    }
    begin[count + 1] = begin[count] + box.count();
    count += 1;
  }
  HALFSTEP_HD std::int64_t total() const { return begin[count]; }
};

/// Copies the cells to messages or from them, one field of a box behind the other. `Memory`: the layout of
/// `data`.
template <bool packs, class T, class Memory>
__global__ void copy_halo(const __grid_constant__ HaloBoxes boxes, const __grid_constant__ Memory memory,
                          int fields, std::int64_t field_stride, T* data, T* messages) {
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= boxes.total()) return;
  int box = 0;
  while (n >= boxes.begin[box + 1]) ++box;
  const int(&cells)[3] = boxes.cells[box];
  const std::int64_t m = n - boxes.begin[box], count = boxes.begin[box + 1] - boxes.begin[box];
  const unsigned row = static_cast<unsigned>(m / cells[0]);
  const int i = boxes.first[box][0] + static_cast<int>(m % cells[0]),
            j = boxes.first[box][1] + static_cast<int>(row % static_cast<unsigned>(cells[1])),
            k = boxes.first[box][2] + static_cast<int>(row / static_cast<unsigned>(cells[1]));
  T* const own = data + memory.index(i, j, k);
  T* const packed = messages + boxes.begin[box] * fields + m;
  for (int f = 0; f < fields; ++f) {
    if constexpr (packs)
      packed[f * count] = own[f * field_stride];
    else
      own[f * field_stride] = packed[f * count];
  }
}

/// The halo of arrays in one layout. T: the type of their values.
template <class T, class Memory>
class CudaHalo {
 public:
  CudaHalo(const Split& split, const Memory& memory, int layers, exchange::HaloReach reach, int fields,
           std::int64_t field_stride)
      : memory_(memory), fields_(fields), field_stride_(field_stride) {
    const auto messages = exchange::halo_messages(split.cut, split.rank(), layers, reach);
    for (const exchange::HaloMessage& message : messages) {
      if (message.to >= 0) out_boxes_.add(message.send);
      if (message.from >= 0) in_boxes_.add(message.receive);
    }
    out_ = DeviceBuffer<T>(static_cast<std::size_t>(out_boxes_.total() * fields));
    in_ = DeviceBuffer<T>(static_cast<std::size_t>(in_boxes_.total() * fields));
    T *out = out_.get(), *in = in_.get();
    for (const exchange::HaloMessage& message : messages) {
      const std::int64_t values = message.send.count() * fields;
      parcels_.push_back({message.to, message.from, out, in, static_cast<std::size_t>(values) * sizeof(T)});
      if (message.to >= 0) out += values;
      if (message.from >= 0) in += values;
    }
  }

  /// Queues the exchange of the ghost cells of `data`.
  void fill(T* data, exchange::DeviceExchange& exchange, cudaStream_t stream) const {
    copy<true>(out_boxes_, data, out_.get(), stream);
    exchange.swap(parcels_, stream);
    copy<false>(in_boxes_, data, in_.get(), stream);
  }

  std::int64_t bytes() const { return static_cast<std::int64_t>((out_.count() + in_.count()) * sizeof(T)); }

 private:
  template <bool packs>
  void copy(const HaloBoxes& boxes, T* data, T* messages, cudaStream_t stream) const {
    constexpr int block = 256;
    if (boxes.count == 0) return;
    copy_halo<packs><<<static_cast<unsigned>((boxes.total() + block - 1) / block), block, 0, stream>>>(
        boxes, memory_, fields_, field_stride_, data, messages);
    HALFSTEP_CUDA_LAUNCHED("copy_halo");
  }

  Memory memory_;
  int fields_;
  std::int64_t field_stride_;
  HaloBoxes out_boxes_, in_boxes_;
  DeviceBuffer<T> out_, in_;
  std::vector<exchange::Parcel> parcels_;
};

}  // namespace halfstep
