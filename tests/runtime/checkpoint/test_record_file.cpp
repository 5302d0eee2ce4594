#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/crc64.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

void write_sample(const std::filesystem::path& path, int version = 1) {
  RecordWriter file(path, "sample", version);
  file.write("state/step", std::int64_t{-7});
  file.write("state/time", 0.1);
  file.write("title", std::string("Größe"));
  file.write("empty", std::string());
  file.write<double>("values/doubles",
                     std::vector<double>{1.0 / 3, -0.0, std::numeric_limits<double>::denorm_min()}, {3});
  file.write<float>("values/floats", std::vector<float>{1.0f / 3, 2, 3, 4, 5, 6}, {3, 1, 2});
  file.write<std::int64_t>("values/integers", std::vector<std::int64_t>{std::int64_t{1} << 62}, {1});
  file.write<std::uint8_t>("values/bytes", std::vector<std::uint8_t>{0, 255}, {2});
  file.commit();
}

/// A limit of `bytes` on the files that the process writes, as on a full disk, while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("The checksum is CRC-64/XZ, however the bytes are portioned") {
  const std::string text = "123456789";  // check value: catalogue of parametrised CRC algorithms (Cook)
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Crc64 crc;
    crc.add(std::as_bytes(std::span(text).first(cut)));
    crc.add(std::as_bytes(std::span(text).subspan(cut)));
    CHECK(crc.value() == 0x995dc9bbdf1939faull);
  }
}

TEST_CASE("Records come back bit for bit") {
  const TemporaryDirectory directory;
  write_sample(directory / "a.h5");
  const RecordReader file(directory / "a.h5", "sample", 1);
  CHECK(file.version() == 1);
  CHECK(file.integer("state/step") == -7);
  CHECK(file.real("state/time") == 0.1);
  CHECK(file.text("title") == "Größe");
  CHECK(file.text("empty").empty());
  const auto doubles = file.array<double>("values/doubles");
  REQUIRE(doubles.size() == 3);
  CHECK(doubles[0] == 1.0 / 3);
  CHECK(std::signbit(doubles[1]));
  CHECK(doubles[2] == std::numeric_limits<double>::denorm_min());
  CHECK(file.shape("values/floats") == hdf5::Shape{3, 1, 2});
  CHECK(file.array<float>("values/floats").at(0) == 1.0f / 3);
  CHECK(file.array<double>("values/floats").at(0) == double{1.0f / 3});
  CHECK(file.array<std::int64_t>("values/integers").at(0) == std::int64_t{1} << 62);
  CHECK(file.array<std::uint8_t>("values/bytes") == std::vector<std::uint8_t>{0, 255});
}

TEST_CASE("A record that is missing or of another type is named") {
  const TemporaryDirectory directory;
  write_sample(directory / "a.h5");
  const RecordReader file(directory / "a.h5", "sample", 1);
  CHECK(contains(refusal([&] { file.real("state/nothing"); }), "no record 'state/nothing'"));
  CHECK(contains(refusal([&] { file.integer("state/time"); }), "'state/time' has another type"));
  CHECK(contains(refusal([&] { file.text("state/time"); }), "'state/time' has another type"));
  CHECK(contains(refusal([&] { file.array<float>("values/doubles"); }), "'values/doubles' has another type"));
  CHECK(contains(refusal([&] { file.real("values/doubles"); }), "is an array"));
}

TEST_CASE("Equal records make equal files") {
  const TemporaryDirectory directory;
  write_sample(directory / "a.h5");
  write_sample(directory / "b.h5");
  CHECK(contents(directory / "a.h5") == contents(directory / "b.h5"));
}

TEST_CASE("A record file that was cut, emptied or added to is refused with the reason") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.h5";
  write_sample(path);
  const std::string whole = contents(path);
  const auto reason = [&](const std::string& text) {
    put(path, text);
    return refusal([&] { RecordReader(path, "sample", 1); });
  };
  CHECK(reason(whole).empty());
  CHECK(contains(reason(""), "it is empty"));
  CHECK(contains(reason(whole.substr(0, 20)), "damaged"));
  CHECK(contains(reason(whole.substr(0, 100)), "incomplete"));
  CHECK(contains(reason(whole.substr(0, 600)), "incomplete"));
  CHECK(contains(reason(whole.substr(0, whole.size() - 1)), "incomplete"));
  CHECK(contains(reason(whole + "x"), "added to"));
  CHECK(contains(reason("\x89HDF\r\n\x1a\n" + whole), "not a sample"));
  CHECK(contains(reason("deck: 1\n"), "not a sample"));
}

TEST_CASE("A record file of another kind, or newer than the program, is refused with the reason") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.h5";
  write_sample(path, 3);
  CHECK(contains(refusal([&] { RecordReader(path, "other", 3); }), "not a other but a sample"));
  CHECK(contains(refusal([&] { RecordReader(path, "sample", 2); }),
                 "newer than this program (sample version 3"));
  CHECK(RecordReader(path, "sample", 3).version() == 3);
  CHECK(contains(refusal([&] { RecordReader(directory / "none.h5", "sample", 1); }), "No such file"));
  std::string layout = contents(path);
  layout.replace(layout.find("records 1"), 9, "records 2");
  put(path, layout);
  CHECK(contains(refusal([&] { RecordReader(path, "sample", 3); }),
                 "newer than this program (record layout 2"));
}

TEST_CASE("A file that cannot be written whole leaves the old one and nothing else") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.h5";
  write_sample(path);
  const std::string before = contents(path);
  std::string reason;
  {
    const FileSizeLimit limit(1024);
    reason = refusal([&] { write_sample(path, 2); });
  }
  CHECK(contains(reason, "cannot write '" + path.string() + "': File too large"));
  CHECK(contains(reason, "ulimit -f"));
  CHECK(contents(path) == before);
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 1);
  write_sample(path, 2);  // and the process can go on writing
  CHECK(RecordReader(path, "sample", 2).version() == 2);
}

TEST_CASE("A full disk is one clear message with a remedy") {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0) {
    MESSAGE("no /dev/full here: not tested");
    return;
  }
  const std::string text = "x";
  const std::string reason = refusal([&] { write_all(full, std::as_bytes(std::span(text)), "dir/name"); });
  close(full);
  CHECK(reason ==
        "cannot write 'dir/name': No space left on device (the disk is full: free some space or write to "
        "another "
        "directory)");
}

TEST_CASE("A file in a directory that is missing is one clear message") {
  const TemporaryDirectory directory;
  CHECK(contains(refusal([&] { write_file(directory / "none/a.txt", "x"); }), "No such file or directory"));
  put(directory / "file", "");
  CHECK(contains(refusal([&] { write_file(directory / "file/a.txt", "x"); }), "Not a directory"));
}
