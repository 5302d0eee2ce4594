// Instabilities against linear theory: growth rates of small disturbances.
#include <cmath>
#include <numbers>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/cases/exact/exact_riemann.hpp"
#include "physics/cases/exact/rayleigh_taylor.hpp"
#include "physics/cases/exact/shear_layer_growth.hpp"
#include "physics/diagnostics/totals.hpp"

namespace halfstep {
namespace {

/// Returns the amplitude of the mode with `waves` waves along x in the y-velocity: the root mean square over
/// y of its Fourier coefficient.
double wave_amplitude(const Fields& fields, const Mesh& mesh, int waves) {
  double sum = 0;
  for (int j = 0; j < mesh.cells[1]; ++j) {
    double real = 0, imaginary = 0;
    for (int i = 0; i < mesh.cells[0]; ++i) {
      const std::size_t n = static_cast<std::size_t>(j) * mesh.cells[0] + i;
      const double v = fields.conserved[2][n] / fields.conserved[0][n];
      const double phase = 2 * std::numbers::pi * waves * (i + 0.5) / mesh.cells[0];
      real += v * std::cos(phase);
      imaginary += v * std::sin(phase);
    }
    sum += real * real + imaginary * imaginary;
  }
  return 2 * std::sqrt(sum / mesh.cells[1]) / mesh.cells[0];
}

// --- Kelvin-Helmholtz -------------------------------------------------------------------------------------

constexpr int kWaves = 2;  // wavelengths of the case's disturbance along x

/// Returns the growth rate for the deck's shear layers, with the profiles of McNally et al. (2012), eqs. 1
/// and 2.
double shear_theory(const DeckRun& run) {
  const Values& p = run.config.case_parameters;
  const double thickness = p.real("thickness"), gamma = run.config.problem.gamma;
  const auto stream = [&](double y) {
    const double from_layer = 0.25 - std::abs(y - 0.5),
                 half = 0.5 * std::exp(-std::abs(from_layer) / thickness);
    const auto profile = [&](const std::string& quantity) {
      const double outer = p.real("outer." + quantity), inner = p.real("inner." + quantity);
      return from_layer > 0 ? inner + half * (outer - inner) : outer - half * (outer - inner);
    };
    return ShearFlow{profile("density"), profile("speed")};
  };
  return shear_layer_growth(stream, 0, 0.5, 2 * std::numbers::pi * kWaves, gamma * p.real("pressure"),
                            {-0.2, 0.3});
}

double v_amplitude(const RunConfig& config, Solver& solver) {
  Fields fields;
  solver.get_state(fields);
  return wave_amplitude(fields, config.problem.mesh, kWaves);
}

// --- Rayleigh-Taylor --------------------------------------------------------------------------------------

double wavenumber(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  return 2 * std::numbers::pi * static_cast<double>(run.config.case_parameters.integer("waves")) /
         (mesh.upper[0] - mesh.lower[0]);
}

/// Returns sqrt(A g k), the growth rate of a sharp interface between incompressible fluids without walls
/// (Rayleigh 1883).
double sharp_interface_theory(const DeckRun& run) {
  const Values& p = run.config.case_parameters;
  const double lower = p.real("lower_density"), upper = p.real("upper_density");
  return std::sqrt((upper - lower) / (upper + lower) * -run.config.problem.terms.gravity[1] *
                   wavenumber(run));
}

/// Returns the growth rate of the deck's fastest mode: diffuse interface, compressible gas, between walls.
double buoyancy_theory(const DeckRun& run) {
  const Values& p = run.config.case_parameters;
  const Mesh& mesh = run.mesh();
  return RayleighTaylorMode(run.gas(),
                            {.lower = p.real("lower_density"),
                             .upper = p.real("upper_density"),
                             .thickness = p.real("thickness"),
                             .pressure_at_interface = p.real("pressure"),
                             .gravity = -run.config.problem.terms.gravity[1]},
                            wavenumber(run), mesh.lower[1] - p.real("interface"),
                            mesh.upper[1] - p.real("interface"))
      .growth_rate();
}

double speed(const RunConfig&, Solver& solver) {
  const Totals totals = solver.totals();
  return std::sqrt(2 * totals.kinetic_energy / totals.mass);
}

// --- Both -------------------------------------------------------------------------------------------------

/// Compares the growth rate between times `from` and `to`, when the mode dominates the disturbance and is
/// still small, with theory.
Check growing(const std::string& name, const std::string& deck, const Overrides& overrides,
              const Probe& probe, double from, double to, double (*theory)(const DeckRun&), double tolerance,
              const std::string& whose) {
  return {
      .name = name,
      .deck = deck,
      .overrides = overrides,
      .judged = {{"growth rate / theory",
                  [=](const Results& r) {
                    return growth_rate(r.last().samples, from, to) / theory(r.last());
                  },
                  within(tolerance, 1), "exact: linear theory of " + whose + ", to what this mesh resolves"}},
      .probe = probe,
      .curve = [=](const DeckRun& run) {
        Curve curve{.across = "time", .up = "amplitude", .logarithmic = true};
        const Sample& last = run.samples.back();
        for (const Sample& s : run.samples) {
          curve.x.push_back(s.time);
          curve.y.push_back(s.value);
          curve.line_x.push_back(s.time);
          curve.line_y.push_back(last.value * std::exp(theory(run) * (s.time - last.time)));
        }
        return curve;
      }};
}

Check kelvin_helmholtz(const std::string& name, const std::string& mesh, double tolerance) {
  return growing(name, "kelvin_helmholtz", {"case.amplitude=1e-4", "time.end=2", mesh},
                 {.every = 0.1, .value = v_amplitude}, 1.2, 2, shear_theory, tolerance,
                 "the deck's own layers (Blumen 1970)");
}

Check rayleigh_taylor(const std::string& name, const Overrides& mesh, double tolerance) {
  Overrides all = {"case.amplitude=1e-4", "time.end=1.5"};
  all.insert(all.end(), mesh.begin(), mesh.end());
  Check check =
      growing(name, "rayleigh_taylor", all, {.every = 0.1, .value = speed}, 0.3, 1.5, buoyancy_theory,
              tolerance, "a diffuse interface between walls (Rayleigh 1883; Chandrasekhar 1961)");
  check.judged.push_back(
      {"growth rate / sqrt(A g k)",
       [](const Results& r) {
         return growth_rate(r.last().samples, 0.3, 1.5) / sharp_interface_theory(r.last());
       },
       {0.8, 1},
       "Rayleigh (1883), of a sharp interface: what the thickness of the deck's, compressibility and "
       "walls take is up to a fifth"});
  return check;
}

// --- Richtmyer-Meshkov ------------------------------------------------------------------------------------

/// Returns the amplitude of the interface's wave: the mode of half a wave along x in the height of the gas
/// below, which is what the scalar does not mark.
double interface_amplitude(const RunConfig& config, Solver& solver) {
  Fields fields;
  solver.get_state(fields);
  const Mesh& mesh = config.problem.mesh;
  const int nx = mesh.cells[0], ny = mesh.cells[1];
  double amplitude = 0;
  for (int i = 0; i < nx; ++i) {
    double height = 0;
    for (int j = 0; j < ny; ++j) {
      const std::size_t n = static_cast<std::size_t>(j) * nx + i;
      height += (1 - fields.scalars[0][n] / fields.conserved[0][n]) * mesh.spacing(1);
    }
    amplitude += 2 * height * std::cos(std::numbers::pi * (i + 0.5) / nx) / nx;
  }
  return amplitude;
}

/// What a shock does to an interface, by the deck's own states.
struct ImpulsiveModel {
  double compression;  ///< amplitude behind the shock over that ahead
  double growth_rate;  ///< of the amplitude, by Richtmyer's (1960) model: a constant
};
ImpulsiveModel impulsive_model(const DeckRun& run) {
  const Mesh& mesh = run.mesh();
  const double shock = -0.2;  // where the deck has it
  const auto along_y = [&](int j) {
    const Primitive<double> q = to_primitive(run.config.flow_case->initial(mesh.cell(0, j, 0)), run.gas());
    return Primitive<double>{q.density, q.v, 0, 0, q.pressure};
  };
  const auto row = [&](double y) { return static_cast<int>((y - mesh.lower[1]) / mesh.spacing(1)); };
  const Primitive<double> behind = along_y(0), light = along_y(row(0.5 * shock)),
                          heavy = along_y(mesh.cells[1] - 1);
  const double speed =
      (behind.density * behind.u - light.density * light.u) / (behind.density - light.density) - light.u;
  const ExactRiemann after(behind, heavy, run.gas());
  const double jump = after.star_velocity() - light.u, below = after.star_density_l(),
               above = after.star_density_r(), compression = 1 - jump / speed,
               wavenumber = std::numbers::pi / (mesh.upper[0] - mesh.lower[0]);
  return {compression,
          wavenumber * jump * (above - below) / (above + below) * compression * run.samples.front().value};
}

Check richtmyer_meshkov(const std::string& name, const Overrides& mesh) {
  constexpr double first = 1, last = 3;  // the growth settles, and swings twice about its mean
  return {.name = name,
          .deck = "richtmyer_meshkov",
          .overrides = mesh,
          .judged = {{"amplitude behind the shock / theory",
                      [](const Results& r) {
                        const std::vector<Sample>& all = r.last().samples;
                        return all[2].value / all[0].value / impulsive_model(r.last()).compression;
                      },
                      within(0.02, 1),
                      "exact: the shock takes 1 - dU / W (Richtmyer 1960); it is past the interface at 0.2"},
                     {"growth / Richtmyer's",
                      [](const Results& r) {
                        return slope(r.last().samples, first, last) / impulsive_model(r.last()).growth_rate;
                      },
                      within(0.05, 1),
                      "Richtmyer (1960), k A dU of the amplitude behind the shock: for weak shocks, thin "
                      "interfaces and small waves, here of Mach 1.2, 0.06 / k and 0.14 / k at the end"}},
          .probe = Probe{.every = 0.1, .value = interface_amplitude},
          .curve = [](const DeckRun& run) {
            Curve curve{.across = "time", .up = "amplitude"};
            const double growth = impulsive_model(run).growth_rate, begin = run.samples[2].value;
            for (const Sample& s : run.samples) {
              curve.x.push_back(s.time);
              curve.y.push_back(s.value);
              if (s.time < run.samples[2].time) continue;
              curve.line_x.push_back(s.time);
              curve.line_y.push_back(begin + growth * (s.time - run.samples[2].time));
            }
            return curve;
          }};
}

}  // namespace

CheckGroup instabilities() {
  CheckGroup group{"instabilities", "growth rates of small disturbances against linear theory", {}};
  group.checks = {kelvin_helmholtz("kelvin_helmholtz", cells(32, 192), 0.05),
                  rayleigh_taylor("rayleigh_taylor", {cells(32, 64), "case.thickness=0.03"}, 0.02),
                  kelvin_helmholtz("kelvin_helmholtz_fine", cells(256, 512), 0.02),
                  rayleigh_taylor("rayleigh_taylor_fine", {cells(256, 512)}, 0.02),
                  richtmyer_meshkov("richtmyer_meshkov", {cells(32, 128)})};
  group.checks[2].extent = group.checks[3].extent = Extent::full;
  return group;
}

}  // namespace halfstep
