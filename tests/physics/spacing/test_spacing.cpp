// The faces of stretched axes.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "physics/mesh/axis_tables.hpp"
#include "physics/spacing/spacing.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

Values block(const std::string& kind, const std::string& towards = "both") {
  Values values;
  values.set(kSpacingKey, kind);
  if (kind == "tanh") values.set("strength", 1.0);
  if (kind == "geometric") values.set("ratio", 1.2);
  values.set("towards", towards);
  return values;
}
Values table(const std::vector<double>& faces) {
  Values values;
  values.set(kSpacingKey, std::string("table"));
  values.set("faces", faces);
  return values;
}
std::string refusal(const Values& spacing, int cells) {
  try {
    faces_of(spacing, cells, 0, 1);
  } catch (const SpacingError& e) {
    CHECK(e.remedy() != "");
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("cells are narrow at the end that is asked for, and fill the axis") {
  for (const std::string kind : {"tanh", "geometric"})
    for (const int cells : {10, 11}) {
      const std::vector<double> lower = faces_of(block(kind, "lower"), cells, -1, 3),
                                upper = faces_of(block(kind, "upper"), cells, -1, 3),
                                both = faces_of(block(kind), cells, -1, 3);
      const auto width = [](const std::vector<double>& faces, int n) { return faces[n + 1] - faces[n]; };
      for (const auto* faces : {&lower, &upper, &both}) {
        REQUIRE(faces->size() == static_cast<std::size_t>(cells) + 1);
        CHECK(faces->front() == -1);
        CHECK(faces->back() == 3);
      }
      for (int n = 0; n < cells; ++n) {
        CHECK(width(lower, n) == doctest::Approx(width(upper, cells - 1 - n)).epsilon(1e-12));
        CHECK(width(both, n) == doctest::Approx(width(both, cells - 1 - n)).epsilon(1e-12));
      }
      for (int n = 1; n < cells; ++n) CHECK(width(lower, n) > width(lower, n - 1));
      CHECK(width(both, 0) < 0.6 * width(both, cells / 2));
      if (kind == "geometric")
        CHECK(width(lower, 5) == doctest::Approx(1.2 * width(lower, 4)).epsilon(1e-12));
    }
  // As wide as the key's description says, where there are many cells.
  const std::vector<double> fine = faces_of(block("tanh", "lower"), 2000, 0, 1);
  CHECK(2000 * fine[1] == doctest::Approx(2 / std::sinh(2.0)).epsilon(2e-3));
  CHECK(faces_of(block(kUniformSpacing), 8, 0, 1).empty());
}

TEST_CASE("a table is taken as it is, and has to fit") {
  const std::vector<double> faces{0, 0.2, 0.45, 0.7, 1};
  CHECK(faces_of(table(faces), 4, 0, 1) == faces);
  CHECK(contains(refusal(table(faces), 5), "5 faces make 4 cells, and the mesh has 5"));
  CHECK(contains(refusal(table({0, 0.4, 0.9}), 2), "from 0 to 0.9, and the mesh is from 0 to 1"));
  CHECK(contains(refusal(table({0, 0.5, 0.5, 1}), 3), "cell 1 from its lower end has a width of 0"));
  CHECK(contains(refusal(table({0, 0.2, 1}), 2), "differ in width by a factor of 4: at most 1.5"));
  CHECK(contains(refusal(block("tanh", "lower"), 2), "differ in width"));
  Values steep = block("geometric", "lower");
  steep.set("ratio", 1.5);
  CHECK(refusal(steep, 100'000) != "");  // the narrowest cells have no width
}

TEST_CASE("beyond its ends an axis is mirrored, or goes on periodically") {
  const std::vector<double> faces{0, 0.2, 0.45, 0.7, 1};
  const StretchedAxis mirrored(faces, false), periodic(faces, true);
  CHECK(mirrored.width(-1) == doctest::Approx(0.2));
  CHECK(mirrored.width(-2) == doctest::Approx(0.25));
  CHECK(mirrored.width(4) == doctest::Approx(0.3));
  CHECK(periodic.width(-1) == doctest::Approx(0.3));
  CHECK(periodic.width(4) == doctest::Approx(0.2));
  for (const StretchedAxis* axis : {&mirrored, &periodic})
    for (int n = 0; n <= 4; ++n) CHECK(axis->face(n) == faces[n]);
  CHECK(mirrored.cell_of(-1) == 0);
  CHECK(mirrored.cell_of(0.2) == 1);
  CHECK(mirrored.cell_of(0.999) == 3);
  CHECK(mirrored.cell_of(2) == 3);
  CHECK(mirrored.least_width() == doctest::Approx(0.2));
}

TEST_CASE("the tables of a block are those of the whole mesh") {
  Mesh whole{.cells = {6, 1, 4}};
  whole.stretched[0] =
      std::make_shared<StretchedAxis>(std::vector<double>{0, 0.1, 0.25, 0.4, 0.6, 0.8, 1}, false);
  Mesh block = whole;
  block.cells[0] = 3, block.first[0] = 2, block.whole = whole.cells;
  const AxisTables<double> of_whole(whole), of_block(block);
  const auto all = of_whole.views(), own = of_block.views();
  CHECK(is_stretched(all));
  CHECK(all[2].inverse_width == nullptr);
  for (int n = -2; n < 5; ++n) {
    CHECK(own[0].inverse_width[n] == all[0].inverse_width[n + 2]);
    CHECK(own[0].inverse_distance[n] == all[0].inverse_distance[n + 2]);
    CHECK(own[0].inverse_span[n] == all[0].inverse_span[n + 2]);
    CHECK(own[0].center[n] == all[0].center[n + 2]);
  }
  CHECK(all[0].inverse_width[1] == doctest::Approx(1 / 0.15));
  CHECK(all[0].inverse_distance[2] == doctest::Approx(1 / 0.15));
  CHECK(all[0].inverse_span[1] == doctest::Approx(2 / (0.325 - 0.05)));
  CHECK(relative_volume(all, 1, 0, 3) == doctest::Approx(0.15 * 6));
  const TablesFromCell<double> from(all, {2, 0, 0});
  CHECK(from.views()[0].center[0] == all[0].center[2]);
  CHECK_FALSE(is_stretched(AxisTables<double>(Mesh{.cells = {6, 1, 4}}).views()));
}
