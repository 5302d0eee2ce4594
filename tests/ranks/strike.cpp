// A library to be loaded before a rank's own: it sends the process a signal in the middle of a run, at a call
// that the tests choose, so that they hit a phase by design and not by luck.
//
// STRIKE="RANK CALL COUNT SIGNAL": rank RANK gets SIGNAL, or sleeps -SIGNAL seconds, at its COUNT-th call of
// the kind CALL. With SIGNAL 0 the call fails, if it is one that writes.
//   exchange    MPI_Waitall: ghost cells are under way
//   reduction   MPI_Allreduce of a sum or a maximum
//   diagnosis   MPI_Allreduce of a minimum, which only a diagnosis has
//   fields_, checkpoint_   write() or pwrite() to a file with that in its name
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Plan {
  std::array<char, 16> call{};
  long count = 0;  // 0: none
  int signal = 0;

  Plan() {
    const char *words = std::getenv("STRIKE"), *rank = std::getenv("OMPI_COMM_WORLD_RANK");
    int own = 0, struck = 0;
    if (!words || !rank || std::sscanf(rank, "%d", &own) != 1 ||
        std::sscanf(words, "%d %15s %ld %d", &struck, call.data(), &count, &signal) != 4 || own != struck)
      count = 0;
  }
  bool is_for(const char* kind) const { return count > 0 && std::strcmp(call.data(), kind) == 0; }
};

const Plan& plan() {
  static const Plan plan;
  return plan;
}

void strike() {
  const int signal = plan().signal;
  signal > 0 ? static_cast<void>(kill(getpid(), signal))
             : static_cast<void>(sleep(static_cast<unsigned>(-signal)));
}

/// Strikes at the chosen one of the calls of a kind. Returns whether the call fails.
bool count_call(const char* kind) {
  static std::atomic<long> calls = 0;
  if (!plan().is_for(kind) || ++calls != plan().count) return false;
  if (plan().signal == 0) return true;
  strike();
  return false;
}

/// Whether the name of an open file, without its folder, has a part.
bool has_in_name(int file, const char* part) {
  std::array<char, 4096> path{};
  if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size() - 1) < 0)
    return false;
  const char* name = std::strrchr(path.data(), '/');
  return name && std::strstr(name, part) != nullptr;
}

/// Counts a call that writes to an open file. Returns whether it fails, with errno.
bool count_write(int file) {
  for (const char* part : {"fields_", "checkpoint_"})
    if (plan().is_for(part) && has_in_name(file, part) && count_call(part)) {
      errno = EIO;
      return true;
    }
  return false;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  count_call("exchange");
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm group) {
  count_call(operation == MPI_MIN ? "diagnosis" : "reduction");
  return PMPI_Allreduce(from, to, count, type, operation, group);
}

ssize_t write(int file, const void* bytes, size_t count) {
  static auto* const own = next<ssize_t(int, const void*, size_t)>("write");
  return count_write(file) ? -1 : own(file, bytes, count);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
  static auto* const own = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return count_write(file) ? -1 : own(file, bytes, count, at);
}

}  // extern "C"
