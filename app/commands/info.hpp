// `halfstep info`: what this program was built from and what it finds on this machine.
#pragma once

#include <string>

namespace halfstep {

/// "0.1.0 (git 1a2b3c4d5e)".
std::string version_text();

int info();

}  // namespace halfstep
