// Records in the order in which the threads of a warp read them: the first word of all records, then the
// second one of all, and so on. What the threads read together then lies together.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "host_device.hpp"

namespace halfstep {

/// Records in memory of the backend.
template <class Record>
struct Interleaved {
  using Word = std::conditional_t<sizeof(Record) % 8 == 0, std::uint64_t, std::uint32_t>;
  static constexpr int kWords = sizeof(Record) / sizeof(Word);
  static_assert(std::is_trivially_copyable_v<Record> && kWords * sizeof(Word) == sizeof(Record));

  const Word* words = nullptr;
  std::int64_t count = 0;

  HALFSTEP_HD Record operator[](std::int64_t n) const {
    struct {
      Word of[kWords];
    } own;
    for (int word = 0; word < kWords; ++word) own.of[word] = words[word * count + n];
    return std::bit_cast<Record>(own);
  }
};

/// Returns the words of records in that order.
template <class Record>
std::vector<typename Interleaved<Record>::Word> interleaved(const std::vector<Record>& records) {
  using View = Interleaved<Record>;
  struct Words {
    typename View::Word of[View::kWords];
  };
  std::vector<typename View::Word> all(records.size() * View::kWords);
  for (std::size_t n = 0; n < records.size(); ++n) {
    const auto own = std::bit_cast<Words>(records[n]);
    for (std::size_t word = 0; word < View::kWords; ++word) all[word * records.size() + n] = own.of[word];
  }
  return all;
}

}  // namespace halfstep
