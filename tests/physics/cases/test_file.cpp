#include <doctest/doctest.h>

#include <cmath>

#include "physics/cases/initial_state.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

using Settings = std::vector<std::pair<std::string, Value>>;

constexpr IdealGas<double> kGas{1.4};

/// Returns fields on a mesh whose cells have nothing in common, and a scalar.
GivenFields given_on(const Mesh& mesh) {
  GivenFields given;
  given.mesh = mesh;
  given.scalars = {"dye"};
  given.fields.scalars.resize(1);
  std::uint64_t state = 1;
  const auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (std::int64_t n = 0; n < mesh.cell_count(); ++n) {
    const double density = 0.5 + random();
    append(given.fields,
           to_conserved<double>({density, random() - 0.5, random() - 0.5, random() - 0.5, 0.5 + random()},
                                kGas));
    given.fields.scalars[0].push_back(density * random());
  }
  return given;
}

std::unique_ptr<Case> flow_of(const GivenFields& given, const Mesh& mesh, const Settings& settings = {}) {
  Values values;
  for (const Parameter& p : find_case("file")->parameters) values.set(p.name, p.fallback);
  for (const auto& [key, value] : settings) {
    values.at(key);
    values.set(key, value);
  }
  return find_case("file")->make(
      {values, kGas, mesh, {}, {}, given.scalars, [&](const FieldRequest&) { return given; }});
}

Value point(double x, double y, double z) { return std::vector<double>{x, y, z}; }

/// Returns the integral of all fields, and of the scalar, over a mesh.
std::array<double, 6> totals(const Case& flow, const Mesh& mesh) {
  std::array<double, 6> sum{};
  for_every_cell(mesh, [&](const auto& cell) {
    const Box box = box_of(mesh, cell);
    const Conserved<double> c = flow.initial(box);
    const ScalarParts dye = flow.initial_scalar("dye", box, c.density);
    const double values[] = {c.density, c.mu, c.mv, c.mw, c.energy, dye.mass};
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += volume(box) * values[f];
  });
  return sum;
}

std::array<double, 6> totals(const GivenFields& given) {
  std::array<double, 6> sum{};
  std::size_t n = 0;
  for_every_cell(given.mesh, [&](const auto& cell) {
    const double own = volume(box_of(given.mesh, cell));
    for (int f = 0; f < kFields; ++f) sum[f] += own * given.fields.conserved[f][n];
    sum[5] += own * given.fields.scalars[0][n];
    ++n;
  });
  return sum;
}

void check_totals(const std::array<double, 6>& a, const std::array<double, 6>& b) {
  for (std::size_t f = 0; f < a.size(); ++f) CHECK(std::abs(a[f] - b[f]) < 1e-12 * std::abs(a[0]));
}

const Mesh kBox{{12, 10, 8}, {-1, 0.1, 2}, {2, 1.7, 3}};

}  // namespace

TEST_CASE("a file of the mesh's size and box gives its bits") {
  for (const Mesh& mesh : {kBox, stretched(kBox), Mesh{{12, 10, 1}, {-1, 0.1, 2}, {2, 1.7, 3}},
                           Mesh{{1, 1, 70}, {0, 0, 0.3}, {1, 1, 0.9}}}) {
    GivenFields given = given_on(mesh);
    given.fields.conserved[1][3] = -0.0;
    const auto flow = flow_of(given, mesh);
    std::size_t n = 0;
    for_every_cell(mesh, [&](const auto& cell) {
      const auto& u = given.fields.conserved;
      const Box box = box_of(mesh, cell);
      const Conserved<double> c = flow->initial(box);
      REQUIRE(same_bits(c, {u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}));
      REQUIRE(std::signbit(c.mu) == std::signbit(u[1][n]));
      const ScalarParts dye = flow->initial_scalar("dye", box, u[0][n]);
      REQUIRE((dye.mass == given.fields.scalars[0][n] && dye.others == 0));
      ++n;
    });
  }
}

TEST_CASE("finer, coarser and incommensurate meshes hold what the file holds") {
  const GivenFields given = given_on(kBox);
  for (const std::array<int, 3>& cells :
       {std::array{24, 20, 16}, std::array{6, 5, 4}, std::array{7, 13, 9}, std::array{36, 3, 11}}) {
    const Mesh mesh{cells, kBox.lower, kBox.upper};
    CAPTURE(text_of(cells));
    check_totals(totals(given), totals(*flow_of(given, mesh), mesh));
  }
  // A cell half as long has the value of the cell that it is in.
  const Mesh fine{{24, 20, 16}, kBox.lower, kBox.upper};
  CHECK(flow_of(given, fine)->initial(fine.cell(5, 3, 1)).density == given.fields.conserved[0][2 + 1 * 12]);
}

TEST_CASE("a file keeps what it holds from and to meshes whose cells differ in width") {
  const Mesh other{{7, 13, 9}, kBox.lower, kBox.upper};
  const GivenFields even = given_on(kBox), uneven = given_on(stretched(kBox));
  check_totals(totals(even), totals(*flow_of(even, stretched(other)), stretched(other)));
  check_totals(totals(uneven), totals(*flow_of(uneven, other), other));
  check_totals(totals(uneven), totals(*flow_of(uneven, stretched(other)), stretched(other)));

  // A part of each cell has the value of the cell.
  const Mesh fine{{64, 1, 1}}, coarse = stretched({{4, 1, 1}});
  const GivenFields line = given_on(coarse);
  CHECK(flow_of(line, fine)->initial(fine.cell(1, 0, 0)).density == line.fields.conserved[0][0]);

  // Scaled to half, moved and repeated it fills a box of twice its sides four times.
  const auto repeated =
      flow_of(uneven, {{31, 29, 23}, {-1, 0.1, 2}, {2, 1.7, 3}},
              {{"scale", 0.5}, {"offset", point(0.7, -3.1, 0.2)}, {"outside", std::string("repeat")}});
  check_totals(totals(uneven), totals(*repeated, {{31, 29, 23}, {-1, 0.1, 2}, {2, 1.7, 3}}));
  // Around it is the background, however wide the last cells are.
  const Mesh wide{{19, 17, 1}, {-3, -3, 0}, {5, 5, 1}};
  const GivenFields sheet = given_on(stretched({{8, 6, 1}, {1, 1, 0}, {3, 2.5, 1}}));
  const auto alone = flow_of(sheet, wide, {{"outside", std::string("background")}});
  std::array<double, 6> expected = totals(sheet);
  expected[0] += 64 - 3, expected[4] += (64 - 3) / 0.4;
  check_totals(expected, totals(*alone, wide));
}

TEST_CASE("a file is placed by scale and offset, with the background or itself around it") {
  const GivenFields given = given_on({{8, 6, 1}, {1, 1, 0}, {3, 2.5, 1}});
  const Mesh mesh{{31, 29, 1}, {0, 0, 0}, {4, 4, 1}};
  // The file's box becomes [1.25, 2.25] x [1.45, 2.2].
  const Settings placed = {{"scale", 0.5}, {"offset", point(0.75, 0.95, 0)}};
  const auto with = [&](const Settings& more) {
    Settings all = placed;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  CHECK(contains(refusal([&] { flow_of(given, mesh, placed); }), "case.outside: background or repeat"));
  const auto alone = flow_of(given, mesh,
                             with({{"outside", std::string("background")},
                                   {"background.density", 3.0},
                                   {"background.velocity", point(1, 2, 3)},
                                   {"background.pressure", 4.0}}));
  const Conserved<double> background = to_conserved<double>({3, 1, 2, 3, 4}, kGas);
  CHECK(same_bits(alone->initial(mesh.cell(0, 0, 0)), background));
  CHECK(alone->initial_scalar("dye", mesh.cell(0, 0, 0), 3).others == 3);
  const double area = 1 * 0.75, rest = 16 - area;
  std::array<double, 6> expected = totals(given);
  for (double& sum : expected) sum *= 0.25;
  const double outer[] = {background.density, background.mu, background.mv, background.mw, background.energy};
  for (std::size_t f = 0; f < 5; ++f) expected[f] += rest * outer[f];
  check_totals(expected, totals(*alone, mesh));
  // The deck's mass fraction holds for the gas around the file.
  double others = 0;
  for_every_cell(mesh, [&](const auto& cell) {
    others += alone->initial_scalar("dye", box_of(mesh, cell), 3).others * mesh.spacing(0) * mesh.spacing(1);
  });
  CHECK(others == doctest::Approx(3 * rest).epsilon(1e-13));

  const auto repeated = flow_of(given, mesh, with({{"outside", std::string("repeat")}}));
  Box cell = mesh.cell(3, 2, 0);
  const Conserved<double> here = repeated->initial(cell);
  cell.lower[0] += 3, cell.upper[0] += 3, cell.lower[1] -= 1.5, cell.upper[1] -= 1.5;
  CHECK(distance(here, repeated->initial(cell)) < 1e-13);
  // Twelve periods of the file fill a box of [0, 3] x [0, 3].
  const Mesh periods{{17, 19, 1}, {0, 0, 0}, {3, 3, 1}};
  std::array<double, 6> twelve = totals(given);
  for (double& sum : twelve) sum *= 0.25 * 12;
  check_totals(twelve, totals(*flow_of(given, periods, with({{"outside", std::string("repeat")}})), periods));
}

TEST_CASE("without a reader a flow from a file is its background, as a restart needs it") {
  const auto flow = make_case("file", kBox, 1.4, {{"background.density", 2.0}});
  CHECK(same_bits(flow->initial(kBox.cell(3, 4, 5)), to_conserved<double>({2, 0, 0, 0, 1}, kGas)));
  CHECK(flow->bytes() == 0);
}

TEST_CASE("a file with other axes or an unphysical cell is refused, and its scalars are told") {
  const Mesh mesh{{12, 10, 1}, {-1, 0.1, 2}, {2, 1.7, 3}};
  CHECK(contains(refusal([&] { flow_of(given_on(kBox), mesh); }), "along x, y, z, the mesh along x, y"));
  CHECK(contains(refusal([&] { flow_of(given_on(mesh), kBox); }), "along x, y, the mesh along x, y, z"));
  for (const double bad : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()})
    for (const int field : {0, 4}) {
      GivenFields given = given_on(kBox);
      given.fields.conserved[static_cast<std::size_t>(field)][5 + 12 * (4 + 10 * 3)] = bad;
      CHECK(contains(refusal([&] { flow_of(given, kBox); }), "cell [5, 4, 3] of the file is unphysical"));
    }
  GivenFields given = given_on(kBox);
  given.not_wanted = {"smoke"};
  CHECK(contains(flow_of(given, kBox)->remarks().at(0), "scalar smoke is left behind"));
  CHECK(flow_of(given, kBox)->bytes() == 6 * 960 * 8);
  CHECK(contains(flow_of(given, kBox)->objection(2, {Boundary::inflow, Boundary::outflow}), "boundary.z"));
}

TEST_CASE("a file that is too far away or too small is refused") {
  const GivenFields given = given_on(kBox);
  for (const auto& [key, value] : {std::pair<std::string, Value>("scale", 1e-9),
                                   {"scale", 1e-300},
                                   {"scale", 1e300},
                                   {"offset", point(0, 1e9, 0)},
                                   {"offset", point(0, 0, -1e300)}})
    CHECK(contains(refusal([&] {
                     flow_of(given, kBox, {{"outside", std::string("repeat")}, {key, value}});
                   }),
                   "put the file out of reach"));
}

TEST_CASE("scalars of a file come along with the deck's fraction around it") {
  const Mesh mesh{{10, 1, 1}, {0, 0, 0}, {1, 1, 1}}, half{{5, 1, 1}, {0, 0, 0}, {0.5, 1, 1}};
  const GivenFields given = given_on(half);
  const auto flow =
      flow_of(given, mesh, {{"outside", std::string("background")}, {"background.density", 2.0}});
  const Scalars scalars({{"dye", {0.25}}, {"smoke", {0.5}}}, {}, mesh, false);
  const Fields fields = extended_initial_fields(*flow, mesh, {kGas}, 0, scalars);
  for (std::size_t n = 0; n < 10; ++n) {
    CHECK(fields.scalars[0][n] == (n < 5 ? given.fields.scalars[0][n] : 0.5));
    CHECK(fields.scalars[1][n] == 0.5 * fields.conserved[0][n]);
  }
}
