// The one table of Riemann solvers. What a deck may choose, the dispatch at run time and the stages that are
// compiled all come from its lines: name in a deck, type, what it is.
#pragma once

#include "physics/riemann/hll.hpp"
#include "physics/riemann/hllc.hpp"
#include "physics/riemann/roe.hpp"
#include "physics/riemann/rusanov.hpp"

// clang-format off
#define HALFSTEP_RIEMANN_SOLVERS(SOLVER)                                                                                 \
  SOLVER(rusanov, Rusanov, "local Lax-Friedrichs: one wave (Rusanov 1961)")                                              \
  SOLVER(hll, Hll, "two waves (Harten, Lax & van Leer 1983; Einfeldt 1988)")                                             \
  SOLVER(hllc, Hllc, "three waves, restores the contact (Toro, Spruce & Speares 1994; Batten et al. 1997)")              \
  SOLVER(roe, Roe, "linearised, with an entropy fix (Roe 1981; Harten & Hyman 1983)")
// clang-format on
