#include "app/verify/checks.hpp"

namespace halfstep {

const std::vector<CheckGroup>& check_groups() {
  static const std::vector<CheckGroup> all = {
      riemann_problems(),   shock_structure(), smooth_waves(),  slow_flows(),       blast_waves(),
      interacting_shocks(), instabilities(),   viscous_flows(), stretched_meshes(), elements(),
      two_gases(),          bodies(),          invariants()};
  return all;
}

}  // namespace halfstep
