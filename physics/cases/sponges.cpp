#include "physics/cases/sponges.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "physics/base/short_text.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/shapes.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {
namespace {

constexpr int kEdgePoints = 32;  // per axis of a cell that an edge cuts

Parameter field(const std::string& name, const std::string& meaning, const Range& range) {
  Parameter parameter{name, FieldValue{1}, "", meaning + ", a number or an expression in x, y and z", range};
  parameter.required = true;
  return parameter;
}

std::vector<std::unique_ptr<Shape>> only(std::unique_ptr<Shape> shape) {
  std::vector<std::unique_ptr<Shape>> all;
  all.push_back(std::move(shape));
  return all;
}

/// Returns the values of a sponge with what a state has besides: no fractions, because they stay.
Values without_fractions(Values values) {
  values.set("target.reactant", FieldValue{});
  values.set("target.second_gas", FieldValue{});
  values.set("target.scalars", NamedFields{});
  return values;
}

bool has_sound_rate(const Relaxation& own) { return own.rate >= 0 && std::isfinite(own.rate); }

/// Adds the effect of another sponge on the same cell.
void add(Relaxation& sum, const Relaxation& own) {
  if (own.rate == 0) return;
  const double rate = sum.rate + own.rate;
  sum = {rate, sum.rate == 0 ? own.target : sum.target + (own.rate / rate) * (own.target - sum.target)};
}

}  // namespace

std::vector<ItemKind> sponge_kinds() {
  std::vector<ItemKind> kinds = shape_kinds();
  for (ItemKind& kind : kinds) {
    kind.parameters.push_back(field("rate", "rate of the relaxation, 1 / time", at_least(0)));
    kind.parameters.push_back(field("target.density", "density that the gas relaxes to", positive()));
    kind.parameters.push_back({"target.velocity", std::vector<FieldValue>(3), "",
                               "velocity (x, y, z) that it relaxes to, numbers or expressions"});
    kind.parameters.push_back(field("target.pressure", "pressure that it relaxes to", positive()));
  }
  return kinds;
}

Sponge::Sponge(const Values& values, const NamedNumbers& names, const Mesh& mesh, const IdealGas<double>& gas)
    : active_{mesh.active(0), mesh.active(1), mesh.active(2)},
      parts_(mesh, only(make_shape(values, mesh)), kEdgePoints),
      rate_(values.get<FieldValue>("rate").number),
      target_(without_fractions(values), "target.", names, {gas}) {
  const std::string& expression = values.get<FieldValue>("rate").expression;
  if (!expression.empty()) rate_expression_.emplace(expression, names);
  for (int axis = 0; axis < 3; ++axis) {
    rate_varies_[axis] = active_[axis] && rate_expression_ && rate_expression_->depends_on(axis);
    target_varies_[axis] = active_[axis] && target_.depends_on(axis);
  }
}

Relaxation Sponge::in(const Box& cell) const {
  static const GaussRule fine = gauss_rule(3), middle = gauss_rule(1);
  const auto mean = [&](const CellPart& part) -> Relaxation {
    const GaussRule& rule = part.cut_small ? middle : fine;
    return {rate_expression_ ? box_average(rule, part.box, rate_varies_, *rate_expression_) : rate_,
            box_average(rule, part.box, target_varies_, [&](const Point& x) { return target_.at(x); })};
  };
  const int region = parts_.region_of(cell);
  if (region == 0) return mean({region, cell, 1, false});
  if (region != CellParts::kCut) return {};
  double share = 0;
  Relaxation sum;
  parts_.for_parts(cell, [&](const CellPart& part) {
    if (part.region != 0) return;
    const Relaxation own = mean(part);
    share += part.share;
    sum = {sum.rate + part.share * own.rate,
           share == part.share ? own.target : sum.target + (part.share / share) * (own.target - sum.target)};
  });
  return sum;
}

bool SpongesInMesh::is_touched(const Box& cell) const {
  return std::any_of(sponges_.begin(), sponges_.end(),
                     [&](const Sponge& sponge) { return sponge.touches(cell); });
}

std::vector<std::int64_t> SpongesInMesh::count_by_row() const {
  const std::int64_t rows = std::int64_t{mesh_.cells[1]} * mesh_.cells[2];
  std::vector<std::int64_t> counts(static_cast<std::size_t>(rows));
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t row = 0; row < rows; ++row) {
    const int j = static_cast<int>(row % mesh_.cells[1]), k = static_cast<int>(row / mesh_.cells[1]);
    std::int64_t count = 0;
    for (int i = 0; i < mesh_.cells[0]; ++i) count += is_touched(mesh_.cell(i, j, k));
    counts[static_cast<std::size_t>(row)] = count;
  }
  return counts;
}

std::int64_t SpongesInMesh::count() const {
  const std::vector<std::int64_t> counts = count_by_row();
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<SpongeCell> SpongesInMesh::cells() const {
  std::vector<std::int64_t> ends = count_by_row();
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<SpongeCell> all(static_cast<std::size_t>(ends.back()));
  std::int64_t first_bad = mesh_.cell_count();
#pragma omp parallel for schedule(dynamic) reduction(min : first_bad)
  for (std::int64_t row = 0; row < std::ssize(ends); ++row) {
    const int j = static_cast<int>(row % mesh_.cells[1]), k = static_cast<int>(row / mesh_.cells[1]);
    std::int64_t n = row == 0 ? 0 : ends[static_cast<std::size_t>(row - 1)];
    for (int i = 0; i < mesh_.cells[0]; ++i) {
      const Box cell = mesh_.cell(i, j, k);
      if (!is_touched(cell)) continue;
      Relaxation sum;
      for (const Sponge& sponge : sponges_) {
        const Relaxation own = sponge.in(cell);
        if (!is_sound(own)) first_bad = std::min(first_bad, row * mesh_.cells[0] + i);
        add(sum, own);
      }
      all[static_cast<std::size_t>(n++)] = {i, j, k, sum.rate, sum.target};
    }
  }
  if (first_bad < mesh_.cell_count()) refuse(first_bad);
  std::erase_if(all, [](const SpongeCell& cell) { return cell.rate == 0; });
  return all;
}

void SpongesInMesh::refuse(std::int64_t number) const {
  const std::int64_t row = number / mesh_.cells[0];
  const Box cell = mesh_.cell(static_cast<int>(number % mesh_.cells[0]),
                              static_cast<int>(row % mesh_.cells[1]), static_cast<int>(row / mesh_.cells[1]));
  for (std::size_t n = 0; n < sponges_.size(); ++n) {
    const Relaxation own = sponges_[n].in(cell);
    if (is_sound(own)) continue;
    const std::string sponge = "'sponges[" + std::to_string(n) + "]";
    const std::string what = has_sound_rate(own) ? sponge + ".target' is no admissible state in " +
                                                       (is_single_ ? "single" : "double") + " precision"
                                                 : sponge + ".rate' is " + short_text(own.rate);
    throw std::invalid_argument(what + " at (" + short_text(cell.center(0)) + ", " +
                                short_text(cell.center(1)) + ", " + short_text(cell.center(2)) + ")");
  }
  throw std::logic_error("the sponges are sound");
}

bool SpongesInMesh::is_sound(const Relaxation& own) const {
  if (!has_sound_rate(own)) return false;
  const Conserved<double>& c = own.target;
  const Conserved<float> single = {float(c.density), float(c.mu), float(c.mv), float(c.mw), float(c.energy)};
  return own.rate == 0 || (is_admissible(c, IdealGas<double>{gamma_}) &&
                           (!is_single_ || is_admissible(single, IdealGas<float>{float(gamma_)})));
}

}  // namespace halfstep
