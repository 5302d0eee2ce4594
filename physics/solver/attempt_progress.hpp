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

/// Calls f(bytes, buffer) for each buffer that the current phase needs and that is not U^n: the state that
/// the stages start from, the phase's input and its output so far.
template <class Progress /* AttemptProgress, const or not */, class F>
void for_states_under_way(const Rotation& rotation, Progress& progress, F f) {
  const int in = rotation.input(progress.phase), start = rotation.stages_start();
  if (in != rotation.start) f(progress.in, in);
  if (start != rotation.start && start != in && progress.phase > 1) f(progress.start, start);
  if (progress.done > 0 || rotation.phases.is_source(progress.phase))
    f(progress.out, rotation.output(progress.phase));
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
