// A diagnosis on its way from the rank that has the reported cell to the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "physics/recovery/soft_errors.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep {

/// The part of a diagnosis that has no lists.
struct DiagnosisHead {
  SoftError error;
  bool reproduced;
  Conserved<double> before, after, stored;
};
static_assert(std::is_trivially_copyable_v<DiagnosisHead> && std::is_trivially_copyable_v<FaceReplay>,
              "they are sent as bytes");

template <class T>
void send_list(const std::vector<T>& list, const exchange::Ranks& ranks, int to) {
  const std::uint64_t count = list.size();
  ranks.send(&count, sizeof count, to);
  ranks.send(list.data(), count * sizeof(T), to);
}
template <class T>
std::vector<T> received_list(const exchange::Ranks& ranks, int from) {
  std::uint64_t count = 0;
  ranks.receive(&count, sizeof count, from);
  std::vector<T> list(count);
  ranks.receive(list.data(), count * sizeof(T), from);
  return list;
}

inline void send_diagnosis(const Diagnosis& d, const exchange::Ranks& ranks, int to) {
  const DiagnosisHead head{d.error, d.replay.reproduced, d.replay.before, d.replay.after, d.replay.stored};
  ranks.send(&head, sizeof head, to);
  send_list(d.replay.faces, ranks, to);
  for (const auto& stencil : d.replay.stencil) send_list(stencil, ranks, to);
}

inline Diagnosis received_diagnosis(const exchange::Ranks& ranks, int from) {
  DiagnosisHead head{};
  ranks.receive(&head, sizeof head, from);
  Diagnosis d{head.error, {head.reproduced, head.before, head.after, head.stored, {}, {}}};
  d.replay.faces = received_list<FaceReplay>(ranks, from);
  for (auto& stencil : d.replay.stencil) stencil = received_list<Primitive<double>>(ranks, from);
  return d;
}

}  // namespace halfstep
