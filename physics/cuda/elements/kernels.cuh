// The kernels of flux reconstruction of any degree, for files that instantiate them.
#pragma once

#include "physics/cuda/diagnosis.hpp"
#include "physics/cuda/elements/elements.hpp"
#include "physics/cuda/elements/scaling_body.cuh"
#include "physics/cuda/elements/stage_body.cuh"
#include "physics/cuda/step_kernels.cuh"
#include "physics/rhs/budget_of_elements.hpp"

namespace halfstep {

template <int degree, class Real>
StageKernel<Real> ElementKernels<degree, Real>::stage(Riemann riemann) {
  switch (riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return &stage_of_elements<degree, Type, Real>;
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
  throw std::logic_error("no such Riemann solver");
}

/// Scales the flagged elements, a thread to each.
template <int degree, class Real>
__global__ void __launch_bounds__(kSmallBlock) scale_elements(const __grid_constant__ ElementRemedy<Real> r) {
  scale_element<degree>(r.stage, FlaggedElements<Real>{r.rules, r.mask, r.remedy}, global_thread());
}

/// Applies the attempt's remedy to the points, then checks them: the stage's own raises were muted.
template <int degree, class Real>
__global__ void __launch_bounds__(kSmallBlock) correct_points(const __grid_constant__ ElementRemedy<Real> r) {
  StageArguments<Real> a = r.stage;
  a.dt = static_cast<Real>(*r.dt);
  int i, j, k;
  if (!thread_cell(a.layout, i, j, k)) return;
  const FirstOrderParts parts =
      FlaggedElements<Real>{r.rules, r.mask, r.remedy}.parts(Element::of_point(a.layout, degree, i, j, k));
  if (parts.any()) store(a.layout, a.out, i, j, k, replay_point<degree>(a, r.riemann, i, j, k, parts).after);
  if (r.remedy == Remedy::floor) raise_to_floors(a, r.floors, i, j, k, *r.added);
  look_at(a, i, j, k, r.result, r.reporter);
}

/// As find_defects() of cells; the flag of an element is at its first point.
template <int degree, class Real>
__global__ void __launch_bounds__(kSmallBlock)
    find_defects_of_points(const __grid_constant__ ElementDiagnosis<Real> d, std::uint8_t* flags) {
  count_defects(d.stage.layout, d.setup.cells, d.defects, [&](int i, int j, int k) {
    const int kind =
        diagnose_point<degree>(d.stage, d.setup, i, j, k, FlaggedElements<Real>{d.rules, d.mask, d.remedy})
            .kind;
    if (kind >= 0 && calls_for_remedy(kind)) {
      const Element own = Element::of_point(d.stage.layout, degree, i, j, k);
      flags[d.rules.flags.index(own.first[0], own.first[1], own.first[2])] = 1;
    }
    return kind;
  });
}

/// A rank that has not the reported point diagnoses its first one, which nobody looks at.
template <int degree, class Real>
__global__ void report_point(const __grid_constant__ ElementDiagnosis<Real> d, std::uint64_t epoch,
                             DefectsRecord* to_host, PointDiagnosis<Real>* point) {
  static __shared__ ElementScratch<Real> scratch;
  int at[3];
  reported_cell(d.setup.cells, d.defects->key, at);
  for (int axis = 0; axis < 3; ++axis) at[axis] -= d.setup.cells.first[axis];
  if (!d.stage.layout.holds(at[0], at[1], at[2])) at[0] = at[1] = at[2] = 0;
  *point = diagnose_point_in_full<degree>(d.stage, d.setup, at[0], at[1], at[2],
                                          FlaggedElements<Real>{d.rules, d.mask, d.remedy}, scratch);
  show_defects(d.defects, epoch, to_host);
}

template <int degree, class Real>
void ElementKernels<degree, Real>::correct(const ElementRemedy<Real>& remedy, cudaStream_t stream) {
  if (remedy.remedy == Remedy::scaling) {
    const ElementTiles tiles = ElementTiles::of<ElementBlock<degree, Real>>(remedy.stage.layout);
    scale_elements<degree><<<blocks_for(tiles.element_count()), kSmallBlock, 0, stream>>>(remedy);
    HALFSTEP_CUDA_LAUNCHED("scale_elements");
  }
  correct_points<degree><<<blocks_for(remedy.stage.layout.cell_count()), kSmallBlock, 0, stream>>>(remedy);
  HALFSTEP_CUDA_LAUNCHED("correct_points");
}

template <int degree, class Real>
void ElementKernels<degree, Real>::add_up_sides(const SideSums<Real>& of, dim3 blocks, cudaStream_t stream) {
  halfstep::add_up_sides<<<blocks, kSmallBlock, 0, stream>>>(of, InflowOfElement<degree>{});
  HALFSTEP_CUDA_LAUNCHED("add_up_sides");
}

template <int degree, class Real>
void ElementKernels<degree, Real>::find_defects(const ElementDiagnosis<Real>& diagnosis, std::uint8_t* flags,
                                                cudaStream_t stream) {
  find_defects_of_points<degree>
      <<<blocks_for(diagnosis.stage.layout.cell_count()), kSmallBlock, 0, stream>>>(diagnosis, flags);
  HALFSTEP_CUDA_LAUNCHED("find_defects_of_points");
}

template <int degree, class Real>
void ElementKernels<degree, Real>::report(const ElementDiagnosis<Real>& diagnosis, std::uint64_t epoch,
                                          DefectsRecord* defects, PointDiagnosis<Real>* point,
                                          cudaStream_t stream) {
  report_point<degree><<<1, 1, 0, stream>>>(diagnosis, epoch, defects, point);
  HALFSTEP_CUDA_LAUNCHED("report_point");
}

}  // namespace halfstep
