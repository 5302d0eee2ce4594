// Every call of the soft-error library that a kernel can make, in a program of two translation units.
#include "kernels.hpp"

using namespace halfstep::soft_error;

__global__ void every_call(Reporter<> bare, Reporter<Payload> reporter, LiveReporter<Payload> live) {
  const int thread = threadIdx.x;
  if (bare.cancelled() || reporter.cancelled()) return;
  if (bare.raised()) bare.cancel_later();
  if (thread == 1) bare.raise();
  if (thread == 2) raise(bare, 3);
  if (thread == 3) raise(reporter, 3);
  report_first_error(reporter, [&](Payload& p) { p.thread = thread; });
  report_first_error(
      live.now(), [=](Payload& p) { p.thread = thread; }, 4);
  warn(bare, 1);
  warn(reporter, 1);
  warn(reporter, 1, [&](Payload& p) { p.value = 0.5 * thread; });
}

int main() { return use_of_channels(); }
