// Ghost cells from other ranks, on a device. Where kernels reach other ranks' memory, one writes them there;
// along z the sweep itself can. Else one kernel packs them into a message for each neighbour, and another
// unpacks what came. Include it only in files compiled by nvcc.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "physics/cuda/stage/stage.hpp"
#include "physics/mesh/block.hpp"
#include "runtime/device/early_launch.hpp"
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

/// A cell of a box: which box, its place there, and its index in the arrays.
struct HaloCell {
  int box, i, j, k;
  std::int64_t index;

  template <class Memory>
  HALFSTEP_HD HaloCell(const HaloBoxes& boxes, const Memory& memory, std::int64_t n) : box(0) {
    while (n >= boxes.begin[box + 1]) ++box;
    const int(&cells)[3] = boxes.cells[box];
    const std::int64_t m = n - boxes.begin[box];
    const unsigned row = static_cast<unsigned>(m / cells[0]);
    i = static_cast<int>(m % cells[0]);
    j = static_cast<int>(row % static_cast<unsigned>(cells[1]));
    k = static_cast<int>(row / static_cast<unsigned>(cells[1]));
    const int(&first)[3] = boxes.first[box];
    index = memory.index(first[0] + i, first[1] + j, first[2] + k);
  }
};

/// Copies the cells to messages or from them, one field of a box behind the other. `Memory`: the layout of
/// `data`.
template <bool packs, class T, class Memory>
__global__ void copy_halo(const __grid_constant__ HaloBoxes boxes, const __grid_constant__ Memory memory,
                          int fields, std::int64_t field_stride, T* data, T* messages) {
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= boxes.total()) return;
  const HaloCell cell(boxes, memory, n);
  const std::int64_t begin = boxes.begin[cell.box], count = boxes.begin[cell.box + 1] - begin;
  T* const own = data + cell.index;
  T* const packed = messages + begin * fields + (n - begin);
  for (int f = 0; f < fields; ++f) {
    if constexpr (packs)
      packed[f * count] = own[f * field_stride];
    else
      own[f * field_stride] = packed[f * count];
  }
}

/// The boxes of other ranks' arrays that copy the boxes of this rank's.
struct BoxesOfOthers {
  exchange::ArrayBox box[HaloBoxes::kMost];
};

/// Writes the cells to other ranks' arrays.
template <class T, class Memory>
__global__ void write_halo(const __grid_constant__ HaloBoxes boxes, const __grid_constant__ Memory memory,
                           int fields, std::int64_t field_stride, const T* data,
                           const __grid_constant__ BoxesOfOthers others) {
  wait_for_earlier_kernels();
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= boxes.total()) return;
  const HaloCell cell(boxes, memory, n);
  const exchange::ArrayBox& box = others.box[cell.box];
  T* const to = static_cast<T*>(box.first) + cell.i + cell.j * box.stride[0] + cell.k * box.stride[1];
  const T* const own = data + cell.index;
  for (int f = 0; f < fields; ++f) to[f * box.field_stride] = own[f * field_stride];
}

/// The halo of arrays in one layout. T: the type of their values.
template <class T, class Memory>
class CudaHalo {
 public:
  /// `arrays`: all that will be filled; they stay where they are.
  CudaHalo(const Split& split, const Memory& memory, int layers, exchange::HaloReach reach, int fields,
           std::int64_t field_stride, exchange::DeviceExchange& exchange, const std::vector<T*>& arrays)
      : memory_(memory), fields_(fields), field_stride_(field_stride) {
    const auto messages = exchange::halo_messages(split.cut, split.rank(), layers, reach);
    for (const exchange::HaloMessage& message : messages) {
      if (message.to >= 0) {
        out_boxes_.add(message.send);
        goes_up_.push_back(message.receive.first[2] < 0);
      }
      if (message.from >= 0) in_boxes_.add(message.receive);
    }
    for (T* const array : arrays)
      if (auto window = exchange.window(in_array(messages, array)))
        windows_.push_back({array, std::move(window)});
    if (has_windows())
      is_cut_along_z_alone_ = !split.cut.is_cut(0) && !split.cut.is_cut(1);
    else
      make_messages(messages, exchange);
  }

  /// Queues the exchange of the ghost cells of `data`.
  void fill(T* data, cudaStream_t stream) {
    if (has_windows()) {
      write(data, stream);
      end(data, stream);
      return;
    }
    fills_ += 1;
    copy<true>(out_boxes_, data, out_.get(), stream);
    route_->swap(stream);
    copy<false>(in_boxes_, data, in_.get(), stream);
  }

  /// Whether other ranks' ghost cells are written by kernels.
  bool has_windows() const { return !windows_.empty(); }
  /// Writes them.
  void write(const T* data, cudaStream_t stream) {
    fills_ += 1;
    window_of(data).begin(stream);
    BoxesOfOthers others;
    std::copy(window_of(data).theirs().begin(), window_of(data).theirs().end(), others.box);
    if (out_boxes_.count == 0) return;
    launch_early("write_halo", write_halo<T, Memory>, blocks(out_boxes_), kBlock, 0, stream, out_boxes_,
                 memory_, fields_, field_stride_, data, others);
  }
  /// Ends what write() or twins() began: waits for the ghost cells of `data`.
  void end(const T* data, cudaStream_t stream) const { window_of(data).end(stream); }
  /// Leaves that to the next sweep that writes twins, which reads `data`.
  void end_by_sweep(const T* data) { notes_ = window_of(data).notes_of_end(); }

  /// Whether a sweep can write them.
  bool has_twins() const { return is_cut_along_z_alone_; }
  /// Lets a sweep that is queued next write the twins of `data`.
  Twins<T> twins(const T* data, cudaStream_t stream) {
    fills_ += 1;
    window_of(data).begin(stream);
    Twins<T> twins{};
    twins.notes = std::exchange(notes_, {});
    for (int box = 0; box < out_boxes_.count; ++box) {
      const exchange::ArrayBox& theirs = window_of(data).theirs()[static_cast<std::size_t>(box)];
      const int side = goes_up_[static_cast<std::size_t>(box)] ? 1 : 0;
      twins.planes[side] = out_boxes_.cells[box][2];
      twins.of[side] = static_cast<T*>(theirs.first) - memory_.index(0, 0, out_boxes_.first[box][2]);
      twins.field_stride[side] = theirs.field_stride;
    }
    return twins;
  }

  /// Returns what has been queued to be sent.
  std::uint64_t bytes_sent() const {
    return fills_ * static_cast<std::uint64_t>(out_boxes_.total() * fields_) * sizeof(T);
  }
  std::int64_t bytes() const { return static_cast<std::int64_t>((out_.count() + in_.count()) * sizeof(T)); }

 private:
  static constexpr int kBlock = 256;

  struct WindowOf {
    const T* array;
    std::unique_ptr<exchange::Window> window;
  };

  exchange::Window& window_of(const T* data) const {
    const auto is_its = [data](const WindowOf& of) { return of.array == data; };
    return *std::find_if(windows_.begin(), windows_.end(), is_its)->window;
  }

  /// Returns messages whose boxes are ghost cells of `array`.
  std::vector<exchange::WindowMessage> in_array(const std::vector<exchange::HaloMessage>& messages,
                                                T* array) const {
    const auto index = [this](int i, int j, int k) { return memory_.index(i, j, k); };
    std::vector<exchange::WindowMessage> boxes;
    for (const auto& [to, from, send, receive] : messages) {
      const auto& [i, j, k] = receive.first;
      boxes.push_back({to,
                       from,
                       {array + index(i, j, k),
                        {index(0, 1, 0) - index(0, 0, 0), index(0, 0, 1) - index(0, 0, 0)},
                        field_stride_}});
    }
    return boxes;
  }

  /// Prepares packed messages, which lie behind each other.
  void make_messages(const std::vector<exchange::HaloMessage>& messages, exchange::DeviceExchange& exchange) {
    out_ = DeviceBuffer<T>(static_cast<std::size_t>(out_boxes_.total() * fields_));
    in_ = DeviceBuffer<T>(static_cast<std::size_t>(in_boxes_.total() * fields_));
    T *out = out_.get(), *in = in_.get();
    std::vector<exchange::Parcel> parcels;
    for (const exchange::HaloMessage& message : messages) {
      const std::int64_t values = message.send.count() * fields_;
      parcels.push_back({message.to, message.from, out, in, static_cast<std::size_t>(values) * sizeof(T)});
      if (message.to >= 0) out += values;
      if (message.from >= 0) in += values;
    }
    route_ = exchange.route(std::move(parcels));
  }

  static unsigned blocks(const HaloBoxes& boxes) {
    return static_cast<unsigned>((boxes.total() + kBlock - 1) / kBlock);
  }
  template <bool packs>
  void copy(const HaloBoxes& boxes, T* data, T* messages, cudaStream_t stream) const {
    if (boxes.count == 0) return;
    copy_halo<packs>
        <<<blocks(boxes), kBlock, 0, stream>>>(boxes, memory_, fields_, field_stride_, data, messages);
    HALFSTEP_CUDA_LAUNCHED("copy_halo");
  }

  Memory memory_;
  int fields_;
  std::int64_t field_stride_;
  std::uint64_t fills_ = 0;
  HaloBoxes out_boxes_, in_boxes_;
  std::vector<bool> goes_up_;  // each box that is sent: along z
  // Where kernels write to other ranks.
  std::vector<WindowOf> windows_;
  bool is_cut_along_z_alone_ = false;
  exchange::NotesAlongAxis notes_;  // for the next sweep
  // Where they do not.
  DeviceBuffer<T> out_, in_;
  std::unique_ptr<exchange::Route> route_;
};

}  // namespace halfstep
