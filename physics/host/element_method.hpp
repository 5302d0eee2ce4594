// What the host's solver asks of a method of points in elements.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/diagnostics/totals.hpp"
#include "physics/host/budget.hpp"
#include "physics/host/loads.hpp"
#include "physics/host/stage.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/stage/check.hpp"

namespace halfstep {

template <class Real>
class ElementMethod {
 public:
  virtual ~ElementMethod() = default;

  /// Returns the memory that it has beside the states.
  virtual std::int64_t bytes() const { return 0; }

  /// Returns the elements in pieces that threads take one by one.
  virtual HostTiling tiling() const = 0;
  /// Advances the tiles that `queue` still gives. Raises soft errors through the reporter. `time`: of the
  /// input; `is_new`: this is the first slice of the sweep here.
  virtual HostStageResult<Real> sweep(const StageArguments<Real>& args, double time, bool is_new,
                                      const soft_error::Reporter<>& reporter,
                                      interruptible::HostTileQueue& queue, int threads) = 0;
  /// Scales the flagged elements, or advances those again that have a first-order part.
  virtual void correct(const StageArguments<Real>& args, double time, const std::uint8_t* mask, Remedy remedy,
                       int threads) const = 0;
  /// Checks a point of a stage's output and finds its CFL rate, as check_cell().
  virtual bool check(const StageArguments<Real>& args, int i, int j, int k, Real& rate) const {
    return check_cell(args, i, j, k, rate);
  }
  /// Returns the CFL rate of a point with the state q.
  virtual Real cfl_rate(const StageArguments<Real>& args, const Primitive<Real>& q, int i, int j, int k,
                        const RhsTerms& terms) const {
    return halfstep::cfl_rate(q, args.inverse_widths(i, j, k).along, args.gas, terms);
  }

  /// Adds what comes in through the sides of the domain in a stage. `time`: of its input.
  virtual void add_up_sides(const BudgetArguments<Real>& args, double time, int threads,
                            ExactBudget& budget) const = 0;
  /// Returns the loads of the gas in args.in on each wall of the mesh.
  virtual std::vector<ExactLoads> loads(const StageArguments<Real>&, int /*threads*/) const { return {}; }

  /// Returns the point of the element with the point (i, j, k) at which it has its flag.
  virtual std::array<int, 3> flagged_at(int i, int j, int k) const = 0;
  /// Returns the most severe defect of a point, of the face points beside it and of the ghost cells there.
  virtual Defect<Real> diagnose(const StageArguments<Real>& args, double time, const DiagnosisSetup& setup,
                                int i, int j, int k, const std::uint8_t* mask, Remedy remedy) const = 0;
  /// Returns the report of `error` with the replay of the reported point.
  virtual Diagnosis make_diagnosis(const SoftError& error, const StageArguments<Real>& args, double time,
                                   const DiagnosisSetup& setup, int i, int j, int k, const std::uint8_t* mask,
                                   Remedy remedy) const = 0;
};

}  // namespace halfstep
