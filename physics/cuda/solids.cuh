// The cells in bodies, on a device. Include it only in files compiled by nvcc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/cuda/solid_kernels.cuh"
#include "physics/diagnostics/body_loads.hpp"
#include "physics/rhs/fourth_order_face.hpp"
#include "physics/solids/solids.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Adds the loads of the gas in a.stage.in on faces of a body.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    add_loads(const __grid_constant__ RhsArguments<Real> a, const __grid_constant__ Scheme scheme,
              const SolidFace* faces, std::int64_t count, ExactLoads* to, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  LoadsWindow window;
  visit_in_warps(count, [&](std::int64_t n) {
    window.add(n < count ? load_on_face(a, scheme, faces[n]) : BodyLoads{}, *to);
  });
  window.flush(*to);
}

/// The cells in bodies, in the memory of a device.
class CudaSolids {
 public:
  CudaSolids(const Solids& solids, const Layout& layout, const FillingOrder& order)
      : layers_(solids.cells().layers), planes_(order.planes()) {
    const SolidCells& all = solids.cells();
    const CellGroups groups = CellGrouping(layout).groups_of(all.near, all.rim, order);
    turns_ = groups.turns;
    rim_ = copied_to_device(groups.rim);
    pairs_ = copied_to_device(groups.pairs);
    view_.groups = {put_records(near_, groups.near), rim_.get(), pairs_.get()};
    view_.core = put_records(core_, all.core);
    mask_ = copied_to_device(all.mask);
    uncorrected_ = copied_to_device(all.uncorrected);
    walls_ = copied_to_device(walls_of(solids.bodies()));
    view_.walls = walls_.get();
    for (const auto& of_body : all.faces) faces_.push_back(copied_to_device(of_body));
  }

  const SolidCellsView& view() const { return view_; }
  /// Returns the first block of a turn's groups.
  std::int64_t begin_of(Turn turn) const { return turns_[static_cast<std::size_t>(turn)]; }
  /// Returns the planes of a sweep's first part, for which the turns are; 0: none.
  int planes() const { return planes_; }
  SolidMask mask() const { return {mask_.get()}; }
  const std::vector<DeviceBuffer<SolidFace>>& faces() const { return faces_; }
  UncorrectedFaces uncorrected() const { return {uncorrected_.get()}; }
  bool reach_beyond_sides() const { return layers_ > 0; }
  std::int64_t bytes() const {
    const auto bytes_of = [](const auto& buffer) {
      return static_cast<std::int64_t>(buffer.count() * sizeof *buffer.get());
    };
    return bytes_of(near_) + bytes_of(rim_) + bytes_of(pairs_) + bytes_of(core_) + bytes_of(mask_) +
           bytes_of(uncorrected_);
  }

 private:
  template <class Record>
  using Words = DeviceBuffer<typename Interleaved<Record>::Word>;

  template <class Record>
  static Interleaved<Record> put_records(Words<Record>& to, const std::vector<Record>& from) {
    to = copied_to_device(interleaved(from));
    return {to.get(), std::ssize(from)};
  }

  int layers_, planes_;
  std::array<std::int64_t, kTurns + 1> turns_;
  Words<GroupedCell> near_;
  DeviceBuffer<CellNumber> rim_;
  DeviceBuffer<FetchedPair> pairs_;
  Words<CellPlace> core_;
  DeviceBuffer<std::uint8_t> mask_, uncorrected_;
  DeviceBuffer<Wall> walls_;
  std::vector<DeviceBuffer<SolidFace>> faces_;  // of each body
  SolidCellsView view_;
};

}  // namespace halfstep
