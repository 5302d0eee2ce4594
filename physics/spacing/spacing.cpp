#include "physics/spacing/spacing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/base/portable_math.hpp"
#include "physics/base/short_text.hpp"

namespace halfstep {
namespace {

Parameter towards() {
  Parameter parameter{"towards", std::string("both"), "", "the end at which cells are narrow"};
  parameter.choices = {"lower", "upper", "both"};
  return parameter;
}

/// Returns the place of each face, from 0 to 1, from that of a face `share` of the cells away from a lower
/// end where cells are narrow. That of a half has half the cells, and is mirrored where both ends are.
template <class Place>
std::vector<double> places(const std::string& towards, int cells, const Place& place) {
  std::vector<double> all;
  for (int n = 0; n <= cells; ++n) {
    if (towards == "lower")
      all.push_back(place(n, cells));
    else if (towards == "upper")
      all.push_back(1 - place(cells - n, cells));
    else if (2 * n <= cells)
      all.push_back(0.5 * place(n, 0.5 * cells));
    else
      all.push_back(1 - 0.5 * place(cells - n, 0.5 * cells));
  }
  return all;
}

std::vector<double> tanh_places(const Values& spacing, int cells) {
  const double strength = spacing.real("strength");
  return places(spacing.word("towards"), cells, [&](double n, double of) {
    return 1 + portable::tanh(strength * (n / of - 1)) / portable::tanh(strength);
  });
}

std::vector<double> geometric_places(const Values& spacing, int cells) {
  const double growth = portable::log(spacing.real("ratio"));
  return places(spacing.word("towards"), cells, [&](double n, double of) {
    return portable::exp((n - of) * growth) * (1 - portable::exp(-n * growth)) /
           (1 - portable::exp(-of * growth));
  });
}

/// Returns the faces of a table. It has to have those of the mesh's ends.
std::vector<double> table_faces(const Values& spacing, int cells, double lower, double upper) {
  const std::vector<double>& faces = spacing.reals("faces");
  const int count = static_cast<int>(faces.size());
  if (count != cells + 1)
    throw SpacingError(short_text(count) + " faces make " + short_text(count - 1) +
                           " cells, and the mesh has " + short_text(cells),
                       "give one more face than cells");
  if (faces.front() != lower || faces.back() != upper)
    throw SpacingError("its faces are from " + short_text(faces.front()) + " to " + short_text(faces.back()) +
                           ", and the mesh is from " + short_text(lower) + " to " + short_text(upper),
                       "make mesh.lower and mesh.upper those of the table");
  return faces;
}

/// Refuses cells whose widths are round-off in a good part, or jump.
void check_widths(const std::vector<double>& faces) {
  constexpr double kMostRoundOff = 1e-4;  // of a width
  const double place = std::max(std::abs(faces.front()), std::abs(faces.back())),
               least = place * std::numeric_limits<double>::epsilon() / kMostRoundOff;
  for (std::size_t n = 1; n < faces.size(); ++n) {
    const double width = faces[n] - faces[n - 1];
    if (!(width > least) || !std::isfinite(width))
      throw SpacingError(
          "cell " + short_text(static_cast<double>(n) - 1) + " from its lower end has a width of " +
              short_text(width) + ", and at " + short_text(faces[n]) + " it has to be more than " +
              short_text(least),
          "faces have to increase, by more than round-off; where they are computed, take fewer cells or "
          "less stretching");
  }
  for (std::size_t n = 2; n < faces.size(); ++n) {
    const double one = faces[n - 1] - faces[n - 2], next = faces[n] - faces[n - 1];
    const double ratio = std::max(one, next) / std::min(one, next);
    if (ratio > kMostGrowth * (1 + 1e-12))
      throw SpacingError("the cells beside the face at " + short_text(faces[n - 1]) +
                             " differ in width by a factor of " + short_text(ratio) + ": at most " +
                             short_text(kMostGrowth),
                         "take more cells, or a smoother spacing: schemes lose accuracy where widths jump");
  }
}

}  // namespace

std::vector<ItemKind> spacing_kinds() {
  const Parameter strength{"strength",
                           2.0,
                           "",
                           "how much: cells at the narrow end are 2 strength / sinh(2 strength) as "
                           "wide as the mean, of both ends as each half",
                           {.low = 0, .high = 10, .open_low = true}};
  const Parameter ratio{"ratio",
                        1.1,
                        "",
                        "the width of a cell in widths of its neighbour at the narrow end",
                        {.low = 1, .high = kMostGrowth, .open_low = true}};
  Parameter faces{"faces", std::vector<double>(), "",
                  "the places of all faces, one more than cells, from mesh.lower "
                  "to mesh.upper"};
  faces.required = true;
  return {{kUniformSpacing, "cells of one width", {}},
          {"tanh", "narrow at one end or both, by a hyperbolic tangent", {strength, towards()}},
          {"geometric",
           "each cell wider than its neighbour by one ratio, away from one end or both",
           {ratio, towards()}},
          {"table", "a list of faces", {faces}}};
}

Items uniform_spacing() {
  Items items(1);
  items[0].set(kSpacingKey, std::string(kUniformSpacing));
  return items;
}

std::vector<double> faces_of(const Values& spacing, int cells, double lower, double upper) {
  const std::string& kind = spacing.word(kSpacingKey);
  if (kind == kUniformSpacing) return {};
  std::vector<double> faces;
  if (kind == "table") {
    faces = table_faces(spacing, cells, lower, upper);
  } else {
    faces = kind == "tanh" ? tanh_places(spacing, cells) : geometric_places(spacing, cells);
    for (double& face : faces) face = std::fma(face, upper - lower, lower);
    faces.back() = upper;
  }
  check_widths(faces);
  return faces;
}

}  // namespace halfstep
