#include "physics/hexahedra/part_of_mesh.hpp"

#include <cstddef>

namespace halfstep {

exchange::RowGraph graph_of(const Hexahedra& mesh) {
  exchange::RowGraph graph;
  for (std::int32_t element = 0; element < mesh.count; ++element) {
    for (int face = 0; face < mesh.faces(); ++face)
      if (const std::int32_t other = mesh.neighbour(element, face).element; other >= 0)
        graph.beside.push_back(other);
    graph.first.push_back(static_cast<std::int32_t>(graph.beside.size()));
  }
  return graph;
}

Hexahedra part_of(const Hexahedra& mesh, const exchange::RowsOfRank& rows) {
  Hexahedra part;
  part.dimensions = mesh.dimensions;
  part.order = mesh.order;
  part.widths = mesh.widths;
  part.sides = mesh.sides;
  for (const auto* list : {&rows.own, &rows.near, &rows.far})
    part.numbers.insert(part.numbers.end(), list->begin(), list->end());
  std::vector<std::int32_t> in_part(static_cast<std::size_t>(mesh.count), -1);
  for (std::size_t n = 0; n < part.numbers.size(); ++n)
    in_part[static_cast<std::size_t>(part.numbers[n])] = static_cast<std::int32_t>(n);

  const auto own = static_cast<std::int32_t>(rows.own.size());
  part.count = own + static_cast<std::int32_t>(rows.near.size());
  for (std::int32_t element = 0; element < part.count; ++element) {
    const std::ptrdiff_t number = part.number(element);
    const auto first = mesh.nodes.begin() + number * mesh.nodes_of_element();
    part.nodes.insert(part.nodes.end(), first, first + mesh.nodes_of_element());
    for (int face = 0; face < mesh.faces(); ++face) {
      Neighbour beyond = mesh.neighbour(static_cast<std::int32_t>(number), face);
      if (beyond.element >= 0) beyond.element = in_part[static_cast<std::size_t>(beyond.element)];
      if (element >= own) beyond.side = -1;
      part.beyond.push_back(beyond);
    }
  }
  return part;
}

}  // namespace halfstep
