// Averages over time of fields of cells: means, and the variances or all covariances about them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halfstep {

/// Takes a state in at once and keeps no states: the weighted update of West (1979, Commun. ACM 22, 532),
/// which cancels no digits. The same states with the same weights give the same bits.
class RunningAverages {
 public:
  /// `fields`: their names. `covariances`: of each pair of fields, beside the variances.
  RunningAverages(std::vector<std::string> fields, std::size_t cells, bool covariances);

  /// Returns the names of the results: FIELD_mean of each field, FIELD_rms, and FIELD_OTHER_covariance.
  std::vector<std::string> names() const;
  /// Takes in a state, field by field, each in the order of the cells.
  void add(double weight, const std::vector<std::vector<double>>& values);
  /// Returns the sum of the weights.
  double weight() const { return kept_.front(); }

  /// Returns the results in the order of names(), from the numbers that numbers() returned.
  std::vector<std::vector<double>> results(const std::vector<double>& numbers) const;
  /// Returns all that an object continues from.
  const std::vector<double>& numbers() const { return kept_; }
  /// Continues from such numbers. Returns false, and begins anew, where they are those of others.
  bool restore(const std::vector<double>& numbers);

 private:
  std::size_t pairs() const;

  std::vector<std::string> fields_;
  std::size_t cells_;
  bool covariances_;
  std::vector<double> kept_;  // the weight; means by field; sums of squares and products by pair
};

}  // namespace halfstep
