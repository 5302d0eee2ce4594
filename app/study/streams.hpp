// The study `streams`: copies and kernels in one stream and in two, by order of issue.
#pragma once

#include <optional>
#include <string>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/streams_device.hpp"

namespace halfstep {

/// Runs the study. Throws std::runtime_error without a CUDA device. The case of one hardware queue is
/// measured in a forked process; it is left out if this process has already used CUDA.
StudyReport streams(const StudyRequest& request);

struct StreamStudy {
  StreamFigures figures;
  std::optional<StreamFigures>
      one_queue;  ///< one hardware queue for all streams; empty: not measured, for this reason:
  std::string no_one_queue;
};

StudyReport streams_report(const StreamStudy& study);

}  // namespace halfstep
