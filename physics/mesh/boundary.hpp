// The boundary conditions and their parameters.
#pragma once

#include <array>

#include "physics/base/choice.hpp"
#include "physics/base/formula.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

enum class Boundary { periodic, outflow, reflecting, no_slip, inflow, prescribed };

inline constexpr Choice<Boundary> kBoundaries[] = {
    {Boundary::periodic, "periodic", "the opposite side's cells; both sides of an axis together"},
    {Boundary::outflow, "outflow", "the last cell's state (zero gradient)"},
    {Boundary::reflecting, "reflecting", "the mirror image, normal velocity reversed (slip wall)"},
    {Boundary::no_slip, "no_slip", "a wall that a viscous gas sticks to, at rest or sliding (wall.*)"},
    {Boundary::inflow, "inflow", "the case's initial state at that place, for all time"},
    {Boundary::prescribed, "prescribed", "the case's own state of place and time"},
};

/// boundary[axis][side], side 0 lower, 1 upper.
using Boundaries = std::array<std::array<Boundary, 2>, 3>;
inline constexpr Boundaries kAllOutflow = {{{Boundary::outflow, Boundary::outflow},
                                            {Boundary::outflow, Boundary::outflow},
                                            {Boundary::outflow, Boundary::outflow}}};

/// The parameters of `no_slip` boundaries: [0] on the lower sides of the axes, [1] on the upper.
struct Walls {
  /// The wall's velocity in its own plane; the normal component is ignored.
  std::array<std::array<double, 3>, 2> velocity{};
  std::array<double, 2> temperature{};  ///< p / rho of an isothermal wall; 0: an adiabatic one
};

/// The state beyond `boundary: prescribed`, a function of place and time (a Dirichlet condition), taken at
/// the centres of ghost cells. A case that has one writes it as formulas. It does not limit dt after the
/// first step of an inviscid run. What evaluates formulas is cold: kernels that rarely need it then have no
/// stack for the results.
class DirichletState {
 public:
  Formulas formulas;

  void set_state(Formula density, const std::array<Formula, 3>& velocity, Formula pressure) {
    state_[0] = density.index();
    for (std::size_t n = 0; n < 3; ++n) state_[1 + n] = velocity[n].index();
    state_[4] = pressure.index();
  }
  /// Makes a side (0 lower, 1 upper) a reflecting wall where the formula, of the place alone, is not 0.
  void set_wall(int axis, int side, Formula where) { wall_[axis][side] = where.index(); }

  bool empty() const { return state_[0] < 0; }
  HALFSTEP_HD bool has_wall(int axis, int side) const { return wall_[axis][side] >= 0; }

  /// Returns the state at the place x (3 coordinates) and time t.
  HALFSTEP_HD_COLD Primitive<double> at(const double* x, double t) const {
    double results[Formulas::kMaxOperations];
    formulas.evaluate(formulas.count(), x, t, results);
    return {results[state_[0]], results[state_[1]], results[state_[2]], results[state_[3]],
            results[state_[4]]};
  }
  /// Whether a side that has_wall() is a wall at the place x.
  HALFSTEP_HD_COLD bool is_wall(int axis, int side, const double* x) const {
    const int formula = wall_[axis][side];
    double results[Formulas::kMaxOperations];
    formulas.evaluate(formula + 1, x, 0, results);
    return results[formula] != 0;
  }

 private:
  int state_[5] = {-1, -1, -1, -1, -1};  // indices of density, velocity and pressure; -1: none
  int wall_[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
};

}  // namespace halfstep
