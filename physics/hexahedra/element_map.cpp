#include "physics/hexahedra/element_map.hpp"

#include "physics/base/short_text.hpp"

namespace halfstep {

std::vector<double> equidistant_nodes(int order) {
  std::vector<double> nodes;
  for (int i = 0; i <= order; ++i) nodes.push_back((2.0 * i - order) / order);
  return nodes;
}

Interpolation::Interpolation(const std::vector<double>& points, const std::vector<double>& at)
    : from(static_cast<int>(points.size())),
      to(static_cast<int>(at.size())),
      value(points.size() * at.size()),
      slope(points.size() * at.size()) {
  for (int p = 0; p < to; ++p)
    for (int j = 0; j < from; ++j) {
      double product = 1, sum = 0;  // of the factors, and of the products that lack one of them
      for (int m = 0; m < from; ++m) {
        if (m == j) continue;
        const double factor = (at[p] - points[m]) / (points[j] - points[m]);
        sum = sum * factor + product / (points[j] - points[m]);
        product *= factor;
      }
      value[p * from + j] = product;
      slope[p * from + j] = sum;
    }
}

Point place_in_element(const Hexahedra& mesh, std::int32_t element, const Point& xi) {
  const std::vector<double> nodes = equidistant_nodes(mesh.order);
  const Interpolation x(nodes, {xi[0]}), y(nodes, {xi[1]}), z(nodes, {xi[2]});
  const int n = mesh.order + 1, layers = mesh.dimensions == 3 ? n : 1;
  const Point* node = &mesh.nodes[static_cast<std::size_t>(element) * mesh.nodes_of_element()];
  Point place{};
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i, ++node)
        for (int axis = 0; axis < 3; ++axis)
          place[axis] += x.value[i] * y.value[j] * (layers > 1 ? z.value[k] : 1) * (*node)[axis];
  return place;
}

Point middle_of_face(const Hexahedra& mesh, std::int32_t element, int face) {
  Point xi{};
  xi[face / 2] = face % 2 == 0 ? -1 : 1;
  return place_in_element(mesh, element, xi);
}

std::string text_of_place(const Point& x) {
  return "(" + short_text(x[0]) + ", " + short_text(x[1]) + ", " + short_text(x[2]) + ")";
}

}  // namespace halfstep
