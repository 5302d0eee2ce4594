// A run on either backend, and what they have to agree in.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "tests/support/difference.hpp"
#include "tests/support/run_case.hpp"

namespace halfstep {

inline CaseRun on(const std::string& backend, const std::string& deck, const Overrides& overrides) {
  CaseRun run(deck, overrides, 0, backend);
  run.run();
  return run;
}

/// Holds the states of two runs to `tolerance`, and in a strict build to the bit.
inline void check_same(const CaseRun& host, const CaseRun& cuda, double tolerance) {
  CHECK(cuda.state.step == host.state.step);
  CHECK(cuda.rejections.size() == host.rejections.size());
  CHECK(cuda.repaired_faces == host.repaired_faces);
  CHECK(difference(host, cuda) <= tolerance);
  if (!HALFSTEP_STRICT_FP) return;
  CHECK(cuda.state.time == host.state.time);
  CHECK(cuda.rate == host.rate);
  CHECK(identical(cuda.fields(), host.fields()));
}

}  // namespace halfstep
