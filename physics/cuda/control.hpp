// The step control in device memory, and the kernels that plan attempts and tell the host how they ended, so
// that attempts can be queued ahead of the host. Include it only in files compiled by nvcc.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>

#include "physics/cuda/stage/stage.hpp"
#include "physics/diagnostics/budget.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/gas/state.hpp"
#include "physics/solids/solid_rate.hpp"
#include "physics/stage/substeps.hpp"
#include "runtime/device/atomic.hpp"
#include "runtime/device/cuda_check.hpp"
#include "runtime/device/early_launch.hpp"
#include "runtime/exchange/device_exchange.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

inline constexpr int kMaxSubsteps = stage_count(Integrator::ssprk4) + 2;  // with a source

/// The step control in device memory, with the times and sums of the attempt under way.
struct DeviceControl {
  StepControl step;
  double output_time[kMaxSubsteps];  // of the outputs of the attempt's substeps
  double stage_dt;                   // how far its stages go
  StageResult result;
  StageResult before;  // `result` at the beginning of the substep, for an attempt in slices
  SolidDoubt doubt;
};

/// What ranks agree on at the end of an attempt: integers, because their maximum loses no NaN.
struct Agreement {
  std::uint64_t raised;         ///< 0: no substep raised; else the larger, the earlier the substep: a maximum
  std::uint64_t cfl_rate_bits;  ///< a maximum
  std::uint64_t bad_faces;      ///< a sum
  static constexpr std::size_t kMaxima = 2, kSums = 1;

  HALFSTEP_HD static std::uint64_t order_of(int substep) {
    return substep > 0 ? static_cast<std::uint64_t>(kMaxSubsteps + 1 - substep) : 0;
  }
  HALFSTEP_HD int substep() const { return raised > 0 ? kMaxSubsteps + 1 - static_cast<int>(raised) : 0; }
};

/// An attempt's result for the host, in pinned memory.
struct AttemptRecord {
  StepPlan plan;
  double cfl_rate;
  std::int64_t repaired_faces;
  PartialTotals totals;
  Conserved<double> sponged;  // per volume
  Budget budget;              // the same; a kernel before end_attempt() stores it
  int substep;                // that raised; 0: none
  bool accepted;
  std::int64_t waited;  // for other ranks so far, in nanoseconds; < 0: not known
  std::uint64_t epoch;  // stored last, when the rest is complete
};

/// Waits until a kernel on `stream` has stored `value` in pinned memory. Calls CUDA only after seconds, to
/// find out whether the device has failed: throws CudaError, or std::logic_error if it ended without storing
/// it. Then also looks whether messages between ranks, if there are any, have failed.
inline void wait_for(std::uint64_t& word, std::uint64_t value, cudaStream_t stream,
                     exchange::DeviceExchange* exchange = nullptr) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned looks_per_query = 1 << 14;
  const std::atomic_ref<std::uint64_t> shown(word);
  auto patience = std::chrono::seconds(2);
  const auto began = Clock::now();
  for (unsigned look = 1; shown.load(std::memory_order_acquire) != value; ++look) {
    if (look % looks_per_query != 0 || Clock::now() - began < patience) continue;
    patience *= 2;
    if (exchange) exchange->check();
    const cudaError_t status = cudaStreamQuery(stream);
    if (status == cudaErrorNotReady) continue;
    HALFSTEP_CUDA(status);
    if (shown.load(std::memory_order_acquire) != value)
      throw std::logic_error("the device has finished without a record of the attempt");
  }
}

/// Prepares the attempt that control.step plans.
inline __device__ void prepare_attempt(DeviceControl& control, const Substeps& substeps) {
  for (int substep = 1; substep <= substeps.count(); ++substep)
    control.output_time[substep - 1] =
        output_time(substeps, substep, control.step.state.time, control.step.plan);
  control.stage_dt = stage_dt(substeps, control.step.plan.dt);
  control.result = {};
  control.doubt = {};
}

static __global__ void reset_to(DeviceControl* control, const __grid_constant__ StepControl step,
                                Substeps substeps) {
  control->step = step;
  prepare_attempt(*control, substeps);
}

/// Returns what this rank has found in the attempt. `reporter`: as for end_attempt().
inline __device__ Agreement found_here(const DeviceControl& control, const soft_error::Reporter<>& reporter) {
  return {Agreement::order_of(reporter.raised_stage()), control.result.cfl_rate_bits,
          control.result.bad_faces};
}

/// How ranks agree: by words that have been reduced already, or by mail between their devices. Neither: there
/// is one rank.
struct HowToAgree {
  const Agreement* reduced = nullptr;
  bool by_mail = false;
  exchange::MailRound round = {};
};

/// Returns what all ranks have found, by mail. For the first warp, a word to a thread; lane 0 has all.
inline __device__ Agreement agreed_by_mail(const exchange::MailRound& round, const Agreement& own) {
  constexpr int words = Agreement::kMaxima + Agreement::kSums;
  static_assert(sizeof own == words * sizeof(std::uint64_t));
  const int n = static_cast<int>(threadIdx.x);
  const std::uint64_t began = exchange::nanoseconds();
  std::uint64_t word = 0;
  // Mail also tells that the ghost cells have come which kernels before this one wrote to other ranks, and
  // mail itself orders nothing else.
  __threadfence_system();
  if (n < words)
    word = round.boxes.reduce(round.number, n, reinterpret_cast<const std::uint64_t*>(&own)[n],
                              [n](std::uint64_t a, std::uint64_t b) {
                                return n < static_cast<int>(Agreement::kMaxima) ? max(a, b) : a + b;
                              });
  __threadfence_system();
  __syncwarp();
  if (n == 0) *round.boxes.waited += exchange::nanoseconds() - began;
  Agreement all;
  for (int from = 0; from < words; ++from)
    reinterpret_cast<std::uint64_t*>(&all)[from] = __shfl_sync(~0u, word, from);
  return all;
}

/// Gathers what this rank has found, for all ranks to agree.
static __global__ void offer_agreement(const DeviceControl* control, soft_error::Reporter<> reporter,
                                       Agreement* agreement) {
  *agreement = found_here(*control, reporter);
}

/// Ends an attempt: accepts it and plans the next one, or cancels the attempts queued behind it; writes the
/// record for the host. `reporter`: of stage 0, so that only what happened before the attempt cancels it.
/// A warp, because ranks may agree by mail; its first thread does the rest.
static __global__ void end_attempt(DeviceControl* control, Substeps substeps, std::uint64_t epoch,
                                   const PartialTotals* totals, const Conserved<double>* sponged,
                                   double inflow_rate, soft_error::Reporter<> reporter,
                                   const __grid_constant__ HowToAgree how, AttemptRecord* record) {
  wait_for_earlier_kernels();
  Agreement found = how.reduced ? *how.reduced : found_here(*control, reporter);
  if (how.by_mail) found = agreed_by_mail(how.round, found);  // cancelled or not, so that no rank waits
  if (threadIdx.x > 0 || reporter.cancelled()) return;
  StepControl& step = control->step;
  const StepPlan plan = step.plan;
  const double rate = __longlong_as_double(static_cast<long long>(found.cfl_rate_bits));
  const int substep = found.substep();
  const bool accepted = finish_attempt(step, substep > 0, rate, inflow_rate);
  if (!accepted || rests_after(plan, step.state, step.limits)) soft_error::detail::cancel_later(reporter);
  record->plan = plan;
  record->cfl_rate = accepted ? step.cfl_rate : rate;
  record->repaired_faces = static_cast<std::int64_t>(found.bad_faces);
  if (totals) record->totals = *totals;
  if (sponged) record->sponged = *sponged;
  record->substep = substep;
  record->accepted = accepted;
  record->waited = how.by_mail ? static_cast<std::int64_t>(*how.round.boxes.waited) : -1;
  prepare_attempt(*control, substeps);
  // Release at system scope: a host that reads this epoch reads the rest of the record as written here.
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(record->epoch)
      .store(epoch, cuda::memory_order_release);
}

}  // namespace halfstep
