// The table of reconstructions: name in a deck, type, order of its edge values on a smooth profile, summary.
// A LIMITED type takes a slope limiter as its parameter. The deck's choices, the dispatch at run time,
// replays, the compiled stages and the studies are generated from it; cmake/stages.cmake reads its lines.
#pragma once

#include "physics/flux/reconstruction/constant.hpp"
#include "physics/flux/reconstruction/plm.hpp"
#include "physics/flux/reconstruction/ppm.hpp"
#include "physics/flux/reconstruction/weno5z.hpp"

// clang-format off
#define HALFSTEP_RECONSTRUCTIONS(PLAIN, LIMITED)                                                                         \
  PLAIN(constant, Constant, 1, "piecewise constant, first order (Godunov 1959)")                                         \
  LIMITED(plm, Plm, 2, "piecewise linear, second order, with a limiter (van Leer 1979)")                                 \
  PLAIN(ppm, Ppm, 4, "piecewise parabolic, extremum-preserving (Colella & Sekora 2008)")                                 \
  PLAIN(weno5z, Weno5z, 5, "fifth-order weighted essentially non-oscillatory (Borges et al. 2008)")
// clang-format on
