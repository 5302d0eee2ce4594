#include "physics/shapes/stl.hpp"

#include <fstream>
#include <iterator>

#include "physics/shapes/shape_error.hpp"

namespace halfstep {

std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw ShapeError("file", "cannot read '" + path + "'", "its path begins at the working directory");
  return bytes;
}

}  // namespace halfstep

#if HALFSTEP_HAS_STL

#include <assimp/scene.h>
#include <assimp/version.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/triangles.hpp"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace halfstep {
namespace {

/// Returns the beginning of assimp's message where it says what is wrong with the text.
std::string reason(const std::string& message) {
  constexpr std::size_t kLongest = 50;
  if (message.find("Failed to determine") != std::string::npos) return "";
  return ": " + (message.size() > kLongest ? message.substr(0, kLongest) + " ..." : message);
}

/// Returns the places of the triangles' corners as the file has them.
std::vector<std::array<Point, 3>> read_triangles(const std::string& file, const FileReader& read) {
  const std::string bytes = read(file);
  if (bytes.empty()) throw ShapeError("file", "'" + file + "' is empty", "write it again");
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "stl");
  if (!scene)
    throw ShapeError("file", "'" + file + "' is no STL file" + reason(importer.GetErrorString()),
                     "an STL file is text that begins with 'solid', or binary: 84 bytes, and 50 for each "
                     "triangle");
  std::vector<std::array<Point, 3>> soup;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    for (unsigned n = 0; n < mesh.mNumFaces; ++n) {
      std::array<Point, 3>& places = soup.emplace_back();
      for (unsigned corner = 0; corner < 3; ++corner) {
        const aiVector3D& v = mesh.mVertices[mesh.mFaces[n].mIndices[corner]];
        places[corner] = {v.x + 0.0, v.y + 0.0, v.z + 0.0};  // no negative zeros
        if (!std::isfinite(norm(places[corner])))
          throw ShapeError("file",
                           "triangle " + std::to_string(soup.size() - 1) + " has a corner that is not finite",
                           "write the file again; triangles count from 0");
      }
    }
  }
  return soup;
}

/// Finds the triangle nearest to a place. Embree searches in single precision and is told radii that are
/// larger by its round-off; the distances of the triangles that it proposes are in double precision.
class NearestTriangle {
 public:
  explicit NearestTriangle(Triangles closed) : own_(std::move(closed)) {
    // One thread: a deck is read by every rank of a machine.
    device_ = rtcNewDevice("threads=1");
    if (!device_) throw ShapeError("file", "Embree does not start on this processor", "take another shape");
    scene_ = rtcNewScene(device_);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    const Triangles& all = own_.triangles();
    auto* corners = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), all.corners.size()));
    auto* faces = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), all.faces.size()));
    if (!corners || !faces) throw ShapeError("file", "its triangles do not fit in memory");
    for (const Point& corner : all.corners)
      for (const double x : corner) {
        *corners++ = static_cast<float>(x);
        size_ = std::max(size_, std::abs(x));
      }
    for (const Triangle& face : all.faces) faces = std::copy(face.begin(), face.end(), faces);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  NearestTriangle(const NearestTriangle&) = delete;
  NearestTriangle& operator=(const NearestTriangle&) = delete;
  ~NearestTriangle() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  /// Returns the distance from the surface, negative inside.
  double distance(const Point& x) const {
    Search search{this, x, std::numeric_limits<double>::infinity(), 0};
    for (const double along : x) search.round_off = std::max(search.round_off, 1e-6 * std::abs(along));
    search.round_off = std::max(search.round_off, 1e-6 * size_);
    RTCPointQuery query{};
    query.x = static_cast<float>(x[0]);
    query.y = static_cast<float>(x[1]);
    query.z = static_cast<float>(x[2]);
    query.radius = std::numeric_limits<float>::infinity();
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene_, &query, &context, take, &search);
    return search.found;
  }

 private:
  struct Search {
    const NearestTriangle* among;
    Point x;
    double found, round_off;
  };

  /// Takes the triangle if it is nearer than those before, and narrows the search.
  static bool take(RTCPointQueryFunctionArguments* proposed) {
    Search& search = *static_cast<Search*>(proposed->userPtr);
    const double distance = search.among->own_.distance(search.x, proposed->primID);
    if (!(std::abs(distance) < std::abs(search.found))) return false;
    search.found = distance;
    proposed->query->radius = static_cast<float>(std::abs(distance) * (1 + 1e-6) + search.round_off);
    return true;
  }

  SignedTriangles own_;
  double size_ = 0;  ///< the largest coordinate
  RTCDevice device_;
  RTCScene scene_;
};

class StlSurface final : public Surface {
 public:
  StlSurface(Triangles closed, double scale) : nearest_(std::move(closed)), scale_(scale) {}
  double distance(const Point& x) const override {
    return scale_ * nearest_.distance(multiple(1 / scale_, x));
  }

 private:
  NearestTriangle nearest_;  ///< in the file's coordinates, which are of single precision
  double scale_;
};

}  // namespace

std::string stl_libraries() {
  return "assimp " + std::to_string(aiGetVersionMajor()) + "." + std::to_string(aiGetVersionMinor()) +
         ", Embree " + RTC_VERSION_STRING;
}

std::shared_ptr<const Surface> stl_surface(const std::string& file, double scale, const FileReader& read) {
  Triangles triangles = joined(read_triangles(file, read));
  expect_closed(triangles);
  return std::make_shared<StlSurface>(std::move(triangles), scale);
}

}  // namespace halfstep

#else

namespace halfstep {

std::string stl_libraries() { return ""; }

std::shared_ptr<const Surface> stl_surface(const std::string&, double, const FileReader&) {
  throw ShapeError("shape", "STL files need assimp and Embree, without which this program was built",
                   "install the packages libassimp-dev and libembree-dev and build again");
}

}  // namespace halfstep

#endif
