// Two gases: the pressure across a moving contact, and a shock that runs over a cylinder of another gas.
#include <cmath>

#include "app/verify/checks.hpp"
#include "app/verify/measured.hpp"
#include "physics/diagnostics/mixture_of_cell.hpp"

namespace halfstep {
namespace {

/// Returns the largest distance of a cell's pressure from `rest`.
double pressure_error(const DeckRun& run, double rest) {
  const auto& u = run.fields.conserved;
  const Gases<double> gases = run.config.problem.gases();
  double largest = 0;
  for (std::size_t n = 0; n < u[0].size(); ++n) {
    const Conserved<double> c{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]};
    const double pressure = to_primitive(c, gas_in(gases, run.fields, n)).pressure;
    largest = std::max(largest, std::abs(pressure - rest));
  }
  return largest;
}

/// A cylinder of helium that air carries across the mesh.
Check contact(const std::string& reconstruction) {
  return {.name = "contact_" + reconstruction,
          .deck = "shock_bubble_helium",
          .overrides = {cells(64, 48), "mesh.lower=[0,0,0]", "mesh.upper=[1,1,1]", "mesh.boundary.x=periodic",
                        "mesh.boundary.y=periodic", "time.end=1", "output.every=0",
                        "case.background={density: 1, velocity: [0.7, 0.3, 0], pressure: 1}",
                        "case.regions=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.25, state: {density: "
                        "0.1819, velocity: [0.7, 0.3, 0], pressure: 1, second_gas: 1}}]",
                        "scheme.reconstruction=" + reconstruction},
          .judged = {{"change of the pressure", [](const Results& r) { return pressure_error(r.last(), 1); },
                      no_more_than(1e-12), "exact: none (Abgrall & Karni 2001)"}}};
}

// --- Haas & Sturtevant (1987): a shock of Mach 1.22 in air over a cylinder
// -----------------------------------

constexpr double kUnitSpeed = 343 / 1.1832159566199232;  // m/s: the sound speed of air over that of the deck
constexpr double kArrival = 10 / (1.22 * 1.1832159566199232);  // when the shock meets the cylinder

/// Returns the time in the deck, in mm over the unit of speed, some microseconds after the shock's arrival.
double deck_time(double microseconds) { return kArrival + microseconds * 1e-3 * kUnitSpeed; }

/// The places of the interface, where half of a cell is of the second gas: the most upstream one, and the
/// first and the last on the axis.
enum class Edge { upstream, jet, downstream };

/// Returns the x at which the fraction passes 1/2 between the cells i - 1 and i of a row.
double crossing(const DeckRun& run, const double* row, int i) {
  const double part = (0.5 - row[i - 1]) / (row[i] - row[i - 1]);
  return run.mesh().center(i - 1, 0, 0)[0] + part * run.mesh().spacing(0);
}

double place_of(Edge edge, const DeckRun& run) {
  const int nx = run.mesh().cells[0], ny = run.mesh().cells[1];
  const double* const fractions = run.fields.scalars.back().data();
  const auto has_gas = [&](const double* row, int i) { return row[i] > 0.5; };
  if (edge == Edge::downstream) {
    int i = nx - 1;
    while (i > 1 && !has_gas(fractions, i - 1)) --i;
    return crossing(run, fractions, i);
  }
  double least = run.mesh().upper[0];
  for (int j = 0; j < (edge == Edge::jet ? 1 : ny); ++j) {
    const double* const row = fractions + std::ptrdiff_t{j} * nx;
    int i = 1;
    while (i < nx && !has_gas(row, i)) ++i;
    if (i < nx) least = std::min(least, crossing(run, row, i));
  }
  return least;
}

/// A speed that was measured: how far the edge moves between the ends of two runs.
struct Speed {
  const char* name;
  Edge edge;
  std::size_t from, to;  ///< numbers of the runs
  double measured;       ///< m/s
};

/// `ends`: in microseconds after the shock's arrival.
Check haas_sturtevant(const std::string& deck, const std::vector<double>& ends,
                      const std::vector<Speed>& speeds) {
  Check check{.name = deck, .deck = deck, .overrides = {"output.every=0"}};
  for (const double end : ends) check.runs.push_back({fmt::format("time.end={:.17g}", deck_time(end))});
  for (const Speed& speed : speeds)
    check.judged.push_back({fmt::format("{} / {:g} m/s", speed.name, speed.measured),
                            [speed](const Results& r) {
                              const DeckRun &from = r.runs[speed.from], &to = r.runs[speed.to];
                              const double moved = place_of(speed.edge, to) - place_of(speed.edge, from);
                              return moved / (to.time - from.time) * kUnitSpeed / speed.measured;
                            },
                            within(0.05, 1), "measured by Haas & Sturtevant (1987), to 5 %"});
  return check;
}

Check helium() {
  return haas_sturtevant("shock_bubble_helium", {0, 52, 140, 240},
                         {{"upstream edge, 0 to 52 us", Edge::upstream, 0, 1, 170},
                          {"upstream edge, 140 to 240 us", Edge::upstream, 2, 3, 113},
                          {"downstream edge, 140 to 240 us", Edge::downstream, 2, 3, 145},
                          {"jet of air, 140 to 240 us", Edge::jet, 2, 3, 230}});
}

/// The downstream edge is not judged: the shock is focused behind it and drives a jet through it on the axis,
/// the faster the finer the mesh.
Check r22() {
  return haas_sturtevant("shock_bubble_r22", {0, 150, 400, 1000},
                         {{"upstream edge, 0 to 150 us", Edge::upstream, 0, 1, 73},
                          {"upstream edge, 400 to 1000 us", Edge::upstream, 2, 3, 90}});
}

/// Returns the check on a mesh of a quarter of the cells along each axis, without the jet of air, which such
/// a mesh makes too slow.
Check coarse(Check check) {
  check.name += "_coarse";
  check.overrides.push_back(cells(250, 45));
  std::erase_if(check.judged, [](const Judged& judged) { return judged.what.starts_with("jet"); });
  return check;
}

Check full(Check check) {
  check.extent = Extent::full;
  return check;
}

}  // namespace

CheckGroup two_gases() {
  return {"two_gases",
          "a moving contact of two gases; shocks over cylinders of helium and R22 (Haas & Sturtevant 1987)",
          {contact("plm"), contact("weno5z"), coarse(helium()), coarse(r22()), full(helium()), full(r22())}};
}

}  // namespace halfstep
