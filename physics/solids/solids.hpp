// The bodies in a flow, and which cells of the mesh lie in them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "physics/solids/body.hpp"

namespace halfstep {

struct SolidCells;
template <class Real>
struct BoundaryConditions;

/// A mask has a byte for a cell.
inline constexpr std::size_t kMaxBodies = 254;

/// How far stages look into bodies.
struct SolidReach {
  int along_axes = 1;            ///< cells along an axis
  int corners = 0;               ///< cells along each axis together, at edges and corners
  bool corrects_fluxes = false;  ///< to fourth order, which faces near bodies do without
};

/// The bodies in a flow. Their cells are sought in the mesh when first asked for, because that takes time.
class Solids : public std::enable_shared_from_this<Solids> {
 public:
  /// `rules`: of the whole mesh.
  Solids(std::vector<Body> bodies, const Mesh& mesh, const BoundaryConditions<double>& rules,
         const SolidReach& reach);
  /// `find` returns the cells of the mesh.
  Solids(std::vector<Body> bodies, const Mesh& mesh, std::function<SolidCells()> find)
      : bodies_(std::move(bodies)), mesh_(mesh), find_(std::move(find)) {}
  /// Returns what the block `own` of the mesh has of them, beyond whose sides all probes of its cells are.
  std::shared_ptr<const Solids> in_block(const Mesh& own) const;

  const std::vector<Body>& bodies() const { return bodies_; }
  /// Returns the cells that lie in bodies.
  const SolidCells& cells() const;
  /// Returns the layers of cells beyond the mesh's sides that are needed to fill them.
  int layers() const;

 private:
  std::vector<Body> bodies_;
  Mesh mesh_;
  std::function<SolidCells()> find_;
  mutable std::once_flag found_;
  mutable std::shared_ptr<const SolidCells> cells_;
};

/// Returns the walls of bodies, in their order.
std::vector<Wall> walls_of(const std::vector<Body>& bodies);

}  // namespace halfstep
