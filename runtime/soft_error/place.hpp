// A source location for payloads: says which check of a program raised.
#pragma once

#include "../device/host_device.hpp"

namespace halfstep::soft_error {

/// A file name and a line. The name is stored as text, since the host cannot follow a pointer into a device.
struct Place {
  char file[28] = {};  ///< name without directories; a long name keeps its end
  int line = 0;
};

/// Returns the location of the call, for example `[&](Spike& s) { s = {here(), i, u[i]}; }` as the lambda of
/// a report. It is evaluated at compile time, so it occupies no registers.
HALFSTEP_HD consteval Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const char* name = file;
  const char* end = file;
  for (; *end != 0; ++end)
    if (*end == '/' || *end == '\\') name = end + 1;
  constexpr int most = sizeof(Place::file) - 1;  // without the terminating zero
  if (end - name > most) name = end - most;
  Place place{.line = line};
  for (char* to = place.file; *name != 0; ++name) *to++ = *name;
  return place;
}

}  // namespace halfstep::soft_error
