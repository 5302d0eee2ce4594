// What the other end of stdout or stderr can show.
#pragma once

#include <unistd.h>

#include <cstdlib>

namespace halfstep {

/// Colour only on a terminal, and never with NO_COLOR set (https://no-color.org).
inline bool shows_colour(int file_descriptor) {
  return isatty(file_descriptor) != 0 && std::getenv("NO_COLOR") == nullptr;
}

}  // namespace halfstep
