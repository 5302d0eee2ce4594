// Stages of flux reconstruction on host threads: rows of elements, which threads take one by one.
#pragma once

#include <array>
#include <cstdint>

#include "physics/host/element_method.hpp"
#include "physics/recovery/diagnose_point.hpp"

namespace halfstep {

/// The elements of a mesh. Defined in elements.cpp for both precisions.
template <class Real>
class HostElements final : public ElementMethod<Real> {
 public:
  HostElements(const Scheme& scheme, const BoundaryConditions<Real>& rules)
      : scheme_(scheme), rules_(rules) {}

  /// The tiles are the rows along x, cut into pieces of a few elements.
  HostTiling tiling() const override;
  HostStageResult<Real> sweep(const StageArguments<Real>& args, double time, bool is_new,
                              const soft_error::Reporter<>& reporter, interruptible::HostTileQueue& queue,
                              int threads) override;
  void correct(const StageArguments<Real>& args, double time, const std::uint8_t* mask, Remedy remedy,
               int threads) const override;
  void add_up_sides(const BudgetArguments<Real>& args, double time, int threads,
                    ExactBudget& budget) const override;

  std::array<int, 3> flagged_at(int i, int j, int k) const override {
    const Element element = element_at(i, j, k);
    return {element.first[0], element.first[1], element.first[2]};
  }
  Defect<Real> diagnose(const StageArguments<Real>& args, double time, const DiagnosisSetup& setup, int i,
                        int j, int k, const std::uint8_t* mask, Remedy remedy) const override;
  Diagnosis make_diagnosis(const SoftError& error, const StageArguments<Real>& args, double time,
                           const DiagnosisSetup& setup, int i, int j, int k, const std::uint8_t* mask,
                           Remedy remedy) const override;

 private:
  static constexpr int kElements = 16;  // of a tile

  FlaggedElements<Real> flagged(const std::uint8_t* mask, Remedy remedy) const {
    return {rules_, mask, remedy};
  }
  Element element_at(int i, int j, int k) const {
    return Element::of_point(rules_.layout, scheme_.degree, i, j, k);
  }
  /// Returns the numbers of elements along x, y and z.
  std::array<int, 3> elements() const;
  Element element(int x, int y, int z) const;

  Scheme scheme_;
  const BoundaryConditions<Real>& rules_;
};

}  // namespace halfstep
