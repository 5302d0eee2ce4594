#include "physics/solver/state_survey.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "physics/base/classify.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/fraction.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/solver/over_ranks.hpp"

namespace halfstep {

namespace {

template <class Real>
HeldPressure held_by(const Conserved<double>& c, const IdealGas<double>& exact) {
  const double pressure = to_primitive(c, exact).pressure, internal = internal_energy(pressure, exact);
  const Conserved<Real> rounded{Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
  const Conserved<double> again{rounded.density, rounded.mu, rounded.mv, rounded.mw, rounded.energy};
  const IdealGas<Real> gas{Real(exact.gamma)};
  const bool positive = positive_and_finite(rounded.density) &&
                        positive_and_finite(to_primitive(rounded, gas).pressure) &&
                        to_primitive(again, exact).pressure > 0;
  const double twice_epsilon = 2 * double(std::numeric_limits<Real>::epsilon());
  return {{},       c.density,
          pressure, positive ? twice_epsilon * c.energy / internal : std::numeric_limits<double>::infinity(),
          positive, is_admissible(rounded, gas)};
}

bool holds_better(const HeldPressure& a, const HeldPressure& b) {
  return std::tuple(!a.positive, !a.admissible, a.uncertainty) <
         std::tuple(!b.positive, !b.admissible, b.uncertainty);
}

/// Whether the cell comes before the other in the order of cells.
bool is_before(const std::array<int, 3>& cell, const std::array<int, 3>& other) {
  return std::tuple(cell[2], cell[1], cell[0]) < std::tuple(other[2], other[1], other[0]);
}

/// Keeps the worse one; the first of equal ones, whatever the order in which ranks find them.
void keep_worse(HeldPressure& worst, const HeldPressure& other) {
  const bool is_worse = holds_better(worst, other), is_better = holds_better(other, worst);
  if (is_worse || (!is_better && is_before(other.cell, worst.cell))) worst = other;
}

void merge(StateSurvey& all, const StateSurvey& row) {
  all.least_density = std::min(all.least_density, row.least_density);
  all.largest_density = std::max(all.largest_density, row.largest_density);
  keep_worse(all.inside, row.inside);
  keep_worse(all.let_in, row.let_in);
  if (row.bad_fraction && (!all.bad_fraction || is_before(row.bad_fraction->cell, all.bad_fraction->cell)))
    all.bad_fraction = row.bad_fraction;
}

/// Whether the ghost cell lies beyond one side alone. No Riemann problem reads the others.
bool is_beyond_one_side(const Layout& layout, const std::array<int, 3>& cell) {
  int sides = 0;
  for (int axis = 0; axis < 3; ++axis) sides += cell[axis] < 0 || cell[axis] >= layout.cells[axis];
  return sides == 1;
}

GhostSource source_of(const BoundaryConditions<double>& rules, const std::array<int, 3>& cell) {
  int at[3];
  bool mirrored[3];
  return ghost_source(rules, cell[0], cell[1], cell[2], at, mirrored);
}

/// Returns the gas in a cell whose values are at `n`, or beyond a side that prescribes its state.
IdealGas<double> gas_of(const BoundaryConditions<double>& rules, GhostSource source,
                        const std::array<int, 3>& cell, const RowPointers& values, std::int64_t n,
                        double time) {
  if (!rules.layout.two_gases) return rules.gases.first;
  if (source != GhostSource::prescribed) return rules.gases.mixed(values[rules.layout.fields - 1][n]);
  double x[3];
  find_centre(rules, cell[0], cell[1], cell[2], x);
  return prescribed_gas(rules, prescribing_side(rules, cell[0], cell[1], cell[2]), x, time);
}

/// Finds the first scalar of the values at `n` that is no mass fraction.
std::optional<BadFraction> bad_fraction(const Layout& layout, const RowPointers& values, std::int64_t n) {
  for (int s = 0; s < layout.scalars(); ++s)
    if (const double y = values[kFields + s][n] / values[0][n]; !is_fraction(y)) return BadFraction{{}, s, y};
  if (layout.two_gases)
    if (const double z = values[layout.fields - 1][n]; !is_fraction(z))
      return BadFraction{{}, layout.scalars(), z};
  return std::nullopt;
}

}  // namespace

void SurveyedRows::get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) {
  state_.get(layout, first, count, to);
  const ExtendedRows rows(layout);
  const BoundaryConditions<double> rules(layout, problem_.mesh, problem_.boundary, problem_.dirichlet,
                                         problem_.gases());
  const auto in_whole = [&](const std::array<int, 3>& cell) {
    return problem_.mesh.in_whole(cell[0], cell[1], cell[2]);
  };
  const auto held =
      problem_.scheme.precision == Precision::single_precision ? held_by<float> : held_by<double>;
  std::vector<StateSurvey> surveys(static_cast<std::size_t>(count));
#pragma omp parallel for
  for (std::int64_t n = 0; n < count; ++n)
    for (std::int64_t x = 0; x < rows.length; ++x) {
      const std::array<int, 3> cell = {static_cast<int>(x) - rows.ghosts[0], rows.j(first + n),
                                       rows.k(first + n)};
      const bool inside = layout.holds(cell[0], cell[1], cell[2]);
      const GhostSource source = source_of(rules, cell);
      if (!inside && source == GhostSource::cell) continue;
      const std::int64_t at = n * rows.length + x;
      const Conserved<double> c =
          source == GhostSource::prescribed
              ? prescribed_state(rules, cell[0], cell[1], cell[2], time_)
              : Conserved<double>{to[0][at], to[1][at], to[2][at], to[3][at], to[4][at]};
      HeldPressure own = held(c, gas_of(rules, source, cell, to, at, time_));
      own.cell = in_whole(cell);
      StateSurvey& survey = surveys[static_cast<std::size_t>(n)];
      keep_worse(inside ? survey.inside : survey.let_in, own);
      if (source == GhostSource::held && is_beyond_one_side(layout, cell) && !survey.bad_fraction)
        if ((survey.bad_fraction = bad_fraction(layout, to, at))) survey.bad_fraction->cell = in_whole(cell);
      if (!inside) continue;
      survey.least_density = std::min(survey.least_density, c.density);
      survey.largest_density = std::max(survey.largest_density, c.density);
    }
  for (const StateSurvey& row : surveys) merge(survey_, row);
}

namespace {

/// The rows of a block and the problem of that block, surveyed.
class SurveyedBlock final : public StateRows {
 public:
  SurveyedBlock(std::unique_ptr<StateRows> rows, Problem problem, double time)
      : rows_(std::move(rows)), problem_(std::move(problem)), surveyed_(*rows_, problem_, time) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override {
    surveyed_.get(layout, first, count, to);
  }
  std::span<const std::byte> found() const override { return surveyed_.found(); }

 private:
  std::unique_ptr<StateRows> rows_;
  Problem problem_;
  SurveyedRows surveyed_;
};

}  // namespace

std::unique_ptr<StateRows> SurveyedRows::of_block(const Split& split) const {
  std::unique_ptr<StateRows> rows = state_.of_block(split);
  if (!rows) return nullptr;
  return std::make_unique<SurveyedBlock>(std::move(rows), block_of(problem_, split), time_);
}

void SurveyedRows::add_found(std::span<const std::byte> survey) {
  StateSurvey other;
  if (survey.size() != sizeof other) throw std::logic_error("what a rank found in its rows is no survey");
  std::memcpy(&other, survey.data(), sizeof other);
  merge(survey_, other);
}

}  // namespace halfstep
