// What a stage leaves, by a kernel's body or by the host.
#pragma once

#include <cstring>
#include <vector>

namespace halfstep {

template <class Real>
struct StageOutcome {
  std::vector<Real> u;
  double rate = 0;
  long long bad_faces = 0;
  bool raised = false;
};

template <class Real>
bool identical(const StageOutcome<Real>& a, const StageOutcome<Real>& b) {
  return std::memcmp(a.u.data(), b.u.data(), a.u.size() * sizeof(Real)) == 0 && a.rate == b.rate &&
         a.bad_faces == b.bad_faces && a.raised == b.raised;
}

}  // namespace halfstep
