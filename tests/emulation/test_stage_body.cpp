// Runs the body of the CUDA stage kernels on the CPU: one stage equals that of the host to the bit, for every
// mesh, block and division into pieces. Compiled without contraction, as a strict build is.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "physics/cuda/stage/body.cuh"
#include "physics/host/stage_body.hpp"
#include "physics/mesh/ghosts.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/random_state.hpp"
#include "tests/support/stage_outcome.hpp"

namespace halfstep {

/// The shared memory of a block, which a kernel declares as extern.
alignas(16) unsigned char shared_memory[256 << 10];

}  // namespace halfstep

using namespace halfstep;

namespace {

Boundaries periodic() {
  Boundaries all;
  for (auto& sides : all) sides = {Boundary::periodic, Boundary::periodic};
  return all;
}

template <class Reconstruction, Variables variables, class RiemannSolver, class Real, int scalars,
          bool positive, bool is_stretched = false, bool two_gases = false>
struct Stage : RandomStage<Real> {
  using RandomStage<Real>::layout, RandomStage<Real>::arguments;

  Stage(const std::array<int, 3>& cells, bool rough, Real keep)
      : RandomStage<Real>(cells, Reconstruction::radius + 1, keep, rough,
                          kFields + scalars + (two_gases ? 1 : 0), two_gases) {
    arguments.positive = positive;
    if (is_stretched) this->stretch();
  }

  StageOutcome<Real> on_host() {
    StageOutcome<Real> result{std::vector<Real>(layout.values(), Real(7))};
    arguments.out = result.u.data();
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    interruptible::HostTileQueue queue;
    const HostTiling tiling = host_tiling<Real>(layout, 1);
    queue.start(tiling.count());
    queue.begin_slice({});
    const auto outcome = host_stage<Reconstruction, variables, RiemannSolver, Real,
                                    (scalars > 0 || is_stretched || two_gases)>(
        arguments, channel.reporter(1, 1), tiling, queue, 1);
    result.rate = outcome.cfl_rate;
    result.bad_faces = outcome.bad_faces;
    result.raised = bool(channel.poll());
    return result;
  }

  template <bool writes_twins = false>
  StageOutcome<Real> by_kernel(int march, int rows, const std::array<int, 3>& period = {},
                               const Twins<Real>& twins = {}) {
    StageOutcome<Real> result{std::vector<Real>(layout.values(), Real(7))};
    arguments.out = result.u.data();
    REQUIRE(stage_shared_bytes(layout, rows, sizeof(Real)) <= sizeof shared_memory);
    const auto pieces_of = [](int n, int size) { return unsigned((n + size - 1) / size); };
    const unsigned tiles_x = pieces_of(layout.cells[0], kTileWidth),
                   tiles = tiles_x * pieces_of(layout.cells[1], rows);
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    const double dt = arguments.dt;
    StageResult sums{};
    const auto kernel = stage_kernel < Reconstruction, variables, RiemannSolver, Real, RaiseOnce,
               (scalars > 0 || is_stretched || two_gases),
               std::conditional_t<positive, PositivityLimiter, NoCorrection>, writes_twins,
               is_stretched || two_gases, two_gases > ();
    const CudaStage<Real> stage{arguments, &dt,          channel.reporter(1, 1),
                                &sums,     int(tiles_x), int(tiles),
                                march,     {},           {period[0], period[1], period[2]},
                                {},        twins};
    for (blockIdx.y = 0; blockIdx.y < pieces_of(layout.cells[2], march); ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < tiles; ++blockIdx.x) {
        std::memset(shared_memory, 0xff, sizeof shared_memory);  // NaN
        emulation::Block::run({kTileWidth, unsigned(rows), 1}, [&] { kernel(stage); });
      }
    result.rate = std::bit_cast<double>(sums.cfl_rate_bits);
    result.bad_faces = static_cast<long long>(sums.bad_faces);
    result.raised = bool(channel.poll());
    return result;
  }
};

const std::vector<std::array<int, 3>> kMeshes = {{40, 20, 12}, {32, 8, 5},  {65, 9, 3}, {100, 1, 1},
                                                 {300, 1, 1},  {40, 17, 1}, {1, 20, 1}, {33, 1, 7},
                                                 {1, 1, 9},    {3, 2, 2}};

template <class Reconstruction, Variables variables, class RiemannSolver, class Real = double,
          int scalars = 0, bool positive = false, bool is_stretched = false, bool two_gases = false>
void check() {
  long long bad_faces = 0;
  for (const auto& cells : kMeshes)
    for (const bool rough : {false, true}) {
      Stage<Reconstruction, variables, RiemannSolver, Real, scalars, positive, is_stretched, two_gases> stage(
          cells, rough, rough ? Real(0.25) : Real(0));
      const StageOutcome<Real> host = stage.on_host();
      bad_faces += host.bad_faces;
      // With the program's configuration, and with the smallest tiles, for a device with little shared
      // memory.
      const int threads = kKernelConfiguration<Reconstruction, variables, RiemannSolver, Real>.threads;
      for (const auto& [march, most_shared_bytes] :
           {std::pair{2, sizeof shared_memory}, {100, std::size_t{0}}}) {
        const int rows = tile_rows(stage.layout, threads, sizeof(Real), most_shared_bytes);
        INFO((text_of(cells) + ", pieces of " + std::to_string(march) + ", " + std::to_string(rows) +
              " rows"));
        for (const bool backwards : {true, false}) {
          emulation::Block::backwards = backwards;
          CHECK(identical(stage.by_kernel(march, rows), host));
        }
      }
    }
  // If edge states can leave the range of their cells, rough flow must have faces whose repair is compared.
  CHECK((bad_faces > 0) == (Reconstruction::radius > 1 || variables == Variables::characteristic));
}

/// Compares a stage of a periodic mesh with NaN in its ghost cells with the host's, with filled ghost cells.
template <class Reconstruction, class Real, int fields>
void check_wrapping() {
  for (const std::array<int, 3>& cells :
       {std::array{40, 20, 12}, {3, 3, 3}, {6, 7, 8}, {100, 1, 1}, {40, 17, 1}, {33, 1, 7}}) {
    Stage<Reconstruction, Variables::primitive, Hllc, Real, fields, false> stage(cells, true, Real(0.25));
    const Layout& l = stage.layout;
    const BoundaryConditions<Real> rules(l, Mesh{.cells = cells}, periodic(), {}, {{1.4}});
    REQUIRE(wraps(rules));
    const auto for_ghosts = [&](const auto& visit) {
      const GhostCells ghosts(l);
      for (std::int64_t n = 0; n < ghosts.count(); ++n) {
        int i, j, k;
        ghosts.cell(l, n, i, j, k);
        visit(i, j, k);
      }
    };
    for_ghosts([&](int i, int j, int k) { fill_ghost(rules, stage.in.data(), i, j, k, 0); });
    const StageOutcome<Real> host = stage.on_host();
    for_ghosts([&](int i, int j, int k) {
      for (int f = 0; f < fields; ++f)
        stage.in[static_cast<std::size_t>(l.index(i, j, k) + f * l.field_stride)] = Real(NAN);
    });
    const int threads = kKernelConfiguration<Reconstruction, Variables::primitive, Hllc, Real>.threads;
    for (const int march : {5, 100})
      for (const int rows : {tile_rows(l, threads, sizeof(Real), sizeof shared_memory),
                             tile_rows(l, threads, sizeof(Real), 0)}) {
        INFO((text_of(cells) + ", pieces of " + std::to_string(march) + ", " + std::to_string(rows) +
              " rows"));
        CHECK(identical(stage.by_kernel(march, rows, cells), host));
      }
  }
}

/// Compares a first stage that starts from right-hand-side terms with the host's, and, but for rounding, with
/// the sum of them and of a stage without.
template <class Reconstruction, class Real, int scalars>
void check_terms_alone() {
  Stage<Reconstruction, Variables::primitive, Hllc, Real, scalars, false> stage({40, 9, 12}, false, Real(0));
  const Layout& l = stage.layout;
  const StageOutcome<Real> without = stage.on_host();
  stage.arguments.start = stage.start.data();
  const StageOutcome<Real> with = stage.on_host();
  CHECK(identical(stage.by_kernel(5, 4), with));
  bool is_sum = true;
  for (int f = 0; f < l.fields; ++f)
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j)
        for (int i = 0; i < l.cells[0]; ++i) {
          const auto n = static_cast<std::size_t>(l.index(i, j, k) + f * l.field_stride);
          const Real size = std::abs(stage.start[n]) + std::abs(stage.in[n]) + std::abs(without.u[n]);
          is_sum = is_sum && std::abs(with.u[n] - (stage.start[n] + without.u[n])) <=
                                 2 * std::numeric_limits<Real>::epsilon() * size;
        }
  CHECK(is_sum);
}

/// Sweeps a block whose first `below` and last `above` planes have twins in an array of other strides: they
/// get the new states of these planes, and nothing else is written there.
template <class Reconstruction, class Real>
void check_twins(int below, int above) {
  Stage<Reconstruction, Variables::primitive, Hllc, Real, 0, false> stage({40, 9, 12}, true, Real(0.25));
  const Layout& l = stage.layout;
  const StageOutcome<Real> plain = stage.by_kernel(5, 4);
  // As in a block with half more planes.
  const std::int64_t apart = l.field_stride + l.field_stride / 2;
  std::vector<Real> twins[2];
  for (auto& values : twins) values.assign(static_cast<std::size_t>(kFields * apart), Real(7));
  for (const int march : {3, 5, 100}) {
    std::uint64_t told[2] = {}, written[2] = {5, 6}, waited = 0;
    const exchange::NotesAlongAxis notes{
        2, &waited, {{told, 7}, {told + 1, 8}}, {{written, 5}, {written + 1, 4}}};
    const StageOutcome<Real> result = stage.template by_kernel<true>(
        march, 4, {}, {{below, above}, {twins[0].data(), twins[1].data()}, {apart, apart}, notes});
    CHECK(identical(result, plain));
    CHECK(told[0] == 7);
    CHECK(told[1] == 8);
    bool same = true;
    for (int side = 0; side < 2; ++side)
      for (int f = 0; f < kFields; ++f)
        for (std::int64_t n = 0; n < apart; ++n) {
          const std::int64_t in_plane = n - l.index(0, 0, 0), k = in_plane < 0 ? -1 : in_plane / l.stride[2],
                             row = in_plane % l.stride[2] / l.stride[1], i = in_plane % l.stride[1];
          const bool has_twin = k >= 0 && k < l.cells[2] && row < l.cells[1] && i < l.cells[0] &&
                                (side == 0 ? k < below : k >= l.cells[2] - above);
          const Real expected =
              has_twin ? plain.u[static_cast<std::size_t>(n + f * l.field_stride)] : Real(7);
          same &= twins[side][static_cast<std::size_t>(n + f * apart)] == expected;
        }
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("the ends of a block along z are written to their twins") {
  check_twins<Weno5z, double>(4, 4);
  check_twins<Plm<Limiter::van_leer>, double>(3, 0);
  check_twins<Plm<Limiter::van_leer>, float>(0, 3);
  check_twins<Ppm, double>(12, 12);
}

TEST_CASE("a first stage adds the advanced state to the terms that it starts from") {
  check_terms_alone<Plm<Limiter::van_leer>, double, 0>();  // whose kernel fetches ahead
  check_terms_alone<Plm<Limiter::van_leer>, float, 2>();
  check_terms_alone<Weno5z, double, 1>();
}

TEST_CASE("a stage of a mesh that wraps reads no ghost cells") {
  check_wrapping<Weno5z, double, kFields>();
  check_wrapping<Plm<Limiter::van_leer>, double, kFields>();
  check_wrapping<Plm<Limiter::van_leer>, float, kFields>();
  check_wrapping<Ppm, double, 3>();
}

TEST_CASE("a mesh wraps if all axes that are swept are periodic and as long as their ghost layers") {
  const auto wraps_with = [](const std::array<int, 3>& cells, const Boundaries& boundaries) {
    Mesh mesh;
    mesh.cells = cells;
    return wraps(BoundaryConditions<double>(Layout(mesh, 3), mesh, boundaries, {}, {{1.4}}));
  };
  CHECK(wraps_with({6, 3, 6}, periodic()));
  CHECK_FALSE(wraps_with({6, 2, 6}, periodic()));
  Boundaries walls = periodic();
  walls[1][1] = Boundary::reflecting;
  CHECK_FALSE(wraps_with({6, 6, 6}, walls));
  CHECK(wraps_with({6, 1, 6}, walls));
}

TEST_CASE("constant") { check<Constant, Variables::primitive, Hll>(); }
TEST_CASE("plm") { check<Plm<Limiter::van_leer>, Variables::primitive, Hllc>(); }
TEST_CASE("plm single") { check<Plm<Limiter::van_leer>, Variables::characteristic, Hllc, float>(); }
// Bad faces along z are reported after their fluxes in the next two, those along x and y in the last.
TEST_CASE("plm characteristic roe") { check<Plm<Limiter::mc>, Variables::characteristic, Roe>(); }
TEST_CASE("plm with scalars") { check<Plm<Limiter::mc>, Variables::characteristic, Hllc, double, 3>(); }
TEST_CASE("ppm") { check<Ppm, Variables::primitive, Rusanov>(); }
TEST_CASE("ppm characteristic hll") { check<Ppm, Variables::characteristic, Hll>(); }
TEST_CASE("weno5z") { check<Weno5z, Variables::primitive, Hllc>(); }
TEST_CASE("weno5z characteristic") { check<Weno5z, Variables::characteristic, Hllc>(); }
TEST_CASE("weno5z single") { check<Weno5z, Variables::primitive, Hllc, float>(); }
TEST_CASE("weno5z lhllc") { check<Weno5z, Variables::primitive, Lhllc>(); }
TEST_CASE("plm lhllc single") { check<Plm<Limiter::van_leer>, Variables::primitive, Lhllc, float>(); }
TEST_CASE("weno5z with scalars") { check<Weno5z, Variables::primitive, Hllc, double, 7>(); }
TEST_CASE("plm on stretched axes") {
  check<Plm<Limiter::van_leer>, Variables::primitive, Hllc, double, 0, false, true>();
}
TEST_CASE("weno5z single on stretched axes, with scalars") {
  check<Weno5z, Variables::primitive, Hllc, float, 2, false, true>();
}
TEST_CASE("plm of two gases") {
  check<Plm<Limiter::van_leer>, Variables::primitive, Hllc, double, 0, false, false, true>();
}
TEST_CASE("weno5z of two gases, characteristic, on stretched axes, with scalars") {
  check<Weno5z, Variables::characteristic, Hllc, double, 6, false, true, true>();
}
TEST_CASE("plm single of two gases, with a scalar") {
  check<Plm<Limiter::mc>, Variables::characteristic, Hllc, float, 1, false, false, true>();
}
TEST_CASE("ppm with limited fluxes") { check<Ppm, Variables::primitive, Hllc, double, 0, true>(); }
