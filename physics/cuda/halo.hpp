// Ghost cells from other ranks, on a device. Where a mesh is cut along z alone and messages may have rows,
// they are whole planes of the arrays themselves. Else one kernel packs them into a message for each
// neighbour, another unpacks what came. Include it only in files compiled by nvcc.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
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
  /// `arrays`: all that fill() will be called with, if rows of planes may go from array to array; they stay
  /// where they are.
  CudaHalo(const Split& split, const Memory& memory, int layers, exchange::HaloReach reach, int fields,
           std::int64_t field_stride, exchange::DeviceExchange& exchange, const std::vector<T*>& arrays = {})
      : memory_(memory), fields_(fields), field_stride_(field_stride) {
    const auto messages = exchange::halo_messages(split.cut, split.rank(), layers, reach);
    const bool has_planes = !split.cut.is_cut(0) && !split.cut.is_cut(1);
    if (has_planes && exchange.takes_rows() && !arrays.empty()) {
      for (T* const array : arrays) planes_.push_back({array, exchange.route(planes_of(messages, array))});
      return;
    }
    for (const exchange::HaloMessage& message : messages) {
      if (message.to >= 0) out_boxes_.add(message.send);
      if (message.from >= 0) in_boxes_.add(message.receive);
    }
    const auto values = [&](const HaloBoxes& boxes) {
      return static_cast<std::size_t>(boxes.total() * fields);
    };
    out_ = DeviceBuffer<T>(values(out_boxes_));
    for (Received& received : received_) {
      received.values = DeviceBuffer<T>(values(in_boxes_));
      received.route = exchange.route(packed(messages, received.values.get()));
    }
  }

  /// Queues the exchange of the ghost cells of `data`.
  void fill(T* data, cudaStream_t stream) {
    fill(data, stream, [stream](exchange::Route& route) { route.swap(stream); });
  }
  /// Does the same beside kernels of other streams.
  void fill_beside(T* data, cudaStream_t stream) {
    fill(data, stream, [stream](exchange::Route& route) { route.swap_beside(stream); });
  }

  std::int64_t bytes() const {
    return static_cast<std::int64_t>((out_.count() + 2 * received_[0].values.count()) * sizeof(T));
  }

 private:
  struct Planes {
    T* array;
    std::unique_ptr<exchange::Route> route;
  };
  struct Received {
    DeviceBuffer<T> values;
    std::unique_ptr<exchange::Route> route;
  };

  template <class Swap>
  void fill(T* data, cudaStream_t stream, Swap swap) {
    if (!planes_.empty()) {
      const auto of_data = [data](const Planes& planes) { return planes.array == data; };
      swap(*std::find_if(planes_.begin(), planes_.end(), of_data)->route);
      return;
    }
    // Two memories in turn, so that no rank waits until the other has unpacked what came before.
    std::swap(received_[0], received_[1]);
    copy<true>(out_boxes_, data, out_.get(), stream);
    swap(*received_[0].route);
    copy<false>(in_boxes_, data, received_[0].values.get(), stream);
  }

  /// Rounds up to what a thread copies best. Rows of cells begin so and have room for it (Layout).
  static std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  /// Returns messages whose rows are the planes of a field, from the first cell to the last. Ghost cells
  /// along x and y between them travel too; ranks that fill them do so later.
  std::vector<exchange::DeviceParcel> planes_of(const std::vector<exchange::HaloMessage>& messages,
                                                T* array) const {
    const auto first_of = [&](const exchange::Box& box) {
      return array + memory_.index(box.first[0], box.first[1], box.first[2]);
    };
    const std::size_t pitch = static_cast<std::size_t>(field_stride_) * sizeof(T);
    std::vector<exchange::DeviceParcel> parcels;
    for (const exchange::HaloMessage& message : messages) {
      const exchange::Box& box = message.send;
      const T* const last =
          array + memory_.index(box.first[0] + box.cells[0] - 1, box.first[1] + box.cells[1] - 1,
                                box.first[2] + box.cells[2] - 1);
      parcels.push_back({message.to, message.from, first_of(box), first_of(message.receive),
                         aligned(static_cast<std::size_t>(last + 1 - first_of(box)) * sizeof(T)),
                         static_cast<std::size_t>(fields_), pitch, pitch});
    }
    return parcels;
  }

  /// Returns messages that lie behind each other, in out_ and at `in`.
  std::vector<exchange::DeviceParcel> packed(const std::vector<exchange::HaloMessage>& messages,
                                             T* in) const {
    std::vector<exchange::DeviceParcel> parcels;
    const T* out = out_.get();
    for (const exchange::HaloMessage& message : messages) {
      const std::int64_t values = message.send.count() * fields_;
      parcels.push_back({message.to, message.from, out, in, static_cast<std::size_t>(values) * sizeof(T)});
      if (message.to >= 0) out += values;
      if (message.from >= 0) in += values;
    }
    return parcels;
  }

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
  std::vector<Planes> planes_;  // of each array; else messages are packed
  HaloBoxes out_boxes_, in_boxes_;
  DeviceBuffer<T> out_;
  Received received_[2];
};

}  // namespace halfstep
