// The diagnosis of a failed stage on the device. Include it only in files compiled by nvcc.
#pragma once

#include <cstdint>
#include <optional>

#include "physics/cuda/elements/elements.hpp"
#include "physics/cuda/hexahedra/hexahedra.hpp"
#include "physics/cuda/step_kernels.cuh"
#include "physics/recovery/diagnose.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/exchange/device_exchange.hpp"

namespace halfstep {

/// The defects that diagnosis counted, in pinned memory.
struct DefectsRecord {
  Defects defects;
  std::uint64_t epoch;  // stored last, when the rest is complete
};

/// Counts the defects of the cells of a layout, a thread to each. kind_in(i, j, k): the SoftErrorKind of a
/// cell's defect; -1: none. Only integers are reduced, so the result is reproducible.
template <class KindIn>
__device__ __forceinline__ void count_defects(const Layout& layout, const CellNumbers& cells,
                                              Defects* defects, const KindIn& kind_in) {
  // Reduced by warp and block first: where every cell is bad, a quarter of a million atomics on one word take
  // longer than the step.
  __shared__ unsigned counts[kSoftErrorKinds];
  __shared__ unsigned long long key;
  if (threadIdx.x < kSoftErrorKinds) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) key = kNoDefect;
  __syncthreads();
  int i, j, k, kind = -1;
  if (thread_cell(layout, i, j, k)) kind = kind_in(i, j, k);
  __syncwarp();
  const unsigned alike = __match_any_sync(~0u, kind);
  if (kind >= 0 && threadIdx.x % 32 == __ffs(alike) - 1) {
    atomicAdd(&counts[kind], __popc(alike));
    atomicMin(&key, static_cast<unsigned long long>(defect_key(kind, cells.number(i, j, k))));
  }
  __syncthreads();
  if (key == kNoDefect) return;
  if (threadIdx.x < kSoftErrorKinds && counts[threadIdx.x] > 0)
    atomicAdd(&defects->counts[threadIdx.x], static_cast<unsigned long long>(counts[threadIdx.x]));
  if (threadIdx.x == 0) atomicMin(&defects->key, key);
}

/// Writes the defects for the host, and clears them for the next diagnosis. By one thread, the last thing
/// that is written for the host.
__device__ __forceinline__ void show_defects(Defects* defects, std::uint64_t epoch, DefectsRecord* to_host) {
  to_host->defects = *defects;
  *defects = {{}, kNoDefect};
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(to_host->epoch)
      .store(epoch, cuda::memory_order_release);
}

/// Counts the defects in the output of a stage and sets the bad cells in `flags`. `mask`: the cells of the
/// attempt's remedy.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    find_defects(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ DiagnosisSetup e,
                 const __grid_constant__ BoundaryConditions<Real> rules, const std::uint8_t* mask,
                 std::uint8_t* flags, Defects* defects) {
  count_defects(a.layout, e.cells, defects, [&](int i, int j, int k) {
    const int kind = diagnose_cell(a, e, i, j, k, FirstOrderFaces<Real>{rules, mask}).kind;
    if (kind >= 0 && calls_for_remedy(kind)) flags[rules.flags.index(i, j, k)] = 1;
    return kind;
  });
}

/// The first-order faces of the one cell of a patch, for replay_cell(), its sponge, and which cell it is.
struct PatchFaces {
  bool first_order[3][2];
  SpongeCell sponge;
  int cell[3];  ///< in the mesh
  HALFSTEP_HD bool operator()(int, int, int, int axis, int side) const { return first_order[axis][side]; }
};

/// Copies the inputs of the reported cell's update to a mesh of that one cell, so that the redo may overwrite
/// the stage, and writes the defects for the host. `patch`: the stage's arguments with the patch's layout and
/// memory. A rank that has not the reported cell copies its first one, which nobody looks at.
template <class Real>
__global__ void gather_reported(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ StageArguments<Real> patch, Real* const patch_in,
                                Real* const patch_start, const __grid_constant__ RelaxedCells sponge,
                                const __grid_constant__ CellNumbers numbers, PatchFaces* faces,
                                const __grid_constant__ BoundaryConditions<Real> rules,
                                const std::uint8_t* mask, Defects* defects, std::uint64_t epoch,
                                DefectsRecord* to_host) {
  int at[3];
  reported_cell(numbers, defects->key, at);
  for (int axis = 0; axis < 3; ++axis) at[axis] -= numbers.first[axis];
  const bool is_here = a.layout.holds(at[0], at[1], at[2]);
  const int i = is_here ? at[0] : 0, j = is_here ? at[1] : 0, k = is_here ? at[2] : 0;
  const Layout& p = patch.layout;
  const int wide_x = 1 + 2 * p.ghosts[0], wide_y = 1 + 2 * p.ghosts[1], wide_z = 1 + 2 * p.ghosts[2];
  for (int n = threadIdx.x; n < wide_x * wide_y * wide_z; n += blockDim.x) {
    const int x = n % wide_x - p.ghosts[0], y = n / wide_x % wide_y - p.ghosts[1],
              z = n / wide_x / wide_y - p.ghosts[2];
    const std::int64_t from = a.layout.index(i + x, j + y, k + z), to = p.index(x, y, z);
    for (int f = 0; f < p.fields; ++f) {
      const std::int64_t from_f = from + f * a.layout.field_stride, to_f = to + f * p.field_stride;
      patch_in[to_f] = a.in[from_f];
      if (a.start) patch_start[to_f] = a.start[from_f];
      patch.out[to_f] = a.out[from_f];
    }
  }
  if (threadIdx.x < 6) {
    const int axis = threadIdx.x / 2, side = threadIdx.x % 2;
    faces->first_order[axis][side] =
        p.ghosts[axis] > 0 && FirstOrderFaces<Real>{rules, mask}(i, j, k, axis, side);
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  faces->sponge = sponge.find(i, j, k);
  faces->sponge.i = faces->sponge.j = faces->sponge.k = 0;
  faces->cell[0] = i, faces->cell[1] = j, faces->cell[2] = k;
  show_defects(defects, epoch, to_host);
}

template <class Real>
__global__ void diagnose_reported(const __grid_constant__ StageArguments<Real> patch,
                                  const __grid_constant__ DiagnosisSetup e, const PatchFaces* faces,
                                  CellDiagnosis<Real>* to_host) {
  DiagnosisSetup of_patch = e;
  of_patch.sponge = {&faces->sponge, 1};
  of_patch.solids = {};
  StageArguments<Real> of_cell = patch;
  const TablesFromCell<Real> tables(patch.axes, faces->cell);
  of_cell.axes = tables.views();
  *to_host = diagnose_in_full(of_cell, of_patch, 0, 0, 0, *faces);
}

/// Counts defects, and diagnoses the reported cell in full on a stream of its own.
template <class Real>
class DiagnosisMaker {
 public:
  explicit DiagnosisMaker(const Layout& layout)
      : patch_layout_({1, 1, 1}, {layout.ghosts[0], layout.ghosts[1], layout.ghosts[2]}, layout.fields,
                      layout.two_gases),
        defects_(1),
        patch_(3 * patch_layout_.values()),
        faces_(1) {
    const Defects none{{}, kNoDefect};
    HALFSTEP_CUDA(cudaMemcpy(defects_.get(), &none, sizeof none, cudaMemcpyHostToDevice));
  }

  /// Queues the diagnosis of the stage `a` to `stream`, whose record has `epoch` at its end. Sets the bad
  /// cells in `flags`. `exchange`: of all ranks; nullptr: there is one.
  void make(const StageArguments<Real>& a, const DiagnosisSetup& setup, const BoundaryConditions<Real>& rules,
            const std::uint8_t* mask, std::uint8_t* flags, std::uint64_t epoch, cudaStream_t stream,
            exchange::DeviceExchange* exchange) {
    const int* n = a.layout.cells;
    find_defects<<<blocks_for(std::int64_t{n[0]} * n[1] * n[2]), kSmallBlock, 0, stream>>>(
        a, setup, rules, mask, flags, defects_.get());
    HALFSTEP_CUDA_LAUNCHED("find_defects");
    merge_over_ranks(exchange, stream);

    // The reported cell is diagnosed in full concurrently with the redo, from a copy of its inputs.
    StageArguments<Real> patch = a;
    patch.layout = patch_layout_;
    Real* const in = patch_.get();
    Real* const start = in + patch_layout_.values();
    patch.in = in;
    if (a.start) patch.start = start;
    patch.out = start + patch_layout_.values();
    replayed_.hold_back(stream);
    gather_reported<<<1, 352, 0, stream>>>(a, patch, in, start, setup.sponge, setup.cells, faces_.get(),
                                           rules, mask, defects_.get(), epoch, found_.device());
    HALFSTEP_CUDA_LAUNCHED("gather_reported");
    wait_until_all_have_read(exchange, stream);
    follow(stream);
    diagnose_reported<<<1, 1, 0, stream_>>>(patch, setup, faces_.get(), examined_.device());
    HALFSTEP_CUDA_LAUNCHED("diagnose_reported");
    replayed_.record(stream_);
  }

  /// Queues the same in elements. The reported point is diagnosed in full before the redo: so many cells
  /// matter to it that they are not copied.
  void make_in_elements(int degree, const StageArguments<Real>& a, const DiagnosisSetup& setup,
                        const BoundaryConditions<Real>& rules, const std::uint8_t* mask, Remedy remedy,
                        std::uint8_t* flags, std::uint64_t epoch, cudaStream_t stream,
                        exchange::DeviceExchange* exchange) {
    if (!point_) point_.emplace();
    with_element_kernels<Real>(degree, [&](auto kernels) {
      const ElementDiagnosis<Real> diagnosis{a, setup, rules, mask, remedy, defects_.get()};
      kernels.find_defects(diagnosis, flags, stream);
      merge_over_ranks(exchange, stream);
      kernels.report(diagnosis, epoch, found_.device(), point_->device(), stream);
    });
    wait_until_all_have_read(exchange, stream);
    follow(stream);
  }

  /// Queues the same in hexahedra. `time`: of the stage's input.
  void make_in_hexahedra(const DeviceHexahedra<Real>& hexahedra, double time, const StageArguments<Real>& a,
                         const DiagnosisSetup& setup, const BoundaryConditions<Real>& rules,
                         const std::uint8_t* mask, Remedy remedy, std::uint8_t* flags, std::uint64_t epoch,
                         cudaStream_t stream, exchange::DeviceExchange* exchange) {
    using Kernels = AnyHexahedraKernels<Real>;
    const ElementDiagnosis<Real> diagnosis{a, setup, rules, mask, remedy, defects_.get()};
    Kernels::find_defects(diagnosis, hexahedra, time, flags, stream);
    merge_over_ranks(exchange, stream);
    Kernels::report(diagnosis, hexahedra, time, epoch, found_.device(), examined_.device(), stream);
    wait_until_all_have_read(exchange, stream);
    follow(stream);
  }

  /// Returns the defects that the stage has, to be read once its epoch is that of make().
  DefectsRecord& found() const { return *found_.host(); }

  /// Waits for the reported cell's diagnosis.
  const CellDiagnosis<Real>& reported() const {
    stream_.synchronize();
    return *examined_.host();
  }

  /// Waits for the reported point's diagnosis.
  const PointDiagnosis<Real>& reported_point() const {
    stream_.synchronize();
    return *point_->host();
  }

 private:
  /// Makes the defects those of all ranks. `exchange`: of all ranks; nullptr: there is one.
  void merge_over_ranks(exchange::DeviceExchange* exchange, cudaStream_t stream) {
    if (!exchange) return;
    static_assert(sizeof(Defects) == (kSoftErrorKinds + 1) * sizeof(std::uint64_t));
    auto* const words = reinterpret_cast<std::uint64_t*>(defects_.get());
    const exchange::ReducedWords parts[] = {{words, kSoftErrorKinds, exchange::Reduction::sum},
                                            {words + kSoftErrorKinds, 1, exchange::Reduction::min}};
    exchange->reduce(parts, stream);
  }

  /// Lets what a redo writes into other ranks' ghost cells wait until they have been read here. The reduced
  /// word is that of no defect, on all ranks.
  void wait_until_all_have_read(exchange::DeviceExchange* exchange, cudaStream_t stream) {
    if (!exchange) return;
    const exchange::ReducedWords all_have_read{
        &reinterpret_cast<std::uint64_t*>(defects_.get())[kSoftErrorKinds], 1, exchange::Reduction::min};
    exchange->reduce({&all_have_read, 1}, stream);
  }

  /// Lets the own stream wait for what is queued to `stream`.
  void follow(cudaStream_t stream) {
    gathered_.record(stream);
    gathered_.hold_back(stream_);
  }

  Layout patch_layout_;  // of one cell
  DeviceBuffer<Defects> defects_;
  DeviceBuffer<Real> patch_;
  DeviceBuffer<PatchFaces> faces_;
  PinnedValue<DefectsRecord> found_;
  PinnedValue<CellDiagnosis<Real>> examined_;
  std::optional<PinnedValue<PointDiagnosis<Real>>> point_;  // in elements
  Stream stream_;
  Event gathered_, replayed_;
};

}  // namespace halfstep
