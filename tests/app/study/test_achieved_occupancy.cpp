// The occupancy measured with ncu, without a GPU: its output is parsed, and what it lacks is reported.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/study/achieved_occupancy.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const std::string kLog =
    "==PROF== Connected to process 71 (/opt/halfstep)\n"
    "==PROF== Profiling \"range\" - 0: Application replay pass 1\n"
    "==PROF== Disconnected from process 71\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\","
    "\"Metric Value\"\n"
    "\"0\",\"71\",\"halfstep\",\"range\",\"Command line profiler metrics\","
    "\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"%\",\"12.43\"\n"
    "\"0\",\"71\",\"halfstep\",\"range\",\"Command line profiler "
    "metrics\",\"sm__cycles_active.avg\",\"cycle\","
    "\"1,234\"\n"
    "\"1\",\"71\",\"halfstep\",\"a \"\"range\"\", quoted\",\"Command line profiler metrics\","
    "\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"%\",\"97.5\"\n";

std::string message_of(const std::string& log) {
  return refusal([&] { values_of_ncu(log, kAchievedOccupancy); });
}

/// A program `ncu`, first on the path, that records how it was called and leaves `log` as its log file.
class StandInForNcu {
 public:
  explicit StandInForNcu(const std::string& log) : path_(std::getenv("PATH")) {
    std::ofstream(directory_ / "log") << log;
    std::ofstream(directory_ / "ncu") << "#!/bin/sh\n"
                                         "here=$(dirname \"$0\")\n"
                                         "echo \"$HALFSTEP_UNDER_NCU: $*\" > \"$here/called\"\n"
                                         "while [ \"$1\" != --log-file ]; do shift; done\n"
                                         "cat \"$here/log\" > \"$2\"\n";
    std::filesystem::permissions(directory_ / "ncu", std::filesystem::perms::owner_all);
    ::setenv("PATH", (directory_.path().string() + ':' + path_).c_str(), 1);
  }
  ~StandInForNcu() { ::setenv("PATH", path_.c_str(), 1); }

  std::string called() const { return contents(directory_ / "called"); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

}  // namespace

TEST_CASE("ncu's table gives one occupancy a range, whatever else it holds") {
  CHECK(values_of_ncu(kLog, kAchievedOccupancy) == std::vector<double>{12.43, 97.5});
}

TEST_CASE("Where ncu has no value its own words say why") {
  CHECK(message_of("==PROF== Connected to process 71\n==ERROR== ERR_NVGPUCTRPERM - no permission\n") ==
        "ncu: ERR_NVGPUCTRPERM - no permission");
  CHECK(message_of("==PROF== Connected to process 71\n") == "ncu found no range");
  CHECK(contains(message_of("\"ID\",\"Metric Name\",\"Metric Value\"\n\"0\",\"" +
                            std::string(kAchievedOccupancy) + "\",\"n/a\"\n"),
                 "'n/a'"));
}

TEST_CASE("The second run is under ncu, knows it, and keeps its own arguments") {
  const StandInForNcu ncu(kLog);
  CHECK(occupancies_by_ncu({"/bin/program", "study", "registers"}) == std::vector<double>{12.43, 97.5});
  CHECK(ncu.called().rfind("1: ", 0) == 0);
  CHECK(contains(ncu.called(), "app-range"));
  CHECK(contains(ncu.called(), " /bin/program study registers\n"));
  CHECK_FALSE(OccupancyMeter::under_ncu());
}

TEST_CASE("Without ncu the reason is that") {
  const std::string path = std::getenv("PATH");
  const TemporaryDirectory empty;
  ::setenv("PATH", empty.path().c_str(), 1);
  CHECK_THROWS_WITH_AS(occupancies_by_ncu({"/bin/program"}), "cannot start 'ncu': No such file or directory",
                       std::runtime_error);
  ::setenv("PATH", path.c_str(), 1);
}
