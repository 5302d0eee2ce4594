#include "app/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "app/deck/deck.hpp"
#include "app/output/mesh_faces.hpp"

namespace halfstep {
namespace {

std::string mesh_text(const Mesh& mesh) {
  return fmt::format("{} x {} x {} cells from ({}) to ({})", mesh.cells[0], mesh.cells[1], mesh.cells[2],
                     fmt::join(mesh.lower, ", "), fmt::join(mesh.upper, ", "));
}

/// Returns how two meshes differ. Where cells and ends are the same, it is a face.
std::string mesh_difference(const Mesh& a, const Mesh& b) {
  if (const std::string in_a = mesh_text(a), in_b = mesh_text(b); in_a != in_b)
    return fmt::format("the meshes differ: {} in A, {} in B", in_a, in_b);
  for (int axis = 0; axis < 3; ++axis)
    for (int n = 0; n <= a.cells[axis]; ++n)
      if (const double x = a.face(axis, n), y = b.face(axis, n); x != y)
        return fmt::format("the meshes differ: face {0} along {1} is at {2} in A, {3} in B", n, "xyz"[axis],
                           x, y);
  return "the meshes differ";
}

/// Returns a value with all its digits.
std::string value_text(const Quantity& quantity, std::size_t value) {
  const auto width = static_cast<std::size_t>(quantity.components);
  const auto first = quantity.values.begin() + static_cast<std::ptrdiff_t>(value * width);
  std::vector<std::string> numbers;
  std::transform(first, first + quantity.components, std::back_inserter(numbers),
                 [](double x) { return fmt::format("{}", x); });
  return width == 1 ? numbers[0] : fmt::format("({})", fmt::join(numbers, ", "));
}

/// Returns the labels of `all` that `others` lacks, as a sentence; "" if there are none.
std::string only_in(const char* side, const std::vector<std::string>& all,
                    const std::unordered_map<std::string, std::size_t>& others) {
  std::size_t count = 0;
  std::string first;
  for (const std::string& label : all)
    if (!others.contains(label) && count++ == 0) first = label;
  return count == 0
             ? ""
             : fmt::format("{} row{} only in {}, the first: {}", count, count == 1 ? "" : "s", side, first);
}

/// Returns the rows of `all` numbered in `keep`.
Contents with_rows(const Contents& all, const std::vector<std::size_t>& keep) {
  Contents some = all;
  some.rows.clear();
  for (const std::size_t row : keep) some.rows.push_back(all.rows[row]);
  for (std::size_t q = 0; q < all.quantities.size(); ++q) {
    some.quantities[q].values.clear();
    for (const std::size_t row : keep) some.quantities[q].values.push_back(all.quantities[q].values[row]);
  }
  return some;
}

void compare_quantities(const Contents& a, const Contents& b, const Tolerance& tolerance,
                        Comparison& result) {
  const auto named = [](const Contents& contents, const std::string& name) {
    return std::find_if(contents.quantities.begin(), contents.quantities.end(),
                        [&](const Quantity& q) { return q.name == name; });
  };
  for (const Quantity& x : a.quantities) {
    const auto y = named(b, x.name);
    if (y == b.quantities.end()) {
      result.problems.push_back(x.name + " is only in A");
      continue;
    }
    if (x.components != y->components || x.values.size() != y->values.size()) {
      result.problems.push_back(x.name + " has another number of components or values in B");
      continue;
    }
    QuantityComparison one{.name = x.name,
                           .values = x.values.size() / static_cast<std::size_t>(x.components),
                           .difference = difference(x.values, y->values, x.components, tolerance),
                           .worst = {}};
    const Difference& d = one.difference;
    if (!d.same_bits) {
      const std::string place = a.place(x, d.worst);
      one.worst = fmt::format("{}{}A {}, B {}", place, place.empty() ? "" : ": ", value_text(x, d.worst),
                              value_text(*y, d.worst));
    }
    if (d.both_nan > 0) {
      const std::string place = a.place(x, d.first_nan);
      result.remarks.push_back(fmt::format("{} is NaN in both in {} place{}{}{}", x.name, d.both_nan,
                                           d.both_nan == 1 ? "" : "s", place.empty() ? "" : ", first ",
                                           place));
    }
    result.quantities.push_back(std::move(one));
  }
  for (const Quantity& y : b.quantities)
    if (named(a, y.name) == a.quantities.end()) result.problems.push_back(y.name + " is only in B");
}

void compare_rows(const Contents& a, const Contents& b, const Tolerance& tolerance, Comparison& result) {
  std::unordered_map<std::string, std::size_t> rows_of_a, rows_of_b;
  for (std::size_t n = 0; n < a.rows.size(); ++n) rows_of_a.emplace(a.rows[n], n);
  for (std::size_t n = 0; n < b.rows.size(); ++n) rows_of_b.emplace(b.rows[n], n);
  for (const std::string& problem : {only_in("A", a.rows, rows_of_b), only_in("B", b.rows, rows_of_a)})
    if (!problem.empty()) result.problems.push_back(problem);
  std::vector<std::size_t> keep_a, keep_b;
  for (std::size_t n = 0; n < a.rows.size(); ++n)
    if (const auto at = rows_of_b.find(a.rows[n]); at != rows_of_b.end()) {
      keep_a.push_back(n);
      keep_b.push_back(at->second);
    }
  compare_quantities(with_rows(a, keep_a), with_rows(b, keep_b), tolerance, result);
}

}  // namespace

std::string_view name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::identical:
      return "identical";
    case Agreement::within_tolerance:
      return "equal within the tolerance";
    case Agreement::different:
      return "different";
  }
  return "?";
}

Agreement Comparison::agreement() const {
  if (!problems.empty()) return Agreement::different;
  Agreement all = Agreement::identical;
  for (const QuantityComparison& q : quantities) {
    if (q.difference.count > 0) return Agreement::different;
    if (!q.difference.same_bits) all = Agreement::within_tolerance;
  }
  return all;
}

std::vector<std::string> deck_remarks(const std::string& deck_a, const std::string& deck_b) {
  if (deck_a == deck_b) return {};
  std::vector<std::string> remarks;
  try {
    const auto a = parse_deck(deck_a, "the deck of A").values, b = parse_deck(deck_b, "the deck of B").values;
    const auto find = [](const auto& values, const std::string& key) {
      const auto at =
          std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == key; });
      return at == values.end() ? std::string("not there") : at->second;
    };
    for (const auto& [key, value] : a)
      if (const std::string other = find(b, key); other != value && key != "output.directory")
        remarks.push_back(fmt::format("deck: {} is {} in A, {} in B", key, value, other));
    for (const auto& [key, value] : b)
      if (find(a, key) == "not there")
        remarks.push_back(fmt::format("deck: {} is {} in B alone", key, value));
  } catch (const DeckError&) {
    remarks.emplace_back("deck: the two differ, and this program cannot read both");
  }
  return remarks;
}

Comparison compare(const Contents& a, const Contents& b, const Tolerance& tolerance) {
  Comparison result;
  for (std::size_t n = 0; n < a.remarks.size(); ++n)
    if (a.remarks[n].second != b.remarks[n].second)
      result.remarks.push_back(fmt::format("{} is {} in A, {} in B", a.remarks[n].first, a.remarks[n].second,
                                           b.remarks[n].second));
  for (std::string& remark : deck_remarks(a.deck, b.deck)) result.remarks.push_back(std::move(remark));
  if (a.mesh && !same_mesh(*a.mesh, *b.mesh))
    result.problems.push_back(mesh_difference(*a.mesh, *b.mesh));
  else if (!a.mesh && a.rows != b.rows)
    compare_rows(a, b, tolerance, result);
  else
    compare_quantities(a, b, tolerance, result);
  return result;
}

std::string comparison_text(const Comparison& comparison, const std::string& indent) {
  std::size_t width = 0;
  for (const QuantityComparison& q : comparison.quantities) width = std::max(width, q.name.size());
  std::string text;
  for (const QuantityComparison& q : comparison.quantities) {
    const Difference& d = q.difference;
    if (d.same_bits) continue;
    if (text.empty())
      text = fmt::format("{0}{1:<{2}}  {3:>10}  {4:>10}  {5:>10}  {6:>10}  {7:>10}  {8}\n", indent, "", width,
                         "L1", "L2", "Linf", "largest", "allowed", "beyond it");
    text += fmt::format("{0}{1:<{2}}  {3:10.3e}  {4:10.3e}  {5:10.3e}  {6:10.3e}  {7:10.3e}  {8} of {9}\n",
                        indent, q.name, width, d.norms.l1, d.norms.l2, d.norms.linf, d.largest, d.allowed,
                        d.count, q.values);
    text += fmt::format("{}{:<{}}  worst {}\n", indent, "", width, q.worst);
  }
  for (const std::string& problem : comparison.problems) text += indent + "different: " + problem + '\n';
  for (const std::string& remark : comparison.remarks) text += indent + "remark: " + remark + '\n';
  return text;
}

}  // namespace halfstep
