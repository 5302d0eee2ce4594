// The part of the shared object that follows the user's file. HALFSTEP_STUDY_KERNEL is the kernel's name.
#pragma once

#include <functional>
#include <tuple>
#include <utility>

#include "halfstep/study.hpp"
#include "halfstep/study/runner.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep::study::detail {

/// Times launches with events.
class TimedKernel final : public Runner {
 public:
  TimedKernel(dim3 grid, double bytes_moved, std::function<void(const Reporter&)> launch)
      : grid_(grid), bytes_moved_(bytes_moved), launch_(std::move(launch)) {}

  double milliseconds(int launches) override {
    begin_.record(nullptr);
    for (int n = 0; n < launches; ++n) launch_(channel_.reporter());
    require(cudaGetLastError());
    end_.record(nullptr);
    return 1e3 * end_.seconds_since(begin_) / launches;
  }
  int blocks() const override { return static_cast<int>(grid_.x * grid_.y * grid_.z); }
  double bytes_moved() const override { return bytes_moved_; }

 private:
  Channel channel_;
  Event begin_, end_;
  dim3 grid_;
  double bytes_moved_;
  std::function<void(const Reporter&)> launch_;
};

}  // namespace halfstep::study::detail

extern "C" halfstep::study::Runner* halfstep_study_runner(int threads,
                                                          halfstep::study::SharedArrays& arrays) {
  halfstep::study::detail::arrays() = {&arrays, 0};
  const auto setup = halfstep_study_setup(threads);
  return new halfstep::study::detail::TimedKernel(
      setup.grid, setup.bytes_moved, [setup, threads](const halfstep::study::Reporter& reporter) {
        std::apply(
            [&](auto... arguments) {
              HALFSTEP_STUDY_KERNEL<<<setup.grid, threads>>>(arguments..., reporter);
            },
            setup.arguments);
      });
}
