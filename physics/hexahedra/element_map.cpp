#include "physics/hexahedra/element_map.hpp"

#include "physics/base/short_text.hpp"

namespace halfstep {

std::vector<double> equidistant_nodes(int order) {
  std::vector<double> nodes;
  for (int i = 0; i <= order; ++i) nodes.push_back((2.0 * i - order) / order);
  return nodes;
}

LineTable::LineTable(int order, const std::vector<double>& at)
    : nodes(order + 1), points(static_cast<int>(at.size())) {
  const std::vector<double> node = equidistant_nodes(order);
  for (const double x : at)
    for (int i = 0; i <= order; ++i) {
      double product = 1, derivative = 0;
      for (int j = 0; j <= order; ++j) {
        if (j == i) continue;
        const double width = node[i] - node[j];
        derivative = (derivative * (x - node[j]) + product) / width;
        product *= (x - node[j]) / width;
      }
      value.push_back(product);
      slope.push_back(derivative);
    }
}

Point place_in_element(const Hexahedra& mesh, std::int32_t element, const Point& xi) {
  const LineTable x(mesh.order, {xi[0]}), y(mesh.order, {xi[1]}), z(mesh.order, {xi[2]});
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
