// `halfstep verify`: flows against what is known of them.
#pragma once

#include <string>
#include <vector>

#include "app/verify/check.hpp"

namespace halfstep {

struct VerifyOptions {
  std::vector<std::string> names;  ///< of checks or groups of them; none: all there are of the extent
  Extent extent = Extent::quick;
  Machine machine;
  std::string json;    ///< the outcomes go into this file; empty = into none
  std::string output;  ///< verify.json and its pictures go into this directory; empty = into none
};

/// Returns the exit code: kDifference where a bar was missed. Throws UsageError for an unknown name,
/// std::exception for an I/O or device error.
int verify(const VerifyOptions& options);

}  // namespace halfstep
