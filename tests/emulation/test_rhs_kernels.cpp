// Runs the kernels of the right-hand-side terms and of the fourth-order flux corrections on the CPU: they add
// the same as the host to the bit, for every mesh and wall. Compiled without contraction, as in a strict
// build.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "physics/cuda/fourth_order_flux_body.cuh"
#include "physics/cuda/rhs_terms_body.cuh"
#include "physics/gas/transport.hpp"
#include "physics/host/fourth_order_flux.hpp"
#include "physics/host/rhs_terms.hpp"
#include "runtime/soft_error/channel.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/random_state.hpp"

namespace halfstep {

/// The shared memory of a block, which a kernel declares as extern; defined in test_stage_body.cpp.
extern unsigned char shared_memory[256 << 10];

}  // namespace halfstep

using namespace halfstep;

namespace {

/// Runs the kernel for every block, thread by thread.
template <class Kernel>
void run(const ColumnsOfCells& box, const Kernel& kernel) {
  for (blockIdx.y = 0; blockIdx.y < box.pieces(); ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < box.tiles(); ++blockIdx.x) {
      std::memset(shared_memory, 0xff, sizeof shared_memory);  // NaN
      emulation::Block::run({unsigned(kTermsWidth), unsigned(box.rows), 1}, [&] { kernel(box); });
    }
}

/// Returns `around` with the cells of `values`: the host's loops may go on behind a row, up to a whole
/// vector.
template <class Real>
std::vector<Real> with_cells_of(const Layout& l, const std::vector<Real>& values, std::vector<Real> around) {
  for (int f = 0; f < l.fields; ++f)
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j) {
        const std::int64_t row = l.index(0, j, k) + f * l.field_stride;
        std::copy_n(values.begin() + row, l.cells[0], around.begin() + row);
      }
  return around;
}

/// Checks that `kernel` gives the host's result, for every division of the mesh and either order of threads.
template <class Real, class Kernel>
void check_blocks(const Layout& layout, std::vector<Real>& by_kernels, const std::vector<Real>& by_host,
                  const Kernel& kernel) {
  const auto& cells = layout.cells;
  for (const auto& [march, rows] :
       {std::pair{cells[2], kTermsRows}, {3, kTermsRows}, {cells[2], 3}, {cells[2], 1}}) {
    ColumnsOfCells interior(layout, 0, rows);
    interior.march = march;
    INFO((text_of(cells) + ", pieces of " + std::to_string(march) + ", rows: " + std::to_string(rows)));
    for (const bool backwards : {true, false}) {
      emulation::Block::backwards = backwards;
      std::fill(by_kernels.begin(), by_kernels.end(), Real(7));
      run(interior, kernel);
      CHECK(std::memcmp(by_kernels.data(), by_host.data(), by_host.size() * sizeof(Real)) == 0);
    }
  }
}

template <int order, bool is_stretched, class Real>
void check(const std::array<int, 3>& cells, Boundary boundary) {
  RandomStage<Real> random(cells, 3, Real(0.25));
  if (is_stretched) random.stretch();
  const Layout& layout = random.layout;
  std::vector<Real> motion(random.in.size(), Real(0)), by_host = random.result(), by_kernels = by_host;
  RhsArguments<Real> a{.stage = random.arguments,
                       .motion = motion.data(),
                       .transport = {transport(Real(0.01), Real(0.72), IdealGas<Real>{}),
                                     ViscosityLaw::sutherland, Real(1), Real(0.4)},
                       .gravity = {Real(0.1), Real(-0.2), Real(0.3)},
                       .wall_velocity = {{Real(0.5), Real(0.2), Real(0)}, {Real(0), Real(-0.5), Real(0.1)}},
                       .wall_temperature = {Real(1.1), Real(0)}};
  for (auto& axis : a.boundary)
    for (Boundary& side : axis) side = boundary;
  a.stage.out = by_host.data();
  if constexpr (order > 0)
    host::add_viscous_terms<order, is_stretched>(a, 1);
  else
    add_rhs_terms(RhsTerms{}, a, 1);

  a.stage.out = by_kernels.data();
  soft_error::HostChannel<> channel;
  channel.next_epoch(1);
  const double dt = a.stage.dt;
  std::fill(motion.begin(), motion.end(), Real(0));
  if constexpr (order > 0)
    run(ColumnsOfCells(layout, reach_of(order)),
        [&](const ColumnsOfCells& box) { find_motion(a, box, channel.reporter(1, 1)); });
  check_blocks(layout, by_kernels, by_host, [&](const ColumnsOfCells& box) {
    if constexpr (order > 0)
      add_rhs_terms<order, is_stretched>(a, box, &dt, channel.reporter(1, 1));
    else
      add_gravity(a, box, &dt, channel.reporter(1, 1));
  });
}

constexpr std::array<int, 3> kMeshes[] = {{40, 20, 12}, {33, 9, 5},  {70, 1, 1}, {1, 20, 1},
                                          {34, 17, 1},  {33, 1, 11}, {1, 1, 9},  {5, 4, 3}};

template <class Real>
void check_corrections() {
  for (const std::array<int, 3>& cells : kMeshes) {
    const RandomStage<Real> random(cells, 3, Real(0.25));
    std::vector<Real> flow(random.in.size() + host::kVector<Real>), in_vectors = random.result(),
                                                                    by_kernels = in_vectors;
    StageArguments<Real> a = random.arguments;
    a.out = in_vectors.data();
    add_fourth_order_fluxes(a, flow.data(), 1);
    const std::vector<Real> by_host = with_cells_of(random.layout, in_vectors, random.result());
    a.out = by_kernels.data();
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    const double dt = a.dt;
    check_blocks(random.layout, by_kernels, by_host, [&](const ColumnsOfCells& box) {
      add_fourth_order_fluxes(a, box, &dt, channel.reporter(1, 1));
    });
  }
}

/// Takes corrections of some faces back, or of all, by the kernel and by the host.
template <class Real>
void check_corrections_back(bool all) {
  for (const std::array<int, 3>& cells : kMeshes) {
    const RandomStage<Real> random(cells, 3, Real(0.25));
    const Layout& l = random.layout;
    int active = 0;  // faces of a cell across active axes
    for (int axis = 0; axis < 3; ++axis)
      if (cells[static_cast<std::size_t>(axis)] > 1) active |= 3 << (2 * axis);
    std::vector<std::uint8_t> bytes;
    for (std::int64_t n = 0; n < l.cell_count(); ++n)
      bytes.push_back(static_cast<std::uint8_t>((all ? 63 : n * n % 61) & active));
    const UncorrectedFaces faces{bytes.data()};
    std::vector<Real> flow(random.in.size() + host::kVector<Real>), by_host = random.result();
    StageArguments<Real> a = random.arguments;
    a.out = by_host.data();
    add_fourth_order_fluxes(a, flow.data(), 1);
    std::vector<Real> by_kernel = by_host;
    const std::vector<Real> corrected = by_host;
    take_corrections_back(a, faces, 1);
    a.out = by_kernel.data();
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    const double dt = a.dt;
    for (blockIdx = {0, 0, 0}; blockIdx.x * std::int64_t{kTermsBlock} < l.cell_count(); ++blockIdx.x)
      emulation::Block::run({kTermsBlock, 1, 1},
                            [&] { take_corrections_back(a, faces, &dt, channel.reporter(1, 1)); });
    CHECK(by_kernel == by_host);
    CHECK(by_host != corrected);
    if (!all) continue;
    const auto near_start = [&](int field, int i, int j, int k) {
      const auto at = static_cast<std::size_t>(l.index(i, j, k) + field * l.field_stride);
      const Real start = a.start[at];
      return std::abs(by_host[at] - start) < Real(wide<Real> ? 1e-14 : 1e-5) * (Real(1) + std::abs(start));
    };
    bool is_start = true;
    for (int field = 0; field < kFields; ++field)
      for (int k = 0; k < l.cells[2]; ++k)
        for (int j = 0; j < l.cells[1]; ++j)
          for (int i = 0; i < l.cells[0]; ++i) is_start = is_start && near_start(field, i, j, k);
    CHECK(is_start);
  }
}

/// Compares walls that bear weight, closed by the kernel and by the host; `fourth`: with fourth-order fluxes.
template <class Real>
void check_closed_walls(bool fourth) {
  for (const std::array<int, 3>& cells : kMeshes) {
    const RandomStage<Real> random(cells, 3, Real(0.25));
    Boundaries boundaries;
    for (auto& axis : boundaries) axis = {Boundary::reflecting, Boundary::no_slip};
    const Mesh mesh{.cells = cells};
    const BoundaryConditions<Real> rules(random.layout, mesh, boundaries, {}, {{1.4}}, {0.1, -0.2, 0.3});
    const std::vector<std::uint8_t> mask(mesh.cell_count(), std::uint8_t{1});
    for (const std::uint8_t* flagged : {static_cast<const std::uint8_t*>(nullptr), mask.data()}) {
      const ClosedWalls<Real> walls{{}, rules, flagged, fourth};
      std::vector<Real> by_host = random.result(), by_kernels = by_host;
      StageArguments<Real> a = random.arguments;
      a.out = by_host.data();
      close_walls(a, walls, 1);
      CHECK(by_host != random.result());
      a.out = by_kernels.data();
      soft_error::HostChannel<> channel;
      channel.next_epoch(1);
      const double dt = a.dt;
      blockIdx.y = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if (!bears_weight(rules, axis)) continue;
        const CellsBesideWalls beside(random.layout, axis);
        for (blockIdx.x = 0; blockIdx.x * std::int64_t{kTermsBlock} < beside.count(); ++blockIdx.x)
          emulation::Block::run({kTermsBlock, 1, 1},
                                [&] { close_walls(a, walls, beside, &dt, channel.reporter(1, 1)); });
      }
      CHECK(by_kernels == by_host);
    }
  }
}

template <int order, class Real, bool is_stretched = false>
void check_meshes() {
  for (const Boundary boundary : {Boundary::periodic, Boundary::reflecting, Boundary::no_slip})
    for (const std::array<int, 3>& cells : kMeshes) check<order, is_stretched, Real>(cells, boundary);
}

}  // namespace

TEST_CASE("corrections of faces near bodies are taken back") {
  for (const bool all : {false, true}) {
    check_corrections_back<double>(all);
    check_corrections_back<float>(all);
  }
}
TEST_CASE("gravity alone") { check_meshes<0, double>(); }
TEST_CASE("viscous terms of second order") { check_meshes<2, double>(); }
TEST_CASE("viscous terms on stretched axes") { check_meshes<2, double, true>(); }
TEST_CASE("viscous terms of fourth order") { check_meshes<4, double>(); }
TEST_CASE("viscous terms of second order in single precision") { check_meshes<2, float>(); }
TEST_CASE("corrections of averages") { check_corrections<double>(); }
TEST_CASE("corrections of averages in single precision") { check_corrections<float>(); }
TEST_CASE("walls that bear weight") {
  for (const bool fourth : {false, true}) check_closed_walls<double>(fourth);
}
