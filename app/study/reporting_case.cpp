#include "app/study/reporting_case.hpp"

#include <fmt/format.h>

#include "app/base/scheme_names.hpp"
#include "app/deck/deck.hpp"
#include "app/study/occupancy.hpp"
#include "app/study/stage_source.hpp"
#include "physics/base/choice.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/cuda/hexahedra/face_configuration.hpp"

namespace halfstep {
namespace {

/// Elements that a smooth map bends, with the wave of StageBench.
constexpr const char* kWaveInElements =
    "case: {name: linear_wave, amplitude: 0.1, waves: [1, 1, 1], velocity: [0.1, 0.2, 0.3]}\n"
    "mesh: {cells: [8, 8, 8], boundary: {x: periodic, y: periodic, z: periodic}, map: {kind: bend, "
    "amplitude: "
    "0.04}}\n"
    "scheme: {method: flux_reconstruction}\n"
    "time: {end: 1}\n";

/// Returns the names of the kernel's body and of what it is instantiated for. The program's own policy is
/// another one for faces than for stages.
std::string body_of_faces(const ReportingCase& of, const std::string& policy_of_stages) {
  const std::string solver = riemann_type(of.scheme);
  const std::string policy = policy_of_stages == "RaiseOnce" ? "RaiseAtThePlace" : policy_of_stages;
  return of.viscous
             ? fmt::format("find_viscous_face_flux<{}, {}>", solver, policy)
             : fmt::format("find_inviscid_face_flux<{}, Cube<{}, 3>, {}>", solver, of.scheme.degree, policy);
}

std::vector<ReportingCase> cases_of_stages() {
  std::vector<ReportingCase> all;
  for (const auto& reconstruction : kReconstructions)
    if (facts_of(reconstruction.value).radius > 0)
      for (const auto& variables : kVariables)
        for (const auto& precision : kPrecisions)
          all.push_back({{.reconstruction = reconstruction.value,
                          .variables = variables.value,
                          .precision = precision.value}});
  for (const auto& precision : {kPrecisions[1], kPrecisions[0]})
    all.push_back({{.riemann = Riemann::roe, .precision = precision.value}, true});
  for (ReportingCase& of : all) of.scheme.integrator = Integrator::ssprk2;
  return all;
}

}  // namespace

std::string ReportingCase::precision() const { return std::string(name_of(kPrecisions, scheme.precision)); }

std::string ReportingCase::scheme_name() const {
  return halfstep::scheme_name(scheme) + (viscous ? " viscous" : "");
}

KernelConfiguration ReportingCase::shipped(const std::string& architecture) const {
  if (!is_of_faces()) return shipped_configuration(scheme, architecture);
  KernelConfiguration configuration{};
  configuration.threads = kFaceThreads;
  const std::size_t real_bytes = bytes_of_real(scheme.precision);
  configuration.min_blocks = viscous ? face_blocks(scheme.riemann, real_bytes)
                                     : inviscid_face_blocks(scheme.riemann, real_bytes, scheme.degree);
  return configuration;
}

int ReportingCase::resident_threads(const std::string& architecture) const {
  if (is_of_faces()) return kFaceThreads * face_blocks(scheme.riemann, bytes_of_real(scheme.precision));
  const KernelConfiguration own = shipped(architecture);
  return own.max_registers > 0 ? 65536 / own.max_registers : own.min_blocks * own.threads;
}

std::string ReportingCase::source(const std::string& name, const KernelConfiguration& configuration,
                                  const std::string& policy) const {
  if (!is_of_faces())
    return stage_kernel_source(name, scheme, configuration,
                               {.reports = policy, .correction = viscous ? "ViscousFaces" : "NoCorrection"});
  return fmt::format(
      "extern \"C\" __global__ void {} {}(const __grid_constant__ FacePass<{}> pass) {{\n  {}(pass);\n}}\n",
      attribute_of(configuration), name, real_type(scheme), body_of_faces(*this, policy));
}

double ReportingCase::occupancy(const KernelConfiguration& configuration, const KernelResources& kernel,
                                const std::string& architecture) const {
  if (!is_of_faces()) return stage_occupancy(scheme, configuration, kernel, architecture);
  return halfstep::occupancy(architecture, configuration.threads, kernel.registers,
                             static_cast<std::size_t>(kernel.shared_bytes), 0);
}

std::vector<ReportingCase> reporting_cases() {
  std::vector<ReportingCase> all = cases_of_stages();
  for (const bool viscous : {false, true})
    for (int degree = 1; degree <= kMaxDegree; ++degree)
      all.push_back({{.method = Method::flux_reconstruction,
                      .degree = degree,
                      .riemann = Riemann::roe,
                      .integrator = Integrator::ssprk3},
                     viscous});
  return all;
}

std::string preamble_of(const ReportingCase& of) {
  if (!of.is_of_faces()) return stage_preamble();
  return "#include \"app/study/reporting_methods.cuh\"\n"
         "#include \"physics/cuda/hexahedra/passes_body.cuh\"\n"
         "#include \"physics/flux/dispatch.hpp\"\n"
         "using namespace halfstep;\n";
}

RunConfig deck_of_faces(const ReportingCase& of, int points) {
  const int elements = points / (of.scheme.degree + 1);
  std::vector<std::string> overrides = {
      fmt::format("scheme.degree={}", of.scheme.degree),
      fmt::format("scheme.riemann={}", name_of(kRiemanns, of.scheme.riemann)),
      "scheme.precision=" + of.precision(), fmt::format("mesh.cells=[{0}, {0}, {0}]", elements)};
  if (of.viscous) overrides.push_back("gas.viscosity=1e-4");
  return parse_deck(kWaveInElements, "the deck of the study", overrides);
}

std::unique_ptr<Solver> ReportingBench::solver(const ReportingCase& of) {
  if (!of.is_of_faces()) return stages_.solver(of.scheme);
  const RunConfig deck = deck_of_faces(of, kFacesPoints);
  auto made = make_cuda_solver(deck.problem);
  InitialState state(*deck.flow_case, deck.scalars, deck.problem.mesh, deck.problem.gases());
  made->set_state(state, 0);
  return made;
}

}  // namespace halfstep
