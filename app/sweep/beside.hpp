// Work in processes beside each other.
#pragma once

#include <cstddef>
#include <functional>

namespace halfstep {

/// Calls `work(n)` for n from 0 to `count` - 1, each in a process of its own, at most `jobs` at a time, and
/// here `done(n, code)` as each ends; `code` is what work() returned, or 128 + the signal that ended it.
/// SIGINT, SIGTERM and SIGHUP are passed on to the processes, and no further ones begin. Returns whether one
/// arrived. The caller has no threads. Throws std::system_error if a process cannot be started, once the
/// others have ended.
bool work_beside(std::size_t count, int jobs, const std::function<int(std::size_t)>& work,
                 const std::function<void(std::size_t, int)>& done);

}  // namespace halfstep
