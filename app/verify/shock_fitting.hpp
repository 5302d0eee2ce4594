// The steady flow before a sphere or a cylinder with the bow shock as a boundary of the mesh: a reference for
// stand-offs that captures no shock and shares nothing with the solver.
#pragma once

namespace halfstep {

enum class BluntBody { sphere, cylinder };

/// Returns how far the bow shock stands off before a body in a stream of that Mach number (3 or so) of
/// perfect, inviscid gas with gamma = 1.4, in the body's radii. `cells`: from the body to the shock. At Mach
/// 3 a sphere's is 0.2154, 0.2152 and 0.2151 with 12, 16 and 24 cells, a cylinder's 0.6996, 0.6990 and
/// 0.6986.
double shock_stand_off(BluntBody body, double mach, int cells);

}  // namespace halfstep
