// Ghost cells from other ranks, on the host: rows are packed into one message for each neighbour.
#pragma once

#include <algorithm>
#include <vector>

#include "physics/mesh/block.hpp"

namespace halfstep {

/// The halo of arrays in one layout. T: the type of their values.
template <class T>
class HostHalo {
 public:
  HostHalo(const Split& split, int layers, exchange::HaloReach reach, int fields)
      : ranks_(split.ranks.duplicate()),
        messages_(exchange::halo_messages(split.cut, split.rank(), layers, reach)),
        fields_(fields) {
    for (const exchange::HaloMessage& message : messages_) {
      const auto values = static_cast<std::size_t>(message.send.count() * fields);
      out_.emplace_back(values);
      in_.emplace_back(values);
      parcels_.push_back(
          {message.to, message.from, out_.back().data(), in_.back().data(), values * sizeof(T)});
    }
  }

  /// Fills the ghost cells beyond `exchanged` sides. `row(field, j, k)`: where cell (0, j, k) of a field is.
  template <class Row>
  void fill(Row row) {
    for (std::size_t n = 0; n < messages_.size(); ++n)
      if (messages_[n].to >= 0)
        for_rows(messages_[n].send, out_[n], [&](T* packed, int f, int i, int j, int k, int cells) {
          std::copy_n(row(f, j, k) + i, cells, packed);
        });
    ranks_.swap(parcels_);
    for (std::size_t n = 0; n < messages_.size(); ++n)
      if (messages_[n].from >= 0)
        for_rows(messages_[n].receive, in_[n], [&](T* packed, int f, int i, int j, int k, int cells) {
          std::copy_n(packed, cells, row(f, j, k) + i);
        });
  }

  exchange::Traffic traffic() const { return ranks_.traffic(); }

 private:
  /// Calls f(packed, field, i, j, k, cells) for each row of a box.
  template <class F>
  void for_rows(const exchange::Box& box, std::vector<T>& buffer, F f) const {
    T* packed = buffer.data();
    const auto& [i, j0, k0] = box.first;
    for (int field = 0; field < fields_; ++field)
      for (int k = k0; k < k0 + box.cells[2]; ++k)
        for (int j = j0; j < j0 + box.cells[1]; ++j, packed += box.cells[0])
          f(packed, field, i, j, k, box.cells[0]);
  }

  exchange::Ranks ranks_;
  std::vector<exchange::HaloMessage> messages_;
  int fields_;
  std::vector<std::vector<T>> out_, in_;
  std::vector<exchange::Parcel> parcels_;
};

}  // namespace halfstep
