// Tries work on an untrusted file in a child process first: HDF5 crashes or hangs on some damaged ones.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace halfstep {

/// Calls `work` in a child process. Returns "" if it completes, otherwise why not: what it threw, a crash, or
/// more than `seconds`. Call it from a thread that shares no lock with others. Throws std::runtime_error if
/// no child can be started.
std::string trial(double seconds, const std::function<void()>& work);

/// Returns a generous time for reading a file: that of a slow disk. Throws std::filesystem::filesystem_error.
double seconds_to_read(const std::filesystem::path& path);

}  // namespace halfstep
