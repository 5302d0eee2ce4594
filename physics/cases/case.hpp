// The interface of a case: the initial flow and, where it is known, the exact solution. Each case has a file
// that also registers it. Everything here is in double precision on the host; solvers convert.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/state.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/rhs/rhs_terms.hpp"
#include "physics/sources/source.hpp"

namespace halfstep {

class Case {
 public:
  virtual ~Case() = default;

  /// Returns the volume average of the conserved state over `cell` at time 0. Also called for ghost cells.
  virtual Conserved<double> initial(const Box& cell) const = 0;

  /// Returns the source that exact() includes.
  virtual SourceKind source() const { return SourceKind::none; }
  /// Whether exact() includes the setup's viscous terms and gravity; else it is that of the inviscid flow.
  virtual bool knows_terms() const { return false; }
  /// Whether exact() is known at `time`.
  virtual bool has_exact(double /*time*/) const { return false; }
  /// Returns why exact() no longer, or never, holds for a run with these boundaries, in words that may follow
  /// "no exact solution:"; "" while it holds. Errs on the early side.
  virtual std::string lost_exact(const Boundaries& /*boundary*/, double /*time*/) const { return ""; }
  /// Returns the volume average of the exact conserved state over `cell`; only where has_exact(time).
  virtual Conserved<double> exact(const Box& cell, double /*time*/) const { return initial(cell); }

  /// Whether the flow holds reactant, which source.kind: reaction needs.
  virtual bool has_reactant() const { return false; }
  /// Returns the volume average of rho Y, the reactant's mass per volume, over `cell` at time 0. Also called
  /// for ghost cells.
  virtual double initial_reactant(const Box& /*cell*/) const { return 0; }
  /// Returns the volume average of the exact rho Y over `cell`; only where has_exact(time).
  virtual double exact_reactant(const Box& cell, double /*time*/) const { return initial_reactant(cell); }

  /// Returns a message for the user if the case does not allow these lower and upper boundaries along an
  /// active `axis`; "" if it does.
  virtual std::string objection(int /*axis*/, const std::array<Boundary, 2>& /*sides*/) const { return ""; }

  /// Returns remarks for the user on what is allowed, but may not be meant. Looks at every cell.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// Returns the state beyond `boundary: prescribed`; empty where the case has none.
  virtual DirichletState dirichlet() const { return {}; }
};

/// The inputs from which a case is made.
struct CaseSetup {
  const Values& parameters;  ///< the case's own; every declared one is present
  IdealGas<double> gas;
  Mesh mesh;
  Source source = {};
  RhsTerms terms = {};
};

/// Thrown when a case cannot be made from its setup, with a message for the user.
struct CaseError : std::invalid_argument {
  /// `which`: full names of the incompatible parameters, the likeliest one first.
  CaseError(std::vector<std::string> which, const std::string& message)
      : invalid_argument(message), parameters(std::move(which)) {}
  std::vector<std::string> parameters;
};

/// Returns make(). Converts std::invalid_argument, as thrown by exact solutions, to a CaseError about
/// `parameter`.
template <class Make>
auto blaming(const std::string& parameter, const Make& make) {
  try {
    return make();
  } catch (const CaseError&) {
    throw;
  } catch (const std::invalid_argument& e) {
    throw CaseError({parameter}, parameter + ": " + e.what());
  }
}

struct CaseInfo {
  std::string name;       ///< as `case.name` in a deck
  std::string summary;    ///< one line for `halfstep list`
  std::string reference;  ///< paper or book
  std::vector<Parameter> parameters;
  /// Makes the case. Throws CaseError when parameters, mesh, source and terms are incompatible.
  std::function<std::unique_ptr<Case>(const CaseSetup&)> make;
};

/// Returns all registered cases, sorted by name.
const std::vector<CaseInfo>& cases();
/// Returns the case of that name, or nullptr.
const CaseInfo* find_case(const std::string& name);

/// Registers a case when the program starts: `static const RegisterCase registered{{...}};` in the case's
/// file.
struct RegisterCase {
  explicit RegisterCase(CaseInfo info);
};

}  // namespace halfstep
