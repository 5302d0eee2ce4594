#include "app/output/running_averages.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "app/output/cell_values.hpp"

namespace halfstep {
namespace {

AveragesRequest averages_of(const OutputRequest& request, const Problem& problem) {
  AveragesRequest all;
  for (const FlowField field : request.fields) all.fields[all.field_count++] = field;
  if (request.mass_fractions) all.fractions = static_cast<int>(problem.scalars.size());
  all.covariances = request.covariances;
  return all;
}

/// Calls f(first, second) for the pairs of fields whose products are summed, in their order.
template <class F>
void for_products(const AveragesRequest& request, F f) {
  for (int first = 0; first < request.means(); ++first)
    for (int second = first; second < (request.covariances ? request.means() : first + 1); ++second)
      f(first, second);
}

}  // namespace

RunningAverages::RunningAverages(Solver& solver, const Problem& problem, const OutputRequest& request,
                                 double begin)
    : fields_(field_names(request, problem)),
      request_(averages_of(request, problem)),
      cells_(static_cast<std::size_t>(problem.mesh.cell_count())),
      averages_(solver.time_averages(request_)),
      sample_steps_(request.sample_steps),
      time_(begin) {
  period_ = sample_steps_ * ((averages_->states() - 1) / sample_steps_ + 1);
}

std::vector<std::string> RunningAverages::names() const {
  std::vector<std::string> names;
  for (const std::string& field : fields_) names.push_back(field + "_mean");
  for_products(request_, [&](int first, int second) {
    names.push_back(first == second ? fields_[first] + "_rms"
                                    : fields_[first] + "_" + fields_[second] + "_covariance");
  });
  return names;
}

void RunningAverages::accepted(const StepState& state) {
  step_ = state.step;
  if (state.step % sample_steps_ != 0 || state.time <= time_) return;
  const double weight = state.time - time_;
  time_ = state.time;
  weight_ += weight;
  const double share = weight / weight_;
  noted_.push_back({state.step, share, weight * (1 - share)});
}

void RunningAverages::take_in() {
  if (noted_.empty()) return;
  WeightedStates states;
  for (const Noted& state : noted_) {
    const int n = states.count++;
    states.age[n] = static_cast<int>(step_ - state.step);
    states.share[n] = state.share;
    states.rest[n] = state.rest;
  }
  averages_->take_in(states);
  noted_.clear();
}

std::vector<double> RunningAverages::numbers() {
  take_in();
  std::vector<double> numbers = averages_->sums();
  numbers.insert(numbers.begin(), weight_);
  numbers.push_back(time_);
  return numbers;
}

std::vector<std::vector<double>> RunningAverages::results(const std::vector<double>& numbers) const {
  std::vector<std::vector<double>> all;
  const auto sum = [&](int n) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(1 + n * cells_);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(cells_));
  };
  for (int field = 0; field < request_.means(); ++field) all.push_back(sum(field));
  for_products(request_, [&](int first, int second) {
    std::vector<double>& products = all.emplace_back(sum(request_.means() + request_.product(first, second)));
    for (double& product : products) {
      product /= numbers.front();
      if (first == second) product = std::sqrt(product);
    }
  });
  return all;
}

void RunningAverages::restore(std::vector<double> numbers) {
  if (numbers.size() != 2 + static_cast<std::size_t>(request_.sums()) * cells_) return;
  weight_ = numbers.front();
  time_ = numbers.back();
  numbers.pop_back();
  numbers.erase(numbers.begin());
  averages_->set_sums(numbers);
}

}  // namespace halfstep
