// The fourth-order flux corrections on a device equal those of the host, for every mesh and division.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "physics/cuda/fourth_order_flux.hpp"
#include "physics/host/fourth_order_flux.hpp"
#include "runtime/soft_error/device_channel.hpp"
#include "tests/gpu/device_main.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/random_state.hpp"

using namespace halfstep;

namespace {

template <class Real>
std::vector<Real> by_device(StageArguments<Real> a, const std::vector<Real>& start,
                            const std::vector<Real>& in) {
  const std::size_t values = in.size(), bytes = values * sizeof(Real);
  const DeviceBuffer<Real> device_start(values), device_in(values), device_out(values);
  const DeviceBuffer<double> dt(1);
  const double length = a.dt;
  std::vector<Real> out(values, Real(7));
  HALFSTEP_CUDA(cudaMemcpy(device_start.get(), start.data(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(device_in.get(), in.data(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(device_out.get(), out.data(), bytes, cudaMemcpyHostToDevice));
  HALFSTEP_CUDA(cudaMemcpy(dt.get(), &length, sizeof length, cudaMemcpyHostToDevice));
  a.start = device_start.get();
  a.in = device_in.get();
  a.out = device_out.get();
  soft_error::DeviceChannel<> channel;
  channel.next_epoch(1);
  launch_fourth_order_fluxes(a, {}, dt.get(), channel.reporter(1, 1), nullptr);
  HALFSTEP_CUDA(cudaMemcpy(out.data(), device_out.get(), bytes, cudaMemcpyDeviceToHost));
  return out;
}

/// Compares device and host; `cold` adds cells with a negative temperature.
template <class Real>
void check(const std::array<int, 3>& cells, bool cold) {
  RandomStage<Real> random(cells, 3, Real(0.25));
  const Layout& layout = random.layout;
  const std::vector<Real>& start = random.start;
  std::vector<Real>& in = random.in;
  if (cold)  // every third energy is too small: negative temperature
    for (std::int64_t n = 4 * layout.field_stride; n < layout.values(); n += 3) in[n] = Real(1e-3);
  StageArguments<Real> a = random.arguments;
  a.dt = Real(1e-2);
  for (Real& inverse : a.inverse_dx)
    if (inverse > Real(0)) inverse = Real(10);
  std::vector<Real> flow(in.size() + host::kVector<Real>), by_host = random.result();
  a.out = by_host.data();
  add_fourth_order_fluxes(a, flow.data(), 1);
  const std::vector<Real> out = by_device(a, start, in);
  Real difference = 0, change = 0;
  bool finite = true;
  for_every_cell(cells, [&](const std::array<int, 3>& cell) {
    for (int f = 0; f < kFields; ++f) {
      const std::int64_t n = layout.index(cell[0], cell[1], cell[2]) + f * layout.field_stride;
      difference = std::max(difference, std::abs(out[n] - by_host[n]));
      change = std::max(change, std::abs(out[n] - start[n]));
      finite &= std::isfinite(out[n]);
    }
  });
  INFO((text_of(cells)));
  CHECK(finite);
  CHECK(change > Real(1e-3));
  CHECK(difference <= (HALFSTEP_STRICT_FP ? Real(0) : sizeof(Real) == 8 ? Real(1e-14) : Real(1e-5)));
}

template <class Real>
void check_meshes() {
  for (const bool cold : {false, true})
    for (const std::array<int, 3>& cells : {std::array<int, 3>{300, 1, 1},
                                            {1, 40, 1},
                                            {1, 1, 30},
                                            {70, 19, 1},
                                            {35, 1, 12},
                                            {1, 21, 13},
                                            {70, 19, 11},
                                            {5, 4, 3},
                                            {128, 128, 128}})
      check<Real>(cells, cold);
}

}  // namespace

TEST_CASE("in double precision") { check_meshes<double>(); }
TEST_CASE("in single precision") { check_meshes<float>(); }

int main(int argc, char** argv) {
  return halfstep::run_on_device(argc, argv, "the corrections of averages were not tested");
}
