// What is wrong with a mesh of hexahedra that a deck or a file describes.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace halfstep {

/// Thrown for what makes no mesh, with a message and a remedy for the user.
struct HexahedraError : std::invalid_argument {
  explicit HexahedraError(const std::string& message, std::string advice = "", std::string blamed_key = "")
      : invalid_argument(message), remedy(std::move(advice)), key(std::move(blamed_key)) {}
  std::string remedy;  ///< "" where there is none to give
  std::string key;     ///< among a map's values; "" where none of them alone is to blame
};

}  // namespace halfstep
