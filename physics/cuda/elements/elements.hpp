// Flux reconstruction on a CUDA device: its kernels, by degree and precision.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>

#include "physics/cuda/elements/tile.hpp"
#include "physics/cuda/stage/launch.hpp"
#include "physics/recovery/diagnose_point.hpp"
#include "physics/recovery/floors.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

struct DefectsRecord;
template <class Real>
struct SideSums;

/// What a remedy does to elements: scales them, or makes parts of them first order, then perhaps raises
/// points to floors.
template <class Real>
struct ElementRemedy {
  StageArguments<Real> stage;
  const double* dt;  ///< the step's, on the device; used in place of the arguments'
  BoundaryConditions<Real> rules;
  const std::uint8_t* mask;
  Riemann riemann;
  Remedy remedy;
  Floors floors;
  ExactFloorSums* added;
  StageResult* result;
  soft_error::Reporter<> reporter;
};

/// The stage whose defects are looked for.
template <class Real>
struct ElementDiagnosis {
  StageArguments<Real> stage;
  DiagnosisSetup setup;
  BoundaryConditions<Real> rules;
  const std::uint8_t* mask;  ///< of the attempt's remedy; nullptr: none
  Remedy remedy;
  Defects* defects;
};

/// The kernels of a degree, and their launches. Instantiated in generated files.
template <int degree, class Real>
struct ElementKernels {
  static StageKernel<Real> stage(Riemann riemann);
  /// Applies a remedy to the stage's output, and checks it.
  static void correct(const ElementRemedy<Real>& remedy, cudaStream_t stream);
  /// Adds what comes in through the sides of the domain in a stage.
  static void add_up_sides(const SideSums<Real>& of, dim3 blocks, cudaStream_t stream);
  /// Counts the defects and flags the elements with bad points.
  static void find_defects(const ElementDiagnosis<Real>& diagnosis, std::uint8_t* flags, cudaStream_t stream);
  /// Writes the defects and the diagnosis of the reported point for the host.
  static void report(const ElementDiagnosis<Real>& diagnosis, std::uint64_t epoch, DefectsRecord* defects,
                     PointDiagnosis<Real>* point, cudaStream_t stream);
};

/// Calls visit(kernels) with an object of the kernels of a degree.
template <class Real, class Visit>
auto with_element_kernels(int degree, const Visit& visit) {
  return with_degree(degree, [&]<int own>() { return visit(ElementKernels<own, Real>{}); });
}

/// Returns the launch of a stage kernel of elements: a block to a tile.
template <class Real>
LaunchConfiguration element_launch(const void* kernel, int degree, const Layout& layout,
                                   const cudaDeviceProp& device) {
  return with_degree(degree, [&]<int own>() {
    using Block = ElementBlock<own, Real>;
    const ElementTiles tiles = ElementTiles::of<Block>(layout);
    if (tiles.count() > std::numeric_limits<int>::max())
      throw std::runtime_error("a grid of " + std::to_string(tiles.count()) +
                               " blocks of elements is more than a kernel can have; use fewer elements");
    LaunchConfiguration launch{};
    launch.grid = dim3(static_cast<unsigned>(tiles.count()));
    launch.block = dim3(Block::kThreads);
    launch.shared_bytes = Block::kSharedBytes;
    launch.tiles_x = tiles.along_x();
    launch.march = tiles.points[2];
    if (Block::kSharedBytes > static_cast<int>(device.sharedMemPerBlockOptin))
      throw std::runtime_error("elements of degree " + std::to_string(own) + " need " +
                               std::to_string(Block::kSharedBytes >> 10) +
                               " KiB of shared memory a block, more than " + device.name + " has");
    settle_launch(launch, kernel);
    return launch;
  });
}

}  // namespace halfstep
