// What is wrong with a shape that a deck describes.
#pragma once

#include <stdexcept>
#include <string>

namespace halfstep {

/// Thrown for values that make no shape, with a message and a remedy for the user.
struct ShapeError : std::invalid_argument {
  ShapeError(std::string blamed_key, const std::string& message, std::string advice = "")
      : invalid_argument(message), key(std::move(blamed_key)), remedy(std::move(advice)) {}
  std::string key;     ///< among the shape's values; "" where none of them alone is to blame
  std::string remedy;  ///< "" where there is none to give
};

}  // namespace halfstep
