#include "physics/mesh/fields.hpp"

#include <cstddef>
#include <future>

namespace halfstep {

FieldsView view_of(const Fields& fields) {
  FieldSpans<double> spans;
  for (int f = 0; f < fields.count(); ++f) spans.emplace_back(fields.field(f));
  return spans;
}

Fields widened(const FieldsView& view) {
  Fields fields;
  std::visit(
      [&](const auto& spans) {
        fields.scalars.resize(spans.size() - kFields);
        // A thread a field: fresh memory comes from the system page by page, which takes longer than the
        // copy of many cells.
        constexpr std::size_t many = 100'000;
        const auto policy = spans[0].size() > many ? std::launch::async : std::launch::deferred;
        std::vector<std::future<void>> copies;
        for (int f = 0; f < fields.count(); ++f)
          copies.push_back(
              std::async(policy, [&, f] { fields.field(f).assign(spans[f].begin(), spans[f].end()); }));
        for (std::future<void>& copy : copies) copy.get();
      },
      view);
  return fields;
}

}  // namespace halfstep
