// Fields of a snapshot that are there at once.
#pragma once

#include <utility>

#include "physics/solver/solver.hpp"

namespace halfstep {

class HeldFields final : public Snapshot {
 public:
  explicit HeldFields(Fields fields) : fields_(std::move(fields)) {}
  FieldsView fields() override { return view_of(fields_); }

 private:
  Fields fields_;
};

}  // namespace halfstep
