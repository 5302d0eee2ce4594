// All checks. A new check is an entry in its group's file; a new group is a file and a line here and in
// checks.cpp.
#pragma once

#include <vector>

#include "app/verify/check.hpp"

namespace halfstep {

CheckGroup riemann_problems();
CheckGroup shock_structure();
CheckGroup smooth_waves();
CheckGroup slow_flows();
CheckGroup blast_waves();
CheckGroup interacting_shocks();
CheckGroup instabilities();
CheckGroup viscous_flows();
CheckGroup stretched_meshes();
CheckGroup elements();
CheckGroup two_gases();
CheckGroup bodies();
CheckGroup invariants();

/// Returns all groups. Names of groups and checks are unique among all of them.
const std::vector<CheckGroup>& check_groups();

}  // namespace halfstep
