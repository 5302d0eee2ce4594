// Histograms of a flow: which cells are counted, in which bin, and what is written.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "app/output/histogram_file.hpp"
#include "physics/base/choice.hpp"
#include "physics/diagnostics/cell_bins.hpp"
#include "tests/support/run_case.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// Returns the value of a field in one cell of a copied state, by the textbook's definition.
double value_of(HistogramField field, const Fields& fields, std::size_t cell, double gamma) {
  const double density = fields.conserved[0][cell];
  const double u = fields.conserved[1][cell] / density, v = fields.conserved[2][cell] / density,
               w = fields.conserved[3][cell] / density;
  const double pressure = (gamma - 1) * (fields.conserved[4][cell] - 0.5 * density * (u * u + v * v + w * w));
  switch (field) {
    case HistogramField::density:
      return density;
    case HistogramField::velocity_x:
      return u;
    case HistogramField::velocity_y:
      return v;
    case HistogramField::velocity_z:
      return w;
    case HistogramField::speed:
      return std::sqrt(u * u + v * v + w * w);
    case HistogramField::pressure:
      return pressure;
    case HistogramField::mach:
      return std::sqrt((u * u + v * v + w * w) / (gamma * pressure / density));
    case HistogramField::mass_fraction:
      break;
  }
  return fields.scalars[0][cell] / density;
}

/// Returns the number of cells in wrong bins: the largest difference of the counts of all cells below an
/// edge, less the cells within round-off of that edge, which may count on either side.
std::int64_t miscounted(const Histogram& h, HistogramField field, const Fields& fields, double gamma) {
  const int bins = static_cast<int>(h.counts.size()) - 2;
  std::vector<double> values(fields.conserved[0].size());
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = value_of(field, fields, c, gamma);
  const double near = 1e-12 * std::max(std::abs(h.lower), std::abs(h.upper));
  std::int64_t worst = 0, counted = 0;
  for (int bin = 0; bin <= bins; ++bin) {
    counted += h.counts[static_cast<std::size_t>(bin)];
    const double edge = h.lower + (h.upper - h.lower) * bin / bins;
    std::int64_t below = 0, at = 0;
    for (const double value : values) {
      below += value < edge;
      at += std::abs(value - edge) <= near;
    }
    worst = std::max(worst, std::abs(counted - below) - at);
  }
  return worst;
}

TEST_CASE("a uniform flow is in one bin, the middle one of a range as large as its value") {
  CaseRun run("uniform");
  for (const auto& choice : kHistogramFields) {
    if (choice.value == HistogramField::mass_fraction) continue;
    INFO((std::string(choice.name)));
    const Histogram h = run.solver->histogram({.field = choice.value, .bins = 5});
    const double value = value_of(choice.value, run.fields(), 0, run.gas().gamma);
    CHECK(0.5 * (h.lower + h.upper) == doctest::Approx(value));
    CHECK(h.upper - h.lower == doctest::Approx(value == 0 ? 1 : std::abs(value)));
    CHECK(h.counts == std::vector<std::int64_t>{0, 0, 0, run.mesh().cell_count(), 0, 0, 0});
  }
}

TEST_CASE("bins of every field between the extrema hold all cells, those that a copy of the state has") {
  for (const char* precision : {"scheme.precision=double", "scheme.precision=single"}) {
    CaseRun run("kelvin_helmholtz", {"mesh.cells=[40,37,1]", precision});
    run.run(5);
    const Fields fields = run.fields();
    for (const auto& choice : kHistogramFields) {
      if (choice.value == HistogramField::mass_fraction) continue;
      INFO((std::string(choice.name) + ", " + precision));
      const Histogram h = run.solver->histogram({.field = choice.value, .bins = 33});
      CHECK(sum(h.counts) == run.mesh().cell_count());
      CHECK(h.counts.front() == 0);
      CHECK(h.counts.back() == 0);
      const bool moves_in_z = choice.value == HistogramField::velocity_z;  // in a plane flow no cell does
      CHECK((h.counts[1] > 0) == !moves_in_z);
      CHECK((h.counts[33] > 0) == !moves_in_z);
      CHECK(miscounted(h, choice.value, fields, run.gas().gamma) <= 0);
    }
  }
}

TEST_CASE("a scalar's mass fraction is counted where there is one") {
  CaseRun run("detonation", {"mesh.cells=[200,1,1]"});
  const Histogram h =
      run.solver->histogram({.field = HistogramField::mass_fraction, .bins = 10, .lower = 0, .upper = 1});
  CHECK(sum(h.counts) == 200);
  CHECK(h.counts[1] > 0);
  CHECK(h.counts[10] > 0);
  CHECK(miscounted(h, HistogramField::mass_fraction, run.fields(), run.gas().gamma) <= 0);
}

TEST_CASE("cells outside the range are counted below and above it") {
  CaseRun run("sod", {"mesh.cells=[256,1,1]"});
  const Histogram narrow =
      run.solver->histogram({.field = HistogramField::density, .bins = 4, .lower = 0.2, .upper = 0.9});
  CHECK(narrow.lower == 0.2);
  CHECK(narrow.upper == 0.9);
  CHECK(narrow.counts == std::vector<std::int64_t>{128, 0, 0, 0, 0, 128});
  // A value at either end of the range is inside.
  const Histogram whole =
      run.solver->histogram({.field = HistogramField::density, .bins = 2, .lower = 0.125, .upper = 1});
  CHECK(whole.counts == std::vector<std::int64_t>{0, 128, 128, 0});
}

TEST_CASE("counts are the same whatever the threads") {
  std::vector<Histogram> all;
  for (int threads = 1; threads <= 3; ++threads) {
    CaseRun run("kelvin_helmholtz", {"mesh.cells=[50,70,1]", "time.dt=0.001"}, threads);
    run.run(3);
    all.push_back(run.solver->histogram({.field = HistogramField::pressure, .bins = 100}));
  }
  for (const Histogram& h : all) {
    CHECK(h.counts == all[0].counts);
    CHECK(h.lower == all[0].lower);
    CHECK(h.upper == all[0].upper);
  }
}

TEST_CASE("a bin begins at its lower edge, the last one ends at its upper; what is no number is below") {
  const Bins bins{4, 0, 1};
  CHECK(bins.bin_of(std::nan("")) == 0);
  CHECK(bins.bin_of(-0.001) == 0);
  CHECK(bins.bin_of(0) == 1);
  CHECK(bins.bin_of(0.25) == 2);
  CHECK(bins.bin_of(1) == 4);
  CHECK(bins.bin_of(1.001) == 5);
}

TEST_CASE("histogram.csv: a row a bin, the outside first and last, densities that integrate to one") {
  const TemporaryDirectory directory;
  const auto path = directory / "histogram.csv";
  HistogramFile file(path);
  file.write(3, 0.1, HistogramField::mach, {.lower = 1, .upper = 2, .counts = {1, 4, 2, 1}});
  CHECK(lines(path) == std::vector<std::string>{"step,time,field,bin,lower,upper,count,probability_density",
                                                "3,0.10000000000000001,mach,-1,-inf,1,1,0",
                                                "3,0.10000000000000001,mach,0,1,1.5,4,1",
                                                "3,0.10000000000000001,mach,1,1.5,2,2,0.5",
                                                "3,0.10000000000000001,mach,2,2,inf,1,0"});
}

TEST_CASE("a restart goes on in histogram.csv after its own step, and begins one that is missing") {
  const TemporaryDirectory directory;
  const auto path = directory / "histogram.csv";
  const Histogram h{.lower = 0, .upper = 1, .counts = {0, 1, 2, 0}};
  {
    HistogramFile file(path);
    for (const int step : {0, 10, 20, 30}) file.write(step, 0.1 * step, HistogramField::density, h);
  }
  const auto before = lines(path);
  HistogramFile file = HistogramFile::resume(path, 10);
  CHECK(lines(path) == std::vector<std::string>(before.begin(), before.begin() + 9));
  file.write(20, 2, HistogramField::density, h);
  CHECK(lines(path) == std::vector<std::string>(before.begin(), before.begin() + 13));

  HistogramFile::resume(directory / "new.csv", 10);
  CHECK(lines(directory / "new.csv") == std::vector<std::string>{std::string(kHistogramHeader)});
  put(path, "step,count\n1,2\n");
  CHECK(contains(refusal([&] { HistogramFile::resume(path, 5); }), "it has other columns"));
}

}  // namespace
