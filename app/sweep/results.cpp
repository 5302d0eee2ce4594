#include "app/sweep/results.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "physics/accuracy/convergence.hpp"

namespace halfstep {

namespace {

bool is_of_mesh(const SweepAxis& axis) {
  return axis.key == "mesh.cells" || axis.key.starts_with("mesh.cells.");
}

/// Returns a swept value as the number that it is, or as text.
Cell swept_value(const std::string& word) {
  const char* const end = word.data() + word.size();
  std::int64_t whole = 0;
  if (std::from_chars(word.data(), end, whole).ptr == end) return whole;
  double number = 0;
  if (std::from_chars(word.data(), end, number).ptr == end) return number;
  return word;
}

/// Returns a number of the summary, or a missing figure.
template <class Number>
Cell figure(const SweepResult& result, const char* key) {
  if (!result.summary) return {std::monostate()};
  return result.summary->at(key).get<Number>();
}

/// Returns the L1 norm of the error of a field, or a missing figure.
Cell l1_error(const SweepResult& result, const std::string& field) {
  if (!result.summary || !result.summary->contains("verdict")) return {std::monostate()};
  const Json& verdict = result.summary->at("verdict");
  if (!verdict.contains(field) || !verdict.at(field).at("l1").is_number()) return {std::monostate()};
  return verdict.at(field).at("l1").get<double>();
}

/// Returns how much finer the mesh of `fine` is, along the axis where it is most so.
double refinement(const SweepResult& coarse, const SweepResult& fine) {
  double most = 0;
  for (int axis = 0; axis < 3; ++axis) most = std::max(most, double(fine.cells[axis]) / coarse.cells[axis]);
  return most;
}

/// Whether two runs differ in nothing but their mesh.
bool alike(const std::vector<SweepAxis>& axes, const SweepResult& a, const SweepResult& b) {
  for (std::size_t n = 0; n < axes.size(); ++n)
    if (!is_of_mesh(axes[n]) && a.values[n] != b.values[n]) return false;
  return true;
}

/// Returns the run of the next coarser mesh that is otherwise alike, or nullptr.
const SweepResult* next_coarser(const std::vector<SweepAxis>& axes, const std::vector<SweepResult>& results,
                                const SweepResult& fine) {
  const SweepResult* next = nullptr;
  for (const SweepResult& other : results) {
    const bool is_coarser =
        alike(axes, other, fine) && refinement(other, fine) > 1 && refinement(fine, other) <= 1;
    if (is_coarser && (!next || refinement(other, fine) < refinement(*next, fine))) next = &other;
  }
  return next;
}

Cell order(const std::vector<SweepAxis>& axes, const std::vector<SweepResult>& results,
           const SweepResult& fine, const std::string& field) {
  const SweepResult* const coarse = next_coarser(axes, results, fine);
  if (!coarse || !coarse->summary || !fine.summary) return std::monostate();
  if (coarse->summary->at("time") != fine.summary->at("time")) return std::monostate();  // one was stopped
  const Cell before = l1_error(*coarse, field), after = l1_error(fine, field);
  const double *const b = std::get_if<double>(&before), *const a = std::get_if<double>(&after);
  if (!a || !b || *a <= 0 || *b <= 0) return std::monostate();
  return observed_order(*b, *a, refinement(*coarse, fine));
}

/// Returns the fields with error norms in any run.
std::vector<std::string> judged_fields(const std::vector<SweepResult>& results) {
  for (const SweepResult& result : results)
    if (result.summary && result.summary->contains("verdict")) {
      std::vector<std::string> fields;
      for (const auto& [field, norms] : result.summary->at("verdict").items()) fields.push_back(field);
      return fields;
    }
  return {};
}

}  // namespace

Table sweep_table(const std::vector<SweepAxis>& axes, const std::vector<SweepResult>& results) {
  Table table{.title = "\nWhat the runs gave", .columns = {}, .rows = {}, .notes = {}};
  for (const SweepAxis& axis : axes) table.columns.push_back(axis.key);
  for (const char* column : {"status", "steps", "rejections", "seconds"}) table.columns.push_back(column);
  const std::vector<std::string> fields = judged_fields(results);
  for (const std::string& field : fields) table.columns.push_back("L1 " + field);
  const bool has_orders = !fields.empty() && std::any_of(axes.begin(), axes.end(), is_of_mesh);
  if (has_orders) table.columns.push_back("order " + fields.front());

  for (const SweepResult& result : results) {
    std::vector<Cell> row;
    for (const std::string& value : result.values) row.push_back(swept_value(value));
    row.push_back(result.status);
    for (const char* key : {"steps", "rejections"}) row.push_back(figure<std::int64_t>(result, key));
    row.push_back(figure<double>(result, "wall_seconds"));
    for (const std::string& field : fields) row.push_back(l1_error(result, field));
    if (has_orders) row.push_back(order(axes, results, result, fields.front()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace halfstep
