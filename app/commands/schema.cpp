#include "app/commands/schema.hpp"

#include <cstdio>

#include "app/commands/commands.hpp"
#include "app/deck/reference.hpp"
#include "app/deck/schema.hpp"

namespace halfstep {

int schema(bool markdown) {
  std::fputs((markdown ? deck_reference() : deck_schema()).c_str(), stdout);
  return kFinished;
}

}  // namespace halfstep
