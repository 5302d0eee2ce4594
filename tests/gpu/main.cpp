// Main function of the tests of the CUDA backend. Without a usable GPU they are skipped with a message and
// exit code 77, which is no pass.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "physics/solver/solver.hpp"

int main(int argc, char** argv) {
  std::string why;
  if (!halfstep::cuda_available(&why)) {
    std::printf("skipped: the GPU tests did not run: %s\n", why.c_str());
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
