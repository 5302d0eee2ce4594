// A place in the source, for payloads: which of a program's checks raised.
#pragma once

#include "../device/host_device.hpp"

namespace halfstep::soft_error {

/// The host reads text, not a pointer into a device.
struct Place {
  char file[28] = {};  ///< its name without folders, of a long one the end
  int line = 0;
};

/// Where it is written, as in `report_first_error(reporter, [&](Spike& s) { s = {here(), i, u[i]}; })`. The
/// compiler knows all of it, so that nothing is held in registers for it.
HALFSTEP_HD consteval Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const char* name = file;
  const char* end = file;
  for (; *end != 0; ++end)
    if (*end == '/' || *end == '\\') name = end + 1;
  constexpr int most = sizeof(Place::file) - 1;  // and a zero
  if (end - name > most) name = end - most;
  Place place{.line = line};
  for (char* to = place.file; *name != 0; ++name) *to++ = *name;
  return place;
}

}  // namespace halfstep::soft_error
