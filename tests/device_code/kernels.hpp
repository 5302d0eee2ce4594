#pragma once

#include "runtime/interruptible/facade/IntKernel.h"
#include "runtime/interruptible/interruptible.hpp"
#include "runtime/soft_error/soft_error.hpp"

struct Payload {
  int thread = 0;
  double value = 0;
  halfstep::soft_error::Place where;
};

__global__ void every_call(halfstep::soft_error::Reporter<> bare,
                           halfstep::soft_error::Reporter<Payload> reporter,
                           halfstep::soft_error::LiveReporter<Payload> live);
int use_of_channels();

__global__ void take_tiles(halfstep::interruptible::TileQueueView queue, int* tiles);

struct Count : halfstep::interruptible::Resumable {
  int n = 0;
};
HALFSTEP_HD void count_to(const int& last, Count& my, halfstep::interruptible::SafePoints& safe_points) {
  HALFSTEP_RESUME(my) {
    for (my.n = 0; my.n < last; ++my.n) HALFSTEP_SAFE_POINT(1, my, safe_points);
  }
  HALFSTEP_FINISH(my);
}
using CountLauncher = halfstep::interruptible::Launcher<count_to, int, Count>;
halfstep::interruptible::Outcome count_in_second_unit(CountLauncher& launcher);

using IntArgs = SySal::GPU::InterruptibleKernels::Args;
using IntStatus = SySal::GPU::InterruptibleKernels::Status;
__global__ void int_kernel(IntArgs* pargs, IntStatus* pstatus);
