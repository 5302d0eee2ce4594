// A kernel of a user's file with its data, compiled into a shared object of its own.
#pragma once

namespace halfstep::study {

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

/// Returns a runner with blocks of `threads`; its caller deletes it. Every such shared object has this
/// function. Throws std::runtime_error.
extern "C" halfstep::study::Runner* halfstep_study_runner(int threads);
