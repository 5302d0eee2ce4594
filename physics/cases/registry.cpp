// The table to which every case's file adds itself.
#include <algorithm>

#include "physics/cases/case.hpp"

namespace halfstep {
namespace {

// A function's local static, and hence constructed before the first registration from any file.
std::vector<CaseInfo>& table() {
  static std::vector<CaseInfo> cases;
  return cases;
}

bool by_name(const CaseInfo& info, const std::string& name) { return info.name < name; }

}  // namespace

const std::vector<CaseInfo>& cases() { return table(); }

const CaseInfo* find_case(const std::string& name) {
  const auto at = std::lower_bound(table().begin(), table().end(), name, by_name);
  return at != table().end() && at->name == name ? &*at : nullptr;
}

RegisterCase::RegisterCase(CaseInfo info) {
  const auto at = std::lower_bound(table().begin(), table().end(), info.name, by_name);
  if (at != table().end() && at->name == info.name)
    throw std::logic_error("case '" + info.name + "' is registered twice");
  table().insert(at, std::move(info));
}

}  // namespace halfstep
