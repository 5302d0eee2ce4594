// The surfaces that a deck may describe.
#pragma once

#include <memory>
#include <vector>

#include "physics/base/parameter.hpp"
#include "physics/shapes/shape_kinds.hpp"
#include "physics/shapes/stl.hpp"
#include "physics/shapes/surface.hpp"

namespace halfstep {

/// Returns the kinds of shapes whose distance is known, with their parameters: those of regions and more.
std::vector<ItemKind> surface_kinds();

/// Returns the centre of a shape, or what is nearest to one: the point of a half-space, the mean of the
/// vertices of a polygon. Level sets and STL files have the origin.
Point center_of(const Values& values);
/// Says what center_of() is for the kind of shapes.
std::string name_of_center(const std::string& kind);

/// Makes the surface of a shape from its kind and that kind's parameters; level sets may use `names`. Axes
/// that are not active are ignored. `read`: STL files. Throws ShapeError for what has no surface in the
/// mesh's active axes, and ExpressionError for a level set that is no expression.
std::shared_ptr<const Surface> make_surface(const Values& values, const NamedNumbers& names, const Mesh& mesh,
                                            const FileReader& read = bytes_of_file);

}  // namespace halfstep
