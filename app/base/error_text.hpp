// What a user reads of an error that ends a command with kFailed.
#pragma once

#include <exception>
#include <string>

namespace halfstep {

struct ErrorText {
  std::string message, help;  ///< the help may be empty
};

ErrorText error_text(const std::exception& error);

}  // namespace halfstep
