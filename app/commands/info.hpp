// `halfstep info`: how this program was built and what it finds on this machine.
#pragma once

#include <string>

namespace halfstep {

/// Returns e.g. "0.1.0 (git 1a2b3c4d5e)".
std::string version_text();

}  // namespace halfstep
