#include "app/commands/hopeless_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/deck/table.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/rhs/rhs_of_cell.hpp"

namespace halfstep {
namespace {

/// The extremes of the initial state that limit the time step.
struct InitialExtremes {
  double cfl_rate = 0;
  double spike = 0;   ///< of the field watched for spikes
  double factor = 0;  ///< its ratio to the largest of the neighbours
};

class InitialCells {
 public:
  explicit InitialCells(const RunConfig& config)
      : config_(config), problem_(config.problem), gases_(problem_.gases()) {}

  /// Returns the extremes over all cells, or over equally spaced ones of a large mesh.
  InitialExtremes extremes() const {
    constexpr std::int64_t most = 20000;
    const Mesh& mesh = problem_.mesh;
    const std::int64_t count = mesh.cell_count(), looks = std::min(count, most);
    InitialExtremes found;
    for (std::int64_t look = 0; look < looks; ++look) {
      const std::int64_t n = look * count / looks;
      look_at({static_cast<int>(n % mesh.cells[0]), static_cast<int>(n / mesh.cells[0] % mesh.cells[1]),
               static_cast<int>(n / mesh.cells[0] / mesh.cells[1])},
              found);
    }
    return found;
  }

 private:
  using Cell = std::array<int, 3>;

  struct OfCell {
    Conserved<double> flow;
    IdealGas<double> gas;
  };
  OfCell state(const Cell& c) const {
    const Box cell = problem_.mesh.sample(c[0], c[1], c[2]);
    Conserved<double> flow = config_.flow_case->initial(cell);
    double fraction = 0;
    const IdealGas<double> gas =
        mix_in_second_gas(*config_.flow_case, config_.scalars, gases_, cell, flow, fraction);
    return {flow, gas};
  }
  double spike_value_of(const OfCell& own) const {
    return spike_value(problem_.detection.spikes.field, own.flow, own.gas);
  }

  /// Returns 1 / the width of a cell along each axis, 0 along those that are not active.
  std::array<double, 3> inverse_widths(const Cell& cell) const {
    std::array<double, 3> inverse{};
    for (int axis = 0; axis < 3; ++axis)
      if (problem_.mesh.active(axis)) inverse[axis] = 1 / problem_.mesh.width(axis, cell[axis]);
    return inverse;
  }

  void look_at(const Cell& cell, InitialExtremes& found) const {
    const Detection& detection = problem_.detection;
    const OfCell own = state(cell);
    const Primitive<double> q = to_primitive(own.flow, own.gas);
    found.cfl_rate =
        std::max(found.cfl_rate, cfl_rate(q, inverse_widths(cell).data(), own.gas, problem_.terms));
    const double spike = spike_value_of(own);
    found.spike = std::max(found.spike, spike);
    if (detection.spikes.factor > 0 && spike > 0) {
      const double neighbours = largest_neighbour(cell);
      if (neighbours > 0) found.factor = std::max(found.factor, spike / neighbours);
    }
  }

  /// Returns the largest spike value of the neighbours; 0 at a boundary, where the neighbour is not the
  /// initial state.
  double largest_neighbour(const Cell& cell) const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!problem_.mesh.active(axis)) continue;
      if (cell[axis] == 0 || cell[axis] == problem_.mesh.cells[axis] - 1) return 0;
      for (const int side : {-1, 1}) {
        Cell other = cell;
        other[axis] += side;
        largest = std::max(largest, spike_value_of(state(other)));
      }
    }
    return largest;
  }

  const RunConfig& config_;
  const Problem& problem_;
  Gases<double> gases_;
};

std::string remark_on_courant(const RunConfig& config, const InitialExtremes& initial) {
  const StepLimits& limits = config.limits;
  if (limits.cfl_limit <= 0) return "";
  const bool fixed = limits.fixed_dt > 0;
  double dt = std::min(limits.fixed_dt, limits.end);
  if (limits.output_every > 0) dt = std::min(dt, limits.output_every);
  const double courant = fixed ? dt * initial.cfl_rate : limits.cfl;
  if (courant <= limits.cfl_limit) return "";
  const bool for_ever = std::ldexp(courant, -limits.max_halvings) > limits.cfl_limit;
  const std::string what = fixed ? fmt::format("time.dt, {:.3g} at the start,", courant) : "time.cfl";
  return fmt::format(
      "# the Courant number of {} is beyond soft_error.cfl_limit, {:g}: {}\n", what, limits.cfl_limit,
      for_ever ? fmt::format(
                     "no step can be accepted, not even after {} halvings; the run will end with exit code 3",
                     limits.max_halvings)
               : "steps are rejected and halved");
}

std::string remark_on_spikes(const RunConfig& config, const InitialExtremes& initial) {
  const Detection& d = config.problem.detection;
  const auto field = name_of(kSpikeFields, d.spikes.field);
  std::string text;
  if (d.spikes.limit > 0 && initial.spike > d.spikes.limit)
    text += fmt::format(
        "# the initial {} reaches {:g}, beyond soft_error.spike.limit, {:g}: steps are rejected, and no "
        "halving cures that\n",
        field, initial.spike, d.spikes.limit);
  if (d.spikes.factor > 0 && initial.factor > d.spikes.factor)
    text += fmt::format(
        "# the initial {} has a cell {:.6g} times the largest neighbour, beyond soft_error.spike.factor, "
        "{:g}:\n"
        "#         steps are rejected, and no halving cures that\n",
        field, initial.factor, d.spikes.factor);
  return text;
}

}  // namespace

std::string remarks_on_steps(const RunConfig& config) {
  const Scheme& scheme = config.problem.scheme;
  std::string text;
  if (scheme.method == Method::finite_volumes && scheme.reconstruction == Reconstruction::weno5z &&
      scheme.integrator == Integrator::euler)
    text = "# weno5z with integrator euler is unstable at every time step; take ssprk3\n";
  InitialExtremes initial;
  if (config.limits.fixed_dt > 0 || config.problem.detection.spikes.are_set())
    initial = InitialCells(config).extremes();
  return text + remark_on_courant(config, initial) + remark_on_spikes(config, initial);
}

}  // namespace halfstep
