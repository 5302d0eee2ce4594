#include "app/deck/output_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "app/deck/spelling.hpp"
#include "physics/diagnostics/energy_spectrum.hpp"
#include "physics/mesh/cell_of.hpp"

namespace halfstep {
namespace {

/// Whether a name is another with "_" and digits after it.
bool is_numbered(const std::string& name, const std::string& other) {
  return name.size() > other.size() + 1 && name.starts_with(other + "_") &&
         name.find_first_not_of("0123456789", other.size() + 1) == std::string::npos;
}

class OutputRules {
 public:
  OutputRules(const ValidatedDeck& deck, Diagnostics& errors)
      : deck_(deck), config_(deck.config), mesh_(deck.config.problem.mesh), errors_(errors) {}

  void apply() {
    for (std::size_t n = 0; n < config_.output_requests.size(); ++n) {
      const OutputRequest& request = config_.output_requests[n];
      key_ = fmt::format("outputs[{}]", n);
      check_name(request.name);
      check_cadence(request.cadence);
      check_fields(request);
      if (deck_.sound({"mesh.cells", "mesh.lower", "mesh.upper"})) check_places(request);
    }
  }

 private:
  void refuse(const std::string& key, const std::string& message, const std::string& help = "") {
    errors_.error(deck_.place_of(key_ + "." + key), message, help);
  }

  void check_name(const std::string& name) {
    static const std::regex allowed("[A-Za-z][A-Za-z0-9_-]*");
    // Files of a run and pictures of one begin with these.
    static const std::regex taken(
        "deck|history.*|histogram.*|events.*|summary|fields.*|checkpoint.*|report|movie.*|dissipation.*|"
        "stop");
    if (name.size() > kLongestName || !std::regex_match(name, allowed))
      refuse("name", fmt::format("'{}.name' cannot be {}", key_, quote(name)),
             fmt::format("a name has letters, digits, '_' and '-', {} at most, and begins with a letter",
                         kLongestName));
    else if (std::regex_match(name, taken))
      refuse("name", fmt::format("'{}.name' cannot be '{}': other files of a run are called so", key_, name));
    else if (const auto other = std::find_if(
                 names_.begin(), names_.end(),
                 [&](const std::string& one) { return is_numbered(name, one) || is_numbered(one, name); });
             other != names_.end())
      refuse("name",
             fmt::format("'{}.name' is the name of another output, '{}', with a number", key_, *other),
             "pictures of both would be called the same");
    else if (!names_.insert(name).second)
      refuse("name", fmt::format("'{}.name' is the name of another output: '{}'", key_, name),
             "each output needs a name of its own");
  }

  void check_cadence(const Cadence& cadence) {
    if (cadence.every <= 0 && cadence.every_steps == 0)
      return errors_.error(deck_.place_of(key_), fmt::format("'{}' does not say how often", key_),
                           "give every or every_steps");
    if (cadence.every <= 0) return;
    // Multiples of less would not be whole numbers in 64-bit reals.
    const double least = 1e-12 * config_.limits.end;
    if (deck_.sound({"time.end"}) && cadence.every < least)
      refuse("every", fmt::format("'{}.every' is too short for a run to time.end", key_),
             fmt::format("at least {:.3g}", least));
    if (times_.insert(cadence.every).second && times_.size() > LandingTimes::kMost)
      refuse("every", fmt::format("more than {} different times 'every' of outputs", LandingTimes::kMost),
             "give some of them the same, or every_steps");
  }

  void check_fields(const OutputRequest& request) {
    if (request.has_gradients() && config_.problem.scheme.method == Method::flux_reconstruction)
      refuse("fields", "'scheme.method: flux_reconstruction' has no fields of gradients",
             "take fields of the state, as density or velocity_x");
    if (request.mass_fractions && config_.problem.scalars.empty() && config_.flow_case)
      refuse("fields", "there is no scalar to write the mass fraction of", "'scalars: {dye: 1}' makes one");
  }

  /// Whether a kind of output only knows cells one by one.
  static bool needs_no_box(OutputKind kind) {
    return kind == OutputKind::fields || kind == OutputKind::averages || kind == OutputKind::histogram;
  }

  void check_places(const OutputRequest& request) {
    if (mesh_.points && !needs_no_box(request.kind))
      return errors_.error(
          deck_.place_of(key_),
          fmt::format("'{}' looks for cells of a box, which 'mesh.map' and 'mesh.file' make none of", key_),
          "such meshes have fields, averages and histograms");
    if (request.kind == OutputKind::slice)
      check_slice(request);
    else if (request.kind == OutputKind::box)
      check_box(request);
    else if (is_averaged(request.kind))
      check_average(request);
    else if (request.kind == OutputKind::averages)
      check_averages(request);
    else if (request.kind == OutputKind::spectrum)
      check_spectrum();
    else if (request.kind == OutputKind::histogram)
      check_histogram(request.histogram);
    else if (request.kind == OutputKind::fields)
      return;
    else
      check_points(request);
  }

  std::string domain(int axis) const {
    return fmt::format("the domain is from {} to {}", mesh_.lower[axis], mesh_.upper[axis]);
  }

  void check_slice(const OutputRequest& request) {
    const int axis = request.axis;
    if (request.position < mesh_.lower[axis] || request.position > mesh_.upper[axis])
      refuse("position", fmt::format("the plane of '{}' is outside the domain along {}", key_, "xyz"[axis]),
             fmt::format("it is at {}, and {}", request.position, domain(axis)));
  }

  void check_box(const OutputRequest& request) {
    const auto& lower = request.points[0];
    const auto& upper = request.points[1];
    for (int axis = 0; axis < 3; ++axis) {
      if (lower[axis] > upper[axis])
        errors_.error(deck_.place_of_item(key_ + ".upper", axis),
                      fmt::format("the box of '{}' ends before it begins along {}", key_, "xyz"[axis]),
                      fmt::format("it is from {} to {}", lower[axis], upper[axis]));
      else if (upper[axis] < mesh_.lower[axis] || lower[axis] > mesh_.upper[axis] ||
               (lower[axis] < upper[axis] &&
                (upper[axis] == mesh_.lower[axis] || lower[axis] == mesh_.upper[axis])))
        errors_.error(deck_.place_of_item(key_ + ".lower", axis),
                      fmt::format("the box of '{}' is outside the domain along {}", key_, "xyz"[axis]),
                      fmt::format("it is from {} to {}, and {}", lower[axis], upper[axis], domain(axis)));
    }
  }

  void check_average(const OutputRequest& request) {
    const char axis = "xyz"[request.axis];
    if (mesh_.active(request.axis)) return;
    if (request.kind == OutputKind::profile)
      refuse("axis", fmt::format("a profile along {}, which is not swept, has one cell", axis),
             "take another axis");
    else
      refuse("axis", fmt::format("'{}' averages along {}, which is not swept", key_, axis),
             "take another axis, or a slice");
  }

  void check_spectrum() {
    const auto object = [&](const std::string& message, const std::string& help) {
      errors_.error(deck_.place_of(key_), message, help);
    };
    if (fftw_version().empty())
      return object(fmt::format("'{}': spectra need FFTW, without which this program was built", key_),
                    "install the package libfftw3-dev and build again");
    for (int axis = 0; axis < 3; ++axis) {
      const char name = "xyz"[axis];
      if (mesh_.active(axis) && config_.problem.boundary[axis][0] != Boundary::periodic)
        return object(fmt::format("'{}' is a spectrum along {}, which is not periodic", key_, name),
                      fmt::format("mesh.boundary.{}=periodic", name));
      if (mesh_.is_stretched(axis))
        return object(fmt::format("'{}' is a spectrum along {}, whose cells differ in width", key_, name),
                      config_.problem.scheme.method == Method::flux_reconstruction
                          ? "take scheme.method: finite_volumes"
                          : fmt::format("leave mesh.spacing.{} away", name));
    }
  }

  void check_histogram(const HistogramRequest& request) {
    if (!request.has_width()) refuse("upper", without_width(request), kWidthOfBins);
    if (request.field == HistogramField::mass_fraction && config_.problem.scalars.empty() &&
        config_.flow_case)
      refuse("field", "there is no scalar to make a histogram of the mass fraction of",
             "'scalars: {dye: 1}' makes one");
  }

  void check_averages(const OutputRequest& request) {
    if (deck_.sound({"time.end"}) && request.from >= config_.limits.end)
      refuse("from", fmt::format("'{}' begins to average at {:g}, and the run ends at {:g}", key_,
                                 request.from, config_.limits.end));
  }

  void check_points(const OutputRequest& request) {
    const Places& points = request.points;
    const bool is_line = request.kind == OutputKind::line;
    if (points.empty()) refuse("points", fmt::format("'{}.points' names no point", key_));
    if (is_line && !mesh_.active(request.axis))
      refuse("axis", fmt::format("a line along {}, which is not swept, has one cell", "xyz"[request.axis]),
             "take another axis, or probes");
    for (std::size_t n = 0; n < points.size(); ++n)
      for (int axis = 0; axis < 3; ++axis) {
        const double x = points[n][axis], lower = mesh_.lower[axis], upper = mesh_.upper[axis];
        if ((x >= lower && x <= upper) || (is_line && axis == request.axis)) continue;
        errors_.error(
            is_line ? deck_.place_of_item(key_ + ".through", axis) : deck_.place_of_item(key_ + ".points", n),
            is_line ? fmt::format("the line of '{}' is outside the domain along {}", key_, "xyz"[axis])
                    : fmt::format("point {} of '{}' is outside the domain along {}", n, key_, "xyz"[axis]),
            fmt::format("it is at {}, and {}", x, domain(axis)));
        break;
      }
    if (!is_line) check_bodies(points);
  }

  /// Refuses probes in bodies, where no gas is.
  void check_bodies(const Places& points) {
    if (!config_.problem.has_solids()) return;
    for (std::size_t n = 0; n < points.size(); ++n) {
      const auto [i, j, k] = cell_of(mesh_, points[n]);
      for (const Body& body : config_.problem.solids->bodies())
        if (body.surface->distance(mesh_.center(i, j, k)) < 0) {
          errors_.error(deck_.place_of_item(key_ + ".points", n),
                        fmt::format("point {} of '{}' lies in a cell of the body '{}'", n, key_, body.name),
                        "choose a point in the gas: bodies hold none");
          break;
        }
    }
  }

  const ValidatedDeck& deck_;
  const RunConfig& config_;
  const Mesh& mesh_;
  Diagnostics& errors_;
  std::string key_;  ///< of the entry: outputs[0]
  std::set<std::string> names_;
  std::set<double> times_;
};

}  // namespace

std::string without_width(const HistogramRequest& request) {
  return fmt::format("the bins have no width: lower is {}, upper is {}", request.lower, request.upper);
}

void check_outputs(const ValidatedDeck& deck, Diagnostics& errors) { OutputRules(deck, errors).apply(); }

}  // namespace halfstep
