#include "app/output/events.hpp"

#include "physics/base/choice.hpp"
#include "physics/recovery/floors.hpp"

namespace halfstep {

namespace {

constexpr std::string_view kAxes[] = {"x", "y", "z"};

Json object(const Primitive<double>& q) {
  return {{"density", json_number(q.density)},
          {"velocity", json_vector(q.u, q.v, q.w)},
          {"pressure", json_number(q.pressure)}};
}

Json object(const Conserved<double>& c) {
  return {{"density", json_number(c.density)},
          {"momentum", json_vector(c.mu, c.mv, c.mw)},
          {"energy", json_number(c.energy)}};
}

Json object(const Replay& replay) {
  Json stencil = Json::object();
  for (int axis = 0; axis < 3; ++axis) {
    if (replay.stencil[axis].empty()) continue;
    Json& states = stencil[std::string(kAxes[axis])] = Json::array();
    for (const auto& state : replay.stencil[axis]) states.push_back(object(state));
  }
  Json faces = Json::array();
  for (const FaceReplay& face : replay.faces)
    faces.push_back({{"axis", kAxes[face.axis]},
                     {"side", face.side == 0 ? "lower" : "upper"},
                     {"left", object(face.left)},
                     {"right", object(face.right)},
                     {"flux", object(face.flux)},
                     {"first_order", face.first_order}});
  return {{"reproduced", replay.reproduced},
          {"before", object(replay.before)},
          {"after", object(replay.after)},
          {"stored", object(replay.stored)},
          {"stencil", stencil},
          {"faces", faces}};
}

Json begin(std::string_view event, const AttemptInfo& attempt) {
  return {{"event", event},
          {"step", attempt.step},
          {"attempt", attempt.attempt},
          {"time", json_number(attempt.time)},
          {"dt", json_number(attempt.dt)}};
}

}  // namespace

Json soft_error_event(const AttemptInfo& attempt, const SoftError& error, const Replay& replay,
                      const Mesh& mesh) {
  Json event = begin("soft_error", attempt);
  event["stage"] = error.stage;
  event["kind"] = name_of(error.kind);
  event["cell"] = error.cell;
  if (error.rank >= 0) event["rank"] = error.rank;
  event["position"] = json_vector(mesh.center(error.cell[0], error.cell[1], error.cell[2]));
  if (error.kind == SoftErrorKind::bad_face)
    for (const FaceReplay& face : replay.faces)
      if (face.first_order) {
        event["axis"] = kAxes[face.axis];
        break;
      }
  event["count"] = error.count;
  Json& counts = event["counts"] = Json::object();
  for (int kind = 0; kind < kSoftErrorKinds; ++kind)
    if (error.counts[kind] != 0) counts[std::string(kSoftErrorNames[kind])] = error.counts[kind];
  event["value"] = json_number(error.value);
  event["replay"] = object(replay);
  return event;
}

Json rejection_event(const AttemptInfo& attempt, double next_dt, int halvings) {
  Json event = begin("rejection", attempt);
  event["next_dt"] = json_number(next_dt);
  event["halvings"] = halvings;
  return event;
}

Json rung_event(const AttemptInfo& attempt, std::string_view rung, std::int64_t cells) {
  Json event = begin("rung", attempt);
  event["rung"] = rung;
  event["cells"] = cells;
  return event;
}

Json repair_event(std::int64_t step, std::int64_t count, const FloorSums& floored) {
  return {{"event", "repair"},
          {"step", step},
          {"count", count},
          {"floored_cells", floored.cells},
          {"floor_mass", json_number(floored.mass)},
          {"floor_energy", json_number(floored.energy)},
          {"floor_momentum_x", json_number(floored.momentum[0])},
          {"floor_momentum_y", json_number(floored.momentum[1])},
          {"floor_momentum_z", json_number(floored.momentum[2])}};
}

Json fault_event(const AttemptInfo& attempt, const Fault& fault) {
  Json event = begin("fault", attempt);
  event["stage"] = fault.stage;
  event["cell"] = fault.cell;
  event["kind"] = name_of(kFaultKinds, fault.kind);
  if (fault.kind == FaultKind::not_finite || fault.kind == FaultKind::bit_flip)
    event["field"] = kFieldNames[fault.field];
  if (fault.kind == FaultKind::bit_flip) event["bit"] = fault.bit;
  return event;
}

Json checkpoint_event(std::int64_t step, double time, std::string_view file, std::string_view reason,
                      const AttemptProgress* under_way) {
  Json event = {{"event", "checkpoint"},
                {"step", step},
                {"time", json_number(time)},
                {"file", file},
                {"reason", reason}};
  if (under_way)
    event["under_way"] = {{"step", under_way->attempt.step},
                          {"attempt", under_way->attempt.number},
                          {"phase", under_way->substep},
                          {"tiles", under_way->done}};
  return event;
}

Json signal_event(std::int64_t step, double time, std::string_view name) {
  return {{"event", "signal"}, {"step", step}, {"time", json_number(time)}, {"signal", name}};
}

Json restart_event(std::int64_t step, double time, std::string_view file,
                   const std::vector<RefusedCheckpoint>& refused, const std::vector<DeckChange>& changed) {
  Json event = {{"event", "restart"}, {"step", step}, {"time", json_number(time)}, {"file", file}};
  for (const RefusedCheckpoint& r : refused)
    event["refused"].push_back({{"file", r.file.string()}, {"reason", r.reason}});
  for (const DeckChange& c : changed) event["changed"][c.key] = {{"before", c.before}, {"after", c.after}};
  return event;
}

}  // namespace halfstep
