// A mesh of hexahedra in a device's memory, and what the passes of a stage over its faces need.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "physics/cuda/stage/stage.hpp"
#include "physics/curved/hexahedron.hpp"
#include "physics/rhs/fastest_cell_of_mesh.hpp"

namespace halfstep {

/// Values at points, of elements or of their faces, one field behind the other.
template <class Real>
struct PointFields {
  Real* first;
  std::int64_t points;  ///< from one field to the next

  HALFSTEP_HD Conserved<Real> state(std::int64_t slot) const {
    const Real* const p = first + slot;
    return {p[0], p[points], p[2 * points], p[3 * points], p[4 * points]};
  }
  HALFSTEP_HD void put(std::int64_t slot, const Conserved<Real>& c) const {
    Real* const p = first + slot;
    p[0] = c.density;
    p[points] = c.mu;
    p[2 * points] = c.mv;
    p[3 * points] = c.mw;
    p[4 * points] = c.energy;
  }
  HALFSTEP_HD Primitive<Real> primitive(std::int64_t slot) const {
    const Real* const p = first + slot;
    return {p[0], p[points], p[2 * points], p[3 * points], p[4 * points]};
  }
  HALFSTEP_HD void put(std::int64_t slot, const Primitive<Real>& q) const {
    Real* const p = first + slot;
    p[0] = q.density;
    p[points] = q.u;
    p[2 * points] = q.v;
    p[3 * points] = q.w;
    p[4 * points] = q.pressure;
  }
  HALFSTEP_HD ViscousFlux<Real> viscous(std::int64_t slot) const {
    const Real* const p = first + slot;
    return {{p[0], p[points], p[2 * points]}, p[3 * points]};
  }
  HALFSTEP_HD void put(std::int64_t slot, const ViscousFlux<Real>& f) const {
    Real* const p = first + slot;
    for (int c = 0; c < 3; ++c) p[c * points] = f.momentum[c];
    p[3 * points] = f.energy;
  }
  HALFSTEP_HD Motion<Real> motion(std::int64_t slot) const {
    const Real* const p = first + slot;
    return {{p[0], p[points], p[2 * points]}, p[3 * points]};
  }
  HALFSTEP_HD void put(std::int64_t slot, const Motion<Real>& m) const {
    Real* const p = first + slot;
    for (int c = 0; c < 3; ++c) p[c * points] = m.velocity[c];
    p[3 * points] = m.temperature;
  }
};

/// Fields of elements, each element's behind the one before.
template <class Real, int fields>
struct ElementFields {
  Real* first;

  /// Returns the fields of an element with so many points, from point m on: index 0 is that point.
  HALFSTEP_HD PointFields<Real> at(int element, int points, int m) const {
    return {first + (std::int64_t{element} * fields * points + m), points};
  }
  template <class C>
  HALFSTEP_HD PointFields<Real> at(const C& c, const FacePoint& f) const {
    return at(f.element, face_points_of_element(c), number_in_element(c, f));
  }
};

/// The hexahedra of a mesh, in the device's memory.
template <class Real>
struct DeviceHexahedra {
  HexahedraStage<Real> flow;  ///< without rules and time
  AnyCube cube;
  const OperatorTable<Real>* operators;
  /// The faces whose flux is found, as element * cube.faces + face: first those of two elements, named by the
  /// left one, then those on sides.
  const std::int32_t* faces;
  int inner_faces, outer_faces;
  int with_near;                          ///< elements, those of other ranks beside the own ones included
  ElementFields<Real, kFields> ends;      ///< the primitive variables at faces, in viscous flows
  ElementFields<Real, kFields> outflows;  ///< what flows out of the element through faces
  ElementFields<Real, kViscousFields> viscous_outflows;    ///< by its own gradients
  ElementFields<Real, kViscousFields> viscous_divergence;  ///< what its own points add to it

  HALFSTEP_HD int elements() const { return flow.mesh.layout.cells[1]; }
  /// Whether nobody needs what flows out of a near element through the point of a face, which may be beside
  /// an element that is not there.
  HALFSTEP_HD bool is_idle(const FacePoint& f) const {
    if (f.element < elements()) return false;
    const int other = flow.mesh.neighbour(cube, f.element, f.face).element;
    return other < 0 || other >= elements();
  }
};

/// Returns what the faces of a stage need. `time`: of its input.
template <class Real>
HALFSTEP_HD HexahedraStage<Real> flow_of(const DeviceHexahedra<Real>& h,
                                         const BoundaryConditions<Real>& rules, double time) {
  HexahedraStage<Real> s = h.flow;
  s.rules = &rules;
  s.time = time;
  return s;
}

/// A stage's passes over the faces.
template <class Real>
struct FacePass {
  CudaStage<Real> stage;  ///< without tiles
  DeviceHexahedra<Real> hexahedra;
  BoundaryConditions<Real> rules;
  const double* time;  ///< of the stage's input
};

/// A block of threads, a thread to a point of its elements.
template <class C, int threads = 256>
struct HexahedraBlock {
  static constexpr int kThreads = threads;
  static constexpr int kElements = C::points > kThreads / 2 ? 1 : kThreads / C::points;
  static constexpr int kPoints = kElements * C::points;
  static constexpr int kFacePoints = kElements * C::faces * C::face_points;

  static unsigned blocks(int of_elements) {
    return static_cast<unsigned>((of_elements + kElements - 1) / kElements);
  }

  /// Returns the place of a point in shared memory. Of four points a line, lines along the first two axes
  /// would begin in few of its 16 banks of doubles: values left free spread them over all.
  HALFSTEP_HD static constexpr int padded(int point) { return point + kFree * (point / 16); }
  /// Returns how far the next point of a line is there; `stride`: among an element's points.
  HALFSTEP_HD static constexpr int padded_stride(int stride) { return stride + kFree * (stride / 16); }
  static constexpr int kFree = C::n == 4 ? 5 : 0;
  static constexpr int kPadded = kPoints + kFree * (kPoints / 16);

  // The values that a pass has in shared memory.
  static constexpr int kMotion = 4, kGradient = 9 + (C::is_straight ? 0 : 1 /* 1 / J */),
                       kAreas = C::is_straight ? 0 : C::dimensions * kFacePoints;
  static constexpr std::size_t kValuesOfEnds = kFields * kPadded,
                               kValuesOfViscousPass =
                                   (kMotion + kGradient) * kPadded + 2 * kMotion * kFacePoints + kAreas,
                               kValuesOfStage = C::dimensions * kFields * kPoints + kFields * kFacePoints,
                               kValuesOfSplitStage = kFields * kPoints + 2 * kFields * kFacePoints;
  using Grid = FineGrid<C::degree, C::dimensions, double>;  // of a size that knows no precision
  static constexpr std::size_t kValuesOfOverIntegratedStage =
      kFields * (kFacePoints + (kElements * Grid::size > C::dimensions * kPoints ? kElements * Grid::size
                                                                                 : C::dimensions * kPoints));
};

/// The blocks of the viscous pass: small ones, of which some compute while others wait at their barriers.
template <class C>
using ViscousBlock = HexahedraBlock<C, C::points <= 128 ? 128 : 256>;

/// A block of threads that integrates the fluxes through some faces.
template <class C>
struct IntegratedFaceBlock {
  using Grid = FineGrid<C::degree, C::dimensions - 1, double>;
  static constexpr int kThreads = 128;
  static constexpr int kFaces = Grid::count > kThreads ? 1 : kThreads / Grid::count;
  static constexpr int kGrids = 2 * kFields + 3;  ///< of a face: both states, and the area
  static constexpr std::size_t kValues = std::size_t{kFaces} * kGrids * Grid::size;

  static unsigned blocks(int of_faces) { return static_cast<unsigned>((of_faces + kFaces - 1) / kFaces); }
};

/// Returns the key of a point of the state u, by the rate that limits dt.
template <class Real>
struct FastestPoint {
  FastestCellOfMesh<Real> keys;
  AnyCube cube;
  HexahedraView<Real> mesh;
  IdealGas<Real> gas;
  TransportLaw<Real> law;

  HALFSTEP_HD std::uint64_t operator()(const Real* u, int i, int j, int k) const {
    const Primitive<Real> q = to_primitive(load(mesh.layout, u, i, j, k), gas);
    return keys.key(double(rate_at(cube, mesh, j, i, q, gas, law)), i, j, k);
  }
};

}  // namespace halfstep
