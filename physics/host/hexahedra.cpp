#include "physics/host/hexahedra.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "physics/curved/budget_of_hexahedra.hpp"
#include "physics/host/loads.hpp"
#include "physics/recovery/diagnose_hexahedra.hpp"

namespace halfstep {

namespace {

/// Calls visit(0), ..., visit(count - 1), as a FineGrid needs it.
constexpr auto in_turn = [](int count, const auto& visit) {
  for (int n = 0; n < count; ++n) visit(n);
};

/// The integrated fluxes at the points of a left element's face.
template <class C, class Real>
struct IntegratedFace {
  using Grid = FineGrid<C::degree, C::dimensions - 1, Real>;
  Conserved<Real> left[Grid::size], right[Grid::size];
  Vector<Real> across[Grid::size];

  /// Finds them, unless a state at the face is bad; returns whether none is.
  template <class Ends>
  bool find(const C& c, const StageArguments<Real>& a, const HexahedraStage<Real>& s, int element, int face,
            const Ends& ends) {
    bool is_good = true;
    for (int point = 0; point < C::face_points; ++point) {
      const FacePoint f{element, face, point};
      const int place = Grid::own_place(point);
      is_good &= !has_bad_state(c, a, s, f, ends);
      left[place] = to_conserved(ends(f), a.gas);
      right[place] = to_conserved(ends(s.mesh.across(c, f)), a.gas);
      across[place] = outward_area(c, s.mesh, f);
    }
    Grid::interpolate(left, 1, in_turn);
    Grid::interpolate(right, 1, in_turn);
    Grid::interpolate(across, 1, in_turn);
    for (int m = 0; m < Grid::count; ++m) {
      const int place = Grid::place(m);
      is_good &= find_flux_between(left[place], right[place], across[place], a.gas,
                                   AnyRiemannFlux<Real>{s.riemann}, left[place]);
    }
    Grid::project(left, 1, in_turn);
    return is_good;
  }
  const Conserved<Real>& out(int point) const { return left[Grid::own_place(point)]; }
};

}  // namespace

template <class Real>
HostHexahedra<Real>::HostHexahedra(const Problem& problem, const Layout& layout,
                                   const BoundaryConditions<Real>& rules, std::function<void()> wait_for_near)
    : scheme_(problem.scheme),
      terms_(problem.terms),
      spikes_(problem.detection.spikes),
      dimensions_(problem.hexahedra->dimensions),
      operators_(operator_table<double>(problem.scheme.degree)),
      fine_(fine_table(problem.scheme.degree)),
      layout_(layout),
      rules_(rules),
      tables_(*problem.hexahedra, HexahedraGeometry(*problem.hexahedra, problem.scheme.degree)),
      walls_(walls_of_mesh(*problem.hexahedra, problem.boundary)),
      faces_(*problem.hexahedra, problem.mesh.cells[1]),
      depth_(depth_of(dimensions_, problem.mesh)),
      mean_volume_(problem.mesh.mean_volume()),
      wait_for_near_(std::move(wait_for_near)),
      bytes_(bytes_of_hexahedra(*problem.hexahedra, problem.scheme.degree, problem.terms.viscous(),
                                sizeof(Real))) {
  const Hexahedra& mesh = *problem.hexahedra;
  for (int e = 0; e < mesh.count; ++e) order_.push_back(e);
  inside_ = static_cast<std::size_t>(
      std::stable_partition(order_.begin(), order_.begin() + elements(),
                            [&](int e) {
                              bool is_inside = true;
                              for (int face = 0; face < mesh.faces(); ++face)
                                is_inside = is_inside && mesh.neighbour(e, face).element < elements();
                              return is_inside;
                            }) -
      order_.begin());
  const std::size_t slots = tables_.face_points();
  outflows_.resize(slots);
  if (!terms_.viscous()) return;
  ends_.resize(slots);
  viscous_outflows_.resize(slots);
  viscous_divergence_.resize(tables_.points());
}

template <class Real>
HostTiling HostHexahedra<Real>::tiling() const {
  return {1, (elements() + kElements - 1) / kElements, 1, 1};
}

template <class Real>
HexahedraStage<Real> HostHexahedra<Real>::stage(double time) const {
  return hexahedra_stage(tables_.view(layout_), rules_, scheme_, terms_, spikes_, &fine_, time);
}

template <class Real>
template <class C>
std::int64_t HostHexahedra<Real>::find_fluxes(const C& c, const StageArguments<Real>& args,
                                              const HexahedraStage<Real>& s, int threads) {
  const auto find = [&](const auto& ends, Elements of, bool to_near) {
    return find_outflows(c, args, s, ends, of, to_near, threads);
  };
  if (!s.is_viscous) {
    const ExtrapolatedStates<C, Real> ends{c, args};
    const std::int64_t bad = find(ends, own(), false);
    wait_for_near_();
    return bad + find(ends, border(), true);
  }
  find_ends(c, args, s, own(), threads);
  find_viscous_fluxes(c, args, s, inside(), threads);
  wait_for_near_();
  find_ends(c, args, s, near(), threads);
  find_viscous_fluxes(c, args, s, border_and_near(), threads);
  const auto ends = [&](const FacePoint& f) { return ends_[s.mesh.slot(c, f)]; };
  return find(ends, own(), false) + find(ends, border(), true);
}

template <class Real>
template <class C>
void HostHexahedra<Real>::find_ends(const C& c, const StageArguments<Real>& args,
                                    const HexahedraStage<Real>& s, Elements of, int threads) {
#pragma omp parallel for num_threads(threads)
  for (const int e : of)
    for (int face = 0; face < C::faces; ++face)
      for (int point = 0; point < C::face_points; ++point) {
        const FacePoint f{e, face, point};
        ends_[s.mesh.slot(c, f)] = ExtrapolatedStates<C, Real>{c, args}(f);
      }
}

template <class Real>
template <class C>
void HostHexahedra<Real>::find_viscous_fluxes(const C& c, const StageArguments<Real>& args,
                                              const HexahedraStage<Real>& s, Elements of, int threads) {
  const auto ends = [&](const FacePoint& f) { return ends_[s.mesh.slot(c, f)]; };
#pragma omp parallel for num_threads(threads)
  for (const int e : of) {
    Motion<Real> motion[C::points], step[C::faces][C::face_points];
    MotionGradient<Real> gradient[C::points];
    ViscousFlux<Real> flux[C::dimensions][C::points];
    for (int m = 0; m < C::points; ++m) motion[m] = MotionOfPoints<Real>{args}(e, m);
    const auto of_point = [&](int, int m) { return motion[m]; };
    for (int m = 0; m < C::points; ++m) gradient[m] = own_gradient(c, s.mesh, e, m, of_point);
    for (int face = 0; face < C::faces; ++face)
      for (int point = 0; point < C::face_points; ++point) {
        const FacePoint f{e, face, point};
        if (!is_beside_own(c, s.mesh, f)) continue;
        const Motion<Real> common = common_motion(c, s, f, ends);
        step[face][point] = difference(common, motion_at_end<Real>(c, f, of_point));
        viscous_outflows_[s.mesh.slot(c, f)] =
            own_viscous_flux(s.transport, f.side(), s.mesh.area_at(c, f), common, step[face][point],
                             gradient_at_face(c, s.mesh, f, [&](int, int m) { return gradient[m]; }));
      }
    if (e >= elements()) continue;
    for (int m = 0; m < C::points; ++m) {
      const MotionGradient<Real> corrected = corrected_gradient(
          c, e, m, s.mesh.inverse_jacobian_at(c, e, m), gradient[m],
          [&](const FacePoint& f) { return step[f.face][f.point]; },
          [&](const FacePoint& f) { return s.mesh.area_at(c, f); });
      for (int d = 0; d < C::dimensions; ++d)
        flux[d][m] = viscous_flux_across(corrected, motion[m], s.transport, s.mesh.metric_at(c, e, m, d));
    }
    for (int m = 0; m < C::points; ++m)
      viscous_divergence_[std::size_t(e) * C::points + m] =
          viscous_divergence_at<Real>(c, m, [&](int p, int d) { return flux[d][p]; });
  }
}

template <class Real>
template <class C, class Ends>
std::int64_t HostHexahedra<Real>::find_outflows(const C& c, const StageArguments<Real>& args,
                                                const HexahedraStage<Real>& s, const Ends& ends, Elements of,
                                                bool to_near, int threads) {
  std::int64_t bad = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : bad)
  for (const int e : of)
    for (int face = 0; face < C::faces; ++face) {
      const FacePoint here{e, face, 0}, there = s.mesh.across(c, here);
      const bool is_left = s.mesh.is_left(c, here);
      if ((there.element >= elements()) != to_near) continue;
      if (!is_left && !to_near) continue;  // the other element finds it
      const FacePoint& left = is_left ? here : there;
      IntegratedFace<C, Real> integrated;
      const bool is_integrated = s.dealiasing == Dealiasing::over_integration && there.element >= 0 &&
                                 integrated.find(c, args, s, left.element, left.face, ends);
      for (int point = 0; point < C::face_points; ++point) {
        const FacePoint f{e, face, point};
        const FaceOfTwo<Real> both = face_of_two(c, args, s, f, ends, AnyRiemannFlux<Real>{s.riemann}, false);
        Conserved<Real> out =
            is_integrated ? integrated.out(both.left.point) : both.frame.through(both.record.flux);
        if (s.is_viscous)
          add_multiple(out, Real(1),
                       common_viscous_flux(
                           c, s, both, [&](const FacePoint& of) { return common_motion(c, s, of, ends); },
                           [&](const FacePoint& of) { return viscous_outflows_[s.mesh.slot(c, of)]; }));
        outflows_[s.mesh.slot(c, both.left)] = out;
        if (both.right.element >= 0) outflows_[s.mesh.slot(c, both.right)] = Real(-1) * out;
        if (is_left) bad += both.record.bad;  // the other rank does not count it
      }
    }
  return bad;
}

template <class Real>
template <class C>
void HostHexahedra<Real>::find_divergence(const C& c, const StageArguments<Real>& args,
                                          const HexahedraStage<Real>& s, int element,
                                          Conserved<Real>* divergence) const {
  Conserved<Real> flux[C::dimensions][C::points];
  for (int m = 0; m < C::points; ++m)
    for (int d = 0; d < C::dimensions; ++d)
      flux[d][m] =
          inviscid_flux_across(state_at(args, element, m), s.mesh.metric_at(c, element, m, d), args.gas);
  for (int m = 0; m < C::points; ++m)
    divergence[m] = divergence_at<Real>(
        c, element, m, [&](int p, int d) { return flux[d][p]; },
        [&](const FacePoint& f) { return outflows_[s.mesh.slot(c, f)]; });
}

template <class Real>
template <class C>
void HostHexahedra<Real>::find_over_integrated_divergence(const C& c, const StageArguments<Real>& args,
                                                          const HexahedraStage<Real>& s, int element,
                                                          Conserved<Real>* divergence) const {
  using Grid = FineGrid<C::degree, C::dimensions, Real>;
  Conserved<Real> state[Grid::size];
  FluxTensor<Real> tensor[Grid::size];
  for (int m = 0; m < C::points; ++m) state[Grid::own_place(m)] = state_at(args, element, m);
  Grid::interpolate(state, 1, in_turn);
  for (int m = 0; m < Grid::count; ++m) {
    const int place = Grid::place(m);
    tensor[place] = {};
    for (int d = 0; d < C::dimensions; ++d) find_flux_along(d, state[place], args.gas, tensor[place]);
  }
  Grid::project(tensor, 1, in_turn);
  for (int m = 0; m < C::points; ++m)
    divergence[m] = divergence_at<Real>(
        c, element, m,
        [&](int p, int d) {
          return flux_across(tensor[Grid::own_place(p)], state_at(args, element, p),
                             s.mesh.metric_at(c, element, p, d));
        },
        [&](const FacePoint& f) { return outflows_[s.mesh.slot(c, f)]; });
}

template <class Real>
template <class C>
void HostHexahedra<Real>::find_split_divergence(const C& c, const StageArguments<Real>& args,
                                                const HexahedraStage<Real>& s, int element,
                                                Conserved<Real>* divergence) const {
  Primitive<Real> state[C::points], end[C::faces][C::face_points];
  Conserved<Real> excess[C::faces][C::face_points];
  const auto of_point = [&](int, int m) { return state[m]; };
  const SplitForm split{c, s.mesh, args.gas, of_point,
                        [&](const FacePoint& f) { return end[f.face][f.point]; }};
  for (int m = 0; m < C::points; ++m) state[m] = to_primitive(state_at(args, element, m), args.gas);
  for (int face = 0; face < C::faces; ++face)
    for (int point = 0; point < C::face_points; ++point) {
      const FacePoint f{element, face, point};
      end[face][point] = primitive_at_end<Real>(c, f, of_point);
      excess[face][point] = split.excess(f, outflows_[s.mesh.slot(c, f)]);
    }
  for (int m = 0; m < C::points; ++m)
    divergence[m] = split.divergence(element, m, [&](const FacePoint& f) { return excess[f.face][f.point]; });
}

template <class Real>
template <class C>
void HostHexahedra<Real>::advance(const C& c, const StageArguments<Real>& args, const HexahedraStage<Real>& s,
                                  int element) const {
  Conserved<Real> divergence[C::points];
  if (s.dealiasing == Dealiasing::split_form)
    find_split_divergence(c, args, s, element, divergence);
  else if (s.dealiasing == Dealiasing::over_integration)
    find_over_integrated_divergence(c, args, s, element, divergence);
  else
    find_divergence(c, args, s, element, divergence);
  for (int m = 0; m < C::points; ++m) {
    if (s.is_viscous)
      add_multiple(divergence[m], Real(1), viscous_divergence_[std::size_t(element) * C::points + m]);
    store(args.layout, args.out, m, element, 0,
          updated_at(c, args, s.mesh, args.dt, element, m, state_at(args, element, m), divergence[m]));
  }
}

template <class Real>
HostStageResult<Real> HostHexahedra<Real>::sweep(const StageArguments<Real>& args, double time, bool is_new,
                                                 const soft_error::Reporter<>& reporter,
                                                 interruptible::HostTileQueue& queue, int threads) {
  if (reporter.cancelled()) return {};
  const HexahedraStage<Real> s = stage(time);
  return with_own_cube([&]<class C>(C c) -> HostStageResult<Real> {
    const std::int64_t bad = is_new ? find_fluxes(c, args, s, threads) : 0;
    if (args.raise_bad_faces && bad > 0) reporter.raise();
    Real rate = 0;
#pragma omp parallel num_threads(threads) reduction(max : rate)
    for (std::int64_t tile; (tile = queue.take()) >= 0;) {
      const int first = static_cast<int>(tile) * kElements, end = std::min(first + kElements, elements());
      bool good = true;
      for (int e = first; e < end; ++e) {
        advance(c, args, s, e);
        for (int m = 0; m < C::points; ++m) {
          Real own = 0;
          good &= check_point(c, args, s.mesh, s.transport, e, m, load(args.layout, args.out, m, e, 0), own);
          rate = max(own, rate);
        }
      }
      if (!good) reporter.raise();
    }
    return {rate, bad};
  });
}

template <class Real>
void HostHexahedra<Real>::correct(const StageArguments<Real>& args, double time, const std::uint8_t* mask,
                                  Remedy remedy, int threads) const {
  const FlaggedHexahedra marked = flagged(mask, remedy);
  const HexahedraStage<Real> s = stage(time);
  const AnyCube c = any_cube();
#pragma omp parallel for num_threads(threads)
  for (int e = 0; e < elements(); ++e) {
    if (marked.is_scaled(e))
      scale_hexahedron(c, s.mesh, HexahedronInMemory<Real>{e, args.layout, args.out}, args.gas);
    const FirstOrderParts parts = marked.parts(c, s.mesh, e);
    if (!parts.any()) continue;
    const ComputedAnew<AnyCube, Real> anew{c, args, s, parts};
    for (int m = 0; m < c.points; ++m)
      store(args.layout, args.out, m, e, 0,
            updated_at(c, args, s.mesh, args.dt, e, m, state_at(args, e, m), anew.divergence(e, m)));
  }
}

template <class Real>
bool HostHexahedra<Real>::check(const StageArguments<Real>& args, int i, int j, int, Real& rate) const {
  return check_point(any_cube(), args, tables_.view(layout_), terms_.transport.as<Real>(), j, i,
                     load(layout_, args.out, i, j, 0), rate);
}

template <class Real>
Real HostHexahedra<Real>::cfl_rate(const StageArguments<Real>& args, const Primitive<Real>& q, int i, int j,
                                   int, const RhsTerms& terms) const {
  return rate_at(any_cube(), tables_.view(layout_), j, i, q, args.gas, terms.transport.as<Real>());
}

template <class Real>
void HostHexahedra<Real>::add_up_sides(const BudgetArguments<Real>& args, double time, int threads,
                                       ExactBudget& budget) const {
  const HexahedraStage<Real> s = stage(time);
  const AnyCube c = any_cube();
  const FlaggedHexahedra marked = flagged(args.walls.mask, args.remedy);
  const double scale = args.share * depth_ / mean_volume_;
  for (int side = 0; side < Hexahedra::kMaxSides; ++side) {
    const FacesOnSide on_side = faces_.on_sides.of(side);
    host::add_up(std::int64_t{on_side.count} * c.face_points, threads, budget.sides[side / 2][side % 2],
                 [&](std::int64_t n, const auto& take) {
                   const FacePoint f = face_point_of_list(c, faces_.faces.data() + on_side.first, n);
                   const Conserved<Real> outflow =
                       flux_taken(c, args.rhs.stage, s, marked, f, outflows_[s.mesh.slot(c, f)]);
                   take(scale * inflow_through_face(c, args.rhs.stage.dt, f, outflow));
                 });
  }
}

template <class Real>
std::vector<ExactLoads> HostHexahedra<Real>::loads(const StageArguments<Real>& args, int threads) const {
  const HexahedraStage<Real> s = stage(0);  // walls know no time
  const AnyCube c = any_cube();
  std::vector<ExactLoads> all;
  for (const WallOfMesh& wall : walls_)
    all.push_back(sum_of_loads(std::ssize(wall.faces) * c.face_points, threads, [&](std::int64_t n) {
      return load_on_wall(c, args, s, wall.faces.data(), n, depth_);
    }));
  return all;
}

template <class Real>
Defect<Real> HostHexahedra<Real>::diagnose(const StageArguments<Real>& args, double time,
                                           const DiagnosisSetup& setup, int i, int j, int,
                                           const std::uint8_t* mask, Remedy remedy) const {
  return diagnose_point(any_cube(), args, setup, stage(time), j, i, flagged(mask, remedy));
}

template <class Real>
Diagnosis HostHexahedra<Real>::make_diagnosis(const SoftError& error, const StageArguments<Real>& args,
                                              double time, const DiagnosisSetup& setup, int i, int j, int,
                                              const std::uint8_t* mask, Remedy remedy) const {
  ElementScratch<Real> scratch;
  const CellDiagnosis<Real> point =
      diagnose_point_in_full(any_cube(), args, setup, stage(time), j, i, flagged(mask, remedy), scratch);
  return halfstep::make_diagnosis(error, point, layout_of_records(layout_, dimensions_));
}

template class HostHexahedra<float>;
template class HostHexahedra<double>;

}  // namespace halfstep
