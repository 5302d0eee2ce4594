// Smooth flows with exact solutions: observed orders, and errors compared with published codes.
#include <cmath>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"

namespace halfstep {
namespace {

constexpr const char* kMeasured = "measured 2026-11-21, and a quarter";
constexpr const char* kFormal = "the formal order of the scheme; exact solution";
constexpr const char* kAthenaK = "AthenaK's own bar for this wave (its regression tests, RMS-L1)";

/// Returns dt ~ dx^(5/3), so that third order in time appears as fifth. `dt`: for `coarse` cells.
std::string step_of_fifth_order(int n, double dt, int coarse) {
  return fmt::format("time.dt={}", dt * std::pow(double(coarse) / n, 5.0 / 3));
}
Overrides entropy_run(int n) { return {cells(n), step_of_fifth_order(n, 3.2e-3, 16)}; }
Overrides vortex_run(int n) { return {cells(n, n), step_of_fifth_order(n, 0.0157, 64)}; }

Check entropy_wave(const std::string& reconstruction, const std::string& variables,
                   const std::vector<int>& meshes, double least_order, double error) {
  Check check{.name = "entropy_wave_" + reconstruction + (variables == "primitive" ? "_primitive" : ""),
              .deck = "entropy_wave",
              .overrides = {"scheme.reconstruction=" + reconstruction, "scheme.variables=" + variables},
              .judged = {order(no_less_than(least_order), kFormal), l1(no_more_than(error), kMeasured)}};
  for (const int n : meshes) check.runs.push_back(entropy_run(n));
  return check;
}

Check sound_wave(const std::string& name, const std::string& family, const Overrides& scheme, double error,
                 double ratio) {
  Check check{.name = name,
              .deck = "linear_wave",
              .overrides = {"case.family=" + family},
              .runs = {{cells(32)}, {cells(64)}},
              .judged = {l1(no_more_than(error), kAthenaK),
                         {"L1 / L1 at half the cells",
                          [](const Results& r) { return r.errors[1].l1 / r.errors[0].l1; },
                          no_more_than(ratio), kAthenaK}},
              .error_of = "conserved fields, RMS-L1",
              .error = conserved_error};
  check.overrides.insert(check.overrides.end(), scheme.begin(), scheme.end());
  return check;
}

const Overrides kPlm = {"scheme.reconstruction=plm", "scheme.integrator=ssprk2"};

}  // namespace

CheckGroup smooth_waves() {
  CheckGroup group{
      "waves", "linear waves and the isentropic vortex: observed orders, errors beside other codes'", {}};
  std::vector<Check>& all = group.checks;

  for (const std::string variables : {"characteristic", "primitive"}) {
    all.push_back(entropy_wave("plm", variables, {32, 64, 128}, 1.9, 5.5e-4));
    all.push_back(entropy_wave("ppm", variables, {16, 32, 64}, 3.0, 3.1e-6));
    all.push_back(entropy_wave("weno5z", variables, {16, 32, 64}, 4.9, 1.5e-7));
  }

  all.push_back(sound_wave("sound_right", "sound_right", {}, 2.3e-11, 0.11));
  all.push_back(sound_wave("sound_left", "sound_left", {}, 2.3e-11, 0.11));
  all.push_back(sound_wave("sound_right_plm", "sound_right", kPlm, 2.1e-8, 0.28));
  all.push_back(sound_wave("sound_left_plm", "sound_left", kPlm, 2.1e-8, 0.28));
  for (const auto& [name, scheme] :
       {std::pair{"sound_either_way", Overrides{}}, {"sound_either_way_plm", kPlm}})
    all.push_back(
        {.name = name,
         .deck = "linear_wave",
         .overrides = scheme,
         .runs = {{cells(32), "case.family=sound_left"}, {cells(32), "case.family=sound_right"}},
         .judged = {{"left's L1 / right's - 1",
                     [](const Results& r) { return r.errors[0].l1 / r.errors[1].l1 - 1; }, within(1e-5, 0),
                     "exact: the scheme has no preferred direction; round-off of the fields is 1e-16"}},
         .error_of = "conserved fields, RMS-L1",
         .error = conserved_error});
  for (const std::string family : {"entropy", "shear_v", "shear_w"})
    all.push_back({.name = family + "_small",
                   .deck = "linear_wave",
                   .overrides = {"case.family=" + family, "case.velocity=[1,0,0]"},
                   .runs = {{cells(32)}, {cells(64)}},
                   .judged = {order(no_less_than(2.9),
                                    "the formal order of ssprk3, which cfl 0.4 shows; exact solution")},
                   .error_of = "conserved fields, RMS-L1",
                   .error = conserved_error});
  for (const std::string family : {"sound_right", "entropy", "shear_v", "shear_w"}) {
    Check oblique{
        .name = "oblique_" + family,
        .deck = "linear_wave_3d",
        .overrides = {"case.family=" + family},
        .runs = {{cells(16, 8, 8)}, {cells(32, 16, 16)}},
        .judged = {order(no_less_than(1.9), "the formal order of one flux point a face; exact solution")},
        .error_of = "conserved fields, RMS-L1",
        .error = conserved_error};
    if (family != "sound_right") {
      oblique.overrides.push_back("case.velocity=[1,1,1]");
      oblique.extent = Extent::full;
    }
    all.push_back(oblique);
    oblique.name += "_fine";
    oblique.runs = {{cells(64, 32, 32)}, {cells(128, 64, 64)}};
    oblique.extent = Extent::full;
    all.push_back(oblique);
  }

  const Overrides single = {"scheme.precision=single", "case.amplitude=1e-2"};
  Check weno5z_single = entropy_wave("weno5z", "characteristic", {8, 16}, 4.0, 1.2e-5);
  Check plm_single = entropy_wave("plm", "characteristic", {}, 1.8, 1.2e-4);
  plm_single.runs = {{cells(16)}, {cells(32)}, {cells(64)}};  // fewer steps, less round-off
  for (Check check : {weno5z_single, plm_single}) {
    check.name += "_single";
    check.overrides.insert(check.overrides.end(), single.begin(), single.end());
    all.push_back(check);
  }
  all.push_back(
      {.name = "entropy_wave_single_floor",
       .deck = "entropy_wave",
       .overrides = single,
       .runs = {{cells(128)}},
       .judged = {{"L1 / steps",
                   [](const Results& r) { return r.error().l1 / static_cast<double>(r.last().steps); },
                   no_more_than(6e-8), "exact: half a unit in the last place of 1, once a step"}}});

  for (const std::string reconstruction : {"plm", "weno5z"})
    all.push_back(
        {.name = "isentropic_vortex" + std::string(reconstruction == "plm" ? "_plm" : ""),
         .deck = "isentropic_vortex",
         .overrides = {"scheme.reconstruction=" + reconstruction, "time.end=2", "output.every=0"},
         .runs = {{cells(64, 64)}, {cells(128, 128)}},
         .judged = {order(no_less_than(1.9), "the formal order of one flux point a face; exact solution")}});
  for (const std::string reconstruction : {"ppm", "weno5z"}) {
    Check fourth{
        .name = "isentropic_vortex_fourth_order" + std::string(reconstruction == "ppm" ? "_ppm" : ""),
        .deck = "isentropic_vortex",
        .overrides = {"scheme.averages=fourth_order", "scheme.reconstruction=" + reconstruction,
                      "scheme.variables=primitive", "mesh.lower=[-5,-5,0]", "mesh.upper=[5,5,1]",
                      "time.end=1", "output.every=0"},
        .judged = {order(no_less_than(3.8), "the formal order of the averages; exact solution")}};
    for (const int n : {64, 128}) fourth.runs.push_back(vortex_run(n));
    all.push_back(fourth);
    fourth.name += "_fine";
    fourth.runs = {vortex_run(128), vortex_run(256)};
    fourth.extent = Extent::full;
    all.push_back(fourth);
  }
  all.push_back(
      {.name = "isentropic_vortex_once_around",
       .deck = "isentropic_vortex",
       .runs = {{cells(64, 64)}, {cells(128, 128)}, {cells(256, 256)}},
       .judged = {order(no_less_than(1.9), "the formal order of one flux point a face; exact solution")},
       .extent = Extent::full});
  return group;
}

}  // namespace halfstep
