// What is wrong with a mesh of hexahedra that a deck or a file describes.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace halfstep {

/// Thrown for what makes no mesh, with a message and a remedy for the user.
struct HexahedraError : std::invalid_argument {
  HexahedraError(const std::string& message, std::string advice)
      : invalid_argument(message), remedy(std::move(advice)) {}
  std::string remedy;
};

}  // namespace halfstep
