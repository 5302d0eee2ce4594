// Lattice Boltzmann: the collision of a D3Q19 gas (Bhatnagar, Gross & Krook), in place. An error is a density
// that is not positive, or a velocity near the lattice's speed of sound, beyond which the method is unstable.
//
//   halfstep study kernel lattice_boltzmann.cu:collide
#include "halfstep/study.hpp"

constexpr int kDirections = 19;

__host__ __device__ constexpr int velocity(int q, int axis) {
  constexpr signed char all[kDirections][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                               {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                               {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                               {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  return all[q][axis];
}

__host__ __device__ constexpr float weight(int q) { return q == 0 ? 1.f / 3 : q < 7 ? 1.f / 18 : 1.f / 36; }

struct Unstable {
  int cell;
  float density, velocity[3];
};

/// omega: the inverse of the relaxation time, in time steps.
__global__ void collide(float* f, int cells, float omega, halfstep::study::Reporter reporter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  float population[kDirections], density = 0, u[3] = {};
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    population[q] = f[q * cells + i];
    density += population[q];
    for (int axis = 0; axis < 3; ++axis) u[axis] += velocity(q, axis) * population[q];
  }
  for (float& component : u) component /= density;
  const float speed2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  halfstep::study::report_error(reporter, !(density > 0 && speed2 < 0.3f),
                                Unstable{i, density, {u[0], u[1], u[2]}});
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    const float along = velocity(q, 0) * u[0] + velocity(q, 1) * u[1] + velocity(q, 2) * u[2];
    const float equilibrium = weight(q) * density * (1 + 3 * along + 4.5f * along * along - 1.5f * speed2);
    f[q * cells + i] = population[q] + omega * (equilibrium - population[q]);
  }
}

/// A gas at rest of density 1, which stays as it is.
auto halfstep_study_setup(int threads) {
  const int cells = 192 * 192 * 192;
  float* f =
      halfstep::study::device_array<float>(static_cast<std::size_t>(kDirections) * cells,
                                           [](std::size_t n) { return weight(static_cast<int>(n / cells)); });
  return halfstep::study::setup((cells + threads - 1) / threads, 2.0 * kDirections * cells * sizeof(float), f,
                                cells, 1.7f);
}
