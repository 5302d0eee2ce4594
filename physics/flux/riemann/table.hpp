// The table of Riemann solvers: name in a deck, type, summary. The deck's choices, the dispatch at run time
// and the compiled stages are generated from it.
#pragma once

#include "physics/flux/riemann/hll.hpp"
#include "physics/flux/riemann/hllc.hpp"
#include "physics/flux/riemann/lhllc.hpp"
#include "physics/flux/riemann/roe.hpp"
#include "physics/flux/riemann/rusanov.hpp"

// clang-format off
#define HALFSTEP_RIEMANN_SOLVERS(SOLVER)                                                                                 \
  SOLVER(rusanov, Rusanov, "local Lax-Friedrichs: one wave (Rusanov 1961)")                                              \
  SOLVER(hll, Hll, "two waves (Harten, Lax & van Leer 1983; Einfeldt 1988)")                                             \
  SOLVER(hllc, Hllc, "three waves, restores the contact (Toro, Spruce & Speares 1994; Batten et al. 1997)")              \
  SOLVER(lhllc, Lhllc, "hllc with less dissipation of slow flow (Minoshima & Miyoshi 2021)")                             \
  SOLVER(roe, Roe, "linearised, with an entropy fix (Roe 1981; Harten & Hyman 1983)")
// clang-format on
