#include "app/commands/info.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <omp.h>

#include <cstdio>
#include <thread>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "halfstep_version.hpp"
#include "physics/base/expression.hpp"
#include "physics/diagnostics/energy_spectrum.hpp"
#include "physics/hexahedra/cgns_file.hpp"
#include "physics/shapes/stl.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/processor.hpp"
#include "runtime/exchange/graph_cut.hpp"

namespace halfstep {
namespace {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string cuda_build() {
  const std::string compiler = HALFSTEP_CUDA_COMPILER;
  return compiler.empty() ? "not built" : fmt::format("{}, for {}", compiler, HALFSTEP_CUDA_ARCHITECTURES);
}

int info() {
  const auto line = [](const char* name, const std::string& text) { fmt::print("{:<14} {}\n", name, text); };
  line("halfstep", version_text());
  line("build",
       fmt::format("{}, {} floating point", HALFSTEP_BUILD_TYPE, HALFSTEP_STRICT_FP ? "strict" : "fast"));
  line("C++ compiler", HALFSTEP_CXX_COMPILER);
  line("CUDA compiler", cuda_build());
  line("HDF5", hdf5_version());
  line("yaml-cpp", HALFSTEP_YAML_CPP_VERSION);
  line("muParser", muparser_version().empty() ? "not built in: no expressions" : muparser_version());
  line("CGNS files", cgns_version().empty() ? "not built in: libcgns" : cgns_version());
  line("METIS", exchange::metis_version().empty() ? "not built in: curved elements run on one rank"
                                                  : exchange::metis_version());
  line("STL files", stl_libraries().empty() ? "not built in: assimp, Embree" : stl_libraries());
  line("FFTW", fftw_version().empty() ? "not built in: no spectra" : fftw_version());
  line("processor",
       fmt::format("{}, {} hardware threads", processor_name(), std::thread::hardware_concurrency()));
  line("OpenMP", fmt::format("{} threads", omp_get_max_threads()));
  std::string why;
  if (!cuda_available(&why)) line("CUDA device", "none: " + why);
  for (const std::string& device : cuda_devices()) line("CUDA device", device);
  return kFinished;
}

}  // namespace

std::string version_text() { return fmt::format("{} (git {})", HALFSTEP_VERSION, HALFSTEP_GIT); }

std::function<int()> declare_info(CLI::App& command) {
  command.footer("Example:\n  halfstep info");
  return info;
}

}  // namespace halfstep
