// The study `transfers`: transfer rates to the device and back, by kind of host memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/transfers_device.hpp"

namespace halfstep {

/// Runs the study. Without a CUDA device: only copies by one host thread. Leaves out sizes that do not fit.
StudyReport transfers(const StudyRequest& request);

struct HostCopy {
  std::int64_t bytes;
  Samples seconds;  ///< memcpy by one thread
};

struct TransferStudy {
  std::vector<std::int64_t> sizes;         ///< requested sizes in bytes
  std::vector<HostCopy> host;              ///< sizes that fit
  std::optional<TransferFigures> figures;  ///< empty: not measured, for this reason:
  std::string why;
};

StudyReport transfers_report(const TransferStudy& study);

}  // namespace halfstep
