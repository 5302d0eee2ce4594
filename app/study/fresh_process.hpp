// A measurement in a process of its own: what a process does for the first time it does once.
#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace halfstep {

/// The bytes `work` returns in a process forked from this one. Throws std::runtime_error with the message of
/// what `work` throws, or if the process ends in another way.
std::string bytes_of_fresh_process(const std::function<std::string()>& work);

/// What `work` returns there. A process that has used CUDA cannot hand it on: call this before.
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
