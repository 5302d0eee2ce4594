// The rules of decks with a mesh of hexahedra.
#pragma once

#include <optional>
#include <string>

#include "app/deck/diagnostic.hpp"
#include "app/deck/validate.hpp"

namespace halfstep {

/// Whether the deck has a map, which may still make no mesh.
bool has_map(const RunConfig& config);

/// Makes the hexahedra that mesh.map describes, if it does. Reports a map that makes no mesh, and what they
/// cannot be beside.
void set_hexahedra(ValidatedDeck& deck, Diagnostics& errors);

/// Reads the hexahedra of mesh.file, if there is one, and sets the boundaries of their sides: of side n that
/// of axis n / 2 and side n % 2. Reports a file without a mesh, and sides that mesh.sides has not or that the
/// file has not.
void set_mesh_of_file(ValidatedDeck& deck, Diagnostics& errors);

/// Reports boundaries of a file's sides that the case has not.
void check_sides_of_file(const ValidatedDeck& deck, Diagnostics& errors);

/// A side of the mesh as the deck gives it.
struct SideOfDeck {
  std::string key;       ///< "mesh.boundary.x", "mesh.sides.wall"
  const Values* values;  ///< its block
};

/// Returns the side (0 lower, 1 upper) of an axis, or of a file's mesh its side 2 axis + side; nothing if the
/// mesh has no such side.
std::optional<SideOfDeck> side_of_deck(const RunConfig& config, int axis, int side);

}  // namespace halfstep
