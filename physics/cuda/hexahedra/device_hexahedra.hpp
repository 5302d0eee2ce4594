// A mesh of hexahedra in a device's memory, and what the passes of a stage over its faces need.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "physics/cuda/stage/stage.hpp"
#include "physics/curved/hexahedron.hpp"
#include "physics/rhs/fastest_cell_of_mesh.hpp"

namespace halfstep {

/// Values at the face points of all elements, one field behind the other.
template <class Real>
struct FaceFields {
  Real* first;
  std::int64_t points;

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
  FaceFields<Real> ends;              ///< the states
  FaceFields<Real> outflows;          ///< what flows out of the element
  FaceFields<Real> viscous_outflows;  ///< by its own gradients
  FaceFields<Real> steps;             ///< from the element's own polynomial to the common motion

  HALFSTEP_HD int elements() const { return flow.mesh.layout.cells[1]; }
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

/// The elements of a block of threads, a thread to a point.
struct HexahedraBlock {
  static constexpr int kThreads = 256;

  HALFSTEP_HD static int elements(int points) { return points > kThreads / 2 ? 1 : kThreads / points; }
  HALFSTEP_HD static int blocks(int of_elements, int points) {
    return (of_elements + elements(points) - 1) / elements(points);
  }
  /// Returns the points that fields in shared memory have.
  HALFSTEP_HD static int pitch(int points) { return elements(points) * points; }
};

/// The values of a point that kernels have in shared memory.
inline constexpr int kMotion = 4, kValuesOfViscousPass = kMotion + 3 * kMotion;
constexpr int values_of_stage(int dimensions, bool is_viscous) {
  return dimensions * kFields + (is_viscous ? kMotion : 0);
}

/// Returns the key of a point of the state u, by the rate that limits dt.
template <class Real>
struct FastestPoint {
  FastestCellOfMesh<Real> keys;
  AnyCube cube;
  HexahedraView<Real> mesh;
  IdealGas<Real> gas;

  HALFSTEP_HD std::uint64_t operator()(const Real* u, int i, int j, int k) const {
    const Primitive<Real> q = to_primitive(load(mesh.layout, u, i, j, k), gas);
    return keys.key(double(rate_at(cube, mesh, j, i, q, gas, keys.terms)), i, j, k);
  }
};

}  // namespace halfstep
