#include "runtime/checkpoint/sealed_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace halfstep {

namespace {

constexpr std::size_t kSealBytes = 512;
constexpr int kLayout = 1;
constexpr std::string_view kMagic = "halfstep records ";

using Seal = std::array<char, kSealBytes>;  // lines of text, then zeros

std::span<const std::byte> bytes_of(const Seal& seal) { return std::as_bytes(std::span(seal)); }

Seal make_seal(const std::string& kind, int version, std::size_t file_bytes, std::uint64_t checksum) {
  Seal seal{};
  const int length = std::snprintf(
      seal.data(), seal.size(), "%s%d\nkind %s\nversion %d\nbytes %zu\ncrc64 %016llx\n", kMagic.data(),
      kLayout, kind.c_str(), version, file_bytes, static_cast<unsigned long long>(checksum));
  if (length < 0 || static_cast<std::size_t>(length) >= seal.size())
    throw std::logic_error("the kind of a record file is too long");
  return seal;
}

/// Returns the rest of the line of the seal that begins with `key`; empty if there is none.
std::string_view line(const Seal& seal, std::string_view key) {
  const std::string_view text(seal.data(), seal.size());
  auto start = text.find(key);
  if (start == std::string_view::npos) return {};
  start += key.size();
  const auto end = text.find('\n', start);
  return end == std::string_view::npos ? std::string_view{} : text.substr(start, end - start);
}

template <class Number>
Number number(std::string_view text, int base = 10) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error("cannot use '" + path.string() + "': " + reason);
}

class Descriptor {
 public:
  /// Opens a file for reading, without waiting for the other end of a pipe. Throws unless it is regular.
  explicit Descriptor(const std::filesystem::path& path)
      : path_(path), id_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (id_ < 0) throw_system_error("read", path, errno);
    struct stat status {};
    const int code = ::fstat(id_, &status) == 0 ? 0 : errno;
    if (code == 0 && S_ISREG(status.st_mode)) return;
    ::close(id_);
    if (code != 0) throw_system_error("read", path, code);
    refuse(path, "it is not a regular file");
  }
  ~Descriptor() { ::close(id_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// Fills `buffer` as far as the file goes and returns the number of bytes read.
  std::size_t read(std::span<std::byte> buffer) const {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t got = ::read(id_, buffer.data() + filled, buffer.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw_system_error("read", path_, errno);
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  }

 private:
  const std::filesystem::path& path_;
  int id_;
};

}  // namespace

SealedFile::SealedFile(std::filesystem::path path, const std::string& kind, int version, hdf5::Image image)
    : path_(std::move(path)), image_(std::move(image)) {
  const std::size_t size = kSealBytes + image_.bytes().size();
  Crc64 checksum;
  checksum.add(bytes_of(make_seal(kind, version, size, 0)));
  checksum.add(image_.bytes());
  const Seal seal = make_seal(kind, version, size, checksum.value());
  seal_.assign(seal.begin(), seal.end());
}

void SealedFile::commit(Safe safe) const {
  const auto seal = std::as_bytes(std::span(seal_));
  if (file_) {
    file_->write_at(0, seal);
    file_->commit();
    return;
  }
  AtomicFile file(path_);
  file.write(seal);
  file.write(image_.bytes());
  file.commit(safe);
}

PartedFile::PartedFile(std::filesystem::path path, std::string kind, int version, hdf5::Outline outline)
    : path_(std::move(path)), kind_(std::move(kind)), version_(version) {
  outline.finish();
  bytes_ = static_cast<std::int64_t>(kSealBytes) + outline.size();
  for (const hdf5::Extent& array : outline.arrays())
    offsets_.push_back(static_cast<std::int64_t>(kSealBytes) + array.first);
  file_ = std::make_unique<AtomicFile>(path_);
  file_->allocate(bytes_);
  Crc64 share = Crc64::share();
  share.add(bytes_of(make_seal(kind_, version_, static_cast<std::size_t>(bytes_), 0)));
  write_rest(outline, share);
  share_ = share.state();
}

/// Copies what lies between the arrays, and adds the rest's bytes to its share of the checksum.
void PartedFile::write_rest(const hdf5::Outline& outline, Crc64& share) {
  std::vector<hdf5::Extent> arrays = outline.arrays();
  arrays.push_back({outline.size(), 0});
  std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::byte> between;
  std::int64_t at = 0;
  for (const auto& [first, bytes] : arrays) {
    between.resize(static_cast<std::size_t>(first - at));
    outline.read(at, between);
    file_->write_at(static_cast<std::int64_t>(kSealBytes) + at, between);
    share.add(between);
    share.add(Crc64Zeros(static_cast<std::uint64_t>(bytes)));
    at = first + bytes;
  }
}

SealedFile PartedFile::seal(std::uint64_t share_of_arrays) {
  const auto size = static_cast<std::size_t>(bytes_);
  const Seal seal = make_seal(kind_, version_, size, Crc64::value_of(share_ ^ share_of_arrays, size));
  return {std::move(file_), std::string(seal.begin(), seal.end())};
}

bool is_sealed(const std::filesystem::path& path) {
  std::array<char, kMagic.size()> start{};
  const std::size_t length = Descriptor(path).read(std::as_writable_bytes(std::span(start)));
  return std::string_view(start.data(), length) == kMagic;
}

std::string kind_in_seal(const std::filesystem::path& path) {
  Seal seal{};
  Descriptor(path).read(std::as_writable_bytes(std::span(seal)));
  const bool is_there = std::string_view(seal.data(), seal.size()).starts_with(kMagic);
  return std::string(is_there ? line(seal, "\nkind ") : "");
}

int check_seal(const std::filesystem::path& path, const std::string& kind, int newest_version) {
  const Descriptor file(path);
  Seal seal{};
  const std::size_t head = file.read(std::as_writable_bytes(std::span(seal)));
  if (head == 0) refuse(path, "it is empty");
  if (!std::string_view(seal.data(), seal.size()).starts_with(kMagic))
    refuse(path, "it is not a " + kind + " (it does not begin with '" + std::string(kMagic) + "')");
  if (const int layout = number<int>(line(seal, kMagic)); layout > kLayout)
    refuse(path, "it is newer than this program (record layout " + std::to_string(layout) +
                     ", this program reads " + std::to_string(kLayout) + ")");

  const std::string kind_found(line(seal, "\nkind ").substr(0, 100));
  const int version = number<int>(line(seal, "\nversion "));
  const auto size_expected = number<std::size_t>(line(seal, "\nbytes "));
  const auto checksum_expected = number<std::uint64_t>(line(seal, "\ncrc64 "), 16);

  Crc64 checksum;
  checksum.add(bytes_of(make_seal(kind_found, version, size_expected, 0)));
  std::vector<std::byte> buffer(std::size_t{1} << 18);
  std::size_t size = head;
  while (const std::size_t got = file.read(buffer)) {
    checksum.add(std::span(buffer).first(got));
    size += got;
  }
  // A seal that differs from the one made of its own values is damaged in its fixed text.
  const bool whole_seal = seal == make_seal(kind_found, version, size_expected, checksum_expected);
  if (whole_seal && size != size_expected)
    refuse(path, "it is incomplete or was added to (it has " + std::to_string(size) + " bytes, and had " +
                     std::to_string(size_expected) + " when it was written)");
  if (!whole_seal || checksum.value() != checksum_expected)
    refuse(path, "it is damaged (its checksum does not match its contents)");
  if (kind_found != kind) refuse(path, "it is not a " + kind + " but a " + kind_found);
  if (version > newest_version)
    refuse(path, "it is newer than this program (" + kind + " version " + std::to_string(version) +
                     ", this program reads up to " + std::to_string(newest_version) + ")");
  return version;
}

}  // namespace halfstep
