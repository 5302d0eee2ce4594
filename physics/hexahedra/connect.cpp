#include "physics/hexahedra/connect.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "physics/hexahedra/element_map.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"

namespace halfstep {
namespace {

/// The corners of a face along its first coordinate, then its second; of an edge the last two are -1.
using FaceCorners = std::array<std::int64_t, 4>;

struct Face {
  FaceCorners sorted;
  std::int32_t element;
  int face;
};

class Connection {
 public:
  Connection(Hexahedra& mesh, const std::vector<std::int64_t>& corners, const SideOfFace& side_of)
      : mesh_(mesh), corners_(corners), side_of_(side_of) {}

  void make() {
    expect_own_corners();
    mesh_.beyond.assign(static_cast<std::size_t>(mesh_.count) * mesh_.faces(), Neighbour{});
    const std::vector<Face> faces = sorted_faces();
    std::vector<Face> unmatched;
    for (std::size_t first = 0, end; first < faces.size(); first = end) {
      for (end = first + 1; end < faces.size() && faces[end].sorted == faces[first].sorted;) ++end;
      if (end - first > 2) refuse_shared(&faces[first], end - first);
      if (end - first == 2)
        join(faces[first], faces[first + 1]);
      else if (!put_on_side(faces[first]))
        unmatched.push_back(faces[first]);
    }
    if (!unmatched.empty()) refuse_unmatched(unmatched);
  }

 private:
  int corners_of_element() const { return mesh_.dimensions == 3 ? 8 : 4; }
  std::size_t corners_of_face() const { return mesh_.dimensions == 3 ? 4 : 2; }

  /// Returns the corners of a face in the order of its own coordinates.
  FaceCorners corners_of(std::int32_t element, int face) const {
    const int axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    FaceCorners all{-1, -1, -1, -1};
    for (std::size_t n = 0; n < corners_of_face(); ++n) {
      const int b[2] = {static_cast<int>(n) & 1, static_cast<int>(n) >> 1};
      const int corner = (face % 2) << axis | b[0] << first | b[1] << second;
      all[n] = corners_[static_cast<std::size_t>(element) * corners_of_element() + corner];
    }
    return all;
  }

  void expect_own_corners() const {
    for (std::int32_t element = 0; element < mesh_.count; ++element) {
      const auto first = corners_.begin() + std::ptrdiff_t{element} * corners_of_element();
      std::vector<std::int64_t> own(first, first + corners_of_element());
      std::sort(own.begin(), own.end());
      if (std::adjacent_find(own.begin(), own.end()) != own.end())
        throw HexahedraError("element " + std::to_string(element) + " has a corner twice, in the middle at " +
                                 text_of_place(place_in_element(mesh_, element, {})),
                             "elements with collapsed edges are no hexahedra; elements count from 0");
    }
  }

  std::vector<Face> sorted_faces() const {
    std::vector<Face> faces;
    for (std::int32_t element = 0; element < mesh_.count; ++element)
      for (int face = 0; face < mesh_.faces(); ++face) {
        faces.push_back({corners_of(element, face), element, face});
        std::sort(faces.back().sorted.begin(), faces.back().sorted.end());
      }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
      return a.sorted != b.sorted     ? a.sorted < b.sorted
             : a.element != b.element ? a.element < b.element
                                      : a.face < b.face;
    });
    return faces;
  }

  void join(const Face& a, const Face& b) {
    set_neighbour(a, b);
    set_neighbour(b, a);
  }

  /// Sets what is beyond `own`. The bits of a corner's number are its places along first and second.
  void set_neighbour(const Face& own, const Face& other) {
    const FaceCorners mine = corners_of(own.element, own.face), its = corners_of(other.element, other.face);
    const auto number = [&](std::int64_t id) {
      return static_cast<int>(std::find(its.begin(), its.end(), id) - its.begin());
    };
    const int origin = number(mine[0]);
    const int first = origin ^ number(mine[1]), second = mesh_.dimensions == 3 ? origin ^ number(mine[2]) : 0;
    if (first == 3 || second == 3)
      throw HexahedraError("elements " + std::to_string(own.element) + " and " +
                               std::to_string(other.element) + " share a face twisted, at " + place_of(own),
                           "the corners of one of them are in a wrong order; elements count from 0");
    const int turn =
        (first == 2 ? 1 : 0) | ((origin & first) != 0 ? 2 : 0) | ((origin & second) != 0 ? 4 : 0);
    beyond(own) = {other.element, static_cast<std::int8_t>(other.face), static_cast<std::int8_t>(turn), -1};
  }

  bool put_on_side(const Face& own) {
    const FaceCorners all = corners_of(own.element, own.face);
    const int side = side_of_(std::span(all).first(corners_of_face()));
    beyond(own).side = static_cast<std::int8_t>(side);
    return side >= 0;
  }

  Neighbour& beyond(const Face& own) {
    return mesh_.beyond[static_cast<std::size_t>(own.element) * mesh_.faces() + own.face];
  }
  std::string place_of(const Face& own) const {
    return text_of_place(middle_of_face(mesh_, own.element, own.face));
  }

  [[noreturn]] void refuse_shared(const Face* faces, std::size_t count) const {
    std::string elements = std::to_string(faces[0].element);
    for (std::size_t n = 1; n < count; ++n)
      elements += (n + 1 == count ? " and " : ", ") + std::to_string(faces[n].element);
    throw HexahedraError("elements " + elements + " share one face, at " + place_of(faces[0]),
                         "a face belongs to two elements at most; elements count from 0");
  }

  [[noreturn]] void refuse_unmatched(const std::vector<Face>& faces) const {
    const Face& first = *std::min_element(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
      return a.element != b.element ? a.element < b.element : a.face < b.face;
    });
    throw HexahedraError("unmatched face of element " + std::to_string(first.element) + " at " +
                             place_of(first) +
                             (faces.size() > 1 ? ", and " + std::to_string(faces.size() - 1) + " more" : ""),
                         "no other element has it, and no boundary names it; elements count from 0");
  }

  Hexahedra& mesh_;
  const std::vector<std::int64_t>& corners_;
  const SideOfFace& side_of_;
};

}  // namespace

void connect(Hexahedra& mesh, const std::vector<std::int64_t>& corners, const SideOfFace& side_of) {
  Connection(mesh, corners, side_of).make();
}

}  // namespace halfstep
