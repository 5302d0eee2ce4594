#include "app/study/achieved_occupancy.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "app/base/process.hpp"

namespace halfstep {
namespace {

constexpr const char* kUnderNcu = "HALFSTEP_UNDER_NCU";  // set for the second run

/// Splits a line of CSV into its fields; doubled quotes within quotes stand for one.
std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t n = 0; n < line.size(); ++n) {
    const char c = line[n];
    if (c == '"' && quoted && n + 1 < line.size() && line[n + 1] == '"')
      fields.back() += line[++n];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

std::size_t column(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) throw std::runtime_error("ncu's table has no column '" + name + "'");
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

std::vector<double> occupancies_by_ncu(const std::vector<std::string>& command) {
  const std::filesystem::path log =
      std::filesystem::temp_directory_path() / ("halfstep-ncu-" + std::to_string(::getpid()) + ".csv");
  // Ranges of an application replay: all kernels of a range are counted together, as with CUPTI.
  std::vector<std::string> words = {"ncu", "--replay-mode", "app-range", "--clock-control", "none"};
  words.insert(words.end(), {"--metrics", kAchievedOccupancy, "--csv", "--log-file", log.string()});
  words.insert(words.end(), command.begin(), command.end());
  ::setenv(kUnderNcu, "1", 1);
  ProcessResult result;
  try {
    result = run_process(words);
  } catch (...) {
    ::unsetenv(kUnderNcu);
    throw;
  }
  ::unsetenv(kUnderNcu);
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  if (text.str().empty())
    throw std::runtime_error("ncu wrote nothing and left with status " + std::to_string(result.status));
  return values_of_ncu(text.str(), kAchievedOccupancy);
}

std::vector<double> values_of_ncu(const std::string& log, const std::string& metric) {
  std::istringstream lines(log);
  std::string line, error;
  std::vector<std::string> header;
  std::vector<double> values;
  while (std::getline(lines, line)) {
    if (line.rfind("==", 0) == 0) {  // "==PROF== ...", "==ERROR== ..."
      if (error.empty() && line.rfind("==ERROR==", 0) == 0) error = line.substr(std::strlen("==ERROR== "));
      continue;
    }
    const std::vector<std::string> fields = csv_fields(line);
    if (header.empty()) {
      if (fields.front() == "ID") header = fields;
      continue;
    }
    if (fields.size() != header.size() || fields[column(header, "Metric Name")] != metric) continue;
    const std::string& value = fields[column(header, "Metric Value")];
    char* end = nullptr;
    values.push_back(std::strtod(value.c_str(), &end));
    if (end == value.c_str()) throw std::runtime_error("ncu gives '" + value + "' for " + metric);
  }
  if (!error.empty()) throw std::runtime_error("ncu: " + error);
  if (values.empty()) throw std::runtime_error("ncu found no range");
  return values;
}

OccupancyMeter::OccupancyMeter(std::vector<std::string> again) : again_(std::move(again)) {}
OccupancyMeter::~OccupancyMeter() = default;

bool OccupancyMeter::under_ncu() { return std::getenv(kUnderNcu) != nullptr; }

std::optional<double> OccupancyMeter::measure(const std::function<void()>& launch) {
  ++calls_;
  if (under_ncu()) {
    mark_range(launch);
    how_ = "not measured: ncu counts from outside";
    return std::nullopt;
  }
  if (const std::optional<double> percent = by_cupti(launch)) {
    how_ = "CUPTI range profiling";
    return percent;
  }
  if (const std::optional<double> percent = by_ncu()) {
    how_ = "ncu";
    return percent;
  }
  how_ = "not measured: " + cupti_reason_ + "; " + ncu_reason_;
  return std::nullopt;
}

std::optional<double> OccupancyMeter::by_cupti(const std::function<void()>& launch) {
  if (cupti_fails_) return std::nullopt;
  bool launched = true;  // only errors of `launch` itself are rethrown
  try {
    if (!profiler_) profiler_ = make_range_profiler(kAchievedOccupancy);
    return profiler_->measure([&] {
      launched = false;
      launch();
      launched = true;
    });
  } catch (const std::exception& error) {
    if (!launched) throw;
    profiler_.reset();
    cupti_fails_ = true;
    cupti_reason_ = error.what();
    return std::nullopt;
  }
}

std::optional<double> OccupancyMeter::by_ncu() {
  if (!asked_ncu_) {
    asked_ncu_ = true;
    try {
      if (again_.empty()) throw std::runtime_error("ncu was not asked");
      of_ncu_ = occupancies_by_ncu(again_);
    } catch (const std::exception& error) {
      ncu_reason_ = error.what();
    }
  }
  if (!ncu_reason_.empty()) return std::nullopt;
  if (calls_ > of_ncu_.size()) {
    ncu_reason_ = "ncu found " + std::to_string(of_ncu_.size()) + " ranges, and there are more";
    return std::nullopt;
  }
  return of_ncu_[calls_ - 1];
}

}  // namespace halfstep
