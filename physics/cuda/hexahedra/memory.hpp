// The memory that a device has of a mesh of hexahedra. Include it only in files compiled by nvcc.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/cuda/hexahedra/hexahedra.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/curved/wall_of_mesh.hpp"
#include "physics/solver/problem.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep {

template <class Real>
class HexahedraMemory {
 public:
  HexahedraMemory(const Problem& problem, const Layout& layout, const BoundaryConditions<Real>& rules)
      : depth_(depth_of(problem.hexahedra->dimensions, problem.mesh)) {
    const Hexahedra& mesh = *problem.hexahedra;
    const int degree = problem.scheme.degree;
    const bool is_viscous = problem.terms.viscous();
    const HexahedraTables<Real> tables(mesh, HexahedraGeometry(mesh, degree));
    const std::int64_t slots = tables.face_points();
    expect_few(slots);
    put_geometry(tables, degree);
    const FacesOfMesh faces(mesh, problem.mesh.cells[1]);
    faces_ = copied_to_device(faces.faces);
    on_sides_ = faces.on_sides;
    if (problem.mesh.rows) numbers_ = copied_to_device(problem.mesh.rows->own);
    for (const WallOfMesh& wall : walls_of_mesh(mesh, problem.boundary))
      walls_.push_back(copied_to_device(wall.faces));
    outflows_ = DeviceBuffer<Real>(kFields * slots);
    if (is_viscous) {
      ends_ = DeviceBuffer<Real>(kFields * slots);
      viscous_outflows_ = DeviceBuffer<Real>(kViscousFields * slots);
      viscous_divergence_ = DeviceBuffer<Real>(kViscousFields * tables.points());
    }
    bytes_ = bytes_of_hexahedra(mesh, degree, is_viscous, sizeof(Real)) +
             static_cast<std::int64_t>((faces_.count() + numbers_.count()) * sizeof(std::int32_t));
    const HexahedraView<Real> geometry{
        layout,      tables.is_straight, tables.straight, metric_.get(), inverse_jacobian_.get(),
        area_.get(), face_place_.get(),  beyond_.get()};
    view_.emplace(DeviceHexahedra<Real>{hexahedra_stage(geometry, rules, problem.scheme, problem.terms,
                                                        problem.detection.spikes, fine_.get(), 0),
                                        {degree, mesh.dimensions, any_operators_.get()},
                                        operators_.get(),
                                        faces_.get(),
                                        faces.of_two,
                                        static_cast<int>(faces_.count()) - faces.of_two,
                                        mesh.count,
                                        {ends_.get()},
                                        {outflows_.get()},
                                        {viscous_outflows_.get()},
                                        {viscous_divergence_.get()}});
  }

  std::int64_t bytes() const { return bytes_; }
  /// Returns the faces of each wall, as element * faces + face.
  const std::vector<DeviceBuffer<std::int32_t>>& walls() const { return walls_; }
  /// Returns the places of the faces on sides among those of the view.
  const FacesOnSides& on_sides() const { return on_sides_; }
  double depth() const { return depth_; }
  /// Returns the numbers of the own elements in the whole mesh; nullptr: these are all.
  const std::int32_t* numbers() const { return numbers_.get(); }
  const DeviceHexahedra<Real>& view() const { return *view_; }

 private:
  /// Kernels number the face points by integers of 32 bits.
  static void expect_few(std::int64_t face_points) {
    if (face_points > std::numeric_limits<int>::max())
      throw std::runtime_error(
          std::to_string(face_points) +
          " points of elements' faces are more than kernels can number; use fewer elements");
  }
  void put_geometry(const HexahedraTables<Real>& tables, int degree) {
    operators_ = copied_to_device(std::vector{operator_table<Real>(degree)});
    any_operators_ = copied_to_device(std::vector{operator_table<double>(degree)});
    fine_ = copied_to_device(std::vector{fine_table(degree)});
    metric_ = copied_to_device(tables.metric);
    inverse_jacobian_ = copied_to_device(tables.inverse_jacobian);
    area_ = copied_to_device(tables.area);
    face_place_ = copied_to_device(tables.face_place);
    beyond_ = copied_to_device(tables.beyond);
  }

  double depth_;
  FacesOnSides on_sides_;
  std::int64_t bytes_;
  DeviceBuffer<OperatorTable<Real>> operators_;
  DeviceBuffer<OperatorTable<double>> any_operators_;
  DeviceBuffer<FineTable> fine_;
  DeviceBuffer<Real> metric_, inverse_jacobian_, area_;
  DeviceBuffer<double> face_place_;
  DeviceBuffer<Neighbour> beyond_;
  DeviceBuffer<std::int32_t> faces_, numbers_;
  std::vector<DeviceBuffer<std::int32_t>> walls_;
  DeviceBuffer<Real> ends_, outflows_, viscous_outflows_, viscous_divergence_;
  std::optional<DeviceHexahedra<Real>> view_;
};

}  // namespace halfstep
