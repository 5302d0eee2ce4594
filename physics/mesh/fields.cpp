#include "physics/mesh/fields.hpp"

#include <cstddef>
#include <thread>

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
        // copy.
        std::vector<std::jthread> threads;
        for (int f = 0; f < fields.count(); ++f)
          threads.emplace_back([&, f] { fields.field(f).assign(spans[f].begin(), spans[f].end()); });
      },
      view);
  return fields;
}

}  // namespace halfstep
