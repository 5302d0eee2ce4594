// A case: what the flow is at the start, and, where it is known, for all time. One file a case, registration
// beside it. Everything here is double precision on the host; solvers convert.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "physics/boundary.hpp"
#include "physics/eos.hpp"
#include "physics/explicit_terms.hpp"
#include "physics/mesh.hpp"
#include "physics/parameter.hpp"
#include "physics/sources/source.hpp"
#include "physics/state.hpp"

namespace halfstep {

class Case {
 public:
  virtual ~Case() = default;

  /// Volume average of the conserved state over `cell` at time 0. Also asked for ghost cells.
  virtual Conserved<double> initial(const Box& cell) const = 0;

  /// The source that exact() has in it: with another one the flow is another.
  virtual SourceKind source() const { return SourceKind::none; }
  /// Whether exact() has the setup's viscous terms and gravity in it; else it is of the inviscid flow alone.
  virtual bool knows_terms() const { return false; }
  /// Whether exact() is known at `time`.
  virtual bool has_exact(double /*time*/) const { return false; }
  /// Why exact() is no longer, or never, that of a run with these boundaries, in words that may follow "no
  /// exact solution:"; "" while it is. Rather too early than too late.
  virtual std::string lost_exact(const Boundaries& /*boundary*/, double /*time*/) const { return ""; }
  /// Volume average of the exact conserved state over `cell`; only where has_exact(time).
  virtual Conserved<double> exact(const Box& cell, double /*time*/) const { return initial(cell); }

  /// Whether there is reactant in the flow, which source.kind: reaction needs something of to burn.
  virtual bool has_reactant() const { return false; }
  /// Volume average of rho Y, the reactant's mass per volume, over `cell` at time 0. Also asked for ghost
  /// cells.
  virtual double initial_reactant(const Box& /*cell*/) const { return 0; }
  /// Volume average of the exact rho Y over `cell`; only where has_exact(time).
  virtual double exact_reactant(const Box& cell, double /*time*/) const { return initial_reactant(cell); }

  /// What the case asks of the lower and the upper boundary along a swept `axis` and does not get, as a
  /// message for the user; "" where it is content.
  virtual std::string objection(int /*axis*/, const std::array<Boundary, 2>& /*sides*/) const { return ""; }

  /// The state behind `boundary: prescribed`; kind none where the case has none.
  virtual Prescribed prescribed() const { return {}; }
};

/// What a case is made from.
struct CaseSetup {
  const Values& parameters;  ///< the case's own, each declared one present
  IdealGas<double> gas;
  Mesh mesh;
  Source source = {};
  ExplicitTerms terms = {};
};

/// What a case cannot be made of, with a message for the user.
struct CaseError : std::invalid_argument {
  /// `which`: full names of the parameters that do not go together, the likeliest one first.
  CaseError(std::vector<std::string> which, const std::string& message)
      : invalid_argument(message), parameters(std::move(which)) {}
  std::vector<std::string> parameters;
};

/// make(). What it cannot be made of, which an exact solution says without knowing decks, is blamed on
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
  /// Throws CaseError when parameters, mesh, source and terms do not go together.
  std::function<std::unique_ptr<Case>(const CaseSetup&)> make;
};

/// All registered cases, sorted by name.
const std::vector<CaseInfo>& cases();
/// The case of that name, or nullptr.
const CaseInfo* find_case(const std::string& name);

/// Registers a case when the program starts: `static const RegisterCase registered{{...}};` in the case's
/// file.
struct RegisterCase {
  explicit RegisterCase(CaseInfo info);
};

}  // namespace halfstep
