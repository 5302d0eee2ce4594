// Makes cases for tests, with every parameter at its default but for those given.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "physics/cases/case.hpp"
#include "tests/support/cells.hpp"

namespace halfstep {

/// Returns the source that the case needs, or none.
inline Source source_of_case(const std::string& name) {
  Source source;
  if (name == "cooling_box") source.kind = SourceKind::cooling;
  if (name == "detonation") source.kind = SourceKind::reaction;
  return source;
}

/// Returns the viscosity, walls and gravity that the case needs.
inline RhsTerms terms_of_case(const std::string& name, double gamma) {
  RhsTerms terms;
  const auto viscous = [&](double viscosity, double prandtl) {
    terms.transport.reference = transport(viscosity, prandtl, IdealGas<double>{gamma});
  };
  if (name == "couette" || name == "poiseuille") {
    viscous(0.05, 0.72);
    terms.walls.temperature = {1, 1};
  }
  if (name == "couette") terms.walls.velocity[1] = {3, 0, 0};
  if (name == "poiseuille") terms.gravity = {0.1, 0, 0};
  if (name == "rayleigh_taylor") terms.gravity = {0, -1, 0};
  if (name == "viscous_shock") viscous(0.04, 0.75);
  return terms;
}

inline std::unique_ptr<Case> make_case(const std::string& name, const Mesh& mesh, double gamma,
                                       std::initializer_list<std::pair<std::string, Value>> changes,
                                       const Source& source, const RhsTerms& terms) {
  const CaseInfo* info = find_case(name);
  REQUIRE(info != nullptr);
  Values values;
  for (const Parameter& p : info->parameters) values.set(p.name, p.fallback);
  for (const auto& [key, value] : changes) {
    values.at(key);  // throws if there is no such parameter
    values.set(key, value);
  }
  return info->make({values, {gamma}, mesh, source, terms});
}

inline std::unique_ptr<Case> make_case(const std::string& name, const Mesh& mesh, double gamma,
                                       std::initializer_list<std::pair<std::string, Value>> changes,
                                       const Source& source) {
  return make_case(name, mesh, gamma, changes, source, terms_of_case(name, gamma));
}

inline std::unique_ptr<Case> make_case(const std::string& name, const Mesh& mesh, double gamma,
                                       std::initializer_list<std::pair<std::string, Value>> changes = {}) {
  return make_case(name, mesh, gamma, changes, source_of_case(name));
}

/// Returns the greatest difference of any field.
inline double distance(const Conserved<double>& a, const Conserved<double>& b) {
  return largest_component(a - b);
}

}  // namespace halfstep
