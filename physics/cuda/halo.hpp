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

/// A message between two ranks.
struct CudaHaloMessage : exchange::HaloMessage {
  /// The rows along y that are sent, one after the other, in place of those of the box; empty: those.
  std::vector<std::int32_t> rows;
};

/// Returns the messages about ghost cells in `layers` around a block.
inline std::vector<CudaHaloMessage> messages_around(const Split& split, int layers,
                                                    exchange::HaloReach reach) {
  std::vector<CudaHaloMessage> all;
  for (const exchange::HaloMessage& m : exchange::halo_messages(split.cut, split.rank(), layers, reach))
    all.push_back({m, {}});
  return all;
}

/// Returns the messages about rows that a part of a mesh has behind its own: those that come from another
/// rank lie behind each other, the near and the far ones. `cells`: of each row.
inline std::vector<CudaHaloMessage> messages_behind(const Split& split, bool with_far, int cells) {
  using Rows = std::vector<std::int32_t>;
  std::vector<CudaHaloMessage> all;
  const auto add = [&](int peer, const Rows& send, const Rows& receive) {
    CudaHaloMessage message{{send.empty() ? -1 : peer, receive.empty() ? -1 : peer, {}, {}}, send};
    message.send.cells = {cells, static_cast<int>(send.size()), 1};
    message.receive = {{0, receive.empty() ? 0 : receive[0], 0},
                       {cells, static_cast<int>(receive.size()), 1}};
    all.push_back(std::move(message));
  };
  const auto near = exchange::row_messages(split.cut, split.rank(), false);
  for (const exchange::RowMessage& m : near) add(m.peer, m.send, m.receive);
  if (!with_far) return all;
  for (const exchange::RowMessage& m : exchange::row_messages(split.cut, split.rank(), true)) {
    const auto is_same = [&](const exchange::RowMessage& other) { return other.peer == m.peer; };
    const auto first = std::find_if(near.begin(), near.end(), is_same);
    const auto rest = [&](const Rows& rows, Rows exchange::RowMessage::*of) {
      return Rows(rows.begin() + (first == near.end() ? 0 : std::ssize((*first).*of)), rows.end());
    };
    add(m.peer, rest(m.send, &exchange::RowMessage::send), rest(m.receive, &exchange::RowMessage::receive));
  }
  return all;
}

/// Cells of messages of a rank, box behind box.
struct HaloBoxes {
  static constexpr int kMost = 26;  // neighbours of a block
  int count = 0;
  int first[kMost][3], cells[kMost][3];
  std::int64_t begin[kMost + 1] = {};    // of each box among the cells of all
  const std::int32_t* rows[kMost] = {};  // of each box, in place of its own; nullptr: those

  void add(const exchange::Box& box, const std::int32_t* of_rows) {
    rows[count] = of_rows;
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
    const std::int32_t* const rows = boxes.rows[box];
    index = memory.index(first[0] + i, rows ? rows[j] : first[1] + j, first[2] + k);
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
  CudaHalo(const Split& split, const Memory& memory, const std::vector<CudaHaloMessage>& messages, int fields,
           std::int64_t field_stride, exchange::DeviceExchange& exchange, const std::vector<T*>& arrays)
      : memory_(memory), fields_(fields), field_stride_(field_stride) {
    put_rows(messages);
    const std::int32_t* rows = rows_.get();
    for (const CudaHaloMessage& message : messages) {
      if (message.to >= 0) {
        add(message.send, message.rows.empty() ? nullptr : rows, out_boxes_);
        goes_up_.push_back(message.receive.first[2] < 0);
        rows += message.rows.size();
      }
      if (message.from >= 0) add(message.receive, nullptr, in_boxes_);
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
    auto theirs = window_of(data).theirs().begin();
    for (const HaloBoxes& boxes : out_boxes_) {
      BoxesOfOthers others;
      std::copy_n(theirs, boxes.count, others.box);
      theirs += boxes.count;
      launch_early("write_halo", write_halo<T, Memory>, blocks(boxes), kBlock, 0, stream, boxes, memory_,
                   fields_, field_stride_, data, others);
    }
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
    for (const HaloBoxes& boxes : out_boxes_)  // one, of the two ends of z
      for (int box = 0; box < boxes.count; ++box) {
        const exchange::ArrayBox& theirs = window_of(data).theirs()[static_cast<std::size_t>(box)];
        const int side = goes_up_[static_cast<std::size_t>(box)] ? 1 : 0;
        twins.planes[side] = boxes.cells[box][2];
        twins.of[side] = static_cast<T*>(theirs.first) - memory_.index(0, 0, boxes.first[box][2]);
        twins.field_stride[side] = theirs.field_stride;
      }
    return twins;
  }

  /// Returns what has been queued to be sent.
  std::uint64_t bytes_sent() const {
    return fills_ * static_cast<std::uint64_t>(total(out_boxes_) * fields_) * sizeof(T);
  }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>((out_.count() + in_.count()) * sizeof(T) +
                                     rows_.count() * sizeof(std::int32_t));
  }

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

  static void add(const exchange::Box& box, const std::int32_t* rows, std::vector<HaloBoxes>& all) {
    if (all.empty() || all.back().count == HaloBoxes::kMost) all.emplace_back();
    all.back().add(box, rows);
  }
  static std::int64_t total(const std::vector<HaloBoxes>& all) {
    std::int64_t cells = 0;
    for (const HaloBoxes& boxes : all) cells += boxes.total();
    return cells;
  }

  /// Copies the rows that are sent to the device.
  void put_rows(const std::vector<CudaHaloMessage>& messages) {
    std::vector<std::int32_t> rows;
    for (const CudaHaloMessage& message : messages)
      rows.insert(rows.end(), message.rows.begin(), message.rows.end());
    if (!rows.empty()) rows_ = copied_to_device(rows);
  }

  /// Returns messages whose boxes are ghost cells of `array`.
  std::vector<exchange::WindowMessage> in_array(const std::vector<CudaHaloMessage>& messages,
                                                T* array) const {
    const auto index = [this](int i, int j, int k) { return memory_.index(i, j, k); };
    std::vector<exchange::WindowMessage> boxes;
    for (const CudaHaloMessage& message : messages) {
      const auto& [i, j, k] = message.receive.first;
      boxes.push_back({message.to,
                       message.from,
                       {array + index(i, j, k),
                        {index(0, 1, 0) - index(0, 0, 0), index(0, 0, 1) - index(0, 0, 0)},
                        field_stride_}});
    }
    return boxes;
  }

  /// Prepares packed messages, which lie behind each other.
  void make_messages(const std::vector<CudaHaloMessage>& messages, exchange::DeviceExchange& exchange) {
    out_ = DeviceBuffer<T>(static_cast<std::size_t>(total(out_boxes_) * fields_));
    in_ = DeviceBuffer<T>(static_cast<std::size_t>(total(in_boxes_) * fields_));
    T *out = out_.get(), *in = in_.get();
    std::vector<exchange::Parcel> parcels;
    const auto bytes = [this](const exchange::Box& box) {
      return static_cast<std::size_t>(box.count() * fields_) * sizeof(T);
    };
    // What goes and what comes by rows differ in size.
    for (const CudaHaloMessage& message : messages) {
      if (message.to >= 0) parcels.push_back({message.to, -1, out, nullptr, bytes(message.send)});
      if (message.from >= 0) parcels.push_back({-1, message.from, nullptr, in, bytes(message.receive)});
      if (message.to >= 0) out += message.send.count() * fields_;
      if (message.from >= 0) in += message.receive.count() * fields_;
    }
    route_ = exchange.route(std::move(parcels));
  }

  static unsigned blocks(const HaloBoxes& boxes) {
    return static_cast<unsigned>((boxes.total() + kBlock - 1) / kBlock);
  }
  template <bool packs>
  void copy(const std::vector<HaloBoxes>& all, T* data, T* messages, cudaStream_t stream) const {
    for (const HaloBoxes& boxes : all) {
      copy_halo<packs>
          <<<blocks(boxes), kBlock, 0, stream>>>(boxes, memory_, fields_, field_stride_, data, messages);
      HALFSTEP_CUDA_LAUNCHED("copy_halo");
      messages += boxes.total() * fields_;
    }
  }

  Memory memory_;
  int fields_;
  std::int64_t field_stride_;
  std::uint64_t fills_ = 0;
  std::vector<HaloBoxes> out_boxes_, in_boxes_;
  DeviceBuffer<std::int32_t> rows_;  // that are sent
  std::vector<bool> goes_up_;        // each box that is sent: along z
  // Where kernels write to other ranks.
  std::vector<WindowOf> windows_;
  bool is_cut_along_z_alone_ = false;
  exchange::NotesAlongAxis notes_;  // for the next sweep
  // Where they do not.
  DeviceBuffer<T> out_, in_;
  std::unique_ptr<exchange::Route> route_;
};

}  // namespace halfstep
