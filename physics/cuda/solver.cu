// The CUDA backend: the solver on one device. Twin of host/solver.cpp.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "physics/cuda/cell_gather.hpp"
#include "physics/cuda/control.hpp"
#include "physics/cuda/diagnosis.hpp"
#include "physics/cuda/driving.hpp"
#include "physics/cuda/elements/elements.hpp"
#include "physics/cuda/fourth_order_flux.hpp"
#include "physics/cuda/halo.hpp"
#include "physics/cuda/hexahedra/face_launch.cuh"
#include "physics/cuda/hexahedra/memory.hpp"
#include "physics/cuda/histogram.hpp"
#include "physics/cuda/rhs_terms.hpp"
#include "physics/cuda/running_averages.hpp"
#include "physics/cuda/snapshot.hpp"
#include "physics/cuda/solids.cuh"
#include "physics/cuda/stage/launch.hpp"
#include "physics/cuda/stage/two_parts.hpp"
#include "physics/cuda/step_kernels.cuh"
#include "physics/diagnostics/totals.hpp"
#include "physics/flux/dispatch.hpp"
#include "physics/solver/cell_list.hpp"
#include "physics/solver/inflow.hpp"
#include "physics/solver/over_ranks.hpp"
#include "physics/solver/sponge_cells.hpp"
#include "physics/solver/stepping_solver.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/early_launch.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/interruptible/device_tile_queue.hpp"
#include "runtime/interruptible/launcher.hpp"
#include "runtime/soft_error/device_channel.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

constexpr int kSourceThreads = 1024;  // a source's threads per multiprocessor
constexpr int kRateBlocks = 16;       // max_cfl_rate's blocks per multiprocessor
constexpr int kRecords = 1024;        // attempts that may be under way

struct CudaTypes {
  template <class T>
  using Buffer = DeviceBuffer<T>;
  using Channel = soft_error::DeviceChannel<>;
  using TileQueue = interruptible::DeviceTileQueue;
  template <auto body, class Args, class Record>
  using Launcher = interruptible::Launcher<body, Args, Record>;
};

template <class Real>
class CudaSolver final : public SteppingSolver<CudaSolver<Real>, Real, CudaTypes> {
  using Base = SteppingSolver<CudaSolver, Real, CudaTypes>;
  using Base::axes_, Base::averages_bytes_, Base::axis_tables_, Base::inflow_rate_of;
  using Base::buffers_, Base::terms_, Base::flags_, Base::mask_, Base::levels_, Base::queued_;
  using Base::channel_, Base::under_way_, Base::attempt_, Base::result_;
  using Base::mask_of, Base::arguments, Base::plain_arguments, Base::muted_reporter, Base::sweep_reporter;
  using Base::problem_, Base::layout_, Base::rules_, Base::slice_, Base::inflow_rate_;
  using Base::queue_, Base::source_, Base::substep_;
  using Base::repeat_substeps, Base::layout_of_stages;
  using Base::substeps, Base::sliced, Base::flag_count, Base::state_bytes, Base::start;

 public:
  explicit CudaSolver(const Problem& problem)
      : Base(problem),
        ghost_cells_(layout_),
        reads_wrap_(wraps(rules_) && !problem.finds_rate_after_stages() && !problem.has_fourth_order_flux() &&
                    !problem.detection.spikes.are_set() &&
                    !(problem.has_solids() && problem.solids->layers() > 0)),
        snapshots_(layout_),
        diagnoses_(layout_) {
    int device = 0;
    HALFSTEP_CUDA(cudaGetDevice(&device));
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device_, device));
    source_threads_ = std::min<std::int64_t>(problem.mesh.cell_count(),
                                             std::int64_t{device_.multiProcessorCount} * kSourceThreads);
    if (sliced()) queue_.emplace();
    if (problem.source.active() && sliced()) source_.emplace(source_threads_, kSmallBlock);
    try {
      for (int n = 0; n < levels_.buffers(); ++n) buffers_.emplace_back(layout_.values());
      terms_ = DeviceBuffer<Real>(rhs_values(problem, layout_, 0));
      control_ = DeviceBuffer<DeviceControl>(1);
      exact_totals_ = DeviceBuffer<ExactTotals>(1);
      totals_ = DeviceBuffer<PartialTotals>(1);
      exact_floored_ = DeviceBuffer<ExactFloorSums>(1);
      if (problem.terms.driving.active()) driving_.emplace(problem.terms.driving, problem.mesh);
      if (problem.budgets) budget_ = DeviceBuffer<ExactBudget>(1);
      if (problem.has_sponges()) put_sponges(sponge_cells(problem));
      flags_ = DeviceBuffer<std::uint8_t>(flag_count());
      mask_ = DeviceBuffer<std::uint8_t>(flag_count());
      if (problem.split) connect(*problem.split);
      if (problem.has_hexahedra()) hexahedra_.emplace(problem, layout_, rules_);
      put_axes();
      use_flux_kernel({});
      if (problem.has_solids())
        solids_.emplace(
            *problem.solids, layout_,
            FillingOrder(layout_, first_pieces_ * launch_configuration_.march, stage_layers(problem)));
      if (const std::size_t bodies = loaded_bodies(); bodies > 0) {
        exact_loads_ = DeviceBuffer<ExactLoads>(1);
        loads_.emplace(kRecords * bodies, cudaHostAllocMapped | cudaHostAllocPortable);
      }
    } catch (const CudaError& error) {
      if (error.code != cudaErrorMemoryAllocation) throw;
      std::int64_t needed = state_values() * std::int64_t{sizeof(Real)};
      if (problem.has_hexahedra())
        needed += bytes_of_hexahedra(*problem.hexahedra, problem.scheme.degree, problem.terms.viscous(),
                                     sizeof(Real));
      throw std::runtime_error("not enough memory on " + std::string(device_.name) + ": the state needs " +
                               std::to_string(needed >> 20) + " MiB of its " +
                               std::to_string(device_.totalGlobalMem >> 20) +
                               " MiB; use fewer cells or single precision");
    }
  }

  void set_state(StateRows& state, double time) override {
    const std::int64_t length = ExtendedRows(layout_).length, stride = layout_.stride[1];
    const std::int64_t margin = layout_.index(-layout_.ghosts[0], -layout_.ghosts[1], -layout_.ghosts[2]);
    std::vector<Real> slab;
    inflow_rate_ = 0;
    for_slabs(layout_, state, [&](std::int64_t first, std::int64_t count, const RowPointers& values) {
      inflow_rate_ = std::max(inflow_rate_, inflow_rate_of(first, count, values));
      slab.assign(static_cast<std::size_t>(count * stride), Real(1));
      for (int f = 0; f < layout_.fields; ++f) {
        for (std::int64_t n = 0; n < count; ++n)
          std::copy_n(values[f] + n * length, length, slab.begin() + n * stride + margin);
        put(buffers_[0].get() + f * layout_.field_stride + first * stride, slab.data(),
            slab.size() * sizeof(Real));
      }
    });
    for (std::size_t n = 1; n < buffers_.size(); ++n)
      HALFSTEP_CUDA(cudaMemcpyAsync(buffers_[n].get(), buffers_[0].get(), state_bytes(),
                                    cudaMemcpyDeviceToDevice, stream_));
    if (problem_.split) inflow_rate_ = problem_.split->ranks.max(inflow_rate_);
    resume({}, {.time = time}, 1);
    DeviceControl* control = control_.get();
    HALFSTEP_CUDA(cudaMemcpyAsync(control->output_time, &time, sizeof time, cudaMemcpyHostToDevice, stream_));
    begin_solids();
    exchange_halo(start());
    launch_fill_ghosts(start(), control->output_time, muted_reporter());
    stream_.synchronize();
  }

  void get_state(Fields& interior) override { interior = widened(snapshot()->fields()); }

  double cfl_rate() override {
    clear_rate();
    ensure_ghosts(start());
    launch_cfl_rate(start(), muted_reporter());
    const auto rate = std::bit_cast<double>(fetched(&control_.get()->result.cfl_rate_bits));
    return problem_.split ? problem_.split->ranks.max(rate) : rate;
  }

  Totals totals() override {
    const std::uint64_t epoch = last_epoch_ + 1;
    launch_totals(start(), epoch, channel_.reporter(epoch, 0));
    Totals all = to_totals(fetched(totals_.get()), problem_.mesh);
    add_loads(all, epoch);
    return all;
  }

  Histogram histogram(const HistogramRequest& request) override {
    return histograms_.make(problem_, request, {request.field, layout_, start(), problem_.gases(), mask()},
                            stream_);
  }

  std::unique_ptr<Snapshot> snapshot() override { return snapshots_.make(start(), stream_); }

  Solver::CellReader cell_reader(const std::vector<std::array<int, 3>>& list) override {
    auto gather = std::make_shared<CellGather<Real>>(indices_of(layout_, list), layout_.fields, stream_);
    const bool needs_ghosts = has_ghosts(layout_, list);
    // What is queued behind an attempt finds U^n as it was, but for ballast in bodies, and has its time.
    return {[this, gather, needs_ghosts] {
              if (needs_ghosts) ensure_ghosts(start());
              return gather->read(start(), layout_.field_stride, stream_);
            },
            !needs_ghosts && this->keeps_past_states() && !problem_.split && !sliced()};
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    abandon_queued_attempts();
    take_ballast_off();
    channel_.next_epoch(last_epoch_ + 1);  // queued attempts stay cancelled, new ones are not
    reset_to<<<1, 1, 0, stream_>>>(control_.get(), step_control(limits, state, rate), substeps());
    HALFSTEP_CUDA_LAUNCHED("reset_to");
  }

  int max_depth() const override { return sliced() ? 1 : kRecords; }

  Cure diagnose() override {
    abandon_queued_attempts();
    take_ballast_off();
    const int substep = failed_substep(result_, substeps());
    if (problem_.split && !stops_at_raise(attempt_) && substep < substeps().count()) repeat_substeps(substep);
    take_ballast_off();
    const StageArguments<Real> args = arguments(levels_, attempt_.step, substep);
    DiagnosisSetup setup =
        diagnosis_setup(problem_, result_, substeps(), {sponge_.get(), sponge_count_}, mask());
    if (hexahedra_) setup.cells.rows = hexahedra_->numbers();
    // Flags of this step accumulate: a remedy after which other cells fail is widened, not moved.
    if (attempt_.number == 1) HALFSTEP_CUDA(cudaMemsetAsync(flags_.get(), 0, flag_count(), stream_));
    ensure_ghosts(args.in);
    if (hexahedra_)
      diagnoses_.make_in_hexahedra(hexahedra_->view(), fetched(input_time(substep)), args, setup, rules_,
                                   mask_of(attempt_), attempt_.remedy, flags_.get(), attempt_.epoch, stream_,
                                   exchange_.get());
    else if (has_elements())
      diagnoses_.make_in_elements(problem_.scheme.degree, args, setup, rules_, mask_of(attempt_),
                                  attempt_.remedy, flags_.get(), attempt_.epoch, stream_, exchange_.get());
    else
      diagnoses_.make(args, setup, rules_, mask_of(attempt_), flags_.get(), attempt_.epoch, stream_,
                      exchange_.get());
    wait_for(diagnoses_.found().epoch, attempt_.epoch, stream_, exchange_.get());
    error_ = soft_error_of(diagnoses_.found().defects, substeps().stage(substep), setup);
    return error_.cure();
  }

  Diagnosis diagnosis() override {
    if (hexahedra_)
      return make_diagnosis(error_, diagnoses_.reported(),
                            layout_of_records(layout_, problem_.hexahedra->dimensions));
    return has_elements()
               ? make_diagnosis(error_, diagnoses_.reported_point(), layout_, problem_.gases().first)
               : make_diagnosis(error_, diagnoses_.reported(), layout_of_stages());
  }

  void start_timer() override { began_.record(stream_); }
  double stop_timer() override {
    ended_.record(stream_);
    return ended_.seconds_since(began_);
  }
  void start_part_times() override {
    times_parts_ = true;
    parts_.start();
  }
  std::vector<PartTime> part_times() override {
    times_parts_ = false;
    return parts_.stop();
  }

  void use_flux_kernel(const FluxKernel& variant) override {
    FluxKernel stage = variant;
    if (has_elements() && variant.kernel)
      throw std::runtime_error("elements of a box have no other flux kernels");
    if (variant.kernel && problem_.scheme.dealiasing == Dealiasing::over_integration)
      throw std::runtime_error("over-integrated elements have no other flux kernels");
    if (hexahedra_) {
      if (variant.kernel) {
        LaunchConfiguration of_faces{};
        of_faces.block = dim3(static_cast<unsigned>(variant.threads));
        settle_launch(of_faces, variant.kernel);
      }
      face_kernel_ = variant;
      const DeviceHexahedra<Real>& hexahedra = hexahedra_->view();
      with_hexahedra_kernels<Real>(hexahedra.cube, [&](auto kernels) {
        stage_.kernel = reinterpret_cast<const void*>(kernels.stage(
            problem_.terms.viscous(), hexahedra.flow.mesh.is_straight, problem_.scheme.dealiasing));
        launch_configuration_ = kernels.launch_of_stage(hexahedra.elements(), problem_.scheme.dealiasing);
      });
      settle_launch(launch_configuration_, stage_.kernel);
      return;
    }
    if (has_elements()) {
      stage_.kernel = with_element_kernels<Real>(problem_.scheme.degree, [&](auto kernels) {
        return reinterpret_cast<const void*>(kernels.stage(problem_.scheme.riemann));
      });
      launch_configuration_ = element_launch<Real>(stage_.kernel, problem_.scheme.degree, layout_, device_);
      return;
    }
    if (!variant.kernel) {
      stage.kernel = reinterpret_cast<const void*>(own_stage_kernel());
      cudaFuncAttributes attributes{};
      HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, stage.kernel));
      stage.threads = kernel_configuration(problem_.scheme, attributes.ptxVersion).threads;
    }
    const int ends = is_cut_along_z_alone() && !halo_->has_windows() ? layout_.ghosts[2] : 0;
    launch_configuration_ = launch_configuration<Real>(stage, layout_of_stages(), device_, ends);
    overlaps_ = ends > 0 && launch_configuration_.grid.y >= 3;
    first_pieces_ = has_much_to_fill() ? cut_in_two(launch_configuration_, layout_of_stages(), device_) : 0;
    stage_ = stage;
  }

  double flux_seconds() override {
    const int stages = stage_count(problem_.scheme.integrator);
    if (hexahedra_) {
      const FacePass<Real> pass = face_pass(arguments(levels_, 1, 1), 1, muted_reporter());
      find_outflows(pass);  // and what the face kernel needs
      start_timer();
      for (int stage = 1; stage <= stages; ++stage) find_fluxes_of_two(pass);
      return stop_timer();
    }
    for (const auto& buffer : buffers_) ensure_ghosts(buffer.get());  // kernels of studies may read ghosts
    start_timer();
    for (int stage = 1; stage <= stages; ++stage)
      launch_stage(arguments(levels_, 1, substeps().substep_of(stage)), muted_reporter(), {},
                   launch_configuration_.grid);
    return stop_timer();
  }

  std::string backend() const override { return "cuda"; }
  std::string device_name() const override { return device_.name; }
  int host_threads() const override { return 0; }
  std::string messages() const override { return exchange_ ? exchange_->name() : ""; }
  exchange::Traffic traffic() const override {
    if (!exchange_) return {};
    exchange::Traffic all{halo_->bytes_sent() + flag_halo_->bytes_sent(), {}};
    if (waited_ >= 0) all.seconds_waited = 1e-9 * static_cast<double>(waited_);
    return all;
  }
  std::int64_t device_bytes() const override {
    return static_cast<std::int64_t>(state_values() * sizeof(Real) + 2 * flag_count() +
                                     sponge_count_ * std::int64_t{sizeof(SpongeCell)}) +
           (solids_ ? solids_->bytes() : 0) + (hexahedra_ ? hexahedra_->bytes() : 0) +
           static_cast<std::int64_t>(averages_bytes_) + snapshots_.device_bytes() +
           histograms_.device_bytes() + (driving_ ? driving_->bytes() : 0) +
           (halo_ ? halo_->bytes() + flag_halo_->bytes() : 0);
  }
  std::int64_t host_bytes() const override {
    const ExtendedRows rows(layout_);
    return rows.in_slab(layout_.fields) * rows.length * layout_.fields *
           static_cast<std::int64_t>(sizeof(double));
  }

  KernelInfo kernel_info() const override {
    return halfstep::kernel_info(stage_.kernel, launch_configuration_, device_);
  }

  // The verbs of a substep.

  bool integrate_source(const Substep<Real>& substep) {
    DeviceControl* control = control_.get();
    const SourceArguments<Real> args{substep.arguments,
                                     problem_.source,
                                     &control->step.plan.dt,
                                     substep.reporter,
                                     &control->result.cfl_rate_bits,
                                     source_threads_,
                                     0,
                                     mask().inside};
    bool done = true;
    parts_.time("source", stream_, [&] {
      if (sliced()) {
        done = source_->slice(args, slice_, stream_);
        return;
      }
      half_source<<<blocks_for(source_threads_), kSmallBlock, 0, stream_>>>(args);
      HALFSTEP_CUDA_LAUNCHED("half_source");
    });
    return done;
  }

  void add_terms(const RhsArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("terms", stream_, [&] {
      launch_rhs_terms(problem_.terms, args, dt(), substep.reporter, device_.sharedMemPerBlockOptin, stream_);
    });
  }
  void drive(const RhsArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("driving", stream_,
                [&] { driving_->launch(args, dt(), input_time(substep.number), substep.reporter, stream_); });
  }
  void add_fourth_order_flux(const StageArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("fourth-order flux", stream_,
                [&] { launch_fourth_order_fluxes(args, uncorrected(), dt(), substep.reporter, stream_); });
  }
  UncorrectedFaces uncorrected() const { return solids_ ? solids_->uncorrected() : UncorrectedFaces{}; }
  void close_walls(const StageArguments<Real>& args, const ClosedWalls<Real>& walls,
                   const Substep<Real>& substep) {
    parts_.time("walls", stream_,
                [&] { launch_close_walls<Real>(args, walls, dt(), substep.reporter, stream_); });
  }

  bool sweep(const Substep<Real>& substep) {
    const Reporter reporter = sweep_reporter(substep);
    if (hexahedra_ && substep.is_new) find_outflows(face_pass(substep.arguments, substep.number, reporter));
    if (is_sent_beside_sweep(substep)) {
      sweep_ends_first(substep.arguments, reporter);
      return true;
    }
    if (is_filled_beside_sweep(substep)) {
      sweep_and_fill(substep, reporter);
      return true;
    }
    if (!sliced()) {
      Twins<Real> twins{};
      if (is_sent_by_sweep(substep)) twins = halo_->twins(substep.arguments.out, stream_);
      launch_stage(substep.arguments, reporter, {}, launch_configuration_.grid, twins);
      return true;
    }
    queue_->launch_slice(slice_, stream_, [&](const interruptible::TileQueueView& view, std::int64_t blocks) {
      launch_stage(substep.arguments, reporter, view, dim3(static_cast<unsigned>(blocks)));
    });
    return queue_->wait(stream_) == queue_->tiles();
  }

  // What averages over time need.

  DeviceBuffer<Real> copy_of(const Real* state) {
    DeviceBuffer<Real> copy(static_cast<std::size_t>(layout_.values()));
    HALFSTEP_CUDA(cudaMemcpyAsync(copy.get(), state, state_bytes(), cudaMemcpyDeviceToDevice, stream_));
    return copy;
  }
  DeviceBuffer<double> zeros(std::size_t count) {
    DeviceBuffer<double> buffer(count);
    HALFSTEP_CUDA(cudaMemsetAsync(buffer.get(), 0, count * sizeof(double), stream_));
    return buffer;
  }
  void take_in_cells(const AveragesArguments<Real>& args) {
    parts_.time("averages", stream_, [&] { launch_take_in(args, stream_); });
  }

  void inject_fault(const Substep<Real>& substep) {
    if (hexahedra_)
      return AnyHexahedraKernels<Real>::inject_fault(face_pass(substep), *problem_.fault, stream_);
    halfstep::inject_fault<<<1, 1, 0, stream_>>>(substep.arguments, *problem_.fault, &control_.get()->result,
                                                 substep.reporter);
    HALFSTEP_CUDA_LAUNCHED("inject_fault");
  }

  void correct_to_first_order(const Substep<Real>& substep) {
    clear_rate();
    ensure_ghosts(substep.arguments.in);
    launch_clearing(exact_floored_.get(), substep.reporter);
    StageResult* const result = &control_.get()->result;
    const ElementRemedy<Real> in_elements{substep.arguments,
                                          dt(),
                                          rules_,
                                          mask_.get(),
                                          problem_.scheme.riemann,
                                          substep.attempt.remedy,
                                          problem_.floors,
                                          exact_floored_.get(),
                                          result,
                                          substep.reporter};
    if (hexahedra_) {
      AnyHexahedraKernels<Real>::correct(in_elements, hexahedra_->view(), input_time(substep.number),
                                         stream_);
    } else if (has_elements()) {
      with_element_kernels<Real>(problem_.scheme.degree,
                                 [&](auto kernels) { kernels.correct(in_elements, stream_); });
    } else {
      correct_cells<<<cell_blocks(), kSmallBlock, 0, stream_>>>(
          substep.arguments, dt(), problem_.scheme, rules_, mask_.get(), mask(), substep.attempt.remedy,
          problem_.floors, exact_floored_.get(), result, substep.reporter);
      HALFSTEP_CUDA_LAUNCHED("correct_cells");
    }
    if (exchange_) sum_over_ranks(exact_floored_.get(), substep.reporter);
    add_floored(under_way_.back().result.floored, rounded(fetched(exact_floored_.get())), problem_,
                substeps().stage(substep.number));
  }

  // The parts of the budget.
  void clear_budget(const Substep<Real>& substep) { launch_clearing(budget_.get(), substep.reporter); }
  void add_up_heat(const Substep<Real>& substep) {
    parts_.time("budgets", stream_, [&] {
      halfstep::add_up_heat<<<sum_blocks(problem_.mesh.cell_count()), kSmallBlock, 0, stream_>>>(
          substep.arguments, mask(), budget_.get(), substep.reporter);
      HALFSTEP_CUDA_LAUNCHED("add_up_heat");
    });
  }
  void add_up_sides(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("budgets", stream_, [&] {
      hexahedra_ ? add_up_sides_of_mesh(args, substep) : add_up_sides_of_box(args, substep);
    });
  }
  void add_up_bodies(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    ensure_ghosts(args.rhs.stage.in, substep.reporter);
    parts_.time("budgets", stream_, [&] {
      for (const DeviceBuffer<SolidFace>& faces : solids_->faces()) {
        const auto count = static_cast<std::int64_t>(faces.count());
        if (count == 0) continue;
        add_up_body<<<sum_blocks(count), kSmallBlock, 0, stream_>>>(args, faces.get(), count, dt(),
                                                                    budget_.get(), substep.reporter);
        HALFSTEP_CUDA_LAUNCHED("add_up_body");
      }
    });
  }
  void add_up_forces(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    const unsigned blocks = sum_blocks(problem_.mesh.cell_count());
    parts_.time("budgets", stream_, [&] {
      if (driving_) {
        driving_->with_last_stage([&](const auto&... driven) {
          add_up_driving<<<blocks, kDrivingBlock, 0, stream_>>>(args, driven..., mask(), dt(), budget_.get(),
                                                                substep.reporter);
        });
      } else {
        add_up_gravity<<<blocks, kSmallBlock, 0, stream_>>>(args, mask(), dt(), budget_.get(),
                                                            substep.reporter);
      }
      HALFSTEP_CUDA_LAUNCHED("add_up_forces");
    });
  }
  void finish_budget(const Substep<Real>& substep) {
    if (exchange_) sum_over_ranks(budget_.get(), substep.reporter);
    launch_rounding(budget_.get(), &record(substep.attempt.epoch)->budget, substep.reporter);
  }
  ExactBudget budget_so_far() const { return fetched(budget_.get()); }
  void set_budget(const ExactBudget& budget) { put(budget_.get(), &budget, sizeof budget); }

  void relax_sponges(const Substep<Real>& substep) {
    parts_.time("sponges", stream_, [&] {
      launch_clearing(exact_sponged_.get(), substep.reporter);
      if (sponge_count_ > 0) {
        halfstep::relax_sponges<<<sum_blocks(sponge_count_), kSmallBlock, 0, stream_>>>(
            substep.arguments, &control_.get()->step.plan.dt, problem_.detection.cfl_limit, sponge_.get(),
            sponge_count_, exact_sponged_.get(), &control_.get()->result, substep.reporter);
        HALFSTEP_CUDA_LAUNCHED("relax_sponges");
      }
      if (exchange_) sum_over_ranks(exact_sponged_.get(), substep.reporter);
      launch_rounding(exact_sponged_.get(), sponged_.get(), substep.reporter);
    });
  }

  /// Fills the cells in bodies. The stage has looked at them, too: where that may have mattered, looks again
  /// at the others alone.
  void fill_solids(const Substep<Real>& substep) {
    DeviceControl* const control = control_.get();
    const StageArguments<Real>& args = substep.arguments;
    if (solids_->reach_beyond_sides()) fill_ghosts(substep);
    const std::int64_t all = solids_->view().blocks();
    if (all == 0) return;  // of this rank's block
    if (is_filled_beside_next_sweep(substep)) to_fill_ = substep;
    launch_fill_solids(substep, is_filled_beside_sweep(substep) ? solids_->begin_of(Turn::between_sweeps) : 0,
                       to_fill_ ? solids_->begin_of(Turn::beside_next_sweep) : all, stream_);
    if (!looks_into_solids(substep)) return;
    parts_.time("gas again", stream_, [&] {
      launch_early("look_at_gas", look_at_gas<Real>, std::min(cell_blocks(), blocks_at_once()), kSmallBlock,
                   0, stream_, args, mask(), &control->result, &control->doubt, core_rate_, substep.reporter);
    });
  }

  void fill_ghosts(const Substep<Real>& substep) {
    if (halo_) exchange_halo(substep);
    if (!reads_wrap_)
      launch_fill_ghosts(substep.arguments.out, &control_.get()->output_time[substep.number - 1],
                         substep.reporter);
  }

  void find_cfl_rate(const Substep<Real>& substep) {
    launch_cfl_rate(substep.arguments.out, substep.reporter);
  }

  void make_last_start(const Substep<Real>& substep) {
    parts_.time("last start", stream_, [&] {
      halfstep::make_last_start<<<cell_blocks(), kSmallBlock, 0, stream_>>>(
          substep.arguments, buffers_[queued_.stages_start()].get(), mask(),
          substep.dither(RoundedSum::last_start), buffers_[queued_.last_start()].get(), substep.reporter);
      HALFSTEP_CUDA_LAUNCHED("make_last_start");
    });
  }

  void check_spikes(const Substep<Real>& substep) {
    parts_.time("spikes", stream_, [&] {
      look_for_spikes<<<cell_blocks(), kSmallBlock, 0, stream_>>>(
          substep.arguments, problem_.detection.spikes, mask(), substep.reporter);
      HALFSTEP_CUDA_LAUNCHED("look_for_spikes");
    });
  }

  // The verbs around the substeps.

  void begin_attempt(const Attempt& attempt) {
    last_epoch_ = attempt.epoch;
    if (attempt.remedy == Remedy::none) return;
    HALFSTEP_CUDA(
        cudaMemcpyAsync(mask_.get(), flags_.get(), flag_count(), cudaMemcpyDeviceToDevice, stream_));
    if (!flag_halo_) return;
    meet();  // a copy that comes late would overwrite what another rank has written
    flag_halo_->fill(mask_.get(), stream_);
  }

  /// Whether the host looks for a raise after every substep. A slice's raises belong to its substep, also in
  /// a checkpoint. Under a remedy a substep that raises must be the last one, because the sweep of the next
  /// is muted and would overwrite what has to be diagnosed.
  bool stops_at_raise(const Attempt& attempt) const { return sliced() || attempt.remedy != Remedy::none; }

  bool has_raised(const Substep<Real>& substep) {
    if (!stops_at_raise(substep.attempt)) return false;
    stream_.synchronize();
    const bool here = bool(channel_.poll()), anywhere = on_any_rank(problem_, here);
    if (anywhere && !here) raise_again(substep.reporter);
    return anywhere;
  }

  void end_attempt(const Attempt& attempt) {
    if (attempt.wants_totals)
      launch_totals(buffers_[queued_.output(substeps().count())].get(), attempt.epoch,
                    channel_.reporter(attempt.epoch, substeps().count()));
    parts_.time("end of attempt", stream_, [&] {
      const Reporter reporter = channel_.reporter(attempt.epoch, 0);
      launch_early("end_attempt", halfstep::end_attempt, 1, 32, 0, stream_, control_.get(), substeps(),
                   attempt.epoch, attempt.wants_totals ? totals_.get() : nullptr,
                   problem_.has_sponges() ? sponged_.get() : nullptr, inflow_rate_, reporter, agree(reporter),
                   record(attempt.epoch));
    });
  }

  AttemptResult wait(const Attempt& attempt, AttemptResult result) {
    AttemptRecord& shown = *record(attempt.epoch);
    wait_for(shown.epoch, attempt.epoch, stream_, exchange_.get());
    result.plan = shown.plan;
    result.accepted = shown.accepted;
    result.raised = shown.substep > 0;
    result.substep = shown.substep;
    result.cfl_rate = shown.cfl_rate;
    result.repaired_faces = shown.repaired_faces;
    waited_ = shown.waited;
    if (problem_.budgets) result.budget = over(problem_.mesh, shown.budget);
    if (problem_.has_sponges()) result.sponged = over(problem_.mesh, shown.sponged);
    if (attempt.wants_totals) {
      result.totals = to_totals(shown.totals, problem_.mesh);
      add_loads(*result.totals, attempt.epoch);
    }
    return result;
  }

  // The progress of a substep, in slices.

  std::int64_t tiles() const { return launch_configuration_.pieces(); }
  std::array<std::int64_t, 3> tiling() const {
    if (substeps().is_source(substep_)) return {source_threads_, 0, 0};
    return {launch_configuration_.tiles_x, launch_configuration_.tiles(), launch_configuration_.march};
  }

  void keep_sums() {
    DeviceControl* control = control_.get();
    HALFSTEP_CUDA(cudaMemcpyAsync(&control->before, &control->result, sizeof(StageResult),
                                  cudaMemcpyDeviceToDevice, stream_));
  }
  void get_sums(AttemptProgress& progress) const {
    const DeviceControl control = fetched(control_.get());
    progress.cfl_rate = std::bit_cast<double>(control.result.cfl_rate_bits);
    progress.repaired_faces = static_cast<std::int64_t>(control.result.bad_faces);
    progress.repaired_before = static_cast<std::int64_t>(control.before.bad_faces);
  }
  void set_sums(const AttemptProgress& progress) {
    const auto faces = [](std::int64_t n) { return static_cast<unsigned long long>(n); };
    const StageResult before{0, faces(progress.repaired_before)},
        result{std::bit_cast<unsigned long long>(progress.cfl_rate), faces(progress.repaired_faces)};
    put(&control_.get()->before, &before, sizeof before);
    put(&control_.get()->result, &result, sizeof result);
  }
  void raise_again(const Reporter& reporter) {
    halfstep::raise_again<<<1, 1, 0, stream_>>>(reporter);
    HALFSTEP_CUDA_LAUNCHED("raise_again");
  }

  /// Fills the ghost cells of the state `u` if the stages leave them stale. Interior cells are not changed.
  void ensure_ghosts(const Real* u) { ensure_ghosts(u, muted_reporter()); }
  void ensure_ghosts(const Real* u, const Reporter& reporter) {
    if (reads_wrap_) launch_fill_ghosts(const_cast<Real*>(u), control_.get()->output_time, reporter);
  }

  /// Copies from the device, and waits.
  void fetch(void* to, const void* from, std::size_t bytes) const {
    HALFSTEP_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
  }
  template <class T>
  T fetched(const T* from) const {
    T value;
    fetch(&value, from, sizeof value);
    return value;
  }
  void put(void* to, const void* from, std::size_t bytes) const {
    if (bytes == 0) return;
    HALFSTEP_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();
  }

 private:
  /// Prepares the messages to other ranks.
  void connect(const Split& split) {
    exchange_ = exchange::make_device_exchange(split.ranks);
    agreement_ = DeviceBuffer<Agreement>(1);
    std::vector<Real*> states;
    for (const auto& buffer : buffers_) states.push_back(buffer.get());
    const bool by_rows = problem_.mesh.rows != nullptr;
    halo_.emplace(split, layout_,
                  by_rows ? messages_behind(split, false, layout_.cells[0])
                          : messages_around(split, layers_of(problem_), halo_reach(problem_)),
                  layout_.fields, layout_.field_stride, *exchange_, states);
    // An element has its flag at its first point.
    flag_halo_.emplace(split, rules_.flags,
                       by_rows
                           ? messages_behind(split, true, 1)
                           : messages_around(split, flag_layers_of(problem_), exchange::HaloReach::corners),
                       1, 0, *exchange_, std::vector<std::uint8_t*>{mask_.get()});
    all_read_wrap_ = halo_->has_windows() && on_all_ranks(problem_, reads_wrap_);
  }

  /// Copies the tables of stretched axes to the device.
  void put_axes() {
    if (axis_tables_.empty()) return;
    axis_reals_ = DeviceBuffer<Real>(axis_tables_.reals().size());
    axis_doubles_ = DeviceBuffer<double>(axis_tables_.doubles().size());
    put(axis_reals_.get(), axis_tables_.reals().data(), axis_tables_.reals().size() * sizeof(Real));
    put(axis_doubles_.get(), axis_tables_.doubles().data(), axis_tables_.doubles().size() * sizeof(double));
    const auto tables = axis_tables_.tables_in(axis_reals_.get(), axis_doubles_.get());
    tables_of_axes_ = DeviceBuffer<AxisTable<Real>>(tables.size());
    put(tables_of_axes_.get(), tables.data(), sizeof tables);
    axes_ = rules_.axes = {tables_of_axes_.get()};
  }

  /// Returns the problem's kernel. One that writes twins is there for the simplest problems alone.
  StageKernel<Real> own_stage_kernel() {
    const bool is_stretched = problem_.mesh.is_stretched(), two_gases = layout_.two_gases;
    const auto kernel = [&]<class R, Variables v, class S, bool has_scalars, bool positive>() {
      using Correction = std::conditional_t<positive, PositivityLimiter, NoCorrection>;
      if constexpr (has_scalars) {
        if (two_gases) return stage_kernel<R, v, S, Real, RaiseOnce, true, NoCorrection, false, true, true>();
        if (is_stretched) return stage_kernel<R, v, S, Real, RaiseOnce, true, NoCorrection, false, true>();
      }
      if constexpr (std::is_same_v<S, Hllc> && !has_scalars && !positive) {
        writes_twins_ = halo_ && halo_->has_twins();
        if (writes_twins_) return stage_kernel<R, v, S, Real, RaiseOnce, false, NoCorrection, true>();
      }
      return stage_kernel<R, v, S, Real, RaiseOnce, has_scalars, Correction>();
    };
    return with_stage(problem_.scheme, problem_.needs_general_stage(), kernel);
  }

  /// Whether there are elements of a box.
  bool has_elements() const { return problem_.scheme.method == Method::flux_reconstruction && !hexahedra_; }

  /// Whether other ranks need the cells at the ends of z alone.
  bool is_cut_along_z_alone() const {
    return problem_.split && !problem_.split->cut.is_cut(0) && !problem_.split->cut.is_cut(1);
  }

  /// Whether nothing changes the cells of a substep after its sweep, so that they can be sent meanwhile.
  bool is_final_when_swept(const Substep<Real>& substep) const {
    return !sliced() && !substep.is_source() && !substep.has_remedy() && !problem_.has_solids() &&
           !(problem_.has_sponges() && substep.is_last()) &&
           !has_fault(problem_.fault, substep.attempt, substep.substeps, substep.number);
  }
  bool is_sent_by_sweep(const Substep<Real>& substep) const {
    return writes_twins_ && is_final_when_swept(substep);
  }
  bool is_sent_beside_sweep(const Substep<Real>& substep) const {
    return overlaps_ && is_final_when_swept(substep);
  }

  /// Whether the agreement at the end of the attempt tells all ranks that its ghost cells have come: nothing
  /// reads them before.
  bool is_told_by_agreement(const Substep<Real>& substep) const {
    return substep.is_last() && all_read_wrap_ && !substep.attempt.wants_totals;
  }

  /// Whether the sweep that is queued next tells that the substep's ghost cells have come: nothing reads them
  /// before.
  bool is_told_by_next_sweep(const Substep<Real>& substep) const {
    Substep<Real> next = substep;
    next.number += 1;
    return substep.is_followed && all_read_wrap_ && !problem_.starts_from_rhs_terms() &&
           is_sent_by_sweep(next);
  }

  /// Fills the ghost cells that other ranks have, after a substep.
  void exchange_halo(const Substep<Real>& substep) {
    Real* const out = substep.arguments.out;
    if (is_sent_beside_sweep(substep)) {
      exchanged_.hold_back(stream_);
    } else if (halo_->has_windows()) {
      parts_.time("exchange", stream_, [&] {
        if (!is_sent_by_sweep(substep)) halo_->write(out, stream_);
        if (is_told_by_next_sweep(substep))
          halo_->end_by_sweep(out);
        else if (!is_told_by_agreement(substep))
          halo_->end(out, stream_);
      });
    } else {
      exchange_halo(out);
    }
  }

  /// Sweeps the ends of z on the stream of messages, which are sent at once, and beside it the pieces between
  /// them. What comes waits for exchanged_.
  void sweep_ends_first(const StageArguments<Real>& args, const Reporter& reporter) {
    const int pieces = static_cast<int>(launch_configuration_.grid.y);
    dim3 ends = launch_configuration_.grid, inside = ends;
    ends.y = 2;
    inside.y -= 2;
    swept_.record(stream_);
    swept_.hold_back(messages_);
    launch_stage(args, reporter, {}, ends, {}, {0, pieces - 1}, messages_);
    halo_->fill(args.out, messages_);
    exchanged_.record(messages_);
    launch_stage(args, reporter, {}, inside, {}, {1, 1}, stream_);
  }

  /// Fills the ghost cells that other ranks have.
  void exchange_halo(Real* u) {
    if (halo_) parts_.time("exchange", stream_, [&] { halo_->fill(u, stream_); });
  }

  /// Queues the carries of sums, and returns the words that ranks add up then.
  template <class Sums>
  exchange::ReducedWords added_up(Sums* sums, const Reporter& reporter) {
    carry_sums<<<1, kSums<Sums>, 0, stream_>>>(sums, reporter);
    HALFSTEP_CUDA_LAUNCHED("carry_sums");
    return {reinterpret_cast<std::uint64_t*>(sums), kWords<Sums>, exchange::Reduction::sum};
  }

  /// Queues the addition of what other ranks have summed, word by word.
  template <class Sums>
  void sum_over_ranks(Sums* sums, const Reporter& reporter) {
    const exchange::ReducedWords all = added_up(sums, reporter);
    exchange_->reduce({&all, 1}, stream_);
  }

  /// Holds the stream back until those of all ranks have come here.
  void meet() {
    const exchange::ReducedWords any{reinterpret_cast<std::uint64_t*>(agreement_.get()), 1,
                                     exchange::Reduction::max};
    exchange_->reduce({&any, 1}, stream_);
  }

  /// Lets all ranks agree on how the attempt has ended, and returns how; no host waits for it.
  HowToAgree agree(const Reporter& reporter) {
    if (!exchange_) return {};
    if (const auto round = exchange_->open_round()) return {nullptr, true, *round};
    offer_agreement<<<1, 1, 0, stream_>>>(control_.get(), reporter, agreement_.get());
    HALFSTEP_CUDA_LAUNCHED("offer_agreement");
    auto* const words = reinterpret_cast<std::uint64_t*>(agreement_.get());
    const exchange::ReducedWords parts[] = {
        {words, Agreement::kMaxima, exchange::Reduction::max},
        {words + Agreement::kMaxima, Agreement::kSums, exchange::Reduction::sum}};
    exchange_->reduce(parts, stream_);
    return {agreement_.get()};
  }

  void put_sponges(const std::vector<SpongeCell>& sponge) {
    sponge_count_ = std::ssize(sponge);
    sponge_ = DeviceBuffer<SpongeCell>(sponge_count_);
    exact_sponged_ = DeviceBuffer<ExactConserved>(1);
    sponged_ = DeviceBuffer<Conserved<double>>(1);
    if (sponge_count_ > 0) put(sponge_.get(), sponge.data(), sponge.size() * sizeof(SpongeCell));
  }

  SolidMask mask() const { return solids_ ? solids_->mask() : SolidMask{}; }

  /// Chooses the state of deep cells, and fills the cells in bodies of U^n.
  void begin_solids() {
    has_ballast_ = false;
    if (!solids_) return;
    exchange_halo(start());
    launch_fill_ghosts(start(), control_.get()->output_time, muted_reporter());
    std::optional<Conserved<double>> sample;
    if (const auto& c = problem_.solids->cells().sample) {
      const Real* const at = start() + layout_.index((*c)[0], (*c)[1], (*c)[2]);
      const auto field = [&](int f) { return static_cast<double>(fetched(at + f * layout_.field_stride)); };
      sample = {field(0), field(1), field(2), field(3), field(4)};
    }
    deep_ = state_of_deep_cells<Real>(problem_, sample);
    find_rates_in_solids();
    refill_solids();
  }

  /// Finds the CFL rate of deep cells, and the bound of that of others.
  void find_rates_in_solids() {
    const Conserved<double> rest = widened(deep_);
    const IdealGas<double> gas = problem_.gases().first;
    const double speed =
        rest.density > 0 ? sound_speed(rest.density, to_primitive(rest, gas).pressure, gas) : 0;
    double inverse_widths = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (problem_.mesh.active(axis)) inverse_widths += 1 / problem_.mesh.least_width(axis);
    core_rate_ = 1.001 * speed * inverse_widths;  // a little more, because a stage rounds
    largest_rate2_ = largest_rate2(stiffest(problem_.gases()), inverse_widths);
  }

  /// Fills the cells in bodies of U^n.
  void refill_solids() {
    const SolidCellsView& cells = solids_->view();
    if (cells.blocks() == 0) return;  // of this rank's block
    halfstep::refill_solids<<<static_cast<unsigned>(cells.blocks()), kGroupCells,
                              cells.shared_bytes<Real>(layout_), stream_>>>(rules_, cells, deep_, start());
    HALFSTEP_CUDA_LAUNCHED("refill_solids");
  }

  /// Whether the cells in bodies of the state that the stages start from get ballast after this substep, the
  /// first stage: later ones keep a share of it. Not in slices, between which U^n may be read.
  bool gets_ballast(const Substep<Real>& substep) const {
    const Substeps& of = substep.substeps;
    return !sliced() && substep.is_followed && !of.is_source(substep.number) &&
           of.stage(substep.number) == 1 && stage_count(of.integrator) > 1;
  }

  /// Takes the ballast off that an attempt has left in U^n, if it was not accepted: what follows reads U^n.
  void take_ballast_off() {
    if (std::exchange(has_ballast_, false)) refill_solids();
  }

  /// Whether what a stage has left in bodies matters: it may have raised, or set the CFL rate.
  static bool looks_into_solids(const Substep<Real>& substep) {
    return !substep.has_remedy() && !substep.is_source();
  }
  /// Queues the filling of cells in bodies by the blocks [first, last).
  void launch_fill_solids(const Substep<Real>& substep, std::int64_t first, std::int64_t last,
                          cudaStream_t stream) {
    DeviceControl* const control = control_.get();
    SolidCellsView cells = solids_->view();
    if (!problem_.terms.has_forces()) cells.core.count = 0;  // they stay at rest
    cells.first_block = first;
    last = std::min(last, cells.blocks());
    Real* const ballast = gets_ballast(substep) ? buffers_[queued_.stages_start()].get() : nullptr;
    has_ballast_ |= ballast != nullptr;
    if (first >= last) return;
    const bool looks = looks_into_solids(substep) && substep.arguments.wants_rate;
    parts_.time("solids", stream, [&] {
      launch_early("fill_solids", halfstep::fill_solids<Real>, static_cast<unsigned>(last - first),
                   kGroupCells, cells.shared_bytes<Real>(layout_), stream, substep.arguments, rules_, cells,
                   deep_, ballast, looks ? largest_rate2_ : 0, &control->result, &control->doubt,
                   substep.reporter);
    });
  }

  /// Work in bodies that runs beside a sweep takes what the sweep leaves free on the device.
  Stream::Priority stream_priority() const {
    return problem_.has_solids() && !problem_.split ? Stream::Priority::high : Stream::Priority::normal;
  }
  /// Whether filling bodies takes long enough to be worth that sweeps are cut in two: what that costs, two
  /// planes of each tile, takes as long as filling four groups of cells.
  bool has_much_to_fill() const {
    return problem_.has_solids() && !problem_.split && !sliced() &&
           std::ssize(problem_.solids->cells().near) / kGroupCells >=
               std::int64_t{4} * launch_configuration_.tiles();
  }
  /// Whether bodies are filled in part beside the sweep of a substep: nothing else may change its cells, or
  /// read what it starts from, meanwhile. The parts of a step are timed one after another.
  bool is_filled_beside_sweep(const Substep<Real>& substep) const {
    return first_pieces_ > 0 && first_pieces_ * launch_configuration_.march == solids_->planes() &&
           !solids_->reach_beyond_sides() && !substep.is_source() && !substep.has_remedy() &&
           !problem_.budgets && !times_parts_ && !(problem_.has_sponges() && substep.is_last()) &&
           !has_fault(problem_.fault, substep.attempt, substep.substeps, substep.number);
  }
  /// Whether the rest is filled beside the sweep of the next substep: nothing but that reads it before.
  bool is_filled_beside_next_sweep(const Substep<Real>& substep) const {
    Substep<Real> next = substep;
    next.number += 1;
    return substep.is_followed && is_filled_beside_sweep(substep) && is_filled_beside_sweep(next) &&
           !problem_.starts_from_rhs_terms() && !problem_.detection.spikes.are_set() && !substep.is_middle();
  }
  /// Sweeps in two parts. Beside the first one the cells in bodies are filled that the substep before has
  /// left, beside the second one those that follow from the first.
  void sweep_and_fill(const Substep<Real>& substep, const Reporter& reporter) {
    dim3 first = launch_configuration_.grid, second = first;
    first.y = static_cast<unsigned>(first_pieces_);
    second.y -= first.y;
    begun_.record(stream_);
    launch_stage(substep.arguments, reporter, {}, first, {}, {0, 1}, stream_);
    begun_.hold_back(beside_);
    if (const auto before = std::exchange(to_fill_, std::nullopt))
      launch_fill_solids(*before, solids_->begin_of(Turn::beside_next_sweep), solids_->view().blocks(),
                         beside_);
    launch_stage(substep.arguments, reporter, {}, second, {}, {first_pieces_, 1}, beside_);
    launch_fill_solids(substep, 0, solids_->begin_of(Turn::between_sweeps), stream_);
    swept_beside_.record(beside_);
    swept_beside_.hold_back(stream_);
  }

  unsigned blocks_at_once() const { return static_cast<unsigned>(device_.multiProcessorCount * kRateBlocks); }
  unsigned cell_blocks() const { return blocks_for(problem_.mesh.cell_count()); }
  /// Returns the blocks of a kernel that sums items: as few as keep the device busy, since each adds its own.
  unsigned sum_blocks(std::int64_t items) const {
    return std::min(blocks_for(items), static_cast<unsigned>(device_.multiProcessorCount * kSumBlocks));
  }
  /// Returns how far stages go in the attempt under way.
  const double* dt() const { return &control_.get()->stage_dt; }
  /// Returns the time of a substep's input, of the attempt under way, or of the last one that was rejected.
  const double* input_time(int substep) const {
    const DeviceControl* control = control_.get();
    return substep == 1 ? &control->step.state.time : &control->output_time[substep - 2];
  }

  FacePass<Real> face_pass(const StageArguments<Real>& args, int substep, const Reporter& reporter) const {
    const CudaStage<Real> stage{args, dt(), reporter, &control_.get()->result};
    return {stage, hexahedra_->view(), rules_, input_time(substep)};
  }
  FacePass<Real> face_pass(const Substep<Real>& substep) const {
    return face_pass(substep.arguments, substep.number, substep.reporter);
  }
  /// Finds what flows through the faces of hexahedra.
  void find_outflows(const FacePass<Real>& pass) {
    if (pass.hexahedra.flow.is_viscous)
      with_hexahedra_kernels<Real>(pass.hexahedra.cube, [&](auto kernels) {
        parts_.time("ends", stream_, [&] { kernels.extrapolate(pass, stream_); });
        parts_.time("viscous fluxes", stream_, [&] { kernels.find_viscous_fluxes(pass, stream_); });
      });
    parts_.time("faces", stream_, [&] {
      find_fluxes_of_two(pass);
      AnyHexahedraKernels<Real>::find_side_fluxes(pass, stream_);
    });
  }
  /// Finds the fluxes through the faces of two elements.
  void find_fluxes_of_two(const FacePass<Real>& pass) {
    if (face_kernel_.kernel)
      launch_on_faces(pass.hexahedra.inner_faces,
                      reinterpret_cast<void (*)(FacePass<Real>)>(const_cast<void*>(face_kernel_.kernel)),
                      pass, stream_, face_kernel_.threads);
    else if (pass.hexahedra.flow.dealiasing == Dealiasing::over_integration)
      with_hexahedra_kernels<Real>(pass.hexahedra.cube,
                                   [&](auto kernels) { kernels.integrate_face_fluxes(pass, stream_); });
    else if (pass.hexahedra.flow.is_viscous)
      AnyHexahedraKernels<Real>::find_viscous_face_fluxes(pass, stream_);
    else
      with_hexahedra_kernels<Real>(pass.hexahedra.cube,
                                   [&](auto kernels) { kernels.find_inviscid_face_fluxes(pass, stream_); });
  }
  void add_up_sides_of_box(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    const SideSums<Real> of{args, OpenSides(rules_), mask(), dt(), budget_.get(), substep.reporter};
    std::int64_t faces = 0;
    for (int n = 0; n < of.sides.count; ++n)
      faces = std::max(faces, CellsBesideWalls(layout_, of.sides.axis[n]).count() / 2);
    const dim3 blocks(sum_blocks(faces), static_cast<unsigned>(of.sides.count));
    if (has_elements())
      return with_element_kernels<Real>(problem_.scheme.degree,
                                        [&](auto kernels) { kernels.add_up_sides(of, blocks, stream_); });
    halfstep::add_up_sides<<<blocks, kSmallBlock, 0, stream_>>>(of, InflowOfCell{});
    HALFSTEP_CUDA_LAUNCHED("add_up_sides");
  }
  void add_up_sides_of_mesh(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    const DeviceHexahedra<Real>& hexahedra = hexahedra_->view();
    const FlaggedHexahedra flagged{args.walls.mask, rules_.flags, args.remedy};
    AnyHexahedraKernels<Real>::add_up_sides(
        face_pass(args.rhs.stage, substep.number, substep.reporter), hexahedra_->on_sides(), flagged,
        args.share * hexahedra_->depth() / problem_.mesh.mean_volume(), budget_.get(),
        sum_blocks(std::int64_t{hexahedra.outer_faces} * hexahedra.cube.face_points), stream_);
  }
  AttemptRecord* record(std::uint64_t epoch) const { return records_.host()->data() + epoch % kRecords; }

  /// Drops the queued attempts. Cancelled attempts still occupy the stream: switches to the second stream so
  /// that the redo does not wait for them. (All work that counts has ended: the host has its record.) With
  /// several ranks the redo waits, because messages of cancelled attempts still write into ghost cells.
  void abandon_queued_attempts() {
    if (under_way_.empty()) return;
    under_way_.clear();
    if (exchange_) return;
    std::swap(stream_, other_stream_);
    std::swap(beside_, other_beside_);
  }

  /// Returns the number of values in the rotating buffers and in terms_.
  std::int64_t state_values() const {
    return levels_.buffers() * layout_.values() + rhs_values(problem_, layout_, 0);
  }

  void clear_rate() {
    HALFSTEP_CUDA(cudaMemsetAsync(&control_.get()->result.cfl_rate_bits, 0,
                                  sizeof(StageResult::cfl_rate_bits), stream_));
  }

  void launch_cfl_rate(const Real* u, const Reporter& reporter) {
    parts_.time("CFL rate", stream_, [&] {
      if (hexahedra_)
        return AnyHexahedraKernels<Real>::find_rate(face_pass(plain_arguments(levels_, 1, 1), 1, reporter), u,
                                                    std::min(cell_blocks(), blocks_at_once()), stream_);
      max_cfl_rate<<<std::min(cell_blocks(), blocks_at_once()), kSmallBlock, 0, stream_>>>(
          plain_arguments(levels_, 1, 1), rules_, mask(), stage_layers(problem_), u, problem_.terms,
          &control_.get()->result, reporter);
      HALFSTEP_CUDA_LAUNCHED("max_cfl_rate");
    });
  }

  void launch_stage(const StageArguments<Real>& args, const Reporter& reporter,
                    const interruptible::TileQueueView& queue, dim3 grid, const Twins<Real>& twins = {}) {
    launch_stage(args, reporter, queue, grid, twins, {}, stream_);
  }
  void launch_stage(const StageArguments<Real>& args, const Reporter& reporter,
                    const interruptible::TileQueueView& queue, dim3 grid, const Twins<Real>& twins,
                    Pieces pieces, cudaStream_t stream) {
    DeviceControl* control = control_.get();
    const LaunchConfiguration& l = launch_configuration_;
    CudaStage<Real> stage{args,    dt(),  reporter, &control->result, l.tiles_x, l.tiles(),
                          l.march, queue, {},       pieces,           twins};
    for (int axis = 0; reads_wrap_ && axis < 3; ++axis)
      stage.period[axis] = rules_.boundary[axis][0] == Boundary::periodic ? layout_.cells[axis] : 0;
    // A launch copies its parameters, but takes them as not constant.
    void* parameters[] = {&stage,
                          hexahedra_ ? const_cast<DeviceHexahedra<Real>*>(&hexahedra_->view()) : nullptr};
    parts_.time(kStagePart, stream, [&] {
      const EarlyLaunch launch(l.early, grid, l.block, l.shared_bytes, stream);
      HALFSTEP_CUDA(cudaLaunchKernelExC(launch.configuration(), stage_.kernel, parameters));
    });
  }

  void launch_fill_ghosts(Real* u, const double* time, const Reporter& reporter) {
    if (ghost_cells_.count() == 0) return;
    parts_.time("ghosts", stream_, [&] {
      const auto kernel =
          rules_.has_formulas ? halfstep::fill_ghosts<true, Real> : halfstep::fill_ghosts<false, Real>;
      launch_early("fill_ghosts", kernel, blocks_for(ghost_cells_.count()), kSmallBlock, 0, stream_, rules_,
                   ghost_cells_, u, time, reporter);
    });
  }

  /// Queues the summation of the state `u` to totals_, and to the loads of that epoch.
  void launch_totals(const Real* u, std::uint64_t epoch, const Reporter& reporter) {
    if (loads_) launch_loads(u, loads_of(epoch, loads_->device()), reporter);
    launch_sums(u, reporter);
    if (exchange_) {
      ExactTotals* const totals = exact_totals_.get();
      const exchange::ReducedWords parts[] = {added_up(&totals->sums, reporter),
                                              {reinterpret_cast<std::uint64_t*>(&totals->extrema),
                                               kWords<ExtremaBits>, exchange::Reduction::max}};
      exchange_->reduce(parts, stream_);
    }
    launch_rounding(exact_totals_.get(), totals_.get(), reporter);
  }

  /// Returns how many bodies, or walls of hexahedra, have loads.
  std::size_t loaded_bodies() const {
    return hexahedra_ ? hexahedra_->walls().size() : solids_ ? solids_->faces().size() : 0;
  }
  /// Returns where their loads in an epoch are, in pinned memory.
  BodyLoads* loads_of(std::uint64_t epoch, BodyLoads* all) const {
    return all + epoch % kRecords * loaded_bodies();
  }
  /// Adds the loads on bodies in an epoch that has ended.
  void add_loads(Totals& totals, std::uint64_t epoch) const {
    if (!loads_) return;
    const BodyLoads* const own = loads_of(epoch, loads_->get());
    totals.loads.assign(own, own + loaded_bodies());
  }
  /// Queues the summation of the loads of the gas in the state `u` on each body.
  void launch_loads(const Real* u, BodyLoads* to, const Reporter& reporter) {
    ensure_ghosts(u, reporter);
    StageArguments<Real> args = plain_arguments(levels_, 1, 1);
    args.in = u;
    args.positive = false;  // its limit is one of a step
    if (hexahedra_) {
      for (const DeviceBuffer<std::int32_t>& faces : hexahedra_->walls()) {
        launch_clearing(exact_loads_.get(), reporter);
        const auto count = static_cast<std::int64_t>(faces.count());
        if (count > 0)
          AnyHexahedraKernels<Real>::add_loads(
              face_pass(args, 1, reporter), faces.get(), count, hexahedra_->depth(), exact_loads_.get(),
              sum_blocks(count * hexahedra_->view().cube.face_points), stream_);
        if (exchange_) sum_over_ranks(exact_loads_.get(), reporter);
        launch_rounding(exact_loads_.get(), to++, reporter);
      }
      return;
    }
    const RhsArguments<Real> rhs = rhs_arguments<Real>(problem_, args, nullptr, nullptr);
    for (const DeviceBuffer<SolidFace>& faces : solids_->faces()) {
      launch_clearing(exact_loads_.get(), reporter);
      const auto count = static_cast<std::int64_t>(faces.count());
      if (count > 0) {
        halfstep::add_loads<<<sum_blocks(count), kSmallBlock, 0, stream_>>>(
            rhs, problem_.scheme, faces.get(), count, exact_loads_.get(), reporter);
        HALFSTEP_CUDA_LAUNCHED("add_loads");
      }
      if (exchange_) sum_over_ranks(exact_loads_.get(), reporter);
      launch_rounding(exact_loads_.get(), to++, reporter);
    }
  }

  /// Queues the exact summation of the state `u` to exact_totals_.
  void launch_sums(const Real* u, const Reporter& reporter) {
    if (problem_.enstrophy) ensure_ghosts(u, reporter);
    launch_clearing(exact_totals_.get(), reporter);
    FastestCellOfMesh<Real> fastest(problem_.mesh, layout_, problem_.gases(), problem_.terms, axes_);
    if (hexahedra_) fastest.rows = hexahedra_->numbers();
    const auto launch = [&](auto kernel, const auto& key) {
      kernel<<<sum_blocks(problem_.mesh.cell_count()), kSmallBlock, 0, stream_>>>(
          layout_, u, problem_.gases(), InverseSpacing(problem_.mesh), axes_, mask(), key, problem_.enstrophy,
          exact_totals_.get(), reporter);
      HALFSTEP_CUDA_LAUNCHED("sum_cells");
    };
    if (hexahedra_)
      launch(sum_cells<true, Real, FastestPoint<Real>>,
             FastestPoint<Real>{fastest, hexahedra_->view().cube, hexahedra_->view().flow.mesh,
                                plain_arguments(levels_, 1, 1).gas, hexahedra_->view().flow.transport});
    else
      launch(problem_.mesh.is_stretched() ? sum_cells<true, Real, FastestCellOfMesh<Real>>
                                          : sum_cells<false, Real, FastestCellOfMesh<Real>>,
             fastest);
  }

  template <class Sums>
  void launch_clearing(Sums* sums, const Reporter& reporter) {
    clear_sums<<<blocks_for(kWords<Sums>), kSmallBlock, 0, stream_>>>(sums, reporter);
    HALFSTEP_CUDA_LAUNCHED("clear_sums");
  }

  template <class Sums, class Rounded>
  void launch_rounding(const Sums* sums, Rounded* rounded, const Reporter& reporter) {
    round_sums<<<1, kSums<Sums>, 0, stream_>>>(sums, rounded, reporter);
    HALFSTEP_CUDA_LAUNCHED("round_sums");
  }

  // The device and its stage kernel.
  cudaDeviceProp device_{};
  FluxKernel stage_, face_kernel_;
  LaunchConfiguration launch_configuration_{};
  std::int64_t source_threads_;
  GhostCells ghost_cells_;
  bool reads_wrap_;  ///< stages read no ghost cells; ensure_ghosts() fills them on demand

  // The step's control and sums.
  Stream stream_{stream_priority()}, other_stream_{stream_priority()};
  DeviceBuffer<Real> axis_reals_;
  DeviceBuffer<double> axis_doubles_;
  DeviceBuffer<AxisTable<Real>> tables_of_axes_;
  DeviceBuffer<DeviceControl> control_;
  PinnedValue<std::array<AttemptRecord, kRecords>> records_;
  std::uint64_t last_epoch_ = 0;
  DeviceBuffer<ExactTotals> exact_totals_;
  DeviceBuffer<PartialTotals> totals_;
  DeviceBuffer<ExactFloorSums> exact_floored_;
  DeviceBuffer<ExactBudget> budget_;  // of the attempt under way, on this rank; of all ranks at its end
  std::optional<CudaDriving> driving_;
  // With several ranks.
  std::unique_ptr<exchange::DeviceExchange> exchange_;
  DeviceBuffer<Agreement> agreement_;
  std::optional<CudaHalo<Real, Layout>> halo_;
  std::optional<CudaHalo<std::uint8_t, FlagLayout>> flag_halo_;
  std::int64_t waited_ = 0;     ///< as in the last record
  bool writes_twins_ = false;   ///< the stage kernel can
  bool all_read_wrap_ = false;  ///< reads_wrap_, on all ranks, which have windows
  bool overlaps_ = false;       ///< sweeps can run while messages are under way
  Stream messages_{Stream::Priority::high};
  Event swept_{cudaEventDisableTiming}, exchanged_{cudaEventDisableTiming};

  std::optional<HexahedraMemory<Real>> hexahedra_;
  std::optional<CudaSolids> solids_;
  int first_pieces_ = 0;  ///< of a sweep's first part, beside whose second one bodies are filled; 0: one part
  std::optional<Substep<Real>> to_fill_;  ///< after which cells in bodies are left to be filled
  Stream beside_, other_beside_;          ///< beside stream_, other_stream_
  Event begun_{cudaEventDisableTiming}, swept_beside_{cudaEventDisableTiming};
  Conserved<Real> deep_{};  ///< of deep cells
  DeviceBuffer<ExactLoads> exact_loads_;
  std::optional<PinnedBuffer<BodyLoads>> loads_;  ///< of each body or wall in each record
  double core_rate_ = 0;                          ///< the CFL rate of those that stages do not change
  double largest_rate2_ = 0;                      ///< by the function of that name
  bool has_ballast_ = false;                      ///< attempts have put ballast into what they started from
  DeviceBuffer<SpongeCell> sponge_;
  std::int64_t sponge_count_ = 0;
  DeviceBuffer<ExactConserved> exact_sponged_;
  DeviceBuffer<Conserved<double>> sponged_;

  // Outputs.
  SnapshotMaker<Real> snapshots_;
  HistogramMaker<Real> histograms_;
  DiagnosisMaker<Real> diagnoses_;
  SoftError error_;
  Event began_, ended_;
  PartsByEvents parts_;
  bool times_parts_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_cuda_solver(const Problem& problem) {
  if (problem.scheme.precision == Precision::single_precision)
    return std::make_unique<CudaSolver<float>>(problem);
  return std::make_unique<CudaSolver<double>>(problem);
}

bool cuda_available(std::string* why) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return true;
  if (why)
    *why = code == cudaSuccess ? "no CUDA device"
                               : std::string("no usable CUDA device: ") + cudaGetErrorString(code);
  cudaGetLastError();
  return false;
}

void use_cuda_device(int device) { HALFSTEP_CUDA(cudaSetDevice(device)); }

int cuda_device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::int64_t cuda_free_bytes() {
  std::size_t free = 0, total = 0;
  HALFSTEP_CUDA(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

std::vector<std::string> cuda_devices() {
  std::vector<std::string> lines;
  int count = 0;
  if (!cuda_available() || cudaGetDeviceCount(&count) != cudaSuccess) return lines;
  for (int n = 0; n < count; ++n) {
    cudaDeviceProp device{};
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device, n));
    lines.push_back(std::string(device.name) + ", sm_" + std::to_string(device.major) +
                    std::to_string(device.minor) + ", " + std::to_string(device.multiProcessorCount) +
                    " multiprocessors, " + std::to_string(device.totalGlobalMem >> 20) + " MiB");
  }
  return lines;
}

}  // namespace halfstep
