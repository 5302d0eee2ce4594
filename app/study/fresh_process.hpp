// A measurement in a new process, for costs that a process has only once.
#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace halfstep {

/// Returns the bytes that `work` returns in a process forked from this one. Throws std::runtime_error with
/// the message of what `work` throws, or if the process ends in another way.
std::string bytes_of_fresh_process(const std::function<std::string()>& work);

/// Returns what `work` returns in a new process. To be called before this process uses CUDA, as a fork cannot
/// use it afterwards.
template <class Result>
Result in_fresh_process(const std::function<Result()>& work) {
  static_assert(std::is_trivially_copyable_v<Result>);
  const std::string bytes = bytes_of_fresh_process([&] {
    const Result result = work();
    return std::string(reinterpret_cast<const char*>(&result), sizeof(Result));
  });
  if (bytes.size() != sizeof(Result)) throw std::runtime_error("a process of the study was cut short");
  Result result;
  std::memcpy(&result, bytes.data(), sizeof(Result));
  return result;
}

}  // namespace halfstep
