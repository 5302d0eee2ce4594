// The study `streams`: copies and kernels in one stream and in two, by the order in which they are issued.
#pragma once

#include <optional>
#include <string>

#include "app/study/report.hpp"
#include "app/study/streams_device.hpp"

namespace halfstep {

/// Throws std::runtime_error without a CUDA device. What one hardware queue does is measured in a process
/// forked from this one, which must not have used CUDA; if it has, that is not measured.
StudyReport streams();

struct StreamStudy {
  StreamFigures figures;
  std::optional<StreamFigures> one_queue;  ///< for all streams; not there: not measured, for this reason
  std::string no_one_queue;
};

/// What the figures say.
StudyReport streams_report(const StreamStudy& study);

}  // namespace halfstep
