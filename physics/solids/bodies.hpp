// The bodies of a deck.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/shapes/shape_error.hpp"
#include "physics/shapes/stl.hpp"
#include "physics/solids/body.hpp"

namespace halfstep {

/// Returns the kinds of entries of the list `solids`: shapes, each with its place, its wall and the name of
/// its body beside its own parameters.
std::vector<ItemKind> solid_kinds();

/// Thrown for an entry of the list that makes no body.
struct SolidError : ShapeError {
  SolidError(std::size_t number, const ShapeError& error) : ShapeError(error), entry(number) {}
  std::size_t entry;
};

/// Makes the bodies of the entries, in their order: those with one name are one body, united or cut out one
/// after another. Throws SolidError for an entry that makes no body, and for a body that holds no cell's
/// centre or leaves none to the gas. `viscous`: of the gas. `read`: STL files.
std::vector<Body> make_bodies(const Items& entries, const NamedNumbers& names, const Mesh& mesh, bool viscous,
                              const FileReader& read = bytes_of_file);

}  // namespace halfstep
