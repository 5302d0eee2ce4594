// Riemann problems against their exact solutions, by cell averages of density.
#include <cmath>
#include <string>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/cases/exact/exact_riemann.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {
namespace {

// Sources of the bars. n steps spread a moving contact over about n^(1 / (p + 1)) cells with a scheme of
// order p, so that its L1 error falls as h^(p / (p + 1)); shocks and the rest converge as h with any scheme
// (J. W. Banks, T. Aslam & W. J. Rider, J. Comput. Phys. 227 (2008) 6985). Schemes therefore differ at the
// contact, and are compared there with one another in one check and with the exact solution; no bar is an
// earlier result. In theory fifth order spreads it by n^(-1/6) of second order, 0.4 after 300 steps, with
// unknown constants; the bar requires a tenth less than plm with its sharpest limiter, which has 1. Without a
// moving contact the bars are measured: toro_2 has no contact, and that of toro_5 is stationary, which hllc
// preserves.
constexpr const char* kSharper =
    "a bar of this project: a tenth less than plm with mc in the same run; contacts: n steps spread them "
    "over "
    "n^(1 / (p + 1)) cells at order p (Banks, Aslam & Rider 2008)";
constexpr const char* kContacts =
    "contacts: n steps spread them over n^(1 / (p + 1)) cells at order p (Banks, Aslam & Rider 2008)";
constexpr const char* kAthenaK =
    "a bar of this project: 0.7 of the 2.7e-3 that AthenaK's default scheme leaves at 256 cells";
constexpr const char* kAthenaKItself = "what AthenaK's default scheme leaves at 256 cells";
constexpr const char* kMeasured =
    "measured 2026-11-21, and a quarter: no contact moves, so theory has no bar";
constexpr const char* kGodunov = "first order with the same Riemann solver must not be better (Godunov 1959)";

/// A shock tube. `weno5z`, `plm`: bars of L1 for the deck's own scheme (weno5z hllc ssprk3) and with plm
/// instead; 0 = none.
struct Tube {
  const char* deck;
  bool contact_moves = true;
  double weno5z = 0, plm = 0;
  const char* weno5z_from = kMeasured;
  const char* plm_from = kMeasured;
};
constexpr Tube kTubes[] = {
    {"sod", true, 1.9e-3, 2.7e-3, kAthenaK, kAthenaKItself},
    {"lax"},
    {"toro_1"},
    {"toro_2", false, 4.0e-3, 3.4e-3},
    {"toro_3"},
    {"toro_4"},
    {"toro_5", false, 2.1e-2, 1.95e-2},
    {"leblanc"},
};

/// Returns the last run's L1 relative to the first run's.
double part_of_first_run(const Results& r) { return r.errors.back().l1 / r.errors.front().l1; }

Overrides reconstruction(const std::string& name) { return {"scheme.reconstruction=" + name}; }

/// Returns the spread of the contact: L1 of density within five cells of it, in cells times its jump.
double contact_spread(const DeckRun& run) {
  const Values& p = run.config.case_parameters;
  const auto side = [&](const std::string& name) {
    return Primitive<double>{p.real(name + ".density"), p.reals(name + ".velocity")[0], 0, 0,
                             p.real(name + ".pressure")};
  };
  const ExactRiemann exact(side("left"), side("right"), run.gas());
  const double contact = p.real("position") + exact.star_velocity() * run.time;
  const Mesh& mesh = run.mesh();
  double sum = 0;
  for (int i = 0; i < mesh.cells[0]; ++i)
    if (std::abs(mesh.center(i, 0, 0)[0] - contact) < 5 * mesh.spacing(0))
      sum += std::abs(run.fields.conserved[0][i] -
                      run.config.flow_case->exact(mesh.cell(i, 0, 0), run.time).density);
  return sum / std::abs(exact.star_density_l() - exact.star_density_r());
}

/// Checks the deck's own scheme, against plm with its sharpest limiter if the contact moves.
Check own_scheme(const Tube& tube) {
  Check check{.name = tube.deck, .deck = tube.deck, .curve = density_along_x};
  if (tube.contact_moves) {
    check.runs = {{"scheme.reconstruction=plm", "scheme.limiter=mc"}, {}};
    check.judged.push_back(
        {"contact's spread / plm's",
         [](const Results& r) { return contact_spread(r.runs.back()) / contact_spread(r.runs.front()); },
         no_more_than(0.9), kSharper});
  }
  if (tube.weno5z > 0) check.judged.push_back(l1(no_more_than(tube.weno5z), tube.weno5z_from));
  return check;
}

/// Checks plm in place of the deck's scheme, against first order.
Check second_order(const Tube& tube) {
  Check check{.name = std::string(tube.deck) + "_plm", .deck = tube.deck, .runs = {reconstruction("plm")}};
  if (tube.contact_moves) {
    check.runs.insert(check.runs.begin(), reconstruction("constant"));
    check.judged.push_back({"L1 / first order's, * n^(1/6)",
                            [](const Results& r) {
                              return part_of_first_run(r) *
                                     std::pow(static_cast<double>(r.last().steps), 1.0 / 6);
                            },
                            no_more_than(1), kContacts});
  }
  if (tube.plm > 0) check.judged.push_back(l1(no_more_than(tube.plm), tube.plm_from));
  return check;
}

}  // namespace

CheckGroup riemann_problems() {
  CheckGroup group{"riemann", "shock tubes against exact solutions of the Riemann problem", {}};
  for (const Tube& tube : kTubes) {
    group.checks.push_back(own_scheme(tube));
    group.checks.push_back(second_order(tube));
  }
  for (const Tube& tube : kTubes)
    for (const auto& higher : kReconstructions)
      for (const auto& riemann : kRiemanns) {
        const std::string deck = tube.deck, r = std::string(higher.name), s = std::string(riemann.name);
        group.checks.push_back(
            {.name = deck + "_" + r + "_" + s,
             .deck = deck,
             .overrides = {"scheme.riemann=" + s},
             .runs = {reconstruction("constant"), reconstruction(r)},
             .judged = {{"L1 / first order's", part_of_first_run, no_more_than(1), kGodunov}},
             .extent = Extent::full});
      }
  return group;
}

}  // namespace halfstep
