// Ghost cells from other ranks, on the host: rows are packed into one message for each neighbour.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "physics/mesh/block.hpp"

namespace halfstep {

/// What a rank sends to another, or gets from it, in one layout.
struct HaloPieces {
  int to = -1, from = -1;  ///< the ranks; -1: none
  std::vector<exchange::Box> send, receive;
};

/// Returns the pieces of ghost cells in `layers` around a block.
inline std::vector<HaloPieces> pieces_around(const Split& split, int layers, exchange::HaloReach reach) {
  std::vector<HaloPieces> all;
  for (const exchange::HaloMessage& m : exchange::halo_messages(split.cut, split.rank(), layers, reach))
    all.push_back({m.to, m.from, {m.send}, {m.receive}});
  return all;
}

/// Returns the pieces of rows that a part of a mesh has behind its own. `cells`: of each row.
inline std::vector<HaloPieces> pieces_behind(const Split& split, bool with_far, int cells) {
  const auto boxes = [cells](const std::vector<std::int32_t>& rows) {
    std::vector<exchange::Box> boxes;
    for (const std::int32_t row : rows) boxes.push_back({{0, row, 0}, {cells, 1, 1}});
    return boxes;
  };
  std::vector<HaloPieces> all;
  for (const exchange::RowMessage& m : exchange::row_messages(split.cut, split.rank(), with_far))
    all.push_back({m.peer, m.peer, boxes(m.send), boxes(m.receive)});
  return all;
}

/// The halo of arrays in one layout. T: the type of their values.
template <class T>
class HostHalo {
 public:
  HostHalo(const Split& split, std::vector<HaloPieces> pieces, int fields)
      : ranks_(split.ranks.duplicate()), pieces_(std::move(pieces)), fields_(fields) {
    for (const HaloPieces& own : pieces_) {
      out_.emplace_back(values(own.send));
      in_.emplace_back(values(own.receive));
      parcels_.push_back({own.to, -1, out_.back().data(), nullptr, out_.back().size() * sizeof(T)});
      parcels_.push_back({-1, own.from, nullptr, in_.back().data(), in_.back().size() * sizeof(T)});
    }
  }

  /// Waits for what is under way, but after an error, when other ranks may never send it.
  ~HostHalo() {
    try {
      if (std::uncaught_exceptions() == 0) under_way_.wait();
    } catch (const std::exception&) {  // of MPI: the run ends
    }
  }
  HostHalo(const HostHalo&) = delete;
  HostHalo& operator=(const HostHalo&) = delete;

  /// Fills the ghost cells beyond `exchanged` sides. `row(field, j, k)`: where cell (0, j, k) of a field is.
  template <class Row>
  void fill(Row row) {
    begin(row);
    end(row);
  }
  /// Begins to fill them; the cells that are sent may be written at once.
  template <class Row>
  void begin(Row row) {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      if (pieces_[n].to >= 0)
        for_rows(pieces_[n].send, out_[n], [&](T* packed, int f, int i, int j, int k, int cells) {
          std::copy_n(row(f, j, k) + i, cells, packed);
        });
    under_way_ = ranks_.begin_swap(parcels_);
  }
  /// Ends what begin() began, with the same cells.
  template <class Row>
  void end(Row row) {
    under_way_.wait();
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      if (pieces_[n].from >= 0)
        for_rows(pieces_[n].receive, in_[n], [&](T* packed, int f, int i, int j, int k, int cells) {
          std::copy_n(packed, cells, row(f, j, k) + i);
        });
  }

  exchange::Traffic traffic() const { return ranks_.traffic(); }

 private:
  std::size_t values(const std::vector<exchange::Box>& boxes) const {
    std::int64_t cells = 0;
    for (const exchange::Box& box : boxes) cells += box.count();
    return static_cast<std::size_t>(cells * fields_);
  }

  /// Calls f(packed, field, i, j, k, cells) for each row of the boxes.
  template <class F>
  void for_rows(const std::vector<exchange::Box>& boxes, std::vector<T>& buffer, F f) const {
    T* packed = buffer.data();
    for (const exchange::Box& box : boxes) {
      const auto& [i, j0, k0] = box.first;
      for (int field = 0; field < fields_; ++field)
        for (int k = k0; k < k0 + box.cells[2]; ++k)
          for (int j = j0; j < j0 + box.cells[1]; ++j, packed += box.cells[0])
            f(packed, field, i, j, k, box.cells[0]);
    }
  }

  exchange::Ranks ranks_;
  std::vector<HaloPieces> pieces_;
  int fields_;
  std::vector<std::vector<T>> out_, in_;
  std::vector<exchange::Parcel> parcels_;
  exchange::Swap under_way_;
};

}  // namespace halfstep
