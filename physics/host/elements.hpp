// Stages of flux reconstruction on host threads: rows of elements, which threads take one by one.
#pragma once

#include <array>
#include <cstdint>

#include "physics/host/stage.hpp"
#include "physics/recovery/diagnose_point.hpp"

namespace halfstep {

/// The elements of a mesh. Defined in elements.cpp for both precisions.
template <class Real>
class HostElements {
 public:
  HostElements(const Scheme& scheme, const BoundaryConditions<Real>& rules)
      : scheme_(scheme), rules_(rules) {}

  /// Returns the rows along x, cut into pieces of a few elements, as tiles.
  HostTiling tiling() const;
  /// Advances the tiles that `queue` still gives. Raises soft errors through the reporter.
  HostStageResult<Real> sweep(const StageArguments<Real>& args, const soft_error::Reporter<>& reporter,
                              interruptible::HostTileQueue& queue, int threads) const;
  /// Scales the flagged elements, or advances those again that have a first-order part.
  void correct(const StageArguments<Real>& args, const std::uint8_t* mask, Remedy remedy, int threads) const;

  /// Returns the first point of the element with the point (i, j, k), at which it has its flag.
  std::array<int, 3> flagged_at(int i, int j, int k) const {
    const Element element = element_at(i, j, k);
    return {element.first[0], element.first[1], element.first[2]};
  }
  /// Returns the most severe defect of a point, of the face points beside it and of the ghost cells there.
  Defect<Real> diagnose(const StageArguments<Real>& args, const DiagnosisSetup& setup, int i, int j, int k,
                        const std::uint8_t* mask, Remedy remedy) const;
  /// Returns the report of `error` with the replay of the reported point.
  Diagnosis make_diagnosis(const SoftError& error, const StageArguments<Real>& args,
                           const DiagnosisSetup& setup, int i, int j, int k, const std::uint8_t* mask,
                           Remedy remedy) const;

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
