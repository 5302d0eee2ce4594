// Names of schemes and their kernels in messages and files.
#pragma once

#include <string>

#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Returns a kernel's name: "weno5z characteristic hllc double".
std::string kernel_name(const Scheme& scheme);
/// Returns kernel_name() without the precision.
std::string scheme_name(const Scheme& scheme);
/// Returns the reconstruction's name: "weno5z"; plm with its limiter unless it is van Leer's: "plm minmod".
std::string reconstruction_name(const Scheme& scheme);

}  // namespace halfstep
