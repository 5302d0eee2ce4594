#include "app/output/running_averages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfstep {
namespace {

/// Cell count below which threads cost more than they save.
constexpr std::size_t kManyCells = 100'000;

/// Calls f(first, second, n) for each pair of fields whose product is summed: n counts the pairs.
template <class F>
void for_pairs(std::size_t fields, bool covariances, F f) {
  std::size_t n = 0;
  for (std::size_t first = 0; first < fields; ++first)
    for (std::size_t second = first; second < (covariances ? fields : first + 1); ++second)
      f(first, second, n++);
}

}  // namespace

RunningAverages::RunningAverages(std::vector<std::string> fields, std::size_t cells, bool covariances)
    : fields_(std::move(fields)),
      cells_(cells),
      covariances_(covariances),
      kept_(1 + (fields_.size() + pairs()) * cells_) {}

std::size_t RunningAverages::pairs() const {
  return covariances_ ? fields_.size() * (fields_.size() + 1) / 2 : fields_.size();
}

std::vector<std::string> RunningAverages::names() const {
  std::vector<std::string> names;
  for (const std::string& field : fields_) names.push_back(field + "_mean");
  for_pairs(fields_.size(), covariances_, [&](std::size_t first, std::size_t second, std::size_t) {
    names.push_back(first == second ? fields_[first] + "_rms"
                                    : fields_[first] + "_" + fields_[second] + "_covariance");
  });
  return names;
}

void RunningAverages::add(double weight, const std::vector<std::vector<double>>& values) {
  kept_.front() += weight;
  const double share = weight / kept_.front();
  double *const means = kept_.data() + 1, *const products = means + fields_.size() * cells_;
#pragma omp parallel for if (cells_ > kManyCells)
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    for_pairs(fields_.size(), covariances_, [&](std::size_t first, std::size_t second, std::size_t n) {
      const double a = values[first][cell] - means[first * cells_ + cell],
                   b = values[second][cell] - means[second * cells_ + cell];
      products[n * cells_ + cell] += weight * (1 - share) * a * b;
    });
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      double& mean = means[f * cells_ + cell];
      mean += share * (values[f][cell] - mean);
    }
  }
}

std::vector<std::vector<double>> RunningAverages::results(const std::vector<double>& numbers) const {
  std::vector<std::vector<double>> all;
  const auto field = [&](std::size_t n) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(1 + n * cells_);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(cells_));
  };
  for (std::size_t f = 0; f < fields_.size(); ++f) all.push_back(field(f));
  for_pairs(fields_.size(), covariances_, [&](std::size_t first, std::size_t second, std::size_t n) {
    std::vector<double>& products = all.emplace_back(field(fields_.size() + n));
    for (double& product : products) {
      product /= numbers.front();
      if (first == second) product = std::sqrt(product);
    }
  });
  return all;
}

bool RunningAverages::restore(const std::vector<double>& numbers) {
  if (numbers.size() != kept_.size()) return false;
  kept_ = numbers;
  return true;
}

}  // namespace halfstep
