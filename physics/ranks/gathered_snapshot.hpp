// A copy of U^n that the first rank gathers from all blocks, beside the steps.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "physics/mesh/layout.hpp"
#include "physics/solver/solver.hpp"
#include "physics/mesh/block.hpp"

namespace halfstep {

/// Returns the tag of a snapshot's messages. Two snapshots may be under way at once.
inline int tag_of_snapshot(std::int64_t number) { return static_cast<int>(number % 32000) + 1; }

/// On the first rank. The others send theirs by send_snapshot().
template <class Real>
class GatheredSnapshot final : public Snapshot {
 public:
  GatheredSnapshot(std::unique_ptr<Snapshot> own, const exchange::Ranks& ranks,
                   const exchange::Decomposition& cut, int fields, std::int64_t number)
      : own_(std::move(own)),
        ranks_(ranks),
        cut_(cut),
        tag_(tag_of_snapshot(number)),
        fields_(static_cast<std::size_t>(fields)) {}
  /// The others send whether or not somebody has asked.
  ~GatheredSnapshot() override {
    try {
      gather();
    } catch (const std::exception&) {  // another call reports it
    }
  }

  FieldsView fields() override {
    gather();
    return FieldSpans<Real>(fields_.begin(), fields_.end());
  }

 private:
  void gather() {
    if (!own_) return;
    const auto count = static_cast<std::size_t>(std::int64_t{cut_.cells[0]} * cut_.cells[1] * cut_.cells[2]);
    for (std::vector<Real>& field : fields_) field.resize(count);
    const FieldsView view = own_->fields();
    const auto& own = std::get<FieldSpans<Real>>(view);
    for (std::size_t f = 0; f < fields_.size(); ++f) put(own[f].data(), cut_.block(0), fields_[f]);
    own_ = nullptr;
    std::vector<Real> values;
    for (int rank = 1; rank < cut_.size(); ++rank) {
      const exchange::Box block = cut_.block(rank);
      values.resize(static_cast<std::size_t>(block.count()));
      for (std::vector<Real>& field : fields_) {
        ranks_.receive(values.data(), values.size() * sizeof(Real), rank, tag_);
        put(values.data(), block, field);
      }
    }
  }

  /// Copies a block's values to their place in the whole field, row by row.
  void put(const Real* from, const exchange::Box& block, std::vector<Real>& whole) const {
    for (int k = 0; k < block.cells[2]; ++k)
      for (int j = 0; j < block.cells[1]; ++j, from += block.cells[0])
        std::copy_n(from, block.cells[0],
                    whole.begin() + (std::int64_t{block.first[2] + k} * cut_.cells[1] + block.first[1] + j) *
                                        cut_.cells[0] +
                        block.first[0]);
  }

  std::unique_ptr<Snapshot> own_;  // nullptr: gathered
  exchange::Ranks ranks_;
  exchange::Decomposition cut_;
  int tag_;
  std::vector<std::vector<Real>> fields_;
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
