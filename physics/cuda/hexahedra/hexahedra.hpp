// Flux reconstruction in hexahedra on a CUDA device: the launches of its kernels.
//
// A stage has passes, each a kernel. The face kernel finds the flux through every face, a thread to a face
// point, from states that it interpolates in registers. The stage kernel proper advances the points. In a
// viscous flow two passes come before: one stores the states extrapolated to faces, which are read more than
// once then, and one finds the viscous fluxes of each element by its gradients, out of it and inside.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "physics/cuda/elements/elements.hpp"
#include "physics/cuda/hexahedra/device_hexahedra.hpp"
#include "physics/cuda/stage/launch.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/diagnostics/body_loads.hpp"
#include "physics/diagnostics/budget.hpp"
#include "physics/recovery/diagnose_hexahedra.hpp"

namespace halfstep {

template <class Real>
using HexahedraStageKernel = void (*)(CudaStage<Real>, DeviceHexahedra<Real>);

/// The kernels of a Cube. Instantiated in generated files.
template <int degree, int dimensions, class Real>
struct HexahedraKernels {
  /// `is_straight`: the elements are boxes of one size, for which a viscous flow has a kernel of its own.
  static HexahedraStageKernel<Real> stage(bool is_viscous, bool is_straight, Dealiasing dealiasing);
  /// Returns the launch of the stage kernel, a block to some elements, which is still to be settled.
  static LaunchConfiguration launch_of_stage(int elements, Dealiasing dealiasing);
  static void extrapolate(const FacePass<Real>& pass, cudaStream_t stream);
  static void find_viscous_fluxes(const FacePass<Real>& pass, cudaStream_t stream);
  /// Finds the fluxes of an inviscid flow through the faces of two elements.
  static void find_inviscid_face_fluxes(const FacePass<Real>& pass, cudaStream_t stream);
  /// Finds those of either flow at the fine points of faces.
  static void integrate_face_fluxes(const FacePass<Real>& pass, cudaStream_t stream);
};

/// The kernels of any degree. Instantiated in generated files.
template <class Real>
struct AnyHexahedraKernels {
  /// Finds the fluxes of a viscous flow through the faces of two elements.
  static void find_viscous_face_fluxes(const FacePass<Real>& pass, cudaStream_t stream);
  static void find_side_fluxes(const FacePass<Real>& pass, cudaStream_t stream);
  /// Reduces the largest CFL rate of the state `u`, as max_cfl_rate().
  static void find_rate(const FacePass<Real>& pass, const Real* u, unsigned blocks, cudaStream_t stream);
  static void inject_fault(const FacePass<Real>& pass, const Fault& fault, cudaStream_t stream);
  /// Adds the loads of the gas in the pass' input on `count` faces of a wall.
  static void add_loads(const FacePass<Real>& pass, const std::int32_t* faces, std::int64_t count,
                        double depth, ExactLoads* to, unsigned blocks, cudaStream_t stream);
  /// Adds what comes in through the sides of the mesh in the pass' stage. `scale`: from a unit of area and
  /// time, or in the plane of length and time, to the budget.
  static void add_up_sides(const FacePass<Real>& pass, const FacesOnSides& on_sides,
                           const FlaggedHexahedra& flagged, double scale, ExactBudget* budget,
                           unsigned blocks, cudaStream_t stream);
  /// Applies a remedy to the stage's output, and checks it.
  static void correct(const ElementRemedy<Real>& remedy, const DeviceHexahedra<Real>& hexahedra,
                      const double* time, cudaStream_t stream);
  /// Counts the defects and flags the elements with bad points.
  static void find_defects(const ElementDiagnosis<Real>& diagnosis, const DeviceHexahedra<Real>& hexahedra,
                           double time, std::uint8_t* flags, cudaStream_t stream);
  /// Writes the defects and the diagnosis of the reported point for the host.
  static void report(const ElementDiagnosis<Real>& diagnosis, const DeviceHexahedra<Real>& hexahedra,
                     double time, std::uint64_t epoch, DefectsRecord* defects, CellDiagnosis<Real>* point,
                     cudaStream_t stream);
};

/// Calls visit(kernels) with an object of the kernels of a cube.
template <class Real, class Visit>
auto with_hexahedra_kernels(const AnyCube& cube, const Visit& visit) {
  return with_cube(cube.degree, cube.dimensions, [&]<int degree, int dimensions>(Cube<degree, dimensions>) {
    return visit(HexahedraKernels<degree, dimensions, Real>{});
  });
}

}  // namespace halfstep
