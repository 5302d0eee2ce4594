// A library to be loaded before a rank's own: it sends the process a signal in the middle of a run, at a call
// that the tests choose, so that they hit a phase by design and not by luck.
//
// STRIKE="RANK CALL COUNT SIGNAL": rank RANK gets SIGNAL, or sleeps -SIGNAL milliseconds, at its COUNT-th
// call of the kind CALL, or at each with COUNT 0. With SIGNAL 0 the call fails, if it is one that writes.
// STRIKE_AFTER="FILES": it gets the signal as soon as there is a file of that pattern.
//   call        MPI_Bcast: the first rank tells the others a call of the solver
//   exchange    MPI_Waitall: ghost cells are under way
//   reduction   MPI_Allreduce of a sum or a maximum
//   diagnosis   MPI_Allreduce of a minimum, which only a diagnosis has
//   fields_, checkpoint_   write() or pwrite() to a file with that in its name
//   sync        fsync() of a checkpoint
#include <dlfcn.h>
#include <glob.h>
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
  long count = 0;
  int signal = 0;
  bool is_own = false;

  Plan() {
    const char *words = std::getenv("STRIKE"), *rank = std::getenv("OMPI_COMM_WORLD_RANK");
    int own = 0, struck = 0;
    is_own = words && rank && std::sscanf(rank, "%d", &own) == 1 &&
             std::sscanf(words, "%d %15s %ld %d", &struck, call.data(), &count, &signal) == 4 &&
             own == struck;
  }
  bool is_for(const char* kind) const { return is_own && std::strcmp(call.data(), kind) == 0; }
};

const Plan& plan() {
  static const Plan plan;
  return plan;
}

void sleep_for(int milliseconds) { usleep(static_cast<useconds_t>(milliseconds) * 1000); }

/// Waits for a file, at most half a minute: then the test finds out.
void wait_for_file(const char* pattern) {
  for (int looks = 0; looks < 3000; ++looks) {
    glob_t found{};
    const bool is_there = glob(pattern, 0, nullptr, &found) == 0;
    globfree(&found);
    if (is_there) return;
    sleep_for(10);
  }
}

void strike() {
  const int signal = plan().signal;
  if (signal < 0) return sleep_for(-signal);
  if (const char* const pattern = std::getenv("STRIKE_AFTER")) wait_for_file(pattern);
  kill(getpid(), signal);
}

/// Strikes at the chosen one of the calls of a kind. Returns whether the call fails.
bool count_call(const char* kind) {
  static std::atomic<long> calls = 0;
  if (!plan().is_for(kind) || (++calls != plan().count && plan().count > 0)) return false;
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

int MPI_Bcast(void* bytes, int count, MPI_Datatype type, int from, MPI_Comm group) {
  count_call("call");
  return PMPI_Bcast(bytes, count, type, from, group);
}

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

int fsync(int file) {
  static auto* const own = next<int(int)>("fsync");
  if (plan().is_for("sync") && has_in_name(file, "checkpoint_")) count_call("sync");
  return own(file);
}

}  // extern "C"
