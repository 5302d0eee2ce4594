// Sealed files into which others write the arrays.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <vector>

#include "runtime/checkpoint/record_file.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;
namespace fs = std::filesystem;

namespace {

const hdf5::Shape kShape{3, 5, 7};
constexpr std::size_t kCount = 3 * 5 * 7;

template <class Real>
std::vector<Real> values(double first) {
  std::vector<Real> all(kCount);
  for (std::size_t n = 0; n < kCount; ++n) all[n] = static_cast<Real>(first + 0.1 * static_cast<double>(n));
  return all;
}

/// Writes what surrounds the arrays; arrays() writes or reserves those.
template <class Arrays>
void write_records(Records& file, const Arrays& arrays) {
  file.write("deck", std::string(70'000, '#'));
  file.write("state/step", std::int64_t{17});
  arrays();
  file.write("after", 0.5);
}

PartedFile parted(const fs::path& path) {
  hdf5::Outline outline(path);
  Records records(outline.root());
  write_records(records, [&] {
    outline.reserve<double>(outline.root(), "fields/density", kShape);
    outline.reserve<float>(outline.root(), "fields/energy", kShape);
  });
  return {path, "sample", 3, std::move(outline)};
}

/// Writes an array as another rank does, and returns its share of the checksum.
template <class Real>
std::uint64_t write_array(const PartedFile& file, std::size_t array, const std::vector<Real>& all) {
  const auto bytes = std::as_bytes(std::span(all));
  const int to = ::open(file.temporary().c_str(), O_WRONLY);
  REQUIRE(to >= 0);
  REQUIRE(::pwrite(to, bytes.data(), bytes.size(), file.offsets()[array]) == std::ssize(bytes));
  ::close(to);
  Crc64 share = Crc64::share();
  share.add(bytes);
  share.add(Crc64Zeros(static_cast<std::uint64_t>(file.bytes() - file.offsets()[array]) - bytes.size()));
  return share.state();
}

std::string bytes_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a file in parts is, byte for byte, the one that is made in memory") {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "parted.h5", other = directory.path() / "memory.h5";
  const auto density = values<double>(1);
  const auto energy = values<float>(2);
  PartedFile file = parted(path);
  CHECK_FALSE(fs::exists(path));
  const std::uint64_t share = write_array(file, 1, energy) ^ write_array(file, 0, density);
  file.seal(share).commit();
  CHECK_FALSE(fs::exists(temporary_name(path)));

  RecordWriter memory(other, "sample", 3);
  write_records(memory, [&] {
    memory.write<double>("fields/density", density, kShape);
    memory.write<float>("fields/energy", energy, kShape);
  });
  memory.commit();
  CHECK((bytes_in(path) == bytes_in(other)));

  const RecordReader reader(path, "sample", 3);
  CHECK(reader.array<double>("fields/density") == density);
  CHECK(reader.array<float>("fields/energy") == energy);
  CHECK(reader.real("after") == 0.5);
}

TEST_CASE("a file whose arrays are not those of the checksum is refused, one without a seal leaves nothing") {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "parted.h5";
  {
    PartedFile file = parted(path);
    write_array(file, 0, values<double>(1));
    CHECK(fs::exists(temporary_name(path)));
  }
  CHECK(fs::is_empty(directory.path()));
  PartedFile file = parted(path);
  const std::uint64_t share =
      write_array(file, 0, values<double>(1)) ^ write_array(file, 1, values<float>(2));
  write_array(file, 0, values<double>(1.5));
  file.seal(share).commit();
  CHECK_THROWS_WITH_AS(RecordReader(path, "sample", 3), doctest::Contains("it is damaged"),
                       std::runtime_error);
}

TEST_CASE("a file that would pass the size limit is an error that says so") {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "parted.h5";
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_WITH_AS(parted(path), doctest::Contains("see 'ulimit -f'"), std::runtime_error);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(fs::is_empty(directory.path()));
}
