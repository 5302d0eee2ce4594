// The cells in bodies, on a device. Include it only in files compiled by nvcc.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/cuda/control.hpp"
#include "physics/cuda/step_kernels.cuh"
#include "physics/diagnostics/body_loads.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/solids/solid_state.hpp"
#include "physics/solids/solids.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Fills cell number n in bodies of the state `u`.
template <class Real>
__device__ void fill_solid(const BoundaryConditions<Real>& rules, const SolidCellsView& cells,
                           const Conserved<Real>& rest, std::int64_t n, Real* u) {
  if (n < cells.near_count) return fill_solid_cell(rules, cells.walls, cells.near[n], u);
  n -= cells.near_count;
  if (n < cells.rim_count) return fill_deep_cell(rules.layout, cells.rim[n], rest, u);
  n -= cells.rim_count;
  if (n < cells.core_count) fill_deep_cell(rules.layout, cells.core[n], rest, u);
}

/// Fills the cells in bodies of a stage's output. If it `looks`, first finds the largest CFL rate that the
/// stage left in them.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    fill_solids(const __grid_constant__ StageArguments<Real> a,
                const __grid_constant__ BoundaryConditions<Real> rules,
                const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                bool looks, SolidDoubt* doubt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const std::int64_t n = global_thread();
  if (looks && a.wants_rate && n - threadIdx.x % 32 < cells.near_count + cells.rim_count) {
    Real rate = 0;
    if (n < cells.near_count) {
      const int(&at)[3] = cells.near[n].at;
      check_cell(a, at[0], at[1], at[2], rate);
    } else if (n - cells.near_count < cells.rim_count) {
      const CellPlace& at = cells.rim[n - cells.near_count];
      check_cell(a, at[0], at[1], at[2], rate);
    }
    rate = largest_of_warp(rate);
    if (threadIdx.x % 32 == 0) raise_bits(&doubt->solid_rate_bits, static_cast<double>(rate));
  }
  fill_solid(rules, cells, rest, n, a.out);
}

/// Fills the cells in bodies of an initial state.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    begin_solids(const __grid_constant__ BoundaryConditions<Real> rules,
                 const __grid_constant__ SolidCellsView cells, const __grid_constant__ Conserved<Real> rest,
                 Real* u) {
  fill_solid(rules, cells, rest, global_thread(), u);
}

/// Whether what a stage left in bodies may have raised, or set its CFL rate. `core_rate`: of the deep cells
/// that nothing changes.
template <class Real>
__device__ bool is_in_doubt(const StageArguments<Real>& a, const StageResult& result, const SolidDoubt& doubt,
                            double core_rate, const soft_error::Reporter<>& reporter) {
  const double rate = __longlong_as_double(static_cast<long long>(result.cfl_rate_bits));
  return reporter.raised() ||
         (a.wants_rate && (doubt.solid_rate_bits >= result.cfl_rate_bits || core_rate >= rate));
}

/// Looks at the cells in the gas alone, if there is doubt.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    look_at_gas(const __grid_constant__ StageArguments<Real> a, const SolidMask mask,
                const StageResult* result, SolidDoubt* doubt, double core_rate,
                soft_error::Reporter<> reporter) {
  if (reporter.cancelled() || !is_in_doubt(a, *result, *doubt, core_rate, reporter)) return;
  Real rate = 0;
  bool good = true;
  visit_in_warps(a.layout.cell_count(), [&](std::int64_t n) {
    int i, j, k;
    if (!find_cell(a.layout, n, i, j, k) || mask.has(a.layout, i, j, k)) return;
    Real own = 0;
    good &= check_cell(a, i, j, k, own);
    rate = max(own, rate);
  });
  if (!good) doubt->gas_is_bad = 1;
  rate = largest_of_warp(rate);
  if (threadIdx.x % 32 == 0) raise_bits(&doubt->gas_rate_bits, double(rate));
}

/// Corrects the stage's rate to that of the gas, and takes its raise back where the gas is well.
template <class Real>
__global__ void end_doubt(const __grid_constant__ StageArguments<Real> a, StageResult* result,
                          SolidDoubt* doubt, double core_rate, soft_error::Reporter<> reporter) {
  if (reporter.cancelled() || !is_in_doubt(a, *result, *doubt, core_rate, reporter)) return;
  if (a.wants_rate) result->cfl_rate_bits = doubt->gas_rate_bits;
  if (!doubt->gas_is_bad) reporter.withdraw();
  *doubt = {};
}

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
  CudaSolids(const Solids& solids, cudaStream_t stream) : layers_(solids.cells().layers) {
    const SolidCells& all = solids.cells();
    put(near_, all.near, stream);
    put(rim_, all.rim, stream);
    put(core_, all.core, stream);
    put(mask_, all.mask, stream);
    put(walls_, walls_of(solids.bodies()), stream);
    faces_.resize(all.faces.size());
    for (std::size_t n = 0; n < faces_.size(); ++n) put(faces_[n], all.faces[n], stream);
    view_ = {near_.get(), std::ssize(all.near), rim_.get(),  std::ssize(all.rim),
             core_.get(), std::ssize(all.core), walls_.get()};
  }

  const SolidCellsView& view() const { return view_; }
  SolidMask mask() const { return {mask_.get()}; }
  const std::vector<DeviceBuffer<SolidFace>>& faces() const { return faces_; }
  bool reach_beyond_sides() const { return layers_ > 0; }
  std::int64_t bytes() const {
    return view_.near_count * std::int64_t{sizeof(SolidCell)} +
           (view_.rim_count + view_.core_count) * std::int64_t{sizeof(CellPlace)} +
           static_cast<std::int64_t>(mask_.count());
  }

 private:
  template <class T>
  static void put(DeviceBuffer<T>& to, const std::vector<T>& from, cudaStream_t stream) {
    if (from.empty()) return;
    to = DeviceBuffer<T>(std::ssize(from));
    HALFSTEP_CUDA(
        cudaMemcpyAsync(to.get(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
  }

  int layers_;
  DeviceBuffer<SolidCell> near_;
  DeviceBuffer<CellPlace> rim_, core_;
  DeviceBuffer<std::uint8_t> mask_;
  DeviceBuffer<Wall> walls_;
  std::vector<DeviceBuffer<SolidFace>> faces_;  // of each body
  SolidCellsView view_;
};

}  // namespace halfstep
