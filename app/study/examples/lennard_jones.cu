// Molecular dynamics: the Lennard-Jones forces on atoms from a list of neighbours, with a check for the
// blow-up that too long a time step leads to: two atoms on top of each other.
//
//   halfstep study kernel lennard_jones.cu:forces
#include "halfstep/study.hpp"

constexpr int kNeighbours = 32;

struct Overlap {
  int atom, neighbour;
  float distance_squared;
};

/// Lengths in sigma, energies in epsilon; cut off at 2.5. The last component of a force is the atom's energy.
__global__ void forces(const float4* position, const int* neighbours, float4* force, int atoms,
                       halfstep::study::Reporter reporter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const float4 here = position[i];
  float4 sum = {0, 0, 0, 0};
  for (int k = 0; k < kNeighbours; ++k) {
    const int j = neighbours[k * atoms + i];
    const float4 there = position[j];
    const float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    halfstep::study::report_error(reporter, !(r2 > 0.25f), Overlap{i, j, r2});  // also NaN
    if (r2 > 6.25f) continue;
    const float s2 = 1 / r2, s6 = s2 * s2 * s2, f = 24 * s2 * s6 * (2 * s6 - 1);
    sum.x += f * dx;
    sum.y += f * dy;
    sum.z += f * dz;
    sum.w += 4 * s6 * (s6 - 1);
  }
  force[i] = sum;
}

/// A simple cubic lattice with a distance of 1.2, and the 32 neighbours at up to two distances.
auto halfstep_study_setup(int threads) {
  const int side = 144, atoms = side * side * side;
  std::vector<int> offsets;
  for (int n = 0; n < 125; ++n) {
    const int x = n % 5 - 2, y = n / 5 % 5 - 2, z = n / 25 - 2, r2 = x * x + y * y + z * z;
    if (r2 > 0 && r2 <= 4) offsets.push_back(x + side * (y + side * z));
  }
  using halfstep::study::device_array;
  const float4* position = device_array<float4>(atoms, [](std::size_t i) {
    return float4{1.2f * (i % side), 1.2f * (i / side % side), 1.2f * (i / side / side), 0};
  });
  const int* neighbours = device_array<int>(std::size_t{kNeighbours} * atoms, [&](std::size_t n) {
    return static_cast<int>((n % atoms + offsets[n / atoms] + atoms) % atoms);
  });
  float4* force = device_array<float4>(atoms, [](std::size_t) { return float4{}; });
  const double bytes = atoms * (2.0 * sizeof(float4) + kNeighbours * sizeof(int));
  return halfstep::study::setup((atoms + threads - 1) / threads, bytes, position, neighbours, force, atoms);
}
