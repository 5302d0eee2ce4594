// What the gas does to bodies and to walls of hexahedra: force, moment and heat, from the fluxes through the
// faces between cells of gas and of bodies, or on the wall. They are what the gas loses there: the sum over a
// body is its load as soon as the gas between those faces and the surface is steady, and to the order of the
// mesh before.
#pragma once

#include <cstdint>

#include "physics/curved/hexahedron.hpp"
#include "physics/curved/listed_faces.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/stage/replay.hpp"
#include "runtime/device/exact_sum.hpp"

namespace halfstep {

/// The loads of a body before they are rounded.
using ExactLoads = LoadSums<ExactSum>;

/// Returns the load by the inviscid and the viscous flux into a body, a unit of area and time, through an
/// area. `arm`: from the point that moments are about.
HALFSTEP_HD BodyLoads load_of_flux(const Conserved<double>& inviscid, const Conserved<double>& viscous,
                                   double area, const double (&arm)[3]) {
  BodyLoads load;
  const double by_pressure[3] = {area * inviscid.mu, area * inviscid.mv, area * inviscid.mw};
  const double by_friction[3] = {area * viscous.mu, area * viscous.mv, area * viscous.mw};
  for (int n = 0; n < 3; ++n) {
    load.pressure_force[n] = by_pressure[n];
    load.friction_force[n] = by_friction[n];
    const int second = (n + 1) % 3, third = (n + 2) % 3;
    load.moment[n] = arm[second] * (by_pressure[third] + by_friction[third]) -
                     arm[third] * (by_pressure[second] + by_friction[second]);
  }
  load.heat = area * viscous.energy;
  return load;
}

/// Returns the viscous flux through the lower face along `axis` of a cell, of second order, along the axes of
/// the mesh.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_flux_below(const RhsArguments<Real>& a, int axis,
                                               const std::array<int, 3>& cell) {
  const auto value_at = [&](int field, int n, int tangential, int m) {
    const auto index = [&](int along) {
      return cell[along] + (along == axis ? n : 0) + (along == tangential ? m : 0);
    };
    const Motion<Real> motion = motion_at<3>(a, {index(0), index(1), index(2)});  // as it is, no wall's
    return field < 3 ? motion.velocity[field] : motion.temperature;
  };
  const auto motion = [&](int field, int n) { return value_at(field, n, axis, 0); };
  const auto in_cell = [&](int tangential, int field, int n) {
    return value_at(field, n, tangential, 1) - value_at(field, n, tangential, -1);
  };
  return unrotated(viscous_flux_between<2, true, Real>(a, axis, cell, -1, motion, in_cell), axis);
}

/// Returns the load of the gas in a.stage.in on a face of a body.
template <class Real>
HALFSTEP_HD BodyLoads load_on_face(const RhsArguments<Real>& a, const Scheme& scheme, const SolidFace& face) {
  const int axis = face.axis;
  const LineOfCells<Real> line = line_of_cells(a.stage, axis, face.at[0], face.at[1], face.at[2]);
  const FaceRecord<Real> own = replay_face(a.stage, scheme, axis, line, face.side, false);
  const Conserved<double> inviscid = widened(unrotated(own.flux, axis));
  Conserved<double> viscous{};
  if (a.transport.reference.viscosity > 0) {
    std::array<int, 3> above{face.at[0], face.at[1], face.at[2]};
    above[axis] += face.side;
    viscous = widened(viscous_flux_below(a, axis, above));
  }
  // A flux is positive upwards: out of the body below the gas, into the one above it.
  return load_of_flux(inviscid, viscous, face.side == 1 ? face.area : -face.area, face.arm);
}

/// Returns the load of the gas in a.in on a wall at face point number n of those of `faces`. Moments are
/// about the origin. `depth`: depth_of() the mesh.
template <class C, class Real>
HALFSTEP_HD BodyLoads load_on_wall(const C& c, const StageArguments<Real>& a, const HexahedraStage<Real>& s,
                                   const std::int32_t* faces, std::int64_t n, double depth) {
  const FacePoint f = face_point_of_list(c, faces, n);
  const ComputedAnew<C, Real> anew{c, a, s, {}};
  const FaceOfTwo<Real> both = anew.face(f);
  const double* const place = s.mesh.face_place + 3 * s.mesh.slot(c, f);
  Conserved<Real> viscous{};
  if (s.is_viscous) add_multiple(viscous, Real(1), anew.viscous_flux(both));
  return load_of_flux(widened(both.frame.through(both.record.flux)), widened(viscous),
                      depth * weight_on_face(c, f), {place[0], place[1], place[2]});
}

inline void merge(ExactLoads& sums, const ExactLoads& other) { add_words(sums, other); }

/// Adds the loads on faces, on a device by the lanes of a warp together.
class LoadsWindow {
 public:
  HALFSTEP_HD void add(const BodyLoads& load, ExactLoads& to) {
    for (int n = 0; n < kSums<ExactLoads>; ++n) window_[n].add(number(load, n), sum(to, n));
  }
  HALFSTEP_HD void flush(ExactLoads& to) {
    for (int n = 0; n < kSums<ExactLoads>; ++n) window_[n].flush(sum(to, n));
  }

 private:
  HALFSTEP_HD static double number(const BodyLoads& load, int n) {
    return reinterpret_cast<const double*>(&load)[n];
  }
  HALFSTEP_HD static ExactSum& sum(ExactLoads& to, int n) { return reinterpret_cast<ExactSum*>(&to)[n]; }

  ExactWindow window_[kSums<ExactLoads>];
};

}  // namespace halfstep
