#include "app/study/kernel_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/study/registers.hpp"

namespace halfstep {
namespace {

/// The rows of one architecture and block.
struct Group {
  std::vector<KernelRow> rows;

  /// Returns the row of a method with a cap, or nullptr.
  const KernelRow* find(const std::string& method, int cap = 0) const {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& row) {
      return row.method == method && row.cap == cap;
    });
    return found == rows.end() ? nullptr : &*found;
  }
  std::string place() const {
    return fmt::format("{}, {} threads", rows.front().architecture, rows.front().block);
  }
  /// Returns the rows without a cap.
  std::vector<const KernelRow*> uncapped() const {
    std::vector<const KernelRow*> all;
    for (const KernelRow& row : rows)
      if (row.cap == 0) all.push_back(&row);
    return all;
  }
};

std::vector<Group> groups_of(const std::vector<KernelRow>& rows) {
  std::vector<Group> groups;
  for (const KernelRow& row : rows) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.rows[0].architecture == row.architecture && group.rows[0].block == row.block;
    });
    (same == groups.end() ? groups.emplace_back() : *same).rows.push_back(row);
  }
  return groups;
}

double percent(double part) { return 100 * part; }

/// Whether `a` costs less than `b`: time if both have been timed, or else registers.
bool is_cheaper(const KernelRow& a, const KernelRow& b) {
  if (a.time && b.time) return a.time->milliseconds.median < b.time->milliseconds.median;
  return std::pair(a.resources.registers, a.spill_bytes()) <
         std::pair(b.resources.registers, b.spill_bytes());
}

std::string time_text(const KernelRow& row) {
  return row.time ? fmt::format(", {:.3f} times its time", row.time->ratio.median) : "";
}

std::string cheapest_sentence(const Group& group, const KernelRow& none) {
  const KernelRow* cheapest = nullptr;
  std::string losing;
  for (const KernelRow* row : group.uncapped()) {
    if (row->method == "none") continue;
    if (row->occupancy < none.occupancy)
      losing +=
          fmt::format("{}{} ({:.3g} %)", losing.empty() ? "" : ", ", row->method, percent(row->occupancy));
    else if (!cheapest || is_cheaper(*row, *cheapest))
      cheapest = row;
  }
  if (!losing.empty()) losing = " Occupancy is lost with " + losing + ".";
  if (!cheapest)
    return fmt::format("{}: no way of reporting keeps the {:.3g} % occupancy of none.{}", group.place(),
                       percent(none.occupancy), losing);
  return fmt::format(
      "{}: {} is the cheapest way that keeps the {:.3g} % occupancy of none: {} registers against {}{}.{}",
      group.place(), cheapest->method, percent(none.occupancy), cheapest->resources.registers,
      none.resources.registers, time_text(*cheapest), losing);
}

std::string cost_sentence(const Group& group, const KernelRow& none, const KernelRow& row) {
  std::string text = fmt::format("{}: {} costs this kernel {} registers ({} against {})", group.place(),
                                 row.method, row.resources.registers - none.resources.registers,
                                 row.resources.registers, none.resources.registers);
  if (row.resources.stack_bytes > none.resources.stack_bytes)
    text +=
        fmt::format(", {} bytes of stack a thread", row.resources.stack_bytes - none.resources.stack_bytes);
  if (row.occupancy != none.occupancy)
    text +=
        fmt::format(", {:.3g} % occupancy against {:.3g} %", percent(row.occupancy), percent(none.occupancy));
  return text + time_text(row) + '.';
}

/// Returns the fastest row of a method; nullptr if it was not timed with more than one cap.
const KernelRow* fastest_of(const Group& group, const std::string& method) {
  const KernelRow* fastest = nullptr;
  int timed = 0;
  for (const KernelRow& row : group.rows) {
    if (row.method != method || !row.time) continue;
    ++timed;
    if (!fastest || row.time->milliseconds.median < fastest->time->milliseconds.median) fastest = &row;
  }
  return timed > 1 ? fastest : nullptr;
}

/// Says which caps are the fastest: a sentence for all methods that are without, and one for each other.
std::vector<std::string> cap_sentences(const Group& group) {
  std::vector<std::string> all, names, times;
  for (const KernelRow* uncapped : group.uncapped()) {
    const KernelRow* const fastest = fastest_of(group, uncapped->method);
    if (!fastest) continue;
    const double milliseconds = fastest->time->milliseconds.median;
    if (fastest->cap == 0 || !uncapped->time) {
      names.push_back(uncapped->method);
      times.push_back(fmt::format("{:.4g}", milliseconds));
    } else {
      all.push_back(
          fmt::format("{}: {} is fastest with a cap of {} registers, {:.4g} ms against {:.4g} ms without; {} "
                      "bytes are spilled a thread.",
                      group.place(), uncapped->method, fastest->cap, milliseconds,
                      uncapped->time->milliseconds.median, fastest->spill_bytes()));
    }
  }
  if (!names.empty())
    all.push_back(fmt::format("{}: {} {} fastest without a cap, {} ms.", group.place(),
                              fmt::join(names, ", "), names.size() == 1 ? "is" : "are",
                              fmt::join(times, ", ")));
  return all;
}

/// Says how far the occupancy falls from method to method; "" if it does not.
std::string cliff_of(const Group& group) {
  std::vector<std::string> methods;
  std::vector<int> registers;
  std::vector<double> occupancies;
  for (const KernelRow* row : group.uncapped()) {
    methods.push_back(row->method);
    registers.push_back(row->resources.registers);
    occupancies.push_back(row->occupancy);
  }
  return cliff_sentence("the kernel on " + group.rows[0].architecture, group.rows[0].block, methods,
                        registers, occupancies);
}

}  // namespace

std::vector<std::string> peak_advice(const std::vector<KernelPeak>& peaks) {
  std::vector<std::string> all;
  std::string architecture;
  for (const KernelPeak& peak : peaks) {
    const bool is_next = std::exchange(architecture, peak.architecture) != peak.architecture;
    if (is_next) all.push_back(architecture + ": registers peak");
    all.back() += fmt::format("{} at {}:{} ({} live) with {}", is_next ? "" : ",", peak.line.file.string(),
                              peak.line.line, peak.live, peak.method);
  }
  for (std::string& sentence : all) sentence += '.';
  return all;
}

std::vector<std::string> kernel_advice(const std::vector<KernelRow>& rows) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) all.push_back(sentence);
  };
  for (const Group& group : groups_of(rows)) {
    const KernelRow* const none = group.find("none");
    if (none->occupancy == 0) continue;
    add(cheapest_sentence(group, *none));
    for (const char* method : {"printf", "assert"}) add(cost_sentence(group, *none, *group.find(method)));
    for (const std::string& sentence : cap_sentences(group)) add(sentence);
    add(cliff_of(group));
  }
  return all;
}

}  // namespace halfstep
