// The study `transfers`: how fast bytes get to the device and back, by the memory they are in on the host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/study/report.hpp"
#include "app/study/transfers_device.hpp"

namespace halfstep {

/// Without a CUDA device: what one thread copies on the host. Sizes that do not fit are not measured.
StudyReport transfers();

struct HostCopy {
  std::int64_t bytes;
  Samples seconds;  ///< of a memcpy by one thread
};

struct TransferStudy {
  std::vector<std::int64_t> sizes;         ///< asked for, in bytes
  std::vector<HostCopy> host;              ///< of those that fit
  std::optional<TransferFigures> figures;  ///< not there: not measured, for this reason
  std::string why;
};

/// What the figures say.
StudyReport transfers_report(const TransferStudy& study);

}  // namespace halfstep
