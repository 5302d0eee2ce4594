// A kernel of a user's file with its data, compiled into a shared object of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace halfstep::study {

/// Device memory that the variants of a kernel in blocks of one size have in common, so that there is one
/// set of data, made once: they all ask for the same arrays in the same order.
struct SharedArrays {
  struct Array {
    std::shared_ptr<void> memory;
    std::size_t bytes;
  };
  std::vector<Array> all;
};

/// Throws std::runtime_error with CUDA's message.
class Runner {
 public:
  virtual ~Runner() = default;

  /// Returns the milliseconds of a launch, the mean of `launches` in a row.
  virtual double milliseconds(int launches) = 0;

  virtual int blocks() const = 0;          ///< of a launch
  virtual double bytes_moved() const = 0;  ///< by a launch, as the user says
};

}  // namespace halfstep::study

/// Returns a runner with blocks of `threads`; its caller deletes it, before `arrays`. Every such shared
/// object has this function. Throws std::runtime_error.
extern "C" halfstep::study::Runner* halfstep_study_runner(int threads, halfstep::study::SharedArrays& arrays);
