// Averages over time of several ranks: each has those of its block, the first one gathers them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "physics/ranks/calls.hpp"
#include "physics/solver/time_averages.hpp"
#include "runtime/exchange/decomposition.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep {

class RankedAverages final : public TimeAverages {
 public:
  /// `tell`: tells the other ranks of a call to the averages of that number.
  RankedAverages(std::unique_ptr<TimeAverages> own, const exchange::Decomposition& cut,
                 const exchange::Ranks& ranks, int sums, std::function<void(Call)> tell)
      : own_(std::move(own)), cut_(cut), ranks_(ranks), sums_(sums), tell_(std::move(tell)) {}

  int states() const override { return own_->states(); }
  void take_in(const WeightedStates& states) override {
    tell_({.of = Call::Of::take_in, .states = states});
    own_->take_in(states);
  }
  std::vector<double> sums() override {
    tell_({.of = Call::Of::get_sums});
    std::vector<double> all(static_cast<std::size_t>(sums_ * cells()));
    for (int rank = 0; rank < cut_.size(); ++rank) {
      std::vector<double> block = rank == 0 ? own_->sums() : std::vector<double>(size_of(rank));
      if (rank > 0) ranks_.receive(block.data(), block.size() * sizeof(double), rank);
      for_rows(rank, [&](std::int64_t of_all, std::int64_t of_block, int count) {
        std::copy_n(block.begin() + of_block, count, all.begin() + of_all);
      });
    }
    return all;
  }
  void set_sums(const std::vector<double>& all) override {
    tell_({.of = Call::Of::set_sums});
    for (int rank = 0; rank < cut_.size(); ++rank) {
      std::vector<double> block(size_of(rank));
      for_rows(rank, [&](std::int64_t of_all, std::int64_t of_block, int count) {
        std::copy_n(all.begin() + of_all, count, block.begin() + of_block);
      });
      if (rank == 0)
        own_->set_sums(block);
      else
        ranks_.send(block.data(), block.size() * sizeof(double), rank);
    }
  }

 private:
  std::int64_t cells() const { return std::int64_t{cut_.cells[0]} * cut_.cells[1] * cut_.cells[2]; }
  std::size_t size_of(int rank) const { return static_cast<std::size_t>(sums_ * cut_.block(rank).count()); }

  /// Calls f(all, block, count) with the places of the rows of a rank's block.
  template <class F>
  void for_rows(int rank, F f) const {
    const exchange::Block block = cut_.block(rank);
    for (int n = 0; n < sums_; ++n)
      exchange::for_rows(cut_.cells, block, [&](std::int64_t of_all, std::int64_t of_block, int count) {
        f(n * cells() + of_all, n * block.count() + of_block, count);
      });
  }

  std::unique_ptr<TimeAverages> own_;
  exchange::Decomposition cut_;
  const exchange::Ranks& ranks_;
  int sums_;
  std::function<void(Call)> tell_;
};

/// The averages of a rank other than the first, as it is told of them.
class ServedAverages {
 public:
  ServedAverages(std::unique_ptr<TimeAverages> own, std::size_t size) : own_(std::move(own)), size_(size) {}

  void serve(const Call& call, const exchange::Ranks& ranks) {
    if (call.of == Call::Of::take_in) {
      own_->take_in(call.states);
    } else if (call.of == Call::Of::get_sums) {
      const std::vector<double> sums = own_->sums();
      ranks.send(sums.data(), size_ * sizeof(double), 0);
    } else {
      std::vector<double> sums(size_);
      ranks.receive(sums.data(), size_ * sizeof(double), 0);
      own_->set_sums(sums);
    }
  }

 private:
  std::unique_ptr<TimeAverages> own_;
  std::size_t size_;
};

}  // namespace halfstep
