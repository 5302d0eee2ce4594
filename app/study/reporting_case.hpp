// The kernels whose ways of reporting errors the study `registers` compares: those of the stages of schemes
// in cells, and those of the faces between curved elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "app/study/compiler.hpp"
#include "app/study/stage_bench.hpp"
#include "physics/cuda/stage/kernel_configuration.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

struct ReportingCase {
  Scheme scheme;
  bool viscous = false;  ///< of a stage in cells: with the viscous terms fused

  bool is_of_faces() const { return scheme.method == Method::flux_reconstruction; }
  std::string precision() const;
  /// Returns the name without the precision.
  std::string scheme_name() const;
  std::string name() const { return scheme_name() + ' ' + precision(); }

  /// Returns the configuration of the program's own kernel on an architecture.
  KernelConfiguration shipped(const std::string& architecture) const;
  /// Returns the threads of a multiprocessor that its registers leave room for.
  int resident_threads(const std::string& architecture) const;
  /// Returns the source of a kernel called `name` that reports by `policy` (reporting_methods.cuh).
  std::string source(const std::string& name, const KernelConfiguration& configuration,
                     const std::string& policy) const;
  /// Returns the theoretical occupancy in three dimensions, 0 to 1; 0 if a block does not fit.
  double occupancy(const KernelConfiguration& configuration, const KernelResources& kernel,
                   const std::string& architecture) const;
};

/// Returns all kernels: of stages, the heaviest last, then of faces.
std::vector<ReportingCase> reporting_cases();
/// Returns the text that precedes sources of kernels in a file.
std::string preamble_of(const ReportingCase& of);

/// Returns a flow in curved elements, about `points` points along each axis, for a kernel of faces.
RunConfig deck_of_faces(const ReportingCase& of, int points);

/// Solvers whose flux kernel is that of a case.
class ReportingBench {
 public:
  /// Throws std::runtime_error without a CUDA device. The launches of each solver are of the same size.
  std::unique_ptr<Solver> solver(const ReportingCase& of);

  static constexpr int kFacesPoints = 96;  ///< about so many points of elements along each axis

 private:
  StageBench stages_;
};

}  // namespace halfstep
