// The interface of a case: the initial flow and, where it is known, the exact solution. Each case has a file
// that also registers it. Everything here is in double precision on the host; solvers convert.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/cases/given_fields.hpp"
#include "physics/gas/gases.hpp"
#include "physics/gas/state.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/rhs/rhs_terms.hpp"
#include "physics/sources/source.hpp"

namespace halfstep {

/// Cells that lie side by side in rows along x of one plane. Indices outside the mesh are ghost cells.
struct CellRows {
  int first_i, length;  ///< cells of each row
  int first_j, count;   ///< rows
  int k;
};

/// The mass per volume of a scalar in a cell, in two parts.
struct ScalarParts {
  double mass;    ///< known to the case
  double others;  ///< average density of the gas that has the deck's mass fraction
};

class Case {
 public:
  virtual ~Case() = default;

  /// Returns the volume average of the conserved state over `cell` at time 0. Also called for ghost cells,
  /// and for boxes so narrow that the average is the state at a point.
  virtual Conserved<double> initial(const Box& cell) const = 0;
  /// Writes initial() of each cell of `rows` to `to`, row after row: the same bits. Cases override it where
  /// the cells of a row, or the rows of a plane, share work.
  virtual void initial_rows(const Mesh& mesh, const CellRows& rows, Conserved<double>* to) const {
    for (int j = rows.first_j; j < rows.first_j + rows.count; ++j)
      for (int i = rows.first_i; i < rows.first_i + rows.length; ++i)
        *to++ = initial(mesh.sample(i, j, rows.k));
  }
  /// Returns what the case knows of the scalar `name` in `cell`, whose average density is `density`.
  virtual ScalarParts initial_scalar(const std::string& /*name*/, const Box& /*cell*/, double density) const {
    return {0, density};
  }

  /// Whether the case knows where a second gas is, and initial() is the state of the mixture. Else the deck
  /// says where it is, and initial() is that of the first gas at the same pressure.
  virtual bool knows_volume_fraction() const { return false; }
  /// Returns the volume fraction of the second gas over `cell` at time 0; only where it is known. Also called
  /// for ghost cells.
  virtual double initial_volume_fraction(const Box& /*cell*/) const { return 0; }

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

  /// Whether the deck says all that the case needs, so that each of several ranks can make its own block.
  virtual bool is_of_deck() const { return true; }

  /// Returns the main memory that the case holds besides what every case does, e.g. for a file's fields.
  virtual std::int64_t bytes() const { return 0; }
};

/// The inputs from which a case is made.
struct CaseSetup {
  const Values& parameters;  ///< the case's own; every declared one is present
  IdealGas<double> gas;
  Mesh mesh;
  Source source = {};
  RhsTerms terms = {};
  std::vector<std::string> scalars = {};  ///< the names in the deck's block `scalars`
  FieldReader read_file = {};             ///< empty where the initial state is not asked for
  Gases<double> gases = {gas};            ///< `gas`, and the second if there is one
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
  bool needs_uniform_mesh = false;  ///< its states are those of cells of one width along each axis
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
