// What a study leaves: its tables, and what became here of what others had found.
#pragma once

#include <string>
#include <vector>

#include "app/study/table.hpp"

namespace halfstep {

/// Of a published finding, on the machine the study ran on.
enum class Standing { holds, reversed, gone, not_measured };
std::string name_of(Standing standing);

struct Finding {
  std::string claim;  ///< one sentence, with its source
  std::string there;  ///< the figure of the source
  std::string here;   ///< the figure of this run
  Standing standing = Standing::not_measured;
  std::string why;  ///< what explains the difference, or the likeness
};

/// How a ratio that was `there` > 1 stands if it is `here` now: it holds if it still is at least `enough`,
/// is reversed if its inverse is, and is gone between the two.
Standing standing_of(double here, double enough);

struct StudyReport {
  Table table;                   ///< the study's own
  std::vector<Table> more = {};  ///< with names, of the files they go to
  std::vector<Finding> findings = {};
  std::vector<std::string> failures = {};  ///< what fell short of the project's own aims; shown in red
};

/// Where and of what figures were measured.
struct Provenance {
  std::string command = {}, date = {}, git = {}, device = {}, driver = {}, compiler = {};
};
Provenance provenance(const std::string& command);
/// By the names of its members.
Json provenance_json(const Provenance& made);

/// For the terminal; `colour`: failures and what is reversed are red.
std::string report_text(const StudyReport& report, bool colour);
/// {"study", "provenance", "title", "notes", "rows", "tables", "findings", "failures"}; title, notes and rows
/// are those of the study's own table, "tables" holds the others with their "name"s.
std::string report_json(const StudyReport& report, const std::string& study, const Provenance& made);

}  // namespace halfstep
