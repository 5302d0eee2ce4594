// The kernels of the explicit terms, run on the CPU: what they add is what the host adds, to the bit,
// whatever the mesh and the walls. Compiled without contraction, as a strict build is.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "physics/terms_cuda_body.cuh"
#include "physics/terms_host.hpp"
#include "runtime/soft_error/channel.hpp"

using namespace halfstep;

namespace {

template <class Real>
std::vector<Real> random_state(const Layout& l, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&](double lower, double upper) {
    return Real(lower + (upper - lower) * (generator() / double(generator.max())));
  };
  std::vector<Real> u(l.values(), Real(1));
  for (int k = -l.ghosts[2]; k < l.cells[2] + l.ghosts[2]; ++k)
    for (int j = -l.ghosts[1]; j < l.cells[1] + l.ghosts[1]; ++j)
      for (int i = -l.ghosts[0]; i < l.cells[0] + l.ghosts[0]; ++i) {
        const Primitive<Real> q{random(0.5, 1.5), random(-1, 1), random(-1, 1), random(-1, 1),
                                random(0.5, 1.5)};
        store(l, u.data(), i, j, k, to_conserved(q, IdealGas<Real>{}));
      }
  return u;
}

template <int order, class Real>
void check(const std::array<int, 3>& cells, Boundary boundary) {
  Mesh mesh;
  mesh.cells = cells;
  const Layout layout(mesh, 3);
  const std::vector<Real> in = random_state<Real>(layout, 1), start = random_state<Real>(layout, 2);
  const auto values = static_cast<std::size_t>(layout.values());
  std::vector<Real> motion(values, Real(0)), by_host(values, Real(7)), by_kernels(values, Real(7));
  TermsArguments<Real> a{.stage = {.layout = layout,
                                   .start = start.data(),
                                   .in = in.data(),
                                   .out = by_host.data(),
                                   .keep = Real(0.25),
                                   .weight = Real(0.75),
                                   .dt = Real(1e-3),
                                   .inverse_dx = {},
                                   .gas = {},
                                   .raise_bad_faces = false,
                                   .wants_rate = false},
                         .motion = motion.data(),
                         .transport = {transport(Real(0.01), Real(0.72), IdealGas<Real>{}),
                                       ViscosityLaw::sutherland, Real(1), Real(0.4)},
                         .gravity = {Real(0.1), Real(-0.2), Real(0.3)},
                         .wall_velocity = {{Real(0.5), Real(0.2), Real(0)}, {Real(0), Real(-0.5), Real(0.1)}},
                         .wall_temperature = {Real(1.1), Real(0)}};
  for (int axis = 0; axis < 3; ++axis) {
    a.stage.inverse_dx[axis] = Real(cells[axis] > 1 ? cells[axis] : 0);
    for (Boundary& side : a.boundary[axis]) side = boundary;
  }
  if constexpr (order > 0)
    host::add_viscous_terms<order>(a, 1);
  else
    add_terms(ExplicitTerms{}, a, 1);

  a.stage.out = by_kernels.data();
  soft_error::HostChannel<> channel;
  channel.next_epoch(1);
  const double dt = a.stage.dt;
  const auto run = [&](const ColumnsOfCells& box, const auto& kernel) {
    for (blockIdx.y = 0; blockIdx.y < box.pieces(); ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < box.tiles(); ++blockIdx.x)
        emulation::Block::run({unsigned(kTermsWidth), unsigned(box.rows), 1}, [&] { kernel(box); });
  };
  std::fill(motion.begin(), motion.end(), Real(0));
  if constexpr (order > 0)
    run(ColumnsOfCells(layout, reach_of(order)),
        [&](const ColumnsOfCells& box) { find_motion(a, box, channel.reporter(1, 1)); });
  ColumnsOfCells interior(layout, 0);
  for (const int march : {interior.march, 3}) {
    std::fill(by_kernels.begin(), by_kernels.end(), Real(7));
    interior.march = march;
    run(interior, [&](const ColumnsOfCells& box) { add_terms<order>(a, box, &dt, channel.reporter(1, 1)); });
    INFO((std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " + std::to_string(cells[2]) +
          ", pieces of " + std::to_string(march)));
    CHECK(std::memcmp(by_kernels.data(), by_host.data(), values * sizeof(Real)) == 0);
  }
}

template <int order, class Real>
void check_meshes() {
  for (const Boundary boundary : {Boundary::periodic, Boundary::reflecting, Boundary::no_slip})
    for (const std::array<int, 3>& cells : {std::array{40, 20, 12},
                                            {33, 9, 5},
                                            {70, 1, 1},
                                            {1, 20, 1},
                                            {34, 17, 1},
                                            {33, 1, 11},
                                            {1, 1, 9},
                                            {5, 4, 3}})
      check<order, Real>(cells, boundary);
}

}  // namespace

TEST_CASE("gravity alone") { check_meshes<0, double>(); }
TEST_CASE("viscous terms of second order") { check_meshes<2, double>(); }
TEST_CASE("viscous terms of fourth order") { check_meshes<4, double>(); }
TEST_CASE("viscous terms of second order in single precision") { check_meshes<2, float>(); }
