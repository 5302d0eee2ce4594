// The fields of a flow that outputs may ask for: conserved, primitive and derived, each a pure function of
// the states of a cell and of its six neighbours.
#pragma once

#include <array>
#include <cmath>

#include "physics/base/choice.hpp"
#include "physics/base/portable_math.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

enum class FlowField {
  density,
  momentum_x,
  momentum_y,
  momentum_z,
  energy,
  velocity_x,
  velocity_y,
  velocity_z,
  speed,
  pressure,
  temperature,
  mach,
  entropy,
  vorticity_x,
  vorticity_y,
  vorticity_z,
  vorticity,
  divergence,
  q_criterion,
  schlieren
};
inline constexpr Choice<FlowField> kFlowFieldNames[] = {
    {FlowField::density, "density", "mass per volume"},
    {FlowField::momentum_x, "momentum_x", "momentum along x per volume"},
    {FlowField::momentum_y, "momentum_y", "momentum along y per volume"},
    {FlowField::momentum_z, "momentum_z", "momentum along z per volume"},
    {FlowField::energy, "energy", "internal and kinetic energy per volume"},
    {FlowField::velocity_x, "velocity_x", "velocity along x"},
    {FlowField::velocity_y, "velocity_y", "velocity along y"},
    {FlowField::velocity_z, "velocity_z", "velocity along z"},
    {FlowField::speed, "speed", "magnitude of the velocity"},
    {FlowField::pressure, "pressure", "pressure"},
    {FlowField::temperature, "temperature", "pressure / density"},
    {FlowField::mach, "mach", "speed over the speed of sound"},
    {FlowField::entropy, "entropy", "pressure / density^gamma"},
    {FlowField::vorticity_x, "vorticity_x", "curl of the velocity along x"},
    {FlowField::vorticity_y, "vorticity_y", "curl of the velocity along y"},
    {FlowField::vorticity_z, "vorticity_z", "curl of the velocity along z"},
    {FlowField::vorticity, "vorticity", "magnitude of the curl of the velocity"},
    {FlowField::divergence, "divergence", "divergence of the velocity"},
    {FlowField::q_criterion, "q_criterion",
     "-(1/2) tr(G^2) of the velocity gradient G: above 0 where rotation outweighs strain (Hunt, Wray & Moin "
     "1988)"},
    {FlowField::schlieren, "schlieren", "magnitude of the gradient of the density"},
};

/// Whether the field needs the states of the neighbours.
HALFSTEP_HD bool is_of_gradient(FlowField field) { return field >= FlowField::vorticity_x; }

/// Conserved state of a cell and of its neighbours on the lower and upper side of each axis. The neighbours
/// along an axis that is not active are the cell itself.
struct Neighbourhood {
  Conserved<double> cell{};
  std::array<std::array<Conserved<double>, 2>, 3> beside{};
  std::array<double, 3> distance{1, 1, 1};  ///< between the centres of the neighbours along each axis
};

/// Gradients by central differences, of second order also where the widths of cells change smoothly. Beyond a
/// wall lie mirror images.
struct FlowGradients {
  std::array<std::array<double, 3>, 3> velocity{};  ///< [component][axis]
  std::array<double, 3> density{};                  ///< [axis]

  FlowGradients() = default;
  HALFSTEP_HD explicit FlowGradients(const Neighbourhood& n) {
    for (int axis = 0; axis < 3; ++axis) {
      const Conserved<double>&lower = n.beside[axis][0], &upper = n.beside[axis][1];
      const double scale = 1 / n.distance[axis];
      density[axis] = (upper.density - lower.density) * scale;
      velocity[0][axis] = (upper.mu / upper.density - lower.mu / lower.density) * scale;
      velocity[1][axis] = (upper.mv / upper.density - lower.mv / lower.density) * scale;
      velocity[2][axis] = (upper.mw / upper.density - lower.mw / lower.density) * scale;
    }
  }

  /// Returns a component of the curl of the velocity.
  HALFSTEP_HD double curl(int axis) const {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return velocity[last][next] - velocity[next][last];
  }
  HALFSTEP_HD double divergence() const { return velocity[0][0] + velocity[1][1] + velocity[2][2]; }
  /// Returns Q = (|Omega|^2 - |S|^2) / 2 = -tr(G^2) / 2 of the gradient G with antisymmetric part Omega and
  /// symmetric part S.
  HALFSTEP_HD double q_criterion() const {
    double trace = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) trace += velocity[a][b] * velocity[b][a];
    return -0.5 * trace;
  }
};

HALFSTEP_HD double magnitude(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

/// Returns a field that depends on the cell's own state alone, which is `c` and, in primitive form, `q`.
HALFSTEP_HD double state_value(FlowField field, const Conserved<double>& c, const Primitive<double>& q,
                               const IdealGas<double>& gas) {
  switch (field) {
    case FlowField::density:
      return c.density;
    case FlowField::momentum_x:
      return c.mu;
    case FlowField::momentum_y:
      return c.mv;
    case FlowField::momentum_z:
      return c.mw;
    case FlowField::energy:
      return c.energy;
    case FlowField::velocity_x:
      return q.u;
    case FlowField::velocity_y:
      return q.v;
    case FlowField::velocity_z:
      return q.w;
    case FlowField::speed:
      return magnitude(q.u, q.v, q.w);
    case FlowField::pressure:
      return q.pressure;
    case FlowField::temperature:
      return q.pressure / q.density;
    case FlowField::mach:
      return std::sqrt(mach_squared(q, gas));
    default:
      return q.pressure / portable::pow(q.density, gas.gamma);
  }
}

/// Returns a field that depends on the gradients of the flow.
HALFSTEP_HD double gradient_value(FlowField field, const FlowGradients& g) {
  switch (field) {
    case FlowField::vorticity_x:
      return g.curl(0);
    case FlowField::vorticity_y:
      return g.curl(1);
    case FlowField::vorticity_z:
      return g.curl(2);
    case FlowField::vorticity:
      return magnitude(g.curl(0), g.curl(1), g.curl(2));
    case FlowField::divergence:
      return g.divergence();
    case FlowField::q_criterion:
      return g.q_criterion();
    default:
      return magnitude(g.density[0], g.density[1], g.density[2]);
  }
}

}  // namespace halfstep
