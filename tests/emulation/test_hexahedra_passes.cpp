// Runs the passes of a stage in hexahedra on the CPU: they leave what the host's stage leaves, to the bit, of
// every degree, inside and on sides, inviscid and viscous. Compiled without contraction, as a strict build
// is.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "physics/cuda/hexahedra/passes_body.cuh"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/hexahedra/part_of_mesh.hpp"
#include "physics/host/hexahedra.hpp"
#include "physics/recovery/diagnose_hexahedra.hpp"
#include "runtime/soft_error/channel.hpp"
#include "tests/support/bent_box.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/random_state.hpp"
#include "tests/support/stage_outcome.hpp"

namespace halfstep {
extern unsigned char shared_memory[256 << 10];  // of a block; see test_stage_body.cpp
}

using namespace halfstep;

namespace {

constexpr int kThreads = 256;

/// Runs a kernel in some blocks.
template <class Kernel>
void run(unsigned blocks, const Kernel& kernel, unsigned threads = kThreads) {
  gridDim.x = blocks;
  for (blockIdx = {0, 0, 0}; blockIdx.x < gridDim.x; ++blockIdx.x) {
    std::memset(shared_memory, 0xff, sizeof shared_memory);  // NaN
    emulation::Block::run({threads, 1, 1}, [&] { kernel(); });
  }
}
unsigned blocks_for(int threads) { return unsigned((threads + kThreads - 1) / kThreads); }

Problem problem_of(Hexahedra mesh, int degree, Riemann riemann, Dealiasing dealiasing, bool is_viscous) {
  Problem problem;
  problem.scheme.method = Method::flux_reconstruction;
  problem.scheme.degree = degree;
  problem.scheme.riemann = riemann;
  problem.scheme.dealiasing = dealiasing;
  problem.hexahedra = std::make_shared<const Hexahedra>(std::move(mesh));
  problem.mesh = mesh_of_points(*problem.hexahedra, degree, {0, 0, 0}, {1, 1, 1});
  problem.boundary = {{{Boundary::no_slip, Boundary::outflow},
                       {Boundary::reflecting, Boundary::no_slip},
                       {Boundary::no_slip, Boundary::reflecting}}};
  problem.terms.walls.velocity[1] = {0.3, -0.2, 0.1};
  problem.terms.walls.temperature[1] = 1.2;
  if (is_viscous) problem.terms.transport.reference = {0.02, 0.03};
  return problem;
}

/// A stage from one random state to another.
template <int degree, Riemann riemann, class RiemannSolver, class Real>
struct Stage {
  Problem problem;
  Layout layout = layout_of(problem);
  BoundaryConditions<Real> rules{layout, problem.mesh, problem.boundary, {}, {{1.4}}};
  HexahedraTables<Real> tables{*problem.hexahedra, HexahedraGeometry(*problem.hexahedra, degree)};
  FacesOfMesh faces{*problem.hexahedra, problem.mesh.cells[1]};
  std::vector<Real> start = random_state<Real>(layout, false, 1), in;
  StageArguments<Real> arguments;
  double time = 0.7;

  Stage(Hexahedra mesh, Dealiasing dealiasing, bool is_viscous, bool rough)
      : Stage(problem_of(std::move(mesh), degree, riemann, dealiasing, is_viscous), rough) {}
  Stage(Problem of, bool rough)
      : problem(std::move(of)),
        in(random_state<Real>(layout, rough, 2)),
        arguments{.layout = layout,
                  .start = rough ? start.data() : nullptr,
                  .in = in.data(),
                  .out = nullptr,
                  .beta = rough ? Real(0.75) : Real(1),
                  .dt = Real(1e-4),
                  .inverse_dx = {},
                  .gas = {},
                  .raise_bad_faces = rough,
                  .wants_rate = rough,
                  .dither = dither_of<Real>(3, 1, RoundedSum::update)} {}
  Stage(const Stage&) = delete;

  /// Returns the stage of a rank's part of the mesh.
  std::unique_ptr<Stage> part(const exchange::Block& block, bool rough) const {
    Problem of_part = problem;
    of_part.mesh.cells = block.cells;
    of_part.mesh.whole = problem.mesh.cells;
    of_part.mesh.rows = block.rows;
    of_part.hexahedra = std::make_shared<const Hexahedra>(part_of(*problem.hexahedra, *block.rows));
    auto stage = std::make_unique<Stage>(of_part, rough);
    for (int e = 0; e < of_part.hexahedra->count; ++e)
      for (int m = 0; m < layout.cells[0]; ++m) {
        const int number = of_part.hexahedra->number(e);
        store(stage->layout, stage->start.data(), m, e, 0, load(layout, start.data(), m, number, 0));
        store(stage->layout, stage->in.data(), m, e, 0, load(layout, in.data(), m, number, 0));
      }
    return stage;
  }

  StageOutcome<Real> on_host() {
    StageOutcome<Real> result{start};
    arguments.out = result.u.data();
    HostHexahedra<Real> host(problem, layout, rules, [] {});
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    interruptible::HostTileQueue queue;
    const HostTiling tiles = host.tiling();
    queue.start(std::int64_t{tiles.x} * tiles.y * tiles.z);
    queue.begin_slice({});
    const HostStageResult<Real> sums = host.sweep(arguments, time, true, channel.reporter(1, 1), queue, 1);
    queue.end_slice();
    result.rate = double(sums.cfl_rate);
    result.bad_faces = sums.bad_faces;
    result.raised = bool(channel.poll());
    return result;
  }

  /// `is_cancelled`: an earlier stage has raised.
  StageOutcome<Real> by_kernels(bool is_cancelled = false) {
    return problem.hexahedra->dimensions == 3 ? by_kernels_of<3>(is_cancelled)
                                              : by_kernels_of<2>(is_cancelled);
  }

  /// Checks that replays of some points find what the stage has left.
  void check_replays(StageOutcome<Real> stage) {
    const auto any_operators = operator_table<double>(degree);
    const FineTable fine = fine_table(degree);
    const AnyCube c(degree, problem.hexahedra->dimensions, &any_operators);
    arguments.out = stage.u.data();
    const HexahedraStage<Real> s = hexahedra_stage(tables.view(layout), rules, problem.scheme, problem.terms,
                                                   problem.detection.spikes, &fine, time);
    for (int element = 0; element < problem.hexahedra->count; element += 11) {
      const int m = 7 * element % c.points;
      const CellRecord<Real> record = replay_point(c, arguments, s, element, m, {});
      CHECK(std::memcmp(&record.after, &record.stored, sizeof record.after) == 0);
    }
  }

 private:
  template <int dimensions>
  StageOutcome<Real> by_kernels_of(bool is_cancelled) {
    using C = Cube<degree, dimensions>;
    using Straight = Cube<degree, dimensions, true>;
    StageOutcome<Real> result{start};
    arguments.out = result.u.data();
    const std::int64_t slots = tables.face_points();
    const auto values = [&](int fields) {
      return std::vector<Real>(static_cast<std::size_t>(fields * slots));
    };
    std::vector<Real> ends = values(kFields), outflows = ends, viscous = values(kViscousFields),
                      inside(static_cast<std::size_t>(kViscousFields * tables.points()));
    const auto operators = operator_table<Real>(degree);
    const auto any_operators = operator_table<double>(degree);
    const FineTable fine = fine_table(degree);
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    if (is_cancelled) channel.reporter(1, 1).raise();
    const std::vector<Real> outflows_before = outflows;
    const double dt = arguments.dt;
    StageResult sums{};
    const HexahedraStage<Real> flow = hexahedra_stage(tables.view(layout), rules, problem.scheme,
                                                      problem.terms, problem.detection.spikes, &fine, 0);
    const AnyCube c(degree, problem.hexahedra->dimensions, &any_operators);
    const int inner = faces.of_two, outer = static_cast<int>(faces.faces.size()) - inner;
    const unsigned blocks = HexahedraBlock<C>::blocks(problem.mesh.cells[1]);
    const FacePass<Real> pass{{arguments,
                               &dt,
                               channel.reporter(1, is_cancelled ? 2 : 1),
                               &sums,
                               int(blocks),
                               int(blocks),
                               1,
                               {},
                               {},
                               {},
                               {}},
                              {flow,
                               c,
                               &operators,
                               faces.faces.data(),
                               inner,
                               outer,
                               problem.hexahedra->count,
                               {ends.data()},
                               {outflows.data()},
                               {viscous.data()},
                               {inside.data()}},
                              rules,
                              &time};
    const bool is_viscous = problem.terms.viscous();
    if (is_viscous) {
      run(HexahedraBlock<C>::blocks(problem.hexahedra->count),
          [&] { extrapolate_to_faces_of_block<C>(pass); });
      const auto find_viscous = [&]<class Own>(Own) {
        run(
            ViscousBlock<Own>::blocks(problem.hexahedra->count),
            [&] {
              outer > 0 ? find_viscous_fluxes_of_block<Own, true>(pass)
                        : find_viscous_fluxes_of_block<Own, false>(pass);
            },
            ViscousBlock<Own>::kThreads);
      };
      tables.is_straight ? find_viscous(Straight{}) : find_viscous(C{});
    }
    if (flow.dealiasing == Dealiasing::over_integration)
      run(
          IntegratedFaceBlock<C>::blocks(inner),
          [&] {
            is_viscous ? integrate_face_fluxes_of_block<C, true>(pass)
                       : integrate_face_fluxes_of_block<C, false>(pass);
          },
          IntegratedFaceBlock<C>::kThreads);
    else
      run(blocks_for(inner * c.face_points), [&] {
        if (is_viscous)
          find_viscous_face_flux<RiemannSolver>(pass);
        else
          find_inviscid_face_flux<RiemannSolver, C>(pass);
      });
    run(blocks_for(outer * c.face_points), [&] {
      find_face_flux<RiemannSolver, true>(c, pass, is_viscous,
                                          ExtrapolatedStates<AnyCube, Real>{c, arguments});
    });
    CHECK((outflows == outflows_before) == is_cancelled);
    const auto advance = [&]<Dealiasing dealiasing>() {
      is_viscous ? advance_hexahedra<C, true, dealiasing>(pass.stage, pass.hexahedra)
                 : advance_hexahedra<C, false, dealiasing>(pass.stage, pass.hexahedra);
    };
    run(blocks, [&] {
      switch (flow.dealiasing) {
        case Dealiasing::none:
          if (is_viscous && tables.is_straight)
            return advance_hexahedra<Straight, true, Dealiasing::none>(pass.stage, pass.hexahedra);
          return advance.template operator()<Dealiasing::none>();
        case Dealiasing::split_form:
          return advance.template operator()<Dealiasing::split_form>();
        case Dealiasing::over_integration:
          return advance.template operator()<Dealiasing::over_integration>();
      }
    });
    result.rate = std::bit_cast<double>(sums.cfl_rate_bits);
    result.bad_faces = static_cast<long long>(sums.bad_faces);
    result.raised = bool(channel.poll());
    return result;
  }
};

/// Checks that the parts of a stage leave together what the whole leaves: on the host, and by kernels.
template <class Stage, class Real>
void check_parts(const Stage& whole, const StageOutcome<Real>& of_whole, bool rough) {
  const int elements = whole.problem.hexahedra->count;
  std::vector<std::int32_t> owners;
  for (int e = 0; e < elements; ++e) owners.push_back(e * 7 % 11 % 3);
  const exchange::Decomposition cut =
      exchange::decompose(whole.problem.mesh.cells, graph_of(*whole.problem.hexahedra), owners, 3);
  for (const bool on_host : {true, false}) {
    double rate = 0;
    long long bad_faces = 0;
    bool raised = false, same = true;
    for (int rank = 0; rank < 3; ++rank) {
      const exchange::Block block = cut.block(rank);
      const auto part = whole.part(block, rough);
      const StageOutcome<Real> own = on_host ? part->on_host() : part->by_kernels();
      rate = std::max(rate, own.rate);
      bad_faces += own.bad_faces;
      raised = raised || own.raised;
      for (int e = 0; e < block.cells[1]; ++e)
        for (int m = 0; m < block.cells[0]; ++m) {
          const auto here = load(part->layout, own.u.data(), m, e, 0),
                     there = load(whole.layout, of_whole.u.data(), m, block.row(e), 0);
          same = same && std::memcmp(&here, &there, sizeof here) == 0;
        }
    }
    CAPTURE(on_host);
    CHECK(same);
    CHECK(rate == of_whole.rate);
    CHECK(bad_faces == of_whole.bad_faces);
    CHECK(raised == of_whole.raised);
  }
}

template <int degree, Riemann riemann, class RiemannSolver, class Real = double>
void check(Dealiasing dealiasing) {
  long long bad_faces = 0;
  bool some_raised = false, some_did_not = false;
  for (const std::array<int, 3>& count : {std::array{5, 3, 2}, std::array{9, 7, 1}})
    for (const bool has_sides : {false, true})
      for (const bool is_viscous : {false, true})
        for (const bool rough : {false, true}) {
          INFO(("degree " + std::to_string(degree) + ", elements " + text_of(count) +
                (has_sides ? ", sides" : ", periodic") + ", " +
                std::string(name_of(kDealiasings, dealiasing)) + (is_viscous ? ", viscous" : ", inviscid")));
          Stage<degree, riemann, RiemannSolver, Real> stage(
              bent_box(count, 3, {!has_sides, !has_sides, !has_sides}), dealiasing, is_viscous, rough);
          const StageOutcome<Real> host = stage.on_host();
          bad_faces += host.bad_faces;
          (host.raised ? some_raised : some_did_not) = true;
          for (const bool backwards : {true, false}) {
            emulation::Block::backwards = backwards;
            CHECK(identical(stage.by_kernels(), host));
          }
          check_parts(stage, host, rough);
          stage.check_replays(host);
        }
  CHECK(bad_faces > 0);
  CHECK((some_raised && some_did_not));
}
template <int degree, Riemann riemann, class RiemannSolver, class Real = double>
void check() {
  for (const auto& dealiasing : kDealiasings) check<degree, riemann, RiemannSolver, Real>(dealiasing.value);
}

}  // namespace

TEST_CASE("a cancelled stage leaves what flows through faces, and the state, as they are") {
  // Its kernels may run beside those of the next attempt.
  for (const bool has_sides : {false, true}) {
    Stage<2, Riemann::hllc, Hllc, double> stage(bent_box({5, 3, 2}, 3, {!has_sides, !has_sides, !has_sides}),
                                                Dealiasing::none, false, true);
    const StageOutcome<double> cancelled = stage.by_kernels(true);
    CHECK(cancelled.u == stage.start);
    CHECK(cancelled.bad_faces == 0);
  }
}

namespace {

template <int degree, class Real>
void check_straight() {
  for (const auto& dealiasing : kDealiasings)
    for (const std::array<int, 3>& count : {std::array{5, 3, 2}, std::array{9, 7, 1}})
      for (const bool has_sides : {false, true})
        for (const bool is_viscous : {false, true}) {
          INFO(("elements " + text_of(count) + ", " + std::string(dealiasing.name) +
                (has_sides ? ", sides" : ", periodic") + (is_viscous ? ", viscous" : ", inviscid")));
          const bool is_periodic = !has_sides;
          Stage<degree, Riemann::rusanov, Rusanov, Real> stage(
              straight_box({.count = count, .is_periodic = {is_periodic, is_periodic, is_periodic}}),
              dealiasing.value, is_viscous, true);
          const StageOutcome<Real> host = stage.on_host();
          CHECK(identical(stage.by_kernels(), host));
          check_parts(stage, host, true);
          stage.check_replays(host);
        }
}

}  // namespace

TEST_CASE("elements of one shape, whose metric terms are there once") {
  check_straight<1, double>();
  check_straight<3, float>();
}

TEST_CASE("hexahedra of degree 1") { check<1, Riemann::rusanov, Rusanov>(); }
TEST_CASE("hexahedra of degree 2") { check<2, Riemann::hllc, Hllc>(); }
TEST_CASE("hexahedra of degree 3") { check<3, Riemann::roe, Roe>(); }
TEST_CASE("hexahedra of degree 4") { check<4, Riemann::hll, Hll>(); }
TEST_CASE("hexahedra of degree 5") { check<5, Riemann::lhllc, Lhllc>(); }
TEST_CASE("hexahedra of degree 2 single") { check<2, Riemann::rusanov, Rusanov, float>(); }
TEST_CASE("hexahedra of degree 3 single") { check<3, Riemann::hllc, Hllc, float>(); }
TEST_CASE("hexahedra of degree 5 single") { check<5, Riemann::hll, Hll, float>(); }
