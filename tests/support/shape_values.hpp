// The values of shapes, for tests.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/shapes/shape_kinds.hpp"

namespace halfstep {

/// Returns an entry of one of the kinds with its defaults, and what `settings` change.
inline Values shape_values(const std::vector<ItemKind>& kinds, const std::string& shape,
                           const std::vector<std::pair<std::string, Value>>& settings) {
  for (const ItemKind& kind : kinds) {
    if (kind.name != shape) continue;
    Values values;
    values.set(kShapeKey, shape);
    for (const Parameter& p : kind.parameters) values.set(p.name, p.fallback);
    for (const auto& [key, value] : settings) {
      values.at(key);
      values.set(key, value);
    }
    for (const Parameter& p : kind.parameters) {
      const auto is_own = [&](const auto& setting) { return setting.first == p.name; };
      if (p.computed.of_block && std::none_of(settings.begin(), settings.end(), is_own))
        values.set(p.name, p.computed.of_block(values));
    }
    return values;
  }
  throw std::logic_error("no shape '" + shape + "'");
}

}  // namespace halfstep
