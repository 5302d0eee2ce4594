// The state that a file holds, and what a case asks of those who read it: cases read no files.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "physics/gas/eos.hpp"
#include "physics/mesh/fields.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// The names of the datasets of a vector.
struct VectorNames {
  std::string whole;                      ///< one dataset, its last index the component; "": none
  std::array<std::string, 3> components;  ///< one of each, in place of `whole`; "": 0

  bool has_components() const { return components != std::array<std::string, 3>{}; }
  bool empty() const { return whole.empty() && !has_components(); }
};

/// Which state is to be read.
struct FieldRequest {
  std::string file;
  std::string density, pressure, energy;    ///< names of datasets; an energy is in place of the pressure ...
  VectorNames velocity, momentum;           ///< ... and a momentum in that of the velocity
  std::vector<std::string> scalars;         ///< names of mass fractions that are wanted if they are there
  IdealGas<double> gas;                     ///< of the conserved fields that are asked for
  std::array<double, 3> lower = {0, 0, 0};  ///< the box of a file that names none
  std::array<double, 3> upper = {1, 1, 1};
};

/// The cell averages that a file holds.
struct GivenFields {
  Mesh mesh;
  Fields fields;                        ///< with the mass per volume of each of `scalars`
  std::vector<std::string> scalars;     ///< those wanted that are there
  std::vector<std::string> not_wanted;  ///< scalars that are there, too
};

/// Reads a state. Throws CaseError (physics/cases/case.hpp) about the parameter to blame.
using FieldReader = std::function<GivenFields(const FieldRequest&)>;

}  // namespace halfstep
