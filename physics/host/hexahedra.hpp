// Stages of flux reconstruction in hexahedra on host threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "physics/curved/hexahedra_tables.hpp"
#include "physics/curved/hexahedron.hpp"
#include "physics/curved/wall_of_mesh.hpp"
#include "physics/host/element_method.hpp"
#include "physics/solver/problem.hpp"

namespace halfstep {

/// A stage extrapolates the states to the faces, finds what flows through these, and advances element after
/// element. Of a part of a mesh, what needs no near element of other ranks is done while those are under way.
/// Defined in hexahedra.cpp for both precisions.
template <class Real>
class HostHexahedra final : public ElementMethod<Real> {
 public:
  /// `wait_for_near`: returns when a sweep's input has its rows of near elements.
  HostHexahedra(const Problem& problem, const Layout& layout, const BoundaryConditions<Real>& rules,
                std::function<void()> wait_for_near);

  std::int64_t bytes() const override { return bytes_; }
  HostTiling tiling() const override;
  HostStageResult<Real> sweep(const StageArguments<Real>& args, double time, bool is_new,
                              const soft_error::Reporter<>& reporter, interruptible::HostTileQueue& queue,
                              int threads) override;
  void correct(const StageArguments<Real>& args, double time, const std::uint8_t* mask, Remedy remedy,
               int threads) const override;
  bool check(const StageArguments<Real>& args, int i, int j, int k, Real& rate) const override;
  Real cfl_rate(const StageArguments<Real>& args, const Primitive<Real>& q, int i, int j, int k,
                const RhsTerms& terms) const override;
  void add_up_sides(const BudgetArguments<Real>& args, double time, int threads,
                    ExactBudget& budget) const override;
  std::vector<ExactLoads> loads(const StageArguments<Real>& args, int threads) const override;
  std::array<int, 3> flagged_at(int, int j, int) const override { return {0, j, 0}; }
  Defect<Real> diagnose(const StageArguments<Real>& args, double time, const DiagnosisSetup& setup, int i,
                        int j, int k, const std::uint8_t* mask, Remedy remedy) const override;
  Diagnosis make_diagnosis(const SoftError& error, const StageArguments<Real>& args, double time,
                           const DiagnosisSetup& setup, int i, int j, int k, const std::uint8_t* mask,
                           Remedy remedy) const override;

 private:
  static constexpr int kElements = 8;  // of a tile
  using Elements = std::span<const int>;

  int elements() const { return layout_.cells[1]; }
  Elements inside() const { return Elements(order_).first(inside_); }
  Elements own() const { return Elements(order_).first(static_cast<std::size_t>(elements())); }
  Elements border() const { return own().subspan(inside_); }
  Elements near() const { return Elements(order_).subspan(static_cast<std::size_t>(elements())); }
  Elements border_and_near() const { return Elements(order_).subspan(inside_); }
  /// Whether one of the two elements of a face is this rank's own.
  template <class C>
  bool is_beside_own(const C& c, const HexahedraView<Real>& mesh, const FacePoint& f) const {
    const int other = mesh.neighbour(c, f.element, f.face).element;
    return f.element < elements() || (other >= 0 && other < elements());
  }
  HexahedraStage<Real> stage(double time) const;
  FlaggedHexahedra flagged(const std::uint8_t* mask, Remedy remedy) const {
    return {mask, rules_.flags, remedy};
  }

  AnyCube any_cube() const { return {scheme_.degree, dimensions_, &operators_}; }
  /// Calls visit(cube) with the Cube of these elements.
  template <class Visit>
  auto with_own_cube(const Visit& visit) const {
    return with_cube(scheme_.degree, dimensions_, visit);
  }
  /// Finds what flows through all faces, and returns how many have bad states.
  template <class C>
  std::int64_t find_fluxes(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                           int threads);
  /// Stores the states extrapolated to the faces of elements.
  template <class C>
  void find_ends(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s, Elements of,
                 int threads);
  /// Finds what flows out of elements by their own gradients, and what it adds to the divergence inside.
  template <class C>
  void find_viscous_fluxes(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                           Elements of, int threads);
  /// Finds what flows through faces of elements, those with a near element or the others, and returns how
  /// many have bad states. ends(face point): the extrapolated states.
  template <class C, class Ends>
  std::int64_t find_outflows(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                             const Ends& ends, Elements of, bool to_near, int threads);
  /// Finds the divergence of the inviscid fluxes, times J, at an element's points.
  template <class C>
  void find_divergence(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                       int element, Conserved<Real>* divergence) const;
  template <class C>
  void find_over_integrated_divergence(const C& c, const StageArguments<Real>& args,
                                       const HexahedraStage<Real>& s, int element,
                                       Conserved<Real>* divergence) const;
  template <class C>
  void find_split_divergence(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                             int element, Conserved<Real>* divergence) const;
  template <class C>
  void advance(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
               int element) const;

  Scheme scheme_;
  RhsTerms terms_;
  SpikeLimits spikes_;
  int dimensions_;
  OperatorTable<double> operators_;
  FineTable fine_;
  Layout layout_;
  const BoundaryConditions<Real>& rules_;
  HexahedraTables<Real> tables_;
  std::vector<WallOfMesh> walls_;
  FacesOfMesh faces_;
  double depth_, mean_volume_;
  std::function<void()> wait_for_near_;
  std::vector<int> order_;  // of elements: own ones inside, then those beside a near one, then near ones
  std::size_t inside_;      // how many are inside
  std::int64_t bytes_;

  // At the face points of each element; `ends_`: the extrapolated states, in viscous flows.
  std::vector<Primitive<Real>> ends_;
  std::vector<Conserved<Real>> outflows_;
  std::vector<ViscousFlux<Real>> viscous_outflows_;
  // At its points.
  std::vector<ViscousFlux<Real>> viscous_divergence_;
};

}  // namespace halfstep
