// Work on a file of unknown origin, tried in a child process first: HDF5 crashes or hangs on some damaged
// ones.
#pragma once

#include <functional>
#include <string>

namespace halfstep {

/// Calls `work` in a child process. Returns "" where it comes to its end, else why it does not: what it
/// throws, a crash, or more than `seconds`. From a thread that shares no lock with others; throws
/// std::runtime_error where there can be no child.
std::string trial(double seconds, const std::function<void()>& work);

}  // namespace halfstep
