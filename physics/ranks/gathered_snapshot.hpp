// A copy of U^n that the first rank gathers from all blocks, beside the steps.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "physics/mesh/block.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Returns the tag of a snapshot's messages. Two snapshots may be under way at once.
inline int tag_of_snapshot(std::int64_t number) { return static_cast<int>(number % 32000) + 1; }

/// On the first rank. The others send theirs by send_snapshot(), so that it has to be read, in the order of
/// its number, unless the run fails.
class GatheredSnapshot final : public Snapshot {
 public:
  GatheredSnapshot(std::unique_ptr<Snapshot> own, const exchange::Ranks& ranks,
                   const exchange::Decomposition& cut, std::int64_t number)
      : own_(std::move(own)), ranks_(ranks), cut_(cut), tag_(tag_of_snapshot(number)) {}
  FieldsView fields() override {
    gather();
    return std::visit(
        [](const auto& whole) -> FieldsView {
          using Real = typename std::decay_t<decltype(whole)>::value_type::value_type;
          return FieldSpans<Real>(whole.begin(), whole.end());
        },
        whole_);
  }

 private:
  template <class Real>
  using Whole = std::vector<std::vector<Real>>;

  void gather() {
    if (!own_) return;
    std::visit([this](const auto& own) { gather(own); }, own_->fields());
    own_ = nullptr;
  }

  template <class Real>
  void gather(const FieldSpans<Real>& own) {
    const auto count = static_cast<std::size_t>(std::int64_t{cut_.cells[0]} * cut_.cells[1] * cut_.cells[2]);
    Whole<Real>& whole = whole_.emplace<Whole<Real>>(own.size(), std::vector<Real>(count));
    for (std::size_t f = 0; f < own.size(); ++f) put(own[f].data(), cut_.block(0), whole[f]);
    std::vector<Real> values;
    for (int rank = 1; rank < cut_.size(); ++rank) {
      const exchange::Box block = cut_.block(rank);
      values.resize(static_cast<std::size_t>(block.count()));
      for (std::vector<Real>& field : whole) {
        ranks_.receive(values.data(), values.size() * sizeof(Real), rank, tag_);
        put(values.data(), block, field);
      }
    }
  }

  /// Copies a block's values to their place in the whole field, row by row.
  template <class Real>
  void put(const Real* from, const exchange::Box& block, std::vector<Real>& whole) const {
    for (int k = 0; k < block.cells[2]; ++k)
      for (int j = 0; j < block.cells[1]; ++j, from += block.cells[0]) {
        const std::int64_t row = std::int64_t{block.first[2] + k} * cut_.cells[1] + block.first[1] + j;
        std::copy_n(from, block.cells[0], whole.begin() + row * cut_.cells[0] + block.first[0]);
      }
  }

  std::unique_ptr<Snapshot> own_;  // nullptr: gathered
  exchange::Ranks ranks_;
  exchange::Decomposition cut_;
  int tag_;
  std::variant<Whole<float>, Whole<double>> whole_;
};

/// Sends a snapshot to the first rank.
inline void send_snapshot(Snapshot& snapshot, std::int64_t number, const exchange::Ranks& ranks) {
  std::visit(
      [&](const auto& spans) {
        for (const auto& span : spans) ranks.send(span.data(), span.size_bytes(), 0, tag_of_snapshot(number));
      },
      snapshot.fields());
}

}  // namespace halfstep
