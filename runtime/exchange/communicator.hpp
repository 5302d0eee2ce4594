// MPI behind a group of ranks. For the sources of this room alone, in a build with MPI.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

struct Ranks::Communicator {
  MPI_Comm handle;
  Traffic traffic{0, 0.0};
};

/// Throws std::runtime_error if an MPI call has failed.
inline void check(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string("MPI cannot ") + doing + ": " + std::string(text, length));
}

}  // namespace halfstep::exchange
