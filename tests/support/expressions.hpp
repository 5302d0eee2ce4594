// Tests of expressions say so where the program was built without them.
#pragma once

#include <doctest/doctest.h>

#include "physics/base/expression.hpp"

namespace halfstep {

/// Whether expressions can be tested here; says so if they cannot.
inline bool can_test_expressions() {
  const bool can = !muparser_version().empty();
  if (!can) MESSAGE("skipped: built without muParser (package libmuparser-dev)");
  return can;
}

}  // namespace halfstep
