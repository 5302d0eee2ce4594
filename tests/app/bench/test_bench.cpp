// `halfstep bench`: its operation counts, its measurements, and the comparison of two of its reports.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/bench/comparison.hpp"
#include "app/bench/limits.hpp"
#include "app/bench/report.hpp"
#include "app/bench/rows.hpp"
#include "physics/diagnostics/operation_count.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/fma_loop.hpp"
#include "tests/support/run_case.hpp"
#include "tests/support/shell.hpp"

namespace {

using namespace halfstep;

TEST_CASE("operations are those of a computation's results and of what it compares, and no others") {
  using Number = Counted<double>;
  const Number a = 2, b = 3;
  const Number unused = a / b;
  const Number root = square_root(a * a + 1.0);
  const Number larger = root > b ? root : -b;
  CHECK(unused.value() == doctest::Approx(2.0 / 3.0));
  CHECK(larger.value() == -3);
  // The root is not in the result, but the comparison with it decided the result.
  CHECK(Number::tape.needed_for({larger.place()}) == Operations{1, 1, 0, 1, 1});
  CHECK(Number::tape.needed_for({Tape::kGiven}) == Operations{});
}

Scheme scheme_of(Reconstruction reconstruction, Riemann riemann, Limiter limiter = Limiter::van_leer) {
  return {.reconstruction = reconstruction,
          .limiter = limiter,
          .variables = Variables::primitive,
          .riemann = riemann};
}

TEST_CASE("a scheme's operations are those one counts in its formulae") {
  const SchemeOperations constant = operations(scheme_of(Reconstruction::constant, Riemann::rusanov));
  CHECK(constant.edges == Operations{});
  // One division; products for three velocities, half of three momenta's work, and the pressure.
  CHECK(constant.to_primitive == Operations{4, 8, 1, 0, 0});
  // Each side takes the checks (2 additions, 5 comparisons), the sound speed (a product, a quotient, a root)
  // and its sum with |u| (1), conserved variables (3 additions, 9 products), the flux (2 additions, 4
  // products). Each of five fields takes the mean, the jump, its product with the speed, the difference and
  // the half: 3 additions, 2 products. The larger of two speeds is one more comparison.
  CHECK(constant.face == Operations{2 * (2 + 1 + 3 + 2) + 15, 2 * (1 + 9 + 4) + 10, 2 * 1, 2, 2 * 5 + 1});
  // Each of five fields takes three jumps, three products with widths, two sums of them, the difference to
  // U_start and its two products, the product with beta dt, and two sums: 8 additions, 7 products. The check
  // 2 rho E > m^2 takes two comparisons, and so does that of the density.
  CHECK(constant.update == Operations{5 * 8 + 3, 5 * 7 + 5, 0, 0, 4});
  // The check of the pressure takes two comparisons.
  CHECK(constant.cfl_rate == Operations{3 + 2, 1 + 3, 1, 1, 2});

  // Each of five variables takes two differences, the limiter (below), half of its result, two edges.
  const auto edges = [](Limiter limiter) {
    return operations(scheme_of(Reconstruction::plm, Riemann::hllc, limiter)).edges;
  };
  CHECK(edges(Limiter::van_leer) == Operations{5 * (2 + 1 + 2), 5 * (2 + 1), 5, 0, 5});
  // Minmod takes the smaller magnitude, a product and its sign.
  CHECK(edges(Limiter::minmod) == Operations{5 * (2 + 2), 5 * (1 + 1), 0, 0, 5 * 2});
  CHECK(edges(Limiter::mc) == Operations{5 * (2 + 1 + 2), 5 * (3 + 1), 0, 0, 5 * 3});

  // A step takes a conversion, edges and a face for each axis and an update in each stage, and one CFL rate.
  const Operations step = constant.step(Integrator::ssprk2, 3);
  CHECK(step.flops() == 2 * (13 + 3 * constant.face.flops() + constant.update.flops()) + 11);
  CHECK(constant.step(Integrator::ssprk3, 1).divisions == 3 * (1 + 2) + 1);
}

TEST_CASE("the limits: what the loops compute, and that they run on every thread and in both precisions") {
  // x = x / 2 + 1 converges to 2 in each of the vectors that are added up.
  CHECK(detail::fma_loop(100, 0.5, 1.0, 7.0) == 2.0 * detail::kFmaVectors);
  CHECK(detail::fma_loop(100, 0.5f, 1.0f, 7.0f) == 2.0f * detail::kFmaVectors);
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const MachineLimits limits = host_limits(precision, 1);
    CHECK(limits.copy() > 1e8);
    CHECK(limits.copy() < 1e12);
    CHECK(limits.fma() > 1e8);
    CHECK(limits.fma() < 1e12);
  }
}

TEST_CASE("the built-in set is on the decks that the program carries, and takes overrides") {
  const std::vector<BenchRow> rows = built_in_rows(true, {"mesh.cells=[8,8,8]"});
  CHECK(rows.size() == 6);
  for (const BenchRow& row : rows) CHECK(config_of(row).problem.mesh.cells == std::array<int, 3>{8, 8, 8});
  CHECK(config_of(built_in_rows(true, {}).front()).problem.mesh.cells[2] == 256);
  const RunConfig last = config_of(built_in_rows(false, {}).back());
  CHECK(last.problem.mesh.cells[0] == 64);
  CHECK(scheme_text(last.problem.scheme) == "weno5z primitive ssprk3 single");
  CHECK(scheme_text({.reconstruction = Reconstruction::plm, .limiter = Limiter::mc}) ==
        "plm mc characteristic ssprk3 double");
}

TEST_CASE("the parts of a step are timed while they are asked for, and change no bit of it") {
  CaseRun run("kelvin_helmholtz", {"mesh.cells=[16,16,1]", "gas.viscosity=0.001", "time.max_steps=20"});
  CaseRun plain("kelvin_helmholtz", {"mesh.cells=[16,16,1]", "gas.viscosity=0.001", "time.max_steps=20"});
  run.run(1);
  CHECK(run.solver->instruments().part_times().empty());
  run.solver->instruments().start_part_times();
  run.run(4);
  const std::vector<PartTime> parts = run.solver->instruments().part_times();
  const int stages = stage_count(run.config.problem.scheme.integrator);
  std::vector<std::string> names;
  for (const PartTime& part : parts) {
    names.push_back(part.name);
    CHECK(part.seconds > 0);
    CHECK(part.calls == 3 * (part.name == "CFL rate" ? 1 : stages));
  }
  CHECK(names == std::vector<std::string>{"terms", kStagePart, "ghosts", "CFL rate"});
  run.run(5);
  CHECK(run.solver->instruments().part_times().empty());
  plain.run(5);
  CHECK(identical(run.fields(), plain.fields()));
}

Json row(const std::string& deck, double low, double median, double high, const std::string& device = "D") {
  return {{"deck", deck},
          {"cells", {8, 8, 8}},
          {"scheme", {{"reconstruction", "plm"}, {"positivity", "none"}}},
          {"device", device},
          {"quartiles", {low, median, high}}};
}
Json report(const std::string& git, const std::vector<Json>& rows) {
  return {{"bench", "a deck"}, {"provenance", {{"git", git}, {"date", "2026-01-31"}}}, {"rows", rows}};
}

TEST_CASE("a row beyond a limit is a warning that says why that may be") {
  const RunConfig config = config_of(built_in_rows(false, {"mesh.cells=[10,10,10]"}).front());
  BenchReport report{.of = "a deck", .rows = {{}}, .limits = {{}}};
  Measurement& row = report.rows.front();
  row.mesh = config.problem.mesh;
  row.scheme = config.problem.scheme;
  row.seconds_per_step = {1e-3};  // a million cell-updates a second
  row.bytes_per_update = 300;
  row.bytes_per_cell = 200;
  row.operations = Operations{1000, 0, 0, 0, 0};
  report.limits.front().precision = row.scheme.precision;
  const auto warnings = [&](double copy, double fma) {
    report.limits.front().limits = {{copy}, {fma}};
    return bench_warnings(report);
  };
  CHECK(warnings(3.1e8, 1.1e9).empty());
  REQUIRE(warnings(2e8, 1.1e9).size() == 1);
  CHECK(contains(warnings(2e8, 1.1e9)[0], " moves 150 % of what a copy does: "));
  REQUIRE(warnings(3.1e8, 8e8).size() == 1);
  CHECK(contains(warnings(3.1e8, 8e8)[0], " makes 125 % of the operations that FMA loops do: "));
  CHECK(warnings(1, 1).size() == 2);
}

TEST_CASE("rows of one deck, mesh and scheme are compared: beyond the spread, or within it") {
  const Json here = report("new", {row("in/faster.yaml", 0.9, 1, 1.1), row("slower.yaml", 0.9, 1, 1.1),
                                   row("same.yaml", 0.9, 1, 1.1), row("here.yaml", 0.9, 1, 1.1)});
  const Json there = report("old", {row("same.yaml", 1.1, 1.2, 1.3, "E"), row("faster.yaml", 1.2, 1.25, 1.3),
                                    row("slower.yaml", 0.7, 0.75, 0.8), row("there.yaml", 1, 1, 1)});
  const std::string text = table_text(comparison_table(here, there));
  CHECK(text ==
        "This build, new, and old of 2026-01-31\n"
        "\n"
        "row               ms a step  there  speed over there  verdict\n"
        "faster 8x8x8 plm       1000   1250              1.25  faster by 25.0 %\n"
        "slower 8x8x8 plm       1000    750              0.75  slower by 25.0 %\n"
        "same 8x8x8 plm         1000   1200               1.2  same within the spread\n"
        "\n"
        "There it ran on E, here on D.\n"
        "Only here: here 8x8x8 plm.\n"
        "Only there: there 8x8x8 plm.\n"
        "Same within the spread: the ranges between the quartiles overlap.\n");
}

TEST_CASE("what is no report of a benchmark is refused before anything is measured") {
  const Shell halfstep;
  halfstep.write("broken.json", "{\"bench\": ");
  halfstep.write("study.json", "{\"study\": \"timers\"}");
  halfstep.write("old.json", "{\"bench\": \"a deck\", \"provenance\": {\"git\": \"x\"}, \"rows\": [{}]}");
  const auto refused = [&](const std::string& file, const std::string& why) {
    const Outcome outcome = halfstep.expect(2, "bench --compare " + file,
                                            {"halfstep: error: --compare: '" + file + "' " + why,
                                             "'halfstep bench --json FILE' writes what can be compared"});
    CHECK(outcome.out.empty());
  };
  refused("nowhere.json", "cannot be read");
  refused("broken.json", "is not JSON: byte 11 is wrong");
  refused("study.json", "is not of a benchmark");
  refused("old.json", "is of a benchmark that cannot be read");
}

TEST_CASE("a deck's benchmark: a row whose figures are of one another, and JSON that can be compared") {
  const Shell halfstep;
  const std::string words =
      "bench sod.yaml scheme.reconstruction=plm --threads 1 --backend host --steps 3 --repeats 5 ";
  CHECK(halfstep.expect(0, words + "--json first.json", {"\nplm characteristic ssprk3 double "}).err.empty());
  const Json json = Json::parse(contents(halfstep / "first.json"));
  CHECK(json["bench"] == "sod.yaml");
  REQUIRE(json["limits"].size() == 1);
  const auto text = [](const Json& value) { return value.get<std::string>(); };
  const Json& made = json["provenance"];  // of the host, whatever device there is
  CHECK(text(json["limits"][0]["device"]).starts_with(text(made["device"])));
  CHECK(text(made["compiler"]).find("nvcc") == std::string::npos);
  REQUIRE(json["rows"].size() == 1);
  const Json& r = json["rows"][0];
  CHECK(r["overrides"] == Json::array({"scheme.reconstruction=plm"}));
  CHECK(r["threads"] == 1);
  CHECK(r["seconds_per_step"].size() == 5);
  const double median = r["quartiles"][1], updates = r["cell_updates_per_second"];
  CHECK(updates == doctest::Approx(64 / median));
  CHECK(r["bytes_per_cell_update"] == 320);
  CHECK(r["bytes_per_second"].get<double>() == doctest::Approx(320 * updates));
  const double copy = json["limits"][0]["copy_bytes_per_second"],
               fma = json["limits"][0]["fma_flops_per_second"];
  CHECK(r["share_of_copy"].get<double>() == doctest::Approx(320 * updates / copy));
  const Scheme scheme{.reconstruction = Reconstruction::plm};
  const double flops = static_cast<double>(operations(scheme).step(Integrator::ssprk3, 1).flops());
  CHECK(r["flops_per_cell_update"] == flops);
  CHECK(r["share_of_fma"].get<double>() == doctest::Approx(flops * updates / fma));
  CHECK(r["parts"][0]["name"] == kStagePart);
  CHECK(r["parts"][0]["calls_per_step"] == 3);
  const double stages = r["parts"][0]["seconds_per_step"];
  CHECK(r["outside_stages"].get<double>() == doctest::Approx(1 - stages / median));

  halfstep.expect(0, words + "--compare first.json",
                  {"\nsod 64x1x1 plm van_leer characteristic hllc ssprk3 double "});
}

TEST_CASE("a benchmark in curved elements says how many they are") {
  const Shell halfstep;
  halfstep.expect(0,
                  "bench vortex_bent mesh.cells=[4,3,1] scheme.degree=1 --threads 1 --backend host --steps 1 "
                  "--repeats 1",
                  {"isentropic_vortex, 12 elements of 4 points, "});
}

TEST_CASE("a step that fails is exit code 1 and no figures") {
  const Shell halfstep;
  CHECK(halfstep
            .expect(1, "bench sod.yaml time.dt=0.1 --steps 1 --repeats 1 --json a.json",
                    {"a benchmark needs steps that succeed; choose a smaller time.cfl or time.dt"})
            .out.empty());
  CHECK_FALSE(halfstep.has("a.json"));
}

}  // namespace
