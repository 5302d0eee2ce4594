// The boundary conditions and their parameters.
#pragma once

#include <array>

#include "physics/base/choice.hpp"
#include "physics/base/formula.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

enum class Boundary {
  periodic,
  outflow,
  reflecting,
  no_slip,
  inflow,
  prescribed,
  state,
  subsonic_outflow,
  subsonic_inflow,
  reservoir,
  far_field,
  exchanged  ///< of a block alone: a neighbouring rank has the cells beyond; no word of a deck
};

inline constexpr Choice<Boundary> kBoundaries[] = {
    {Boundary::periodic, "periodic", "the opposite side's cells; both sides of an axis together"},
    {Boundary::outflow, "outflow", "the last cell's state (zero gradient)"},
    {Boundary::reflecting, "reflecting", "the mirror image, normal velocity reversed (slip wall)"},
    {Boundary::no_slip, "no_slip", "a wall that a viscous gas sticks to, at rest or sliding (wall.*)"},
    {Boundary::inflow, "inflow", "the case's initial state at that place, for all time"},
    {Boundary::prescribed, "prescribed", "the case's own state of place and time"},
    {Boundary::state, "state", "a state from the deck, also of place and time"},
    {Boundary::subsonic_outflow, "subsonic_outflow", "a pressure from the deck; all else comes from inside"},
    {Boundary::subsonic_inflow, "subsonic_inflow",
     "a velocity and a temperature from the deck; the pressure comes from inside"},
    {Boundary::reservoir, "reservoir",
     "gas from rest at a total pressure and temperature of the deck flows in along the normal"},
    {Boundary::far_field, "far_field",
     "lets waves along the normal out into a state from the deck, by its Riemann invariants"},
};

/// Whether a ghost cell's state is made from that of the cell beside the side and from values of the deck.
HALFSTEP_HD constexpr bool is_characteristic(Boundary kind) {
  return kind >= Boundary::subsonic_outflow && kind <= Boundary::far_field;
}
/// Whether the deck gives values beside the word.
HALFSTEP_HD constexpr bool has_values(Boundary kind) {
  return kind >= Boundary::state && kind <= Boundary::far_field;
}
/// Whether formulas make the state, which may then be one that no gas has.
HALFSTEP_HD constexpr bool is_made_by_formulas(Boundary kind) {
  return kind == Boundary::prescribed || has_values(kind);
}

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

/// A state as formulas of place and time: density, velocity, pressure.
using FormulaState = std::array<Formula, 5>;

/// The states beyond boundaries as functions of place and time, taken at the centres of ghost cells. A case
/// writes that beyond `boundary: prescribed`, a deck those of sides that has_values(). They do not limit dt
/// after the first step of an inviscid run. What evaluates formulas is cold: kernels that rarely need it then
/// have no stack for the results.
class DirichletState {
 public:
  Formulas formulas;

  /// Sets the state beyond `boundary: prescribed`.
  void set_state(Formula density, const std::array<Formula, 3>& velocity, Formula pressure) {
    prescribed_ = Indices({density, velocity[0], velocity[1], velocity[2], pressure});
  }
  /// Sets the state of a side (0 lower, 1 upper) with values.
  void set_side(int axis, int side, const FormulaState& state) { sides_[axis][side] = Indices(state); }
  /// Sets the mass fraction of the scalar s beyond a side with values.
  void set_fraction(int axis, int side, int s, Formula fraction) {
    fractions_[axis][side].of[s] = static_cast<signed char>(fraction.index());
    fractions_[axis][side].any = true;
  }
  /// Confines the boundary condition of a side (0 lower, 1 upper) to the part where the formula, of the place
  /// alone, is not 0. `elsewhere`: reflecting or outflow.
  void set_part(int axis, int side, Formula where, Boundary elsewhere) {
    parts_[axis][side] = {where.index(), elsewhere};
  }

  /// Whether there is no state beyond `boundary: prescribed`.
  bool empty() const { return prescribed_.end == 0; }
  HALFSTEP_HD bool has_fractions(int axis, int side) const { return fractions_[axis][side].any; }
  HALFSTEP_HD bool has_fraction(int axis, int side, int s) const { return fractions_[axis][side].of[s] >= 0; }
  HALFSTEP_HD bool has_parts(int axis, int side) const { return parts_[axis][side].where >= 0; }

  /// Returns the state beyond `boundary: prescribed` at the place x (3 coordinates) and time t.
  HALFSTEP_HD Primitive<double> at(const double* x, double t) const { return value(prescribed_, x, t); }
  /// Returns the state of a side with values.
  HALFSTEP_HD Primitive<double> at(int axis, int side, const double* x, double t) const {
    return value(sides_[axis][side], x, t);
  }
  /// Returns the mass fraction of a scalar that a side has.
  HALFSTEP_HD_COLD double fraction(int axis, int side, int s, const double* x, double t) const {
    const int n = fractions_[axis][side].of[s];
    double results[Formulas::kMaxOperations];
    formulas.evaluate(n + 1, x, t, results);
    return results[n];
  }
  /// Returns the boundary condition at the place x of a side that has_parts(). `kind`: in its own part.
  HALFSTEP_HD_COLD Boundary kind_at(int axis, int side, const double* x, Boundary kind) const {
    const Part& part = parts_[axis][side];
    double results[Formulas::kMaxOperations];
    formulas.evaluate(part.where + 1, x, 0, results);
    return results[part.where] != 0 ? kind : part.elsewhere;
  }

 private:
  /// Where the results of a state stand, and the end of what has to be evaluated for them; 0: no state.
  struct Indices {
    Indices() = default;
    explicit Indices(const FormulaState& state) {
      for (std::size_t n = 0; n < 5; ++n) {
        of[n] = static_cast<unsigned char>(state[n].index());
        end = of[n] < end ? end : static_cast<unsigned char>(of[n] + 1);
      }
    }
    unsigned char of[5] = {}, end = 0;
  };

  HALFSTEP_HD_COLD Primitive<double> value(const Indices& state, const double* x, double t) const {
    double results[Formulas::kMaxOperations];
    formulas.evaluate(state.end, x, t, results);
    return {results[state.of[0]], results[state.of[1]], results[state.of[2]], results[state.of[3]],
            results[state.of[4]]};
  }

  /// Where the results of mass fractions stand.
  struct Fractions {
    signed char of[kMaxScalars];  ///< -1: the side does not give it
    bool any = false;
    Fractions() {
      for (signed char& n : of) n = -1;
    }
  };
  static_assert(Formulas::kMaxOperations <= 128);

  Indices prescribed_, sides_[3][2];
  Fractions fractions_[3][2];
  struct Part {
    int where = -1;  ///< index of the formula; -1: the whole side
    Boundary elsewhere = Boundary::reflecting;
  };
  Part parts_[3][2];
};

}  // namespace halfstep
