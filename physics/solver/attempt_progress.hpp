// The states and records that an attempt between two slices keeps besides U^n.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/solver/solver.hpp"
#include "physics/stage/substeps.hpp"

namespace halfstep {

/// Calls f(bytes, buffer) for each buffer that the current substep, or a later one, needs and that is not
/// U^n: the states that stages start from, the substep's input and its output so far.
template <class Progress /* AttemptProgress, const or not */, class F>
void for_states_under_way(const TimeLevels& levels, Progress& progress, F f) {
  const int in = levels.input(progress.substep), start = levels.stages_start();
  if (in != levels.start) f(progress.in, in);
  if (start != levels.start && start != in && progress.substep > 1) f(progress.start, start);
  if (levels.has_last_start(progress.substep)) f(progress.last_start, levels.last_start());
  if (progress.has_begun()) f(progress.out, levels.output(progress.substep));
}

/// Throws std::runtime_error where a stored state has not this solver's size.
inline void expect_whole(const std::vector<std::byte>& state, std::size_t bytes) {
  if (state.size() != bytes)
    throw std::runtime_error("the checkpoint's step under way holds a state of " +
                             std::to_string(state.size()) + " bytes where this program has " +
                             std::to_string(bytes) + ": restart from an earlier checkpoint");
}

/// Returns the records as the bytes that AttemptProgress keeps.
template <class Record>
std::vector<std::byte> bytes_of(const std::vector<Record>& records) {
  const auto bytes = std::as_bytes(std::span(records));
  return {bytes.begin(), bytes.end()};
}
/// Returns the records that the bytes hold, the inverse of bytes_of().
template <class Record>
std::vector<Record> records_in(const std::vector<std::byte>& bytes) {
  std::vector<Record> records(bytes.size() / sizeof(Record));
  std::memcpy(static_cast<void*>(records.data()), bytes.data(), records.size() * sizeof(Record));
  return records;
}

}  // namespace halfstep
