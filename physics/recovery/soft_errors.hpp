// The kinds of soft error of a flow, and their report.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "physics/gas/spikes.hpp"
#include "physics/gas/state.hpp"
#include "runtime/stepping/ladder.hpp"

namespace halfstep {

/// The kinds in order of severity, the most severe first: the first kind in a stage is the one reported.
enum class SoftErrorKind : std::uint8_t {
  not_finite,
  negative_density,
  negative_pressure,
  spike,
  cfl_overrun,
  bad_face,
  source_failure,
  bad_boundary,
};
inline constexpr int kSoftErrorKinds = 8;
inline constexpr std::array<std::string_view, kSoftErrorKinds> kSoftErrorNames = {
    "not_finite",  "negative_density", "negative_pressure", "spike",
    "cfl_overrun", "bad_face",         "source_failure",    "bad_boundary"};
constexpr std::string_view name_of(SoftErrorKind kind) { return kSoftErrorNames[static_cast<int>(kind)]; }

/// The criteria of soft errors.
struct Detection {
  bool raise_bad_faces = false;  ///< false: repair and count
  double cfl_limit = 0;          ///< that of StepLimits, to find the cells that exceed it
  SpikeLimits spikes = {};
};

/// The number of cells of each kind.
using KindCounts = std::array<std::int64_t, kSoftErrorKinds>;

/// The one soft error reported of a failed stage: the lowest (stage, severity, cell).
struct SoftError {
  SoftErrorKind kind = SoftErrorKind::not_finite;
  int stage = 1;              ///< from 1
  std::array<int, 3> cell{};  ///< from 0, ghosts not counted
  int rank = -1;              ///< that has the cell; -1: there is one rank
  double value = 0;           ///< the offending number: density, pressure, dt * rate, ...
  std::int64_t count = 0;     ///< cells of any kind
  KindCounts counts{};        ///< cells by kind

  /// Whether diagnosis did not find the raised error again: a transient fault, or round-off at a limit.
  bool vanished() const { return count == 0; }
  /// Returns what can cure the error. A bad face in the first stage depends on U^n alone, so that no time
  /// step cures it. A step that exceeds the CFL limit, fails in a source or meets a bad state beyond a
  /// boundary is cured by a shorter step alone, since fluxes do not matter there.
  Cure cure() const {
    if (vanished()) return Cure::any;
    if (kind == SoftErrorKind::cfl_overrun || kind == SoftErrorKind::source_failure ||
        kind == SoftErrorKind::bad_boundary)
      return Cure::shorter_step;
    return kind == SoftErrorKind::bad_face && stage == 1 ? Cure::remedy : Cure::any;
  }
};

/// A face of the replayed cell. States in (x, y, z) components, not rotated.
struct FaceReplay {
  int axis = 0;
  int side = 0;  ///< 0 lower, 1 upper
  Primitive<double> left{}, right{};
  Conserved<double> flux{};
  bool first_order = false;  ///< the face was bad: `left` and `right` are the unusable reconstructed states
};

/// The update of one cell recomputed from the stage's inputs.
struct Replay {
  bool reproduced = false;     ///< false: the failure did not come back (a transient fault)
  Conserved<double> before{};  ///< the cell's state in the stage's input
  Conserved<double> after{};   ///< the recomputed update
  Conserved<double> stored{};  ///< the stage's own output
  std::vector<FaceReplay> faces;
  /// Primitive states along each active axis, from `-ghost layers` to `+ghost layers` cells around the cell.
  std::array<std::vector<Primitive<double>>, 3> stencil;
};

/// The diagnosis of a rejected attempt.
struct Diagnosis {
  SoftError error;
  Replay replay;  ///< of the reported cell
};

}  // namespace halfstep
