// The result of a study: its tables, and published findings compared with this machine's.
#pragma once

#include <string>
#include <vector>

#include "app/base/table.hpp"

namespace halfstep {

/// Whether a published finding holds on the study's machine.
enum class Standing { holds, reversed, gone, not_measured };
std::string name_of(Standing standing);

struct Finding {
  std::string claim;  ///< one sentence with its source
  std::string there;  ///< the source's figure
  std::string here;   ///< this run's figure
  Standing standing = Standing::not_measured;
  std::string why;  ///< why the figures differ or agree
};

/// Classifies a published ratio > 1 that is `here` now: holds if at least `enough`, reversed if its inverse
/// is, gone otherwise.
Standing standing_of(double here, double enough);

/// A file that a study writes beside its tables.
struct ReportFile {
  std::string name, text;
};

struct StudyReport {
  Table table;                   ///< the study's main table
  std::vector<Table> more = {};  ///< further tables, each with the name of its file
  std::vector<Finding> findings = {};
  std::vector<std::string> failures = {};  ///< missed targets of the project; shown in red
  std::vector<ReportFile> files = {};
};

/// Origin of the figures: command, date, build and machine.
struct Provenance {
  std::string command = {}, date = {}, git = {}, device = {}, driver = {}, compiler = {};
};
/// Returns the origin of what this machine's CUDA device and compiler give.
Provenance provenance(const std::string& command);
/// Returns the origin of what runs give, on the device or on the host's processor.
Provenance provenance_of_runs(const std::string& command, bool on_device);
/// Returns an object keyed by the members' names.
Json provenance_json(const Provenance& made);

/// Returns the report for the terminal. `colour`: failures and reversed findings are red.
std::string report_text(const StudyReport& report, bool colour);
/// Returns {"study", "provenance", "title", "notes", "rows", "tables", "findings", "failures"}. Title, notes
/// and rows are those of the main table; "tables" holds the others with their "name".
std::string report_json(const StudyReport& report, const std::string& study, const Provenance& made);

}  // namespace halfstep
