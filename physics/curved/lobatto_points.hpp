// The points of Gauss, Legendre and Lobatto on -1 <= xi <= 1.
#pragma once

#include <vector>

namespace halfstep {

/// Returns the n points from -1 to 1, n >= 2: both ends and the extrema of the Legendre polynomial of degree
/// n - 1.
std::vector<double> lobatto_points(int n);

}  // namespace halfstep
