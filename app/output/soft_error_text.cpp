#include "app/output/soft_error_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halfstep {

namespace {

/// Returns the error and its value as a noun phrase.
std::string in_words(SoftErrorKind kind, double value) {
  switch (kind) {
    case SoftErrorKind::not_finite:
      return "value that is not finite,";
    case SoftErrorKind::negative_density:
      return "negative density";
    case SoftErrorKind::negative_pressure:
      return value > 0 ? "pressure that round-off of the kinetic energy may take away," : "negative pressure";
    case SoftErrorKind::spike:
      return "spike of";
    case SoftErrorKind::cfl_overrun:
      return "CFL number beyond soft_error.cfl_limit,";
    case SoftErrorKind::bad_face:
      return "unphysical face state,";
    case SoftErrorKind::source_failure:
      return "source term that gave up after sub-step";
    case SoftErrorKind::bad_boundary:
      return "unphysical state beyond the boundary,";
  }
  return "?";
}

std::string in_words(const Primitive<double>& q) {
  return fmt::format("density {:<11.4g} velocity ({:.4g}, {:.4g}, {:.4g})  pressure {:.4g}", q.density, q.u,
                     q.v, q.w, q.pressure);
}

std::string in_words(const Conserved<double>& c) {
  return fmt::format("density {:<11.4g} momentum ({:.4g}, {:.4g}, {:.4g})  energy {:.4g}", c.density, c.mu,
                     c.mv, c.mw, c.energy);
}

std::string in_words(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "no remedy";
    case Remedy::scaling:
      return "elements scaled towards their averages";
    case Remedy::first_order:
      return "first-order fluxes";
    case Remedy::floor:
      return "floors";
  }
  return "?";
}

/// Returns deck settings worth trying, the most promising first.
std::vector<std::string> advice(const SoftError& error, const Replay& replay, const Exhaustion& exhaustion) {
  std::vector<std::string> list;
  if (!replay.reproduced)
    list.push_back("no change   the same update came out well when repeated: a transient fault?");
  switch (error.kind) {
    case SoftErrorKind::spike:
      list.push_back("soft_error.spike.limit, soft_error.spike.factor   larger, if the value is a real one");
      break;
    case SoftErrorKind::cfl_overrun:
      list.push_back("time.cfl   smaller; or time.dt, if it is fixed");
      break;
    case SoftErrorKind::bad_face:
      list.push_back("soft_error.face=repair   such faces fall back to first order and are counted");
      break;
    case SoftErrorKind::source_failure:
      list.push_back("source.max_substeps   larger; or source.tolerance, if it need not be so small");
      list.push_back("time.dt   smaller, so that the source term has less to do in a step");
      break;
    case SoftErrorKind::bad_boundary:
      list.push_back(
          "a new run   with other values of mesh.boundary, which leave density and pressure positive");
      break;
    default:
      break;
  }
  if (exhaustion.in_elements && exhaustion.last_remedy < Remedy::scaling &&
      error.cure() != Cure::shorter_step)
    list.push_back("soft_error.on_exhausted=scaling   such elements scaled towards their averages");
  if (exhaustion.last_remedy < Remedy::first_order && error.cure() != Cure::shorter_step)
    list.push_back("soft_error.on_exhausted=first_order   first-order fluxes around such cells, tried last");
  if (exhaustion.last_remedy < Remedy::floor &&
      (error.kind == SoftErrorKind::negative_density || error.kind == SoftErrorKind::negative_pressure))
    list.push_back("soft_error.on_exhausted=floor   after that raises density and pressure, and counts it");
  if (error.cure() != Cure::remedy) list.push_back("soft_error.max_halvings   larger: more halvings of dt");
  if (error.kind != SoftErrorKind::spike && error.kind != SoftErrorKind::source_failure &&
      error.kind != SoftErrorKind::bad_boundary) {
    list.push_back("scheme.riemann=hll   or rusanov: more dissipative, keeps density and pressure positive");
    list.push_back(
        exhaustion.in_elements
            ? "scheme.degree   lower: polynomials swing less near strong gradients"
            : "scheme.reconstruction=plm scheme.limiter=minmod   fewer overshoots near strong gradients");
    if (error.kind != SoftErrorKind::cfl_overrun)
      list.push_back("time.cfl   smaller; or time.dt, if it is fixed");
  }
  return list;
}

/// Says what the step was tried with, in order, up to the last `dt`.
std::string tried(const Exhaustion& exhaustion, double dt) {
  std::vector<std::string> list;
  if (exhaustion.same_dt) list.push_back("the same dt again");
  for (const Remedy remedy : exhaustion.remedies) list.push_back(in_words(remedy));
  if (exhaustion.halvings > 0)
    list.push_back(fmt::format("{} halving{} of dt, from {:.6g} to {:.6g}", exhaustion.halvings,
                               exhaustion.halvings == 1 ? "" : "s", exhaustion.first_dt, dt));
  return list.empty() ? "nothing but this dt" : fmt::format("{}", fmt::join(list, ", then "));
}

}  // namespace

std::string describe(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh) {
  const auto& [i, j, k] = error.cell;
  const auto [x, y, z] = mesh.center(i, j, k);
  std::string text = fmt::format(
      "{} {:.6g} in cell ({}, {}, {}) at ({:.6g}, {:.6g}, {:.6g}), stage {} of step {}",
      in_words(error.kind, error.value), error.value, i, j, k, x, y, z, error.stage, attempt.step);
  if (error.count > 1) text += fmt::format("; {} cells flagged", error.count);
  return text;
}

std::string describe_rejection(const SoftError& error, const AttemptInfo& attempt, const Mesh& mesh,
                               double next_dt, Remedy remedy, std::int64_t cells) {
  std::string text = fmt::format("rejected, attempt {} at t = {:.6g}, dt = {:.4g}: {}; ", attempt.attempt,
                                 attempt.time, attempt.dt, describe(error, attempt, mesh));
  if (remedy != Remedy::none) text += "again with " + in_words(remedy);
  if (remedy == Remedy::first_order) text += fmt::format(" around {} cell{}", cells, cells == 1 ? "" : "s");
  if (next_dt != attempt.dt)
    text += fmt::format("{}next dt = {:.4g}", remedy == Remedy::none ? "" : ", ", next_dt);
  else if (remedy == Remedy::none)
    text += "again with the same dt";
  return text;
}

std::string explain(const SoftError& error, const Replay& replay, const AttemptInfo& attempt,
                    const Mesh& mesh, const Exhaustion& exhaustion) {
  std::string text = fmt::format("soft error: {}\n", describe(error, attempt, mesh));
  text += fmt::format("  when       step {}, attempt {}, stage {}; t = {:.10g}, dt = {:.6g}\n", attempt.step,
                      attempt.attempt, error.stage, attempt.time, attempt.dt);

  text += fmt::format("  how many   {} of {} cells:", error.count, mesh.cell_count());
  const char* separator = " ";
  for (int kind = 0; kind < kSoftErrorKinds; ++kind)
    if (error.counts[kind] != 0) {
      text += fmt::format("{}{} {}", separator, error.counts[kind], kSoftErrorNames[kind]);
      separator = ", ";
    }
  text += '\n';

  text += fmt::format("  the cell   before  {}\n", in_words(replay.before));
  text += fmt::format("             after   {}\n", in_words(replay.stored));
  if (!replay.reproduced) text += fmt::format("             again   {}\n", in_words(replay.after));
  for (const FaceReplay& face : replay.faces) {
    text += fmt::format("  {} face {}  left    {}\n", "xyz"[face.axis], face.side == 0 ? '-' : '+',
                        in_words(face.left));
    text += fmt::format("             right   {}{}\n", in_words(face.right),
                        face.first_order ? "  (unusable: fell back to first order)" : "");
  }
  if (!replay.reproduced)
    text += "  The failure did not come back when the cell's update was repeated from the same inputs.\n";

  text += "  tried      " + tried(exhaustion, attempt.dt);
  if (exhaustion.level > 0)
    text += fmt::format("; earlier steps had halved it {} time{}", exhaustion.level,
                        exhaustion.level == 1 ? "" : "s");
  if (error.cure() == Cure::remedy) text += " (it depends on the state alone: no time step can cure it)";
  if (error.cure() == Cure::shorter_step && exhaustion.remedies.empty())
    text += " (only a shorter step can cure it: no remedy)";
  text += '\n';

  text += fmt::format("  go on      halfstep run --restart {} with one of\n", exhaustion.checkpoint);
  for (const std::string& line : advice(error, replay, exhaustion))
    text += fmt::format("             {}\n", line);
  return text;
}

std::string explain_standstill(const AttemptInfo& attempt, double cfl_rate, const std::string& checkpoint) {
  return fmt::format(
      "time stands still: dt = {:.6g} of step {} is lost in the round-off of t = {:.10g}\n"
      "  why        the fastest signal crosses a cell in {:.6g}; see max_mach, min_density in history.csv\n"
      "  go on      halfstep run --restart {} with one of\n"
      "             time.dt   larger, if it is fixed\n"
      "             soft_error.on_exhausted=floor soft_error.floor.density   larger, if a vacuum has "
      "formed\n",
      attempt.dt, attempt.step, attempt.time, 1 / cfl_rate, checkpoint);
}

}  // namespace halfstep
