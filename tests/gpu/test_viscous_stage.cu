// The viscous terms of the fused stage kernel add dt times the divergence that plain loops compute.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "app/study/viscous_faces.cuh"
#include "physics/cuda/stage/body.cuh"
#include "physics/cuda/stage/launch.hpp"
#include "physics/gas/transport.hpp"
#include "physics/mesh/ghosts.hpp"
#include "runtime/device/memory.hpp"
#include "tests/gpu/device_main.hpp"
#include "tests/support/viscous_flow.hpp"

using namespace halfstep;

namespace {

constexpr double kGamma = 1.4, kTimeStep = 0.01;

/// Returns U_in + dt L(U_in) of a flow computed by one stage kernel, x fastest.
std::vector<Conserved<double>> after_stage(const PeriodicFlow& flow, StageKernel<double> kernel, int layers,
                                           const Transport<double>& transport) {
  const Layout l(flow.mesh, layers);
  std::vector<double> memory(l.values());
  for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
    store(l, memory.data(), c[0], c[1], c[2], to_conserved(flow.at(c), IdealGas<double>{kGamma}));
  });
  Boundaries periodic;
  for (auto& axis : periodic) axis = {Boundary::periodic, Boundary::periodic};
  const BoundaryConditions<double> rules(l, flow.mesh, periodic, {}, {{kGamma}});
  const GhostCells ghosts(l);
  for (std::int64_t n = 0; n < ghosts.count(); ++n) {
    int i, j, k;
    ghosts.cell(l, n, i, j, k);
    fill_ghost(rules, memory.data(), i, j, k, 0);
  }

  const std::size_t bytes = memory.size() * sizeof(double);
  const DeviceBuffer<double> in(memory.size()), out(memory.size()), dt(1);
  HALFSTEP_CUDA(cudaMemcpy(in.get(), memory.data(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(dt.get(), &kTimeStep, sizeof kTimeStep, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpyToSymbol(stage_transport<double>, &transport, sizeof transport));
  CudaStage<double> stage{.arguments = {l, nullptr, in.get(), out.get(), 1, 0, {}, {kGamma}, false, false},
                          .dt = dt.get()};
  for (int d = 0; d < 3; ++d)
    stage.arguments.inverse_dx[d] = flow.mesh.active(d) ? 1 / flow.mesh.spacing(d) : 0;
  cudaDeviceProp device{};
  HALFSTEP_CUDA(cudaGetDeviceProperties(&device, 0));
  const LaunchConfiguration launch =
      launch_configuration<double>({reinterpret_cast<const void*>(kernel)}, l, device);
  stage.tiles_x = launch.tiles_x;
  stage.tiles = launch.tiles();
  stage.march = launch.march;
  kernel<<<launch.grid, launch.block, launch.shared_bytes>>>(stage);
  HALFSTEP_CUDA_LAUNCHED("stage");
  HALFSTEP_CUDA(cudaMemcpy(memory.data(), out.get(), bytes, cudaMemcpyDeviceToHost));
  std::vector<Conserved<double>> states;
  for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
    states.push_back(load<double>(l, memory.data(), c[0], c[1], c[2]));
  });
  return states;
}

template <class Reconstruction, Variables variables, class RiemannSolver>
void check(const char* name) {
  const Transport<double> coefficients = transport(0.5, 0.72, IdealGas<double>{kGamma});
  constexpr int layers = Reconstruction::radius + 1;
  const auto kernel = []<class Correction>(Correction) {
    return stage_kernel<Reconstruction, variables, RiemannSolver, double, NoReports, false, Correction>();
  };
  // More than one tile in x and y, none of them full, and every set of axes.
  for (const std::array<int, 3> cells : {std::array<int, 3>{300, 1, 1},
                                         {1, 40, 1},
                                         {1, 1, 30},
                                         {70, 19, 1},
                                         {35, 1, 12},
                                         {1, 21, 13},
                                         {70, 19, 11}}) {
    CAPTURE(name);
    CAPTURE(cells[0]);
    CAPTURE(cells[1]);
    CAPTURE(cells[2]);
    const PeriodicFlow flow = smooth_flow(cells);
    const std::vector<Conserved<double>> with =
                                             after_stage(flow, kernel(ViscousFaces{}), layers, coefficients),
                                         without =
                                             after_stage(flow, kernel(NoCorrection{}), layers, coefficients),
                                         divergence = viscous_divergence(flow, coefficients.viscosity,
                                                                         coefficients.conductivity);
    double worst = 0, largest = 0;
    for (std::size_t n = 0; n < with.size(); ++n) {
      const Conserved<double> expected = -kTimeStep * divergence[n];
      worst = std::max(worst, largest_component(with[n] - without[n] - expected));
      largest = std::max(largest, largest_component(expected));
    }
    CHECK(largest > 0.01);
    CHECK(worst < 1e-10 * largest);
    std::printf("%s, %d x %d x %d: %.2g of %.2g\n", name, cells[0], cells[1], cells[2], worst, largest);
  }
}

}  // namespace

TEST_CASE("The stage with viscous terms less the stage without is their divergence, in 1D, 2D and 3D") {
  check<Constant, Variables::primitive, Rusanov>("constant");
  check<Plm<Limiter::van_leer>, Variables::primitive, Hllc>("plm");
  check<Weno5z, Variables::characteristic, Roe>("weno5z");
}

int main(int argc, char** argv) {
  return halfstep::run_on_device(argc, argv, "the viscous terms were not tested");
}
