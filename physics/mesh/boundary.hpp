// The boundary conditions and their parameters.
#pragma once

#include <array>

#include "physics/base/choice.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

enum class Boundary { periodic, outflow, reflecting, no_slip, inflow, prescribed };

inline constexpr Choice<Boundary> kBoundaries[] = {
    {Boundary::periodic, "periodic", "the opposite side's cells; both sides of an axis together"},
    {Boundary::outflow, "outflow", "the last cell's state (zero gradient)"},
    {Boundary::reflecting, "reflecting", "the mirror image, normal velocity reversed (slip wall)"},
    {Boundary::no_slip, "no_slip", "a wall that a viscous gas sticks to, at rest or sliding (wall.*)"},
    {Boundary::inflow, "inflow", "the case's initial state at that place, for all time"},
    {Boundary::prescribed, "prescribed", "the case's own state of place and time (noh, double_mach)"},
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

/// A boundary state as a function of place and time, small enough to be passed to a kernel by value. A case
/// that needs `boundary: prescribed` provides one.
struct Prescribed {
  enum class Kind { none, radial_inflow, oblique_shock } kind = Kind::none;

  /// radial_inflow (Noh 1987): density d0 (1 + s t / r)^(n - 1) flowing to `centre` at speed s, pressure p0;
  /// n is the number of active axes, r the distance over those.
  std::array<double, 3> centre{};
  int dimensions = 1;
  double density = 1, speed = 1, pressure = 1e-6;

  /// oblique_shock (Woodward & Colella 1984): a plane shock in x-y through (foot, 0) at t = 0, at 60 degrees
  /// to the x axis, travelling along its normal at shock_speed: `behind` on its left, `ahead` on its right.
  /// On the lower y boundary the ghost cells left of `foot` hold `behind` and the others mirror the flow.
  double foot = 0, shock_speed = 0;
  Primitive<double> behind{}, ahead{};
};

}  // namespace halfstep
