// exp, log and pow give the same bits on a device as on the host, in every build, and so do stiff sources.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "physics/base/choice.hpp"
#include "physics/base/portable_math.hpp"
#include "physics/sources/source.hpp"
#include "runtime/device/memory.hpp"
#include "tests/gpu/device_main.hpp"

using namespace halfstep;

namespace {

struct Numbers {
  double x, y;
};
struct Results {
  double exp, log, pow;
};

HALFSTEP_HD Results results_of(const Numbers& n) {
  return {portable::exp(n.x), portable::log(n.y), portable::pow(n.y, 0.005 * n.x)};
}

__global__ void compute(const Numbers* in, Results* out, int count) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) out[n] = results_of(in[n]);
}

struct Cell {
  Conserved<double> state;
  double reactant;
};
struct Outcome {
  Cell cell;
  InnerStep last;
};

HALFSTEP_HD Outcome burnt(const Source& source, Cell cell, double gamma, double span) {
  InnerIntegration s = begin_cell(source, cell.state, cell.reactant, gamma);
  InnerStep last = InnerStep::goes_on;
  while (last == InnerStep::goes_on) last = advance_cell(source, cell.state, cell.reactant, gamma, span, s);
  finish_cell(source, s, gamma, cell.state, cell.reactant);
  return {cell, last};
}

__global__ void burn(Source source, const Cell* in, Outcome* out, int count, double gamma, double span) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) out[n] = burnt(source, in[n], gamma, span);
}

template <class T>
DeviceBuffer<T> uploaded(const std::vector<T>& values) {
  DeviceBuffer<T> buffer(values.size());
  HALFSTEP_CUDA(cudaMemcpy(buffer.get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return buffer;
}
template <class T>
std::vector<T> downloaded(const DeviceBuffer<T>& buffer) {
  std::vector<T> values(buffer.count());
  HALFSTEP_CUDA(cudaMemcpy(values.data(), buffer.get(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

}  // namespace

TEST_CASE("exp, log and pow are the same bits on the host and on a device") {
  std::mt19937_64 random(7);
  constexpr int count = 1 << 20;
  std::vector<Numbers> in(count);
  for (Numbers& n : in) {
    n.x = std::uniform_real_distribution(-750.0, 715.0)(random);  // underflow and overflow at the ends
    n.y = std::ldexp(std::uniform_real_distribution(0.5, 1.0)(random),
                     std::uniform_int_distribution(-1073, 1024)(random));
  }
  const auto device_in = uploaded(in);
  DeviceBuffer<Results> device_out(count);
  compute<<<count / 256, 256>>>(device_in.get(), device_out.get(), count);
  HALFSTEP_CUDA_LAUNCHED("compute");
  const auto out = downloaded(device_out);
  int different = 0;
  for (int n = 0; n < count; ++n) {
    const Results expected = results_of(in[n]);
    different += std::memcmp(&out[n], &expected, sizeof expected) != 0;
  }
  CHECK(different == 0);
}

TEST_CASE("stiff sources come to the same on the host and on a device") {
  std::mt19937_64 random(8);
  constexpr int count = 1 << 16;
  const double gamma = 1.2;
  Source reaction, cooling;
  reaction.kind = SourceKind::reaction;
  reaction.reaction = {145, 50, 50};
  cooling.kind = SourceKind::cooling;
  cooling.cooling = {30, 0.7, 2};
  for (const Source& source : {reaction, cooling}) {
    std::vector<Cell> in(count);
    for (Cell& cell : in) {
      const double density = std::exp(std::uniform_real_distribution(-1.0, 2.5)(random));
      const double temperature = std::exp(std::uniform_real_distribution(0.0, 3.0)(random));
      const double y = std::uniform_real_distribution(0.0, 1.0)(random);
      cell = {to_conserved<double>({density, 3, -1, 0.5, density * temperature}, {gamma}), density * y};
    }
    const auto device_in = uploaded(in);
    DeviceBuffer<Outcome> device_out(count);
    burn<<<count / 256, 256>>>(source, device_in.get(), device_out.get(), count, gamma, 0.3);
    HALFSTEP_CUDA_LAUNCHED("burn");
    const auto out = downloaded(device_out);
    double worst = 0;
    int done = 0;
    for (int n = 0; n < count; ++n) {
      const Outcome expected = burnt(source, in[n], gamma, 0.3);
      done += expected.last == InnerStep::done && out[n].last == InnerStep::done;
      const double energy = expected.cell.state.energy;
      worst =
          std::max({worst, std::abs(out[n].cell.state.energy - energy) / energy,
                    std::abs(out[n].cell.reactant - expected.cell.reactant) / expected.cell.state.density});
    }
    std::printf("largest difference in %s: %.3g\n", std::string(name_of(kSourceKinds, source.kind)).c_str(),
                worst);
    CHECK(done == count);
    CHECK(worst < 1e-12);
  }
}

int main(int argc, char** argv) { return halfstep::run_on_device(argc, argv, "sources were not tested"); }
