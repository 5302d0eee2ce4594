// Runs the kernels for cells in bodies on the CPU, after stages of the host: ballast in U^n changes no bit of
// the gas, no cell in a body sets the time step or raises, and U^n can be had back. Compiled without
// contraction, as in a strict build.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "physics/cuda/solid_kernels.cuh"
#include "physics/host/stage_body.hpp"
#include "physics/solids/solids.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
extern unsigned char shared_memory[256 << 10];  // of a block; see test_stage_body.cpp
}

using namespace halfstep;

namespace {

struct Ball final : Surface {
  double distance(const Point& x) const override {
    return std::hypot(x[0] - 0.47, x[1] - 0.52, x[2] - 0.45) - 0.3;
  }
};

/// The ball, and a block with edges and corners that comes out of it.
struct BallAndBlock final : Surface {
  double distance(const Point& x) const override {
    double block = -1;
    const double lower[3] = {0.4, 0.1, 0.2}, upper[3] = {0.93, 0.6, 0.63};
    for (int axis = 0; axis < 3; ++axis)
      block = std::max({block, lower[axis] - x[axis], x[axis] - upper[axis]});
    return std::min(Ball{}.distance(x), block);
  }
};

/// Runs a kernel in blocks of that many threads.
template <class Kernel>
void run(std::int64_t blocks, unsigned threads, const Kernel& kernel) {
  gridDim.x = static_cast<unsigned>(blocks);
  for (blockIdx = {0, 0, 0}; blockIdx.x < gridDim.x; ++blockIdx.x) {
    std::memset(shared_memory, 0xff, sizeof shared_memory);  // NaN
    emulation::Block::run({threads, 1, 1}, [&] { kernel(); });
  }
}

/// A stream past a body in a periodic box, whose solid cells are filled by the kernels.
template <class Reconstruction, class Real>
class Stream {
 public:
  using State = std::vector<Real>;

  /// What a step leaves: the states after each stage, and of the last one its rate and raise.
  struct Step {
    std::vector<State> states;
    double rate = 0;
    bool raised = false;
    bool looked = false;  ///< at the gas again, after the last stage
  };

  explicit Stream(const Wall& wall, int scalars = 0, bool two_gases = false,
                  std::shared_ptr<const Surface> surface = std::make_shared<Ball>())
      : layout_(mesh_, kLayers, kFields + scalars + two_gases, two_gases),
        rules_(layout_, mesh_, periodic(), {}, {{1.4}, two_gases ? 1.5 : 0.0}),
        solids_({{"body", std::move(surface), wall}}, mesh_,
                BoundaryConditions<double>(layout_, mesh_, periodic(), {}, {{1.4}}), {kLayers, false}),
        walls_(walls_of(solids_.bodies())),
        groups_(CellGrouping(layout_).groups_of(cells().near, cells().rim, order())),
        near_(interleaved(groups_.near)),
        core_(interleaved(cells().core)),
        start_(static_cast<std::size_t>(layout_.values()), Real(1)) {
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        for (int i = 0; i < layout_.cells[0]; ++i) {
          const Real wave = Real(0.1 * std::sin(0.5 * i + 0.3 * j - 0.7 * k));
          store(layout_, start_.data(), i, j, k,
                to_conserved(
                    Primitive<Real>{Real(1) + wave, Real(1.8), Real(0.3) + wave, Real(0.2), Real(0.7) - wave},
                    gas_));
          for (int s = 0; s < scalars; ++s)
            scalar(layout_, start_.data(), s, i, j, k) = Real(s + 1) + wave * Real(0.3);
          if (two_gases) scalar(layout_, start_.data(), scalars, i, j, k) = Real(0.5) + Real(4) * wave;
        }
    fill_ghosts(start_);
    unfilled_ = start_;
    refill(start_);
    fill_ghosts(start_);
  }

  const SolidCells& cells() const { return solids_.cells(); }
  const Layout& layout() const { return layout_; }
  const Conserved<Real>& rest() const { return rest_; }
  State& start() { return start_; }
  /// Returns start() before its solid cells were filled.
  const State& unfilled() const { return unfilled_; }
  bool is_solid(int i, int j, int k) const { return mask().has(layout_, i, j, k); }

  /// Fills the solid cells of a state as the host does.
  void refill_on_host(State& u) const {
    for (const SolidCell& c : cells().near) {
      const AroundProbe<Real> around(layout_, c, u.data());
      fill_solid_cell(rules_, walls_.data(), c, around, flow_at_probe<Real>(around, c), u.data());
    }
    for (const auto* places : {&cells().rim, &cells().core})
      for (const CellPlace& c : *places) fill_deep_cell(layout_, c, rest_, u.data());
  }
  /// Fills them by the kernel.
  void refill(State& u) { refill(u, view()); }
  /// Fills them by the kernel, turn by turn.
  void refill_in_turns(State& u) {
    SolidCellsView cells = view();
    for (int turn = 0; turn < kTurns; ++turn) {
      cells.first_block = groups_.turns[static_cast<std::size_t>(turn)];
      const std::int64_t end = groups_.turns[static_cast<std::size_t>(turn) + 1];
      CHECK(end > cells.first_block);
      run((turn + 1 == kTurns ? cells.blocks() : end) - cells.first_block, kGroupCells,
          [&] { refill_solids(rules_, cells, rest_, u.data()); });
    }
  }
  /// Fills rim cells alone, as in a block of the mesh that has no others, by the kernel.
  void refill_rim(State& u) {
    const CellGroups rim = CellGrouping(layout_).groups_of({}, cells().rim, order());
    const auto near = interleaved(rim.near);
    refill(u, {view_of(rim, near), {}, walls_.data()});
  }

  /// Makes a step of the Courant number 0.4 from start(). `spoils`, if any, changes what the last stage left.
  template <class Spoils>
  Step step(Integrator integrator, bool with_ballast, Spoils spoils) {
    Step all;
    soft_error::HostChannel<> channel;
    channel.next_epoch(1);
    const State* in = &start_;
    const int count = stage_count(integrator);
    all.states.reserve(static_cast<std::size_t>(count));
    for (int stage = 1; stage <= count; ++stage) {
      all.states.emplace_back(start_.size(), Real(7));
      State& out = all.states.back();
      StageArguments<Real> a = arguments(integrator, stage, in->data(), out.data());
      const soft_error::Reporter<> reporter = channel.reporter(1, stage);
      StageResult result{};
      SolidDoubt doubt{};
      const auto outcome = sweep(a, reporter);
      result.cfl_rate_bits = std::bit_cast<unsigned long long>(double(outcome.cfl_rate));
      if (stage == count) spoils(a, reporter);
      fill_ghosts(out);  // probes lie among them
      SolidCellsView filled = view();
      filled.core.count = 0;
      Real* const ballast = with_ballast && stage == 1 && count > 1 ? start_.data() : nullptr;
      run(filled.blocks(), kGroupCells, [&] {
        fill_solids(a, rules_, filled, rest_, ballast, a.wants_rate ? bound() : 0, &result, &doubt, reporter);
      });
      all.looked = is_in_doubt(a, result, doubt, core_rate(), reporter);
      run(2, kSmallBlock, [&] { look_at_gas(a, mask(), &result, &doubt, core_rate(), reporter); });
      CHECK(doubt.counts + doubt.gas_is_bad == 0);
      CHECK(doubt.blocks_done + doubt.gas_rate_bits == 0);
      fill_ghosts(out);
      in = &out;
      all.rate = std::bit_cast<double>(result.cfl_rate_bits);
    }
    all.raised = bool(channel.poll());
    return all;
  }
  Step step(Integrator integrator, bool with_ballast) {
    return step(integrator, with_ballast, [](const auto&, const auto&) {});
  }

  /// Returns the largest CFL rate of the gas, or of the cells in the body as they are filled.
  Real rate(const State& u, bool in_gas) {
    StageArguments<Real> a = arguments(Integrator::euler, 1, nullptr, const_cast<Real*>(u.data()));
    Real largest = 0;
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        for (int i = 0; i < layout_.cells[0]; ++i) {
          Real own = 0;
          if (is_solid(i, j, k) == in_gas) continue;
          check_cell(a, i, j, k, own);
          largest = std::max(own, largest);
        }
    return largest;
  }

 private:
  static constexpr int kLayers = Reconstruction::radius + 1;

  static Boundaries periodic() {
    Boundaries all;
    for (auto& sides : all) sides = {Boundary::periodic, Boundary::periodic};
    return all;
  }

  void refill(State& u, const SolidCellsView& cells) {
    run(cells.blocks(), kGroupCells, [&] { refill_solids(rules_, cells, rest_, u.data()); });
  }

  FillingOrder order() const { return {layout_, 8, kLayers}; }
  SolidMask mask() const { return {cells().mask.data()}; }
  static CellGroupsView view_of(const CellGroups& all,
                                const std::vector<Interleaved<GroupedCell>::Word>& near) {
    return {{near.data(), std::ssize(all.near)}, all.rim.data(), all.pairs.data()};
  }
  SolidCellsView view() const {
    return {view_of(groups_, near_), {core_.data(), std::ssize(cells().core)}, walls_.data()};
  }
  double inverse_widths() const { return 1 / mesh_.spacing(0) + 1 / mesh_.spacing(1) + 1 / mesh_.spacing(2); }
  double bound() const { return largest_rate2({1.4}, inverse_widths()); }
  double core_rate() const { return 1.001 * inverse_widths() * std::sqrt(1.4 * 0.7); }

  StageArguments<Real> arguments(Integrator integrator, int stage, const Real* in, Real* out) const {
    const double alpha = stage_weights(integrator, stage).alpha;
    return {
        .layout = layout_,
        .start = alpha > 0 ? start_.data() : nullptr,
        .in = in,
        .out = out,
        .beta = Real(1 - alpha),
        .dt = Real(0.4 / (4 * inverse_widths())),
        .inverse_dx = {Real(1 / mesh_.spacing(0)), Real(1 / mesh_.spacing(1)), Real(1 / mesh_.spacing(2))},
        .gas = gas_,
        .raise_bad_faces = false,
        .wants_rate = stage == stage_count(integrator)};
  }
  HostStageResult<Real> sweep(const StageArguments<Real>& a, const soft_error::Reporter<>& reporter) const {
    interruptible::HostTileQueue queue;
    const HostTiling tiling = host_tiling<Real>(layout_, 1);
    queue.start(tiling.count());
    queue.begin_slice({});
    return host_stage<Reconstruction, Variables::primitive, Hllc, Real, false>(a, reporter, tiling, queue, 1);
  }
  void fill_ghosts(State& u) const {
    const int gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    for (int k = -gz; k < layout_.cells[2] + gz; ++k)
      for (int j = -gy; j < layout_.cells[1] + gy; ++j) fill_ghost_row(rules_, u.data(), j, k, 0.0);
  }

  Mesh mesh_{{24, 20, 18}, {0, 0, 0}, {1, 1, 1}};
  IdealGas<Real> gas_{};
  Layout layout_;
  BoundaryConditions<Real> rules_;
  Solids solids_;
  std::vector<Wall> walls_;
  CellGroups groups_;
  std::vector<Interleaved<GroupedCell>::Word> near_;
  std::vector<Interleaved<CellPlace>::Word> core_;
  Conserved<Real> rest_{Real(1), 0, 0, 0, Real(1.75)};
  State start_, unfilled_;
};

template <class State>
bool identical(const State& a, const State& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

/// A wall with slip, and one without that turns and has a temperature.
std::array<Wall, 2> walls() {
  Wall sticky;
  sticky.slip = false;
  sticky.temperature = 0.8;
  sticky.spin = {0, 0, 0.4};
  return {Wall{}, sticky};
}

template <class Reconstruction, class Real>
void check_filling() {
  for (const Wall& wall : walls())
    for (const auto& [scalars, two_gases] : {std::pair{0, false}, {2, false}, {0, true}, {2, true}}) {
      Stream<Reconstruction, Real> stream(wall, scalars, two_gases, std::make_shared<BallAndBlock>());
      const auto& near = stream.cells().near;
      CHECK(std::any_of(near.begin(), near.end(),
                        [](const SolidCell& c) { return c.at_edge && c.walls() == 2; }));
      CHECK(std::any_of(near.begin(), near.end(),
                        [](const SolidCell& c) { return c.at_edge && c.walls() == 3; }));
      auto by_host = stream.unfilled();
      stream.refill_on_host(by_host);
      for (const bool backwards : {false, true}) {
        emulation::Block::backwards = backwards;
        auto by_kernel = stream.unfilled();
        stream.refill(by_kernel);
        CHECK(identical(by_kernel, by_host));
        CHECK_FALSE(identical(by_kernel, stream.unfilled()));
        auto in_turns = stream.unfilled();
        stream.refill_in_turns(in_turns);
        CHECK(identical(in_turns, by_host));
      }
      emulation::Block::backwards = false;
    }
}

template <class Reconstruction, class Real>
void check_steps() {
  for (const Wall& wall : walls()) {
    Stream<Reconstruction, Real> stream(wall);
    const auto before = stream.start();
    for (const Integrator integrator : {Integrator::euler, Integrator::ssprk2, Integrator::ssprk3}) {
      INFO((std::to_string(int(integrator)) + (wall.slip ? " slip" : " no slip")));
      const auto without = stream.step(integrator, false);
      CHECK(identical(stream.start(), before));
      const auto with = stream.step(integrator, true);
      REQUIRE(with.states.size() == without.states.size());
      for (std::size_t n = 0; n < with.states.size(); ++n)
        CHECK(identical(with.states[n], without.states[n]));
      CHECK(with.rate == without.rate);
      CHECK(with.rate == double(stream.rate(with.states.back(), true)));
      CHECK_FALSE(with.raised);
      CHECK_FALSE(without.raised);
      CHECK(without.looked);  // what a stage leaves in bodies is not known to be slow ...
      CHECK(with.looked == (integrator == Integrator::euler));  // ... where it has no ballast
      CHECK(identical(stream.start(), before) == (integrator == Integrator::euler));
      stream.refill(stream.start());
      CHECK(identical(stream.start(), before));
    }
  }
}

}  // namespace

TEST_CASE("kernels fill bodies as the host does") {
  check_filling<Plm<Limiter::minmod>, double>();
  check_filling<Weno5z, double>();
  check_filling<Weno5z, float>();
}

TEST_CASE("groups without near cells fill their rim cells, and nothing else") {
  Stream<Weno5z, double> stream(Wall{});
  auto by_hand = stream.unfilled(), by_kernel = by_hand;
  for (const CellPlace& c : stream.cells().rim)
    fill_deep_cell(stream.layout(), c, stream.rest(), by_hand.data());
  stream.refill_rim(by_kernel);
  CHECK(identical(by_kernel, by_hand));
  CHECK_FALSE(identical(by_kernel, stream.unfilled()));
}

TEST_CASE("ballast in bodies changes no bit of a step, and spares it the second look at the gas") {
  check_steps<Constant, double>();
  check_steps<Plm<Limiter::minmod>, double>();
  check_steps<Ppm, double>();
  check_steps<Weno5z, double>();
  check_steps<Plm<Limiter::minmod>, float>();
  check_steps<Weno5z, float>();
}

TEST_CASE("what a stage spoils in a body is taken back, and what it spoils in the gas is not") {
  Stream<Weno5z, double> stream(Wall{});
  const auto good = stream.step(Integrator::ssprk3, true);
  const auto spoiled = [&](const std::array<int, 3>& at, double density, double energy) {
    stream.refill(stream.start());
    return stream.step(Integrator::ssprk3, true, [&](const auto& a, const auto& reporter) {
      Conserved<double> c = load(a.layout, a.out, at[0], at[1], at[2]);
      c.density = density;
      c.energy = energy;
      store(a.layout, a.out, at[0], at[1], at[2], c);
      double rate = 0;
      if (!check_cell(a, at[0], at[1], at[2], rate)) reporter.raise();
    });
  };
  const auto& near = stream.cells().near[7].at;
  const CellPlace &rim = stream.cells().rim[5], gas{2, 2, 2};
  REQUIRE_FALSE(stream.is_solid(gas[0], gas[1], gas[2]));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const CellPlace& at : {CellPlace{near[0], near[1], near[2]}, rim})
    for (const auto& [density, energy] : {std::pair{-1.0, 1.0}, {nan, nan}, {1.0, -1.0}, {1e-3, 1e9}}) {
      const auto all = spoiled(at, density, energy);
      CHECK(all.looked);
      CHECK_FALSE(all.raised);
      CHECK(all.rate == good.rate);
      CHECK(identical(all.states.back(), good.states.back()));
    }
  CHECK(spoiled(gas, -1, 1).raised);
  CHECK(spoiled(gas, 1, nan).raised);
}

TEST_CASE("no mixture is faster than the bound of the stiffer gas, unless its fraction says so") {
  const double widths[3] = {8, 5, 3};
  for (const Gases<double>& gases : {Gases<double>{{1.4}, 1.5}, Gases<double>{{1.4}, 10}}) {
    const double bound = largest_rate2(stiffest(gases), 16), worse = gases.second < 2.5 ? 1.5 : -0.1;
    CHECK_FALSE(is_mixture(gases, worse));
    CHECK_FALSE(is_mixture(gases, std::numeric_limits<double>::quiet_NaN()));
    for (const double fraction : {-1e-5, 0.0, 0.4, 1.0, 1 + 1e-5}) {
      CHECK(is_mixture(gases, fraction));
      const IdealGas<double> gas = gases.mixed(fraction);
      const Primitive<double> q{1.3, 0, 0, 0, 0.7};
      const Conserved<double> c = to_conserved(q, gas);
      CHECK(may_reach(cfl_rate(q, widths, gas), bound, c.density, c.energy));
    }
  }
}

TEST_CASE("no admissible state is faster than the bound by its density and energy") {
  const double widths[3] = {8, 5, 3};
  for (const double gamma : {1.05, 1.4, 5.0 / 3})
    for (const double mach : {0.0, 0.3, 1.0, 3.0, 100.0})
      for (const std::array<double, 3>& way :
           {std::array{1.0, 0.0, 0.0}, {0.6, 0.8, 0.0}, {0.0, 0.0, -1.0}}) {
        const IdealGas<double> gas{gamma};
        const double speed = mach * std::sqrt(gamma * 0.7 / 1.3);
        const Primitive<double> q{1.3, speed * way[0], speed * way[1], speed * way[2], 0.7};
        const Conserved<double> c = to_conserved(q, gas);
        const double rate = cfl_rate(q, widths, gas), bound = largest_rate2(gas, 16);
        CHECK(may_reach(rate, bound, c.density, c.energy));
        CHECK_FALSE(may_reach(8 * rate + 300 * speed, bound, c.density, c.energy));
      }
  CHECK(may_reach(1, 1, std::numeric_limits<double>::quiet_NaN(), 1));
}
