#pragma once

#include "runtime/soft_error/soft_error.hpp"

struct Payload {
  int thread = 0;
  double value = 0;
};

__global__ void every_call(halfstep::soft_error::Reporter<> bare,
                           halfstep::soft_error::Reporter<Payload> reporter,
                           halfstep::soft_error::LiveReporter<Payload> live);
int use_of_channels();
