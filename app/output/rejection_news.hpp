// Messages on rejected attempts: each of the first ones, then their number at growing intervals.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "app/output/soft_error_text.hpp"

namespace halfstep {

class RejectionNews {
 public:
  /// Returns the line for one more rejection, `described`, or "" if nothing is shown. `total`: of the whole
  /// run.
  std::string next(const std::string& described, const AttemptInfo& attempt, std::int64_t total) {
    constexpr std::int64_t singly = 5;
    if (++count_ <= singly)
      return described +
             (count_ == singly ? "\nfrom here on rejections are counted; events.jsonl has each" : "");
    if (count_ != next_count_) return "";
    next_count_ *= 2;
    return fmt::format("{} attempts rejected so far, the last in step {} at t = {:.6g}", total, attempt.step,
                       attempt.time);
  }

 private:
  std::int64_t count_ = 0, next_count_ = 10;
};

}  // namespace halfstep
