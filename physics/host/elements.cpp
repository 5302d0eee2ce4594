#include "physics/host/elements.hpp"

#include <algorithm>

#include "physics/rhs/budget_of_elements.hpp"

namespace halfstep {

template <class Real>
std::array<int, 3> HostElements<Real>::elements() const {
  const Layout& l = rules_.layout;
  const Element first = element_at(0, 0, 0);
  return {l.cells[0] / first.points[0], l.cells[1] / first.points[1], l.cells[2] / first.points[2]};
}

template <class Real>
Element HostElements<Real>::element(int x, int y, int z) const {
  const Element first = element_at(0, 0, 0);
  return element_at(x * first.points[0], y * first.points[1], z * first.points[2]);
}

template <class Real>
HostTiling HostElements<Real>::tiling() const {
  const auto [x, y, z] = elements();
  return {(x + kElements - 1) / kElements, y, z, element_at(0, 0, 0).points[2]};
}

template <class Real>
HostStageResult<Real> HostElements<Real>::sweep(const StageArguments<Real>& args, double, bool,
                                                const soft_error::Reporter<>& reporter,
                                                interruptible::HostTileQueue& queue, int threads) {
  if (reporter.cancelled()) return {};
  const HostTiling tiles = tiling();
  const int row = elements()[0];
  return with_degree(scheme_.degree, [&]<int degree>() -> HostStageResult<Real> {
    Real rate = 0;
    std::int64_t bad = 0;
#pragma omp parallel num_threads(threads) reduction(max : rate) reduction(+ : bad)
    for (std::int64_t tile; (tile = queue.take()) >= 0;) {
      const int first = static_cast<int>(tile % tiles.x) * kElements,
                y = static_cast<int>(tile / tiles.x % tiles.y),
                z = static_cast<int>(tile / tiles.x / tiles.y);
      bool good = true;
      for (int x = first; x < std::min(first + kElements, row); ++x) {
        const ElementOutcome<Real> outcome =
            advance_element<degree>(args, scheme_.riemann, element(x, y, z), FirstOrderParts{});
        rate = std::max(rate, outcome.cfl_rate);
        bad += outcome.bad_faces;
        good = good && outcome.good && !(args.raise_bad_faces && outcome.bad_faces > 0);
      }
      if (!good) reporter.raise();
    }
    return {rate, bad};
  });
}

template <class Real>
void HostElements<Real>::correct(const StageArguments<Real>& args, double, const std::uint8_t* mask,
                                 Remedy remedy, int threads) const {
  const FlaggedElements<Real> flagged = this->flagged(mask, remedy);
  const std::array<int, 3> end = elements();
  with_degree(scheme_.degree, [&]<int degree>() {
#pragma omp parallel for collapse(3) num_threads(threads)
    for (int z = 0; z < end[2]; ++z)
      for (int y = 0; y < end[1]; ++y)
        for (int x = 0; x < end[0]; ++x) {
          const Element own = element(x, y, z);
          if (flagged.is_scaled(own))
            scale_towards_average<degree>(ElementInMemory<Real>{own, args.layout, args.out}, args.gas);
          const FirstOrderParts parts = flagged.parts(own);
          if (parts.any()) advance_element<degree>(args, scheme_.riemann, own, parts);
        }
  });
}

template <class Real>
void HostElements<Real>::add_up_sides(const BudgetArguments<Real>& args, double, int threads,
                                      ExactBudget& budget) const {
  with_degree(scheme_.degree, [&]<int degree>() {
    halfstep::add_up_sides(args, {}, InflowOfElement<degree>{}, threads, budget);
  });
}

template <class Real>
Defect<Real> HostElements<Real>::diagnose(const StageArguments<Real>& args, double,
                                          const DiagnosisSetup& setup, int i, int j, int k,
                                          const std::uint8_t* mask, Remedy remedy) const {
  return with_degree(scheme_.degree, [&]<int degree>() {
    return diagnose_point<degree>(args, setup, i, j, k, flagged(mask, remedy));
  });
}

template <class Real>
Diagnosis HostElements<Real>::make_diagnosis(const SoftError& error, const StageArguments<Real>& args, double,
                                             const DiagnosisSetup& setup, int i, int j, int k,
                                             const std::uint8_t* mask, Remedy remedy) const {
  ElementScratch<Real> scratch;
  const PointDiagnosis<Real> point = with_degree(scheme_.degree, [&]<int degree>() {
    return diagnose_point_in_full<degree>(args, setup, i, j, k, flagged(mask, remedy), scratch);
  });
  return halfstep::make_diagnosis(error, point, args.layout, rules_.gases.first);
}

template class HostElements<float>;
template class HostElements<double>;

}  // namespace halfstep
