#include "physics/cases/sponges.hpp"

#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/shapes.hpp"

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

/// Returns the values of a sponge with what a state has besides: no reactant, because mass fractions stay.
Values without_reactant(Values values) {
  values.set("target.reactant", FieldValue{});
  return values;
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
      target_(without_reactant(values), "target.", names, gas) {
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

std::vector<SpongeCell> cells_in(const std::vector<Sponge>& sponges, const Mesh& mesh) {
  std::vector<SpongeCell> all;
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        Relaxation sum;
        for (const Sponge& sponge : sponges) {
          const Relaxation own = sponge.in(mesh.cell(i, j, k));
          if (own.rate == 0) continue;
          const double rate = sum.rate + own.rate;
          sum = {rate,
                 sum.rate == 0 ? own.target : sum.target + (own.rate / rate) * (own.target - sum.target)};
        }
        if (sum.rate != 0) all.push_back({i, j, k, sum.rate, sum.target});
      }
  return all;
}

}  // namespace halfstep
