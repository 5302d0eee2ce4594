// Compares the two backends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/regress/test_decks.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expressions.hpp"

using namespace halfstep;

namespace {

/// Runs a deck from start to end, or until its ladder is exhausted.
CaseRun on(const std::string& backend, const std::string& deck, const Overrides& overrides = {}) {
  CaseRun run(deck, overrides, 0, backend);
  run.run();
  return run;
}

/// Returns the difference between the backends.
double difference(const std::string& deck, const Overrides& overrides) {
  return difference(on("host", deck, overrides), on("cuda", deck, overrides));
}

}  // namespace

TEST_CASE("smooth decks agree between host and CUDA to 1e-12 in double") {
  struct Row {
    const char* deck;
    Overrides overrides;
  };
  const Row rows[] = {
      {"linear_wave", {}},
      {"linear_wave_3d", {"mesh.cells=[33,20,17]", "time.end=0.3"}},
      {"entropy_wave", {"mesh.cells=[64,1,1]"}},
      {"isentropic_vortex", {"mesh.cells=[50,70,1]", "time.end=2"}},
      // Later, round-off grows at the stagnation points on the axes of the vortices, in either backend.
      {"taylor_green", {"mesh.cells=[32,32,32]", "time.end=0.5"}},
      {"kelvin_helmholtz", {"mesh.cells=[64,64,1]", "time.end=0.3"}},
  };
  for (const Row& row : rows)
    for (const char* scheme : {"constant", "plm", "ppm", "weno5z"})
      for (const char* variables : {"primitive", "characteristic"}) {
        const Overrides overrides = with(row.overrides, {std::string("scheme.reconstruction=") + scheme,
                                                         std::string("scheme.variables=") + variables});
        const CaseRun host = on("host", row.deck, overrides), cuda = on("cuda", row.deck, overrides);
        INFO((std::string(row.deck) + ", " + scheme + ", " + variables));
        CHECK(host.state.step == cuda.state.step);
        // The limiter of ppm (Colella & Sekora 2008) is discontinuous: where a flow is barely resolved,
        // round-off can decide.
        const bool decided_by_round_off = std::string(scheme) == "ppm" && row.overrides.size() > 1;
        CHECK(difference(host, cuda) <= (decided_by_round_off ? 1e-4 : 1e-12));
      }
}

// `halfstep regress --backend cuda` checks how far other decks may differ in a fast build.
TEST_CASE("at their test sizes all decks have the same bits in a strict build, smooth ones 1e-12 in any") {
  for (const TestDeck& deck : test_decks()) {
    if (!deck.skipped().empty()) {
      MESSAGE(deck.skipped());
      continue;
    }
    const bool smooth = deck.tolerance > 0 && deck.tolerance <= 1e-12;
    if (!HALFSTEP_STRICT_FP && !smooth) continue;
    const CaseRun host = on("host", deck.name, deck.overrides), cuda = on("cuda", deck.name, deck.overrides);
    INFO(deck.key());
    CHECK(cuda.state.step == host.state.step);
    CHECK(cuda.repaired_faces == host.repaired_faces);
    CHECK(cuda.rejections.size() == host.rejections.size());
    if (smooth) CHECK(difference(host, cuda) <= 1e-12);
    if (HALFSTEP_STRICT_FP) {
      CHECK(cuda.state.time == host.state.time);
      CHECK(cuda.rate == host.rate);
      CHECK(cuda.solver->totals() == host.solver->totals());
      CHECK(identical(cuda.fields(), host.fields()));
    }
  }
}

TEST_CASE("every Riemann solver, limiter and precision agrees between host and CUDA") {
  for (const char* riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"})
    for (const char* limiter : {"minmod", "van_leer", "mc"})
      for (const char* precision : {"double", "single"}) {
        const Overrides overrides = {"mesh.cells=[40,24,1]",
                                     "time.end=1",
                                     "scheme.reconstruction=plm",
                                     std::string("scheme.riemann=") + riemann,
                                     std::string("scheme.limiter=") + limiter,
                                     std::string("scheme.precision=") + precision};
        INFO((std::string(riemann) + ", " + limiter + ", " + precision));
        const bool is_double = std::string(precision) == "double";
        CHECK(difference("isentropic_vortex", overrides) <= (is_double ? 1e-12 : 2e-5));
      }
}

TEST_CASE("the Riemann decks come to the same verdict on host and CUDA") {
  for (const char* deck : {"sod", "lax", "toro_1", "toro_2", "toro_3", "toro_4", "toro_5", "leblanc"}) {
    INFO((std::string(deck)));
    const double host = on("host", deck).error("density").l1, cuda = on("cuda", deck).error("density").l1;
    CHECK(cuda == doctest::Approx(host).epsilon(1e-6));
  }
}

TEST_CASE("a shock is found by both backends, in two and three dimensions and behind every boundary") {
  struct Row {
    const char* deck;
    Overrides overrides;
  };
  for (const Row& row : {Row{"sedov_2d", {"mesh.cells=[48,48,1]", "time.end=0.1"}},
                         Row{"sedov_3d", {"mesh.cells=[24,24,24]", "time.end=0.1"}},
                         Row{"noh_3d", {"mesh.cells=[16,16,16]", "time.end=0.1", "scheme.riemann=hll"}},
                         Row{"double_mach", {"mesh.cells=[120,30,1]", "time.end=0.02"}}}) {
    INFO((std::string(row.deck)));
    CHECK(difference(row.deck, row.overrides) <= 1e-6);
  }
}

TEST_CASE("CUDA runs give the same bits every time") {
  const Overrides overrides = {"mesh.cells=[40,40,40]", "time.end=0.1", "time.dt=0.01"};
  const CaseRun first = on("cuda", "sedov_3d", overrides);
  for (int n = 0; n < 3; ++n) {
    const CaseRun again = on("cuda", "sedov_3d", overrides);
    CHECK(identical(first.fields(), again.fields()));
    CHECK(first.state.time == again.state.time);
    CHECK(first.state.step == again.state.step);
  }
}

TEST_CASE("a soft error is diagnosed alike on host and CUDA, and replay reproduces it") {
  // With periodic sides there is a second tube, mirrored: the first bad cell lies next to the boundary, and
  // part of its stencil lies beyond it.
  for (const bool meet : {false, true}) {
    Overrides overrides = {"time.dt=0.02", "mesh.cells=[256,1,1]"};
    if (meet) overrides.push_back("mesh.boundary.x=[periodic,periodic]");
    const CaseRun host = on("host", "sod", overrides), cuda = on("cuda", "sod", overrides);
    REQUIRE(!cuda.rejections.empty());
    REQUIRE(cuda.rejections.size() == host.rejections.size());
    const SoftError &h = host.rejections.front().error, &c = cuda.rejections.front().error;
    CHECK(c.kind == h.kind);
    CHECK(c.stage == h.stage);
    CHECK(c.cell == h.cell);
    CHECK(c.counts == h.counts);
    CHECK(c.value == doctest::Approx(h.value).epsilon(1e-8));
    for (const Rejection& rejection : cuda.rejections) CHECK(rejection.replay.reproduced);
    CHECK(difference(host, cuda) <= 1e-12);
    if (!meet) CHECK(cuda.error("density").l1 < 5e-3);
  }
}

TEST_CASE("a step under a remedy is the same on host and CUDA, and loses nothing between cells") {
  // The remedy comes after halvings and starts from the dt of the step's first attempt. cold_stream depends
  // on its round-off, so the backends agree only in a strict build.
  for (const auto& [deck, steps] : {std::pair<std::string, int>{"near_vacuum", 10}, {"cold_stream", 70}}) {
    INFO(deck);
    CaseRun host(deck, {}, 0, "host"), cuda(deck, {}, 0, "cuda");
    for (CaseRun* run : {&host, &cuda}) {
      run->wants_totals = true;
      run->run(steps);
      REQUIRE(!run->remedied.empty());
    }
    if (deck == "cold_stream" && !HALFSTEP_STRICT_FP) continue;
    CHECK(host.rejections.size() == cuda.rejections.size());
    CHECK(difference(host, cuda) <= 1e-9);
    for (std::size_t n = 1; n < cuda.totals.size(); ++n)
      CHECK(cuda.totals[n].mass == doctest::Approx(host.totals[n].mass).epsilon(1e-12));
  }
}

TEST_CASE("a bad face is a soft error where the deck says so, on CUDA as on the host") {
  // A pressure jump by a factor of 1e5, at which the parabola undershoots.
  const Overrides overrides = {"scheme.reconstruction=ppm", "scheme.variables=characteristic",
                               "soft_error.face=raise", "soft_error.max_halvings=2",
                               "soft_error.on_exhausted=abort"};
  const CaseRun host = on("host", "toro_3", overrides), cuda = on("cuda", "toro_3", overrides);
  REQUIRE(!host.rejections.empty());
  REQUIRE(cuda.rejections.size() == host.rejections.size());
  for (std::size_t n = 0; n < host.rejections.size(); ++n) {
    const SoftError &h = host.rejections[n].error, &c = cuda.rejections[n].error;
    CHECK(c.kind == h.kind);
    CHECK(c.cell == h.cell);
    CHECK(c.count == h.count);
  }
}

TEST_CASE("a spike is found on CUDA") {
  const CaseRun host = on("host", "spike"), cuda = on("cuda", "spike");
  const auto spikes = [](const CaseRun& run) {
    return std::count_if(run.rejections.begin(), run.rejections.end(),
                         [](const Rejection& r) { return r.error.kind == SoftErrorKind::spike; });
  };
  CHECK(spikes(host) > 0);
  CHECK(spikes(cuda) == spikes(host));
}

TEST_CASE("a spike under a remedy ends its attempt where it arises, on CUDA as on the host") {
  const Overrides overrides = {"soft_error.spike.limit=5.6", "soft_error.max_halvings=1"};
  const CaseRun host = on("host", "spike", overrides), cuda = on("cuda", "spike", overrides);
  REQUIRE(host.rejections.size() > 8);  // the last ones of a step with first-order cells
  REQUIRE(cuda.rejections.size() == host.rejections.size());
  for (std::size_t n = 0; n < host.rejections.size(); ++n) {
    CAPTURE(n);
    const SoftError &h = host.rejections[n].error, &c = cuda.rejections[n].error;
    CHECK(c.kind == h.kind);
    CHECK(c.stage == h.stage);
    CHECK(c.cell == h.cell);
    CHECK(cuda.rejections[n].replay.reproduced);
  }
}

TEST_CASE("a state beyond a side that no gas has is the same soft error on CUDA as on the host") {
  if (!can_test_expressions()) return;
  const std::string falls =
      "{kind: state, density: \"1 - 2*exp(-((t - 0.05)/0.004)^2)\", velocity: [0, 0, 0], pressure: 1}";
  for (const std::string& sides : {"[" + falls + ", outflow]", "[outflow, " + falls + "]"})
    for (const char* precision : {"double", "single"}) {
      CAPTURE(sides);
      CAPTURE(precision);
      const Overrides overrides = {"case.background={density: 1, velocity: [0, 0, 0], pressure: 1}",
                                   "mesh.cells=[40,3,1]", "mesh.boundary.x=" + sides,
                                   std::string("scheme.precision=") + precision};
      const CaseRun host = on("host", "acoustic_pulse", overrides),
                    cuda = on("cuda", "acoustic_pulse", overrides);
      REQUIRE(!host.rejections.empty());
      REQUIRE(cuda.rejections.size() == host.rejections.size());
      const SoftError &h = host.rejections.back().error, &c = cuda.rejections.back().error;
      CHECK(c.kind == SoftErrorKind::bad_boundary);
      CHECK(c.kind == h.kind);
      CHECK(c.cell == h.cell);
      CHECK(c.count == 3);
      CHECK(h.count == 3);
    }
}

TEST_CASE("a boundary condition in a part of its side is the same on CUDA as on the host") {
  if (!can_test_expressions()) return;
  for (const char* precision : {"double", "single"})
    for (const std::string elsewhere : {"reflecting", "outflow"}) {
      const std::string part = ", where: \"(y - 0.3)^2 + (z - 0.5)^2 < 0.1\", elsewhere: " + elsewhere + "}";
      const Overrides overrides = {
          "mesh.cells=[24,20,18]",
          "mesh.boundary.x=[{kind: state, density: 1, velocity: [0.5, 0, 0], pressure: 1" + part +
              ", {kind: subsonic_outflow, pressure: 0.9" + part + "]",
          std::string("scheme.precision=") + precision};
      const CaseRun host = on("host", "uniform", overrides), cuda = on("cuda", "uniform", overrides);
      CHECK(difference(host, cuda) <= (std::string(precision) == "double" ? 1e-12 : 2e-5));
    }
}

TEST_CASE("odd and thin meshes are right on CUDA") {
  struct Row {
    const char *deck, *cells, *axis;
  };
  for (const Row& row :
       {Row{"taylor_green", "[17,33,65]", ""}, Row{"taylor_green", "[8,8,8]", ""},
        Row{"taylor_green", "[3,4,5]", ""}, Row{"toro_1", "[1,40,1]", "y"}, Row{"toro_1", "[1,1,40]", "z"},
        Row{"toro_1", "[1,20,30]", "z"}, Row{"toro_1", "[300,1,7]", "x"}, Row{"toro_1", "[1000,1,1]", "x"}}) {
    Overrides overrides = {std::string("mesh.cells=") + row.cells, "time.max_steps=8"};
    if (*row.axis) overrides.push_back(std::string("case.axis=") + row.axis);
    INFO((std::string(row.deck) + " " + row.cells));
    CHECK(difference(row.deck, overrides) <= 1e-12);
  }
}

TEST_CASE("a 3D blast of 128 cubed cells finds the shock within one and a half cells") {
  const CaseRun run = on("cuda", "sedov_3d", {"mesh.cells=[128,128,128]"});
  const Fields fields = run.fields();
  const Mesh& mesh = run.mesh();
  const Values& p = run.config.case_parameters;
  // Radially averaged density in shells one cell wide.
  const double dx = mesh.spacing(0);
  std::vector<double> sum(200), count(200);
  for (int k = 0; k < 128; ++k)
    for (int j = 0; j < 128; ++j)
      for (int i = 0; i < 128; ++i) {
        const auto x = mesh.center(i, j, k);
        const auto c = p.reals("centre");
        const auto shell = static_cast<std::size_t>(std::hypot(x[0] - c[0], x[1] - c[1], x[2] - c[2]) / dx);
        if (shell >= sum.size()) continue;
        sum[shell] += fields.conserved[0][(static_cast<std::size_t>(k) * 128 + j) * 128 + i];
        count[shell] += 1;
      }
  std::size_t best = 0;
  for (std::size_t n = 0; n < 64; ++n)
    if (count[n] > 0 && sum[n] / count[n] > sum[best] / std::max(count[best], 1.0)) best = n;
  // alpha(1.4) in three dimensions: 0.851072 (Kamm & Timmes 2007).
  const double exact =
      std::pow(p.real("energy") * run.state.time * run.state.time / (0.851072 * p.real("density")), 0.2);
  const double found = (best + 0.5) * dx;
  MESSAGE("shock at " << found << ", exact " << exact << ", cell " << dx);
  CHECK(std::abs(found - exact) <= 1.5 * dx);
}

TEST_CASE("histograms of a state on CUDA are those of the host, but for values at an edge") {
  for (const char* precision : {"scheme.precision=double", "scheme.precision=single"})
    for (const auto& [deck, cells] : {std::pair<std::string, std::string>{"taylor_green", "[33,20,17]"},
                                      {"sod", "[300,1,1]"},
                                      {"detonation", "[500,1,1]"}}) {
      CaseRun host(deck, {"mesh.cells=" + cells, precision}, 0, "host"),
          cuda(deck, {"mesh.cells=" + cells, precision}, 0, "cuda");
      host.run(5);
      cuda.begin_from(host.fields());  // start from the same bits
      for (const auto& choice : kHistogramFields) {
        if (choice.value == HistogramField::mass_fraction && !host.config.problem.scalars.size()) continue;
        INFO((deck + ", " + std::string(choice.name) + ", " + precision));
        const HistogramRequest request{.field = choice.value, .bins = 49};  // zero is in the middle of one
        const Histogram h = host.solver->histogram(request), c = cuda.solver->histogram(request);
        CHECK(c.lower == doctest::Approx(h.lower).epsilon(1e-14));
        CHECK(c.upper == doctest::Approx(h.upper).epsilon(1e-14));
        REQUIRE(c.counts.size() == h.counts.size());
        // Density and mass fraction are computed without operations that compilers may contract.
        const bool exact =
            choice.value == HistogramField::density || choice.value == HistogramField::mass_fraction;
        std::int64_t all = 0, moved = 0, ahead = 0;
        for (std::size_t bin = 0; bin < h.counts.size(); ++bin) {
          all += c.counts[bin];
          ahead += c.counts[bin] - h.counts[bin];
          moved += std::abs(ahead);
        }
        CHECK(all == cuda.mesh().cell_count());
        CHECK(moved <= (exact ? 0 : cuda.mesh().cell_count() / 100));
        for (int n = 0; n < 3; ++n) CHECK(cuda.solver->histogram(request).counts == c.counts);
      }
    }
}

TEST_CASE("a snapshot on CUDA is the state, in its own precision") {
  for (const bool single : {false, true}) {
    CaseRun run("taylor_green",
                {"mesh.cells=[33,20,17]", single ? "scheme.precision=single" : "scheme.precision=double"}, 0,
                "cuda");
    run.run(2);
    const auto snapshot = run.solver->snapshot();
    CHECK(std::holds_alternative<FieldSpans<float>>(snapshot->fields()) == single);
    const Fields now = run.fields();
    run.run(3);  // must not change the copy
    CHECK(identical(widened(snapshot->fields()), now));
    CHECK_FALSE(identical(run.fields(), now));
  }
}

TEST_CASE("the enstrophy of every step on CUDA is that of the host") {
  struct Row {
    const char *precision, *viscosity;
    double bar;
  };
  for (const auto& [precision, viscosity, bar] :
       {Row{"double", "6.25e-4", 1e-12}, {"single", "6.25e-4", 1e-4}, {"double", "0", 1e-12}}) {
    const Overrides overrides{"mesh.cells=[24,20,16]", "time.end=0.05",
                              std::string("scheme.precision=") + precision,
                              std::string("gas.viscosity=") + viscosity};
    CaseRun host("taylor_green_re1600", overrides, 0, "host"),
        cuda("taylor_green_re1600", overrides, 0, "cuda");
    for (CaseRun* run : {&host, &cuda}) {
      run->wants_totals = true;
      run->finish();
    }
    REQUIRE(host.totals.size() == cuda.totals.size());
    for (std::size_t n = 0; n < host.totals.size(); ++n) {
      CHECK(host.totals[n].enstrophy > 80);  // 3 / 8 of the volume, less the error of this mesh
      CHECK(cuda.totals[n].enstrophy == doctest::Approx(host.totals[n].enstrophy).epsilon(bar));
    }
    CHECK(cuda.solver->totals().enstrophy == cuda.totals.back().enstrophy);
  }
}
