// Runs the body of the CUDA stage kernels of flux reconstruction on the CPU: one stage equals that of the
// host to the bit, for every degree and in every dimension. Compiled without contraction, as a strict build
// is.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "physics/cuda/elements/scaling_body.cuh"
#include "physics/cuda/elements/stage_body.cuh"
#include "physics/mesh/ghosts.hpp"
#include "runtime/soft_error/channel.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/random_state.hpp"
#include "tests/support/stage_outcome.hpp"

namespace halfstep {

extern unsigned char shared_memory[256 << 10];  // of a block; see test_stage_body.cpp

}  // namespace halfstep

using namespace halfstep;

namespace {

template <int degree, Riemann riemann, class RiemannSolver, class Real>
struct Stage : RandomStage<Real> {
  using RandomStage<Real>::layout, RandomStage<Real>::arguments;

  Stage(const std::array<int, 3>& elements, bool rough, Real keep)
      : RandomStage<Real>({points(elements[0]), points(elements[1]), points(elements[2])}, degree + 1, keep,
                          rough) {
    this->stretch();  // each point has its own width
  }

  static int points(int elements) { return elements > 0 ? elements * (degree + 1) : 1; }

  StageOutcome<Real> on_host() {
    StageOutcome<Real> result{this->result()};
    arguments.out = result.u.data();
    for (int k = 0; k < layout.cells[2]; ++k)
      for (int j = 0; j < layout.cells[1]; ++j)
        for (int i = 0; i < layout.cells[0]; ++i) {
          const Element e = Element::of_point(layout, degree, i, j, k);
          if (e.first[0] != i || e.first[1] != j || e.first[2] != k) continue;
          const ElementOutcome<Real> outcome = advance_element<degree>(arguments, riemann, e, {});
          result.rate = std::max<double>(result.rate, outcome.cfl_rate);
          result.bad_faces += outcome.bad_faces;
          result.raised |= !outcome.good || (arguments.raise_bad_faces && outcome.bad_faces > 0);
        }
    return result;
  }

  StageOutcome<Real> by_kernel(const std::array<int, 3>& period = {}) {
    using Block = ElementBlock<degree, Real>;
    StageOutcome<Real> result{this->result()};
    arguments.out = result.u.data();
    const ElementTiles tiles = ElementTiles::of<Block>(layout);
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    const double dt = arguments.dt;
    StageResult sums{};
    const CudaStage<Real> stage{arguments,
                                &dt,
                                channel.reporter(1, 1),
                                &sums,
                                tiles.along_x(),
                                int(tiles.count()),
                                1,
                                {},
                                {period[0], period[1], period[2]},
                                {},
                                {}};
    for (blockIdx = {0, 0, 0}; blockIdx.x < tiles.count(); ++blockIdx.x) {
      std::memset(shared_memory, 0xff, Block::kSharedBytes);  // NaN
      emulation::Block::run({unsigned(Block::kThreads), 1, 1},
                            [&] { advance_elements<degree, RiemannSolver>(stage); });
    }
    result.rate = std::bit_cast<double>(sums.cfl_rate_bits);
    result.bad_faces = static_cast<long long>(sums.bad_faces);
    result.raised = bool(channel.poll());
    return result;
  }

  /// Fills the ghost cells with the interior cells' states, or with NaN.
  void fill_ghosts(bool with_images) {
    Boundaries periodic;
    for (auto& sides : periodic) sides = {Boundary::periodic, Boundary::periodic};
    const BoundaryConditions<Real> rules(
        layout, Mesh{.cells = {layout.cells[0], layout.cells[1], layout.cells[2]}}, periodic, {}, {{1.4}});
    const GhostCells ghosts(layout);
    for (std::int64_t n = 0; n < ghosts.count(); ++n) {
      int i, j, k;
      ghosts.cell(layout, n, i, j, k);
      if (with_images)
        fill_ghost(rules, this->in.data(), i, j, k, 0);
      else
        store(layout, this->in.data(), i, j, k,
              Conserved<Real>{Real(NAN), Real(NAN), Real(NAN), Real(NAN), Real(NAN)});
    }
  }
};

/// In elements along x, y and z; 0: not active. The last ones of a row are fewer than a tile's.
const std::vector<std::array<int, 3>> kMeshes = {{11, 3, 2}, {37, 0, 0}, {0, 5, 0}, {0, 0, 2},
                                                 {23, 2, 0}, {5, 0, 3},  {0, 3, 2}, {1, 1, 1}};

template <int degree, Riemann riemann, class RiemannSolver, class Real = double>
void check() {
  long long bad_faces = 0;
  bool some_raised = false, some_did_not = false;
  for (const auto& elements : kMeshes)
    for (const bool rough : {false, true}) {
      Stage<degree, riemann, RiemannSolver, Real> stage(elements, rough, rough ? Real(0.25) : Real(0));
      INFO(("degree " + std::to_string(degree) + ", elements " + text_of(elements)));
      stage.arguments.raise_bad_faces = rough;
      for (bool& shares : stage.arguments.shares_last) shares = rough;  // as a block beside another's
      const StageOutcome<Real> host = stage.on_host();
      bad_faces += host.bad_faces;
      (host.raised ? some_raised : some_did_not) = true;
      for (const bool backwards : {true, false}) {
        emulation::Block::backwards = backwards;
        CHECK(identical(stage.by_kernel(), host));
      }
      stage.fill_ghosts(true);
      const StageOutcome<Real> wrapped = stage.on_host();
      stage.fill_ghosts(false);
      const Layout& l = stage.layout;
      CHECK(identical(stage.by_kernel({l.cells[0], l.cells[1], l.cells[2]}), wrapped));
    }
  CHECK(bad_faces > 0);  // or no repair has been compared
  CHECK((some_raised && some_did_not));
}

/// Scales the flagged elements of a rough state, one in three, as the kernel does and as the host.
template <int degree, class Real>
void check_scaling() {
  int scaled = 0;
  for (const auto& elements : kMeshes) {
    Stage<degree, Riemann::hllc, Hllc, Real> stage(elements, true, Real(0));
    INFO(("degree " + std::to_string(degree) + ", elements " + text_of(elements)));
    const Layout& l = stage.layout;
    const BoundaryConditions<Real> rules(l, Mesh{.cells = {l.cells[0], l.cells[1], l.cells[2]}}, kAllOutflow,
                                         {}, {{1.4}});
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(rules.flags.count()));
    const ElementTiles tiles = ElementTiles::of<ElementBlock<degree, Real>>(l);
    for (std::int64_t n = 0; n < tiles.element_count(); n += 3) {
      const auto& [i, j, k] = tiles.element(n).first;
      mask[static_cast<std::size_t>(rules.flags.index(i, j, k))] = 1;
    }
    const FlaggedElements<Real> flagged{rules, mask.data(), Remedy::scaling};
    std::vector<Real> by_kernel = stage.in, on_host = stage.in;
    stage.arguments.out = by_kernel.data();
    for (std::int64_t n = tiles.element_count() + 3; n >= 0; --n)
      scale_element<degree>(stage.arguments, flagged, n);
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j)
        for (int i = 0; i < l.cells[0]; ++i)
          if (const Element e = Element::of_point(l, degree, i, j, k);
              e.number_of(i, j, k) == 0 && mask[static_cast<std::size_t>(rules.flags.index(i, j, k))])
            scale_towards_average<degree>(ElementInMemory<Real>{e, l, on_host.data()}, stage.arguments.gas);
    CHECK(by_kernel == on_host);
    scaled += by_kernel != stage.in;
  }
  CHECK(scaled > 4);
}

}  // namespace

TEST_CASE("elements of degree 1") { check<1, Riemann::rusanov, Rusanov>(); }
TEST_CASE("elements of degree 2") { check<2, Riemann::hllc, Hllc>(); }
TEST_CASE("elements of degree 3") { check<3, Riemann::roe, Roe>(); }
TEST_CASE("elements of degree 4") { check<4, Riemann::hll, Hll>(); }
TEST_CASE("elements of degree 5") { check<5, Riemann::lhllc, Lhllc>(); }
TEST_CASE("elements of degree 1 single") { check<1, Riemann::hllc, Hllc, float>(); }
TEST_CASE("elements of degree 2 single") { check<2, Riemann::rusanov, Rusanov, float>(); }
TEST_CASE("elements of degree 3 single") { check<3, Riemann::hll, Hll, float>(); }
TEST_CASE("elements of degree 4 single") { check<4, Riemann::lhllc, Lhllc, float>(); }
TEST_CASE("elements of degree 5 single") { check<5, Riemann::rusanov, Rusanov, float>(); }

TEST_CASE("scaled elements") {
  check_scaling<1, double>();
  check_scaling<2, float>();
  check_scaling<3, double>();
  check_scaling<4, float>();
  check_scaling<5, double>();
}
