// A copy of U^n of which each rank has its block. Beside the steps, the first rank gathers it, or has the
// others carry out orders with their blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "physics/mesh/block.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Returns the tag of a snapshot's messages. Two snapshots may be under way at once.
inline int tag_of_snapshot(std::int64_t number) { return static_cast<int>(number % 32000) + 1; }

/// What a rank does with its block of a snapshot, by an order of the first rank.
using BlockWork = std::function<void(const std::string& order, const SnapshotBlock& block)>;

/// What the first rank wants of a snapshot's other blocks: a number above these is the length of an order.
constexpr std::int64_t kRelease = 0, kGather = -1;

/// On the first rank. The others are in serve_snapshot() until it is destroyed, in the order of its number.
class RankedSnapshot final : public Snapshot {
 public:
  /// `files`: with ranks that tell each other nothing else.
  RankedSnapshot(std::unique_ptr<Snapshot> own, const Split& files, std::int64_t number)
      : own_(std::move(own)), files_(files), tag_(tag_of_snapshot(number)) {}
  ~RankedSnapshot() override {
    try {
      want(kRelease);
    } catch (const std::exception&) {  // the others end with the program
    }
  }

  FieldsView fields() override {
    if (!is_gathered_) {
      want(kGather);
      std::visit([this](const auto& own) { gather(own); }, own_->fields());
      is_gathered_ = true;
    }
    return std::visit(
        [](const auto& whole) -> FieldsView {
          using Real = typename std::decay_t<decltype(whole)>::value_type::value_type;
          return FieldSpans<Real>(whole.begin(), whole.end());
        },
        whole_);
  }

  SnapshotBlock block(const std::string& order) override {
    want(static_cast<std::int64_t>(order.size()));
    for (int rank = 1; rank < files_.cut.size(); ++rank)
      files_.ranks.send(order.data(), order.size(), rank, tag_);
    return {own_->fields(), files_};
  }

 private:
  template <class Real>
  using Whole = std::vector<std::vector<Real>>;

  void want(std::int64_t what) const {
    for (int rank = 1; rank < files_.cut.size(); ++rank) files_.ranks.send(&what, sizeof what, rank, tag_);
  }

  template <class Real>
  void gather(const FieldSpans<Real>& own) {
    const exchange::Decomposition& cut = files_.cut;
    const auto count = static_cast<std::size_t>(std::int64_t{cut.cells[0]} * cut.cells[1] * cut.cells[2]);
    Whole<Real>& whole = whole_.emplace<Whole<Real>>(own.size(), std::vector<Real>(count));
    for (std::size_t f = 0; f < own.size(); ++f) put(own[f].data(), cut.block(0), whole[f]);
    std::vector<Real> values;
    for (int rank = 1; rank < cut.size(); ++rank) {
      const exchange::Block block = cut.block(rank);
      values.resize(static_cast<std::size_t>(block.count()));
      for (std::vector<Real>& field : whole) {
        files_.ranks.receive(values.data(), values.size() * sizeof(Real), rank, tag_);
        put(values.data(), block, field);
      }
    }
  }

  /// Copies a block's values to their place in the whole field, row by row.
  template <class Real>
  void put(const Real* from, const exchange::Block& block, std::vector<Real>& whole) const {
    exchange::for_rows(files_.cut.cells, block, [&](std::int64_t of_whole, std::int64_t of_block, int count) {
      std::copy_n(from + of_block, count, whole.begin() + of_whole);
    });
  }

  std::unique_ptr<Snapshot> own_;
  Split files_;
  int tag_;
  bool is_gathered_ = false;
  std::variant<Whole<float>, Whole<double>> whole_;
};

/// Does on another rank what the first wants of this rank's block, until it wants no more.
inline void serve_snapshot(Snapshot& block, std::int64_t number, const Split& files,
                           const BlockWork& carry_out) {
  const int tag = tag_of_snapshot(number);
  while (true) {
    std::int64_t wanted = kRelease;
    files.ranks.receive(&wanted, sizeof wanted, 0, tag);
    if (wanted == kRelease) return;
    if (wanted == kGather) {
      std::visit(
          [&](const auto& spans) {
            for (const auto& span : spans) files.ranks.send(span.data(), span.size_bytes(), 0, tag);
          },
          block.fields());
    } else {
      std::string order(static_cast<std::size_t>(wanted), ' ');
      files.ranks.receive(order.data(), order.size(), 0, tag);
      carry_out(order, {block.fields(), files});
    }
  }
}

}  // namespace halfstep
