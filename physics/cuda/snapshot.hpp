// Asynchronous copies from the device to the host, of U^n or of some of its cells: packed on the device at
// once, then copied to pinned memory by a stream of their own, concurrently with the following steps.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "physics/mesh/layout.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Packs the interior cells, one field after the other.
template <class Real>
__global__ void pack(const __grid_constant__ Layout l, const Real* u, Real* packed) {
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t plane = std::int64_t{l.cells[0]} * l.cells[1], cells = plane * l.cells[2];
  if (n >= cells) return;
  const int i = static_cast<int>(n % l.cells[0]), j = static_cast<int>(n / l.cells[0] % l.cells[1]),
            k = static_cast<int>(n / plane);
  for (int f = 0; f < l.fields; ++f) packed[f * cells + n] = u[f * l.field_stride + l.index(i, j, k)];
}

/// Makes copies of fields that a kernel packs. Memory is allocated with the first of them and reused: one
/// packed copy on the device, and as many in pinned memory as are alive at once.
template <class Real>
class FieldCopies {
 public:
  FieldCopies(int fields, std::int64_t cells)
      : fields_(fields), cells_(cells), rooms_(std::make_shared<Rooms>()) {}

  /// Begins to copy what pack(packed) queues to `stream`. Work that is queued to `stream` afterwards may
  /// overwrite what was packed.
  template <class Pack>
  std::unique_ptr<Snapshot> take(cudaStream_t stream, Pack pack) {
    const std::size_t values = static_cast<std::size_t>(fields_ * cells_);
    if (!packed_.get()) packed_ = DeviceBuffer<Real>(values);
    std::unique_ptr<Room> room = rooms_->take();
    if (!room) room = std::make_unique<Room>(values);
    emptied_.hold_back(stream);
    pack(packed_.get());
    filled_.record(stream);
    filled_.hold_back(stream_);
    HALFSTEP_CUDA(cudaMemcpyAsync(room->values.get(), packed_.get(), values * sizeof(Real),
                                  cudaMemcpyDeviceToHost, stream_));
    emptied_.record(stream_);
    room->filled.record(stream_);
    return std::make_unique<Copy>(std::move(room), rooms_, fields_, cells_);
  }

  std::int64_t device_bytes() const { return static_cast<std::int64_t>(packed_.count() * sizeof(Real)); }

 private:
  struct Room {
    explicit Room(std::size_t count) : values(count) {}
    PinnedBuffer<Real> values;
    Event filled;
  };

  /// The pool of unused buffers in pinned memory; snapshots return theirs from any thread.
  class Rooms {
   public:
    std::unique_ptr<Room> take() {
      const std::lock_guard lock(mutex_);
      if (free_.empty()) return nullptr;
      std::unique_ptr<Room> room = std::move(free_.back());
      free_.pop_back();
      return room;
    }
    void give_back(std::unique_ptr<Room> room) {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(room));
    }

   private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Room>> free_;
  };

  class Copy final : public Snapshot {
   public:
    Copy(std::unique_ptr<Room> room, std::shared_ptr<Rooms> rooms, int fields, std::int64_t cells)
        : room_(std::move(room)), rooms_(std::move(rooms)), fields_(fields), cells_(cells) {
      HALFSTEP_CUDA(cudaGetDevice(&device_));
    }
    ~Copy() override { rooms_->give_back(std::move(room_)); }

    FieldsView fields() override {
      HALFSTEP_CUDA(cudaSetDevice(device_));  // threads begin with the first device
      room_->filled.synchronize();
      FieldSpans<Real> spans;
      for (int f = 0; f < fields_; ++f)
        spans.emplace_back(room_->values.get() + f * cells_, static_cast<std::size_t>(cells_));
      return spans;
    }

   private:
    std::unique_ptr<Room> room_;
    std::shared_ptr<Rooms> rooms_;
    int fields_;
    std::int64_t cells_;
    int device_ = 0;
  };

  int fields_;
  std::int64_t cells_;
  DeviceBuffer<Real> packed_;
  Stream stream_;
  Event filled_, emptied_;
  std::shared_ptr<Rooms> rooms_;
};

/// Makes snapshots of a state.
template <class Real>
class SnapshotMaker {
 public:
  explicit SnapshotMaker(const Layout& layout)
      : layout_(layout), copies_(layout.fields, layout.cell_count()) {}

  std::unique_ptr<Snapshot> make(const Real* u, cudaStream_t stream) {
    return copies_.take(stream, [&](Real* packed) {
      constexpr int block = 256;
      const auto blocks = static_cast<unsigned>((layout_.cell_count() + block - 1) / block);
      pack<<<blocks, block, 0, stream>>>(layout_, u, packed);
      HALFSTEP_CUDA_LAUNCHED("pack");
    });
  }

  std::int64_t device_bytes() const { return copies_.device_bytes(); }

 private:
  Layout layout_;
  FieldCopies<Real> copies_;
};

}  // namespace halfstep
