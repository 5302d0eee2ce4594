#include "app/base/scheme_names.hpp"

#include <fmt/format.h>

#include "physics/base/choice.hpp"

namespace halfstep {

std::string reconstruction_name(const Scheme& scheme) {
  if (scheme.method == Method::flux_reconstruction) {
    const std::string name = fmt::format("{} of degree {}", name_of(kMethods, scheme.method), scheme.degree);
    return scheme.dealiasing == Dealiasing::none
               ? name
               : fmt::format("{}, {},", name, name_of(kDealiasings, scheme.dealiasing));
  }
  const std::string_view name = name_of(kReconstructions, scheme.reconstruction);
  const bool limited = facts_of(scheme.reconstruction).has_limiter && scheme.limiter != Limiter::van_leer;
  return limited ? fmt::format("{} {}", name, name_of(kLimiters, scheme.limiter)) : std::string(name);
}

std::string scheme_name(const Scheme& scheme) {
  if (scheme.method == Method::flux_reconstruction)
    return fmt::format("{} {}", reconstruction_name(scheme), name_of(kRiemanns, scheme.riemann));
  return fmt::format("{} {} {}", reconstruction_name(scheme), name_of(kVariables, scheme.variables),
                     name_of(kRiemanns, scheme.riemann));
}

std::string kernel_name(const Scheme& scheme) {
  return fmt::format("{} {}", scheme_name(scheme), name_of(kPrecisions, scheme.precision));
}

}  // namespace halfstep
