// The solution points of a row of elements as the cells of an axis: as wide as Gauss's weights, so that sums
// over cells are Gauss's quadrature, and everything that knows cells knows elements.
#pragma once

#include <memory>
#include <vector>

#include "physics/elements/operators.hpp"
#include "physics/spacing/stretched_axis.hpp"

namespace halfstep {

/// Returns the axis of `elements` elements of one width between two places. Each point lies in its cell
/// (Szego 1939, Orthogonal Polynomials, section 3.41).
inline std::shared_ptr<const StretchedAxis> axis_of_elements(int elements, int degree, double lower,
                                                             double upper, bool is_periodic) {
  return with_degree(degree, [&]<int p>() {
    const Operators<p>& of = operators<p>();
    const double width = (upper - lower) / elements;
    std::vector<double> faces, points;
    for (int element = 0; element < elements; ++element) {
      double below = 0;  // the weights of the element's points below this one
      for (int a = 0; a <= p; ++a) {
        faces.push_back(lower + (element + 0.5 * below) * width);
        points.push_back(lower + (element + 0.5 * (1 + of.xi[a])) * width);
        below += of.w[a];
      }
    }
    faces.push_back(upper);
    return std::make_shared<const StretchedAxis>(faces, is_periodic, points);
  });
}

}  // namespace halfstep
