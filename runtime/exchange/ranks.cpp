#include "runtime/exchange/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#if HALFSTEP_HAS_MPI
#include "runtime/exchange/communicator.hpp"
#endif

namespace halfstep::exchange {

std::string Ranks::machine() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

double Ranks::max(double value) const {
  // Positive doubles order as their bits do; MPI's own maximum of NaN is not specified.
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  reduce({&bits, 1}, Reduction::max);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

std::uint64_t bytes_sent(std::span<const Parcel> parcels) {
  std::uint64_t bytes = 0;
  for (const Parcel& parcel : parcels)
    if (parcel.to >= 0) bytes += parcel.bytes;
  return bytes;
}

#if HALFSTEP_HAS_MPI

namespace {

/// The most bytes of one message; MPI counts them in an int.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// Calls f(offset, bytes) for pieces that one message can hold.
template <class F>
void for_pieces(std::size_t count, F f) {
  for (std::size_t at = 0; at < count; at += kMostBytes)
    f(at, static_cast<int>(std::min(kMostBytes, count - at)));
}

/// The tag of words to the first rank.
constexpr int kWordTag = 32767;

/// What launchers of MPI programs set in the environment of a process.
constexpr const char* kLaunchers[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK",
                                      "MV2_COMM_WORLD_SIZE"};

bool was_launched() {
  return std::any_of(std::begin(kLaunchers), std::end(kLaunchers),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

/// Adds the wall time of its life to the seconds waited.
class Waiting {
 public:
  explicit Waiting(Traffic& traffic) : traffic_(traffic), began_(MPI_Wtime()) {}
  ~Waiting() { *traffic_.seconds_waited += MPI_Wtime() - began_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Traffic& traffic_;
  double began_;
};

MPI_Op operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::min:
      return MPI_MIN;
    case Reduction::exclusive_or:
      return MPI_BXOR;
  }
  throw std::logic_error("there is no such reduction");
}

}  // namespace

const Ranks& Ranks::all() {
  static const Ranks ranks = [] {
    Ranks world;
    if (!was_launched()) return world;
    int level = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "be initialised");
    if (level < MPI_THREAD_MULTIPLE)
      throw std::runtime_error("this MPI does not serve several threads (MPI_THREAD_MULTIPLE)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &world.rank_), "tell the rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &world.size_), "tell the number of ranks");
    world.communicator_ = std::make_shared<Communicator>(Communicator{MPI_COMM_WORLD});
    const Ranks machine = world.on_machine();
    world.rank_on_machine_ = machine.rank_;
    world.size_on_machine_ = machine.size_;
    for (const char* name : kLaunchers) unsetenv(name);  // programs that this one starts are no ranks
    return world;
  }();
  return ranks;
}

Ranks Ranks::on_machine() const {
  Ranks group = *this;
  if (!communicator_) return group;
  MPI_Comm handle;
  check(MPI_Comm_split_type(communicator_->handle, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &handle),
        "tell the ranks of a machine");
  MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
  check(MPI_Comm_rank(handle, &group.rank_), "tell the rank on its machine");
  check(MPI_Comm_size(handle, &group.size_), "tell the ranks on a machine");
  group.communicator_ = std::make_shared<Communicator>(Communicator{handle});
  return group;
}

Ranks Ranks::duplicate() const {
  Ranks copy = *this;
  if (!communicator_) return copy;
  MPI_Comm handle;
  check(MPI_Comm_dup(communicator_->handle, &handle), "make a group of ranks");
  MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
  // Not freed: groups last as long as the run, and freeing is a collective call that an error would skip.
  copy.communicator_ = std::make_shared<Communicator>(Communicator{handle});
  return copy;
}

void Ranks::broadcast(void* bytes, std::size_t count, int from) const {
  if (!communicator_) return;
  for_pieces(count, [&](std::size_t at, int n) {
    check(MPI_Bcast(static_cast<char*>(bytes) + at, n, MPI_BYTE, from, communicator_->handle), "broadcast");
  });
}

void Ranks::send(const void* bytes, std::size_t count, int to, int tag) const {
  for_pieces(count, [&](std::size_t at, int n) {
    check(MPI_Send(static_cast<const char*>(bytes) + at, n, MPI_BYTE, to, tag, communicator_->handle),
          "send");
  });
}

void Ranks::receive(void* bytes, std::size_t count, int from, int tag) const {
  for_pieces(count, [&](std::size_t at, int n) {
    check(MPI_Recv(static_cast<char*>(bytes) + at, n, MPI_BYTE, from, tag, communicator_->handle,
                   MPI_STATUS_IGNORE),
          "receive");
  });
}

struct Swap::Requests {
  std::shared_ptr<Ranks::Communicator> of;
  std::vector<MPI_Request> all;
};

Swap Ranks::begin_swap(std::span<const Parcel> parcels) const {
  Swap swap;
  if (!communicator_) return swap;
  swap.requests_ = std::make_shared<Swap::Requests>(Swap::Requests{communicator_, {}});
  std::vector<MPI_Request>& requests = swap.requests_->all;
  for (const Parcel& parcel : parcels) {
    if (parcel.from >= 0)
      for_pieces(parcel.bytes, [&](std::size_t at, int n) {
        check(MPI_Irecv(static_cast<char*>(parcel.in) + at, n, MPI_BYTE, parcel.from, 0,
                        communicator_->handle, &requests.emplace_back()),
              "receive");
      });
    if (parcel.to >= 0)
      for_pieces(parcel.bytes, [&](std::size_t at, int n) {
        check(MPI_Isend(static_cast<const char*>(parcel.out) + at, n, MPI_BYTE, parcel.to, 0,
                        communicator_->handle, &requests.emplace_back()),
              "send");
      });
  }
  communicator_->traffic.bytes_sent += bytes_sent(parcels);
  return swap;
}

void Swap::wait() {
  if (!requests_) return;
  const std::shared_ptr<Requests> own = std::exchange(requests_, nullptr);
  const Waiting waiting(own->of->traffic);
  check(MPI_Waitall(static_cast<int>(own->all.size()), own->all.data(), MPI_STATUSES_IGNORE), "exchange");
}

void Ranks::reduce(std::span<std::uint64_t> words, Reduction reduction) const {
  if (!communicator_) return;
  const Waiting waiting(communicator_->traffic);
  check(MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T,
                      operation(reduction), communicator_->handle),
        "reduce");
}

bool Ranks::meet(double seconds) const {
  if (!communicator_) return true;
  MPI_Request all_are_here;
  check(MPI_Ibarrier(communicator_->handle, &all_are_here), "wait for all ranks");
  const double until = MPI_Wtime() + seconds;
  int done = 0;
  while (check(MPI_Test(&all_are_here, &done, MPI_STATUS_IGNORE), "wait for all ranks"), !done) {
    if (MPI_Wtime() > until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

Traffic Ranks::traffic() const { return communicator_ ? communicator_->traffic : Traffic{0, 0.0}; }

void Ranks::tell_first(std::int64_t word) const {
  if (communicator_) send(&word, sizeof word, 0, kWordTag);
}

std::optional<std::int64_t> Ranks::told() const {
  if (!communicator_) return std::nullopt;
  int has_come = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, kWordTag, communicator_->handle, &has_come, &status), "look for a word");
  if (!has_come) return std::nullopt;
  std::int64_t word = 0;
  receive(&word, sizeof word, status.MPI_SOURCE, kWordTag);
  return word;
}

void Ranks::abort(int code) const {
  constexpr unsigned patience = 10;  // seconds that the launcher has to answer
  static volatile std::sig_atomic_t exit_code;
  exit_code = code;
  std::signal(SIGALRM, [](int) { std::_Exit(exit_code); });
  ::alarm(patience);
  if (communicator_) MPI_Abort(communicator_->handle, code);
  std::_Exit(code);
}

RanksAtEnd::~RanksAtEnd() {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  if (initialised && !finalised) MPI_Finalize();
}

#else

struct Ranks::Communicator {};

const Ranks& Ranks::all() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name); size && std::atoi(size) > 1)
      throw std::runtime_error(
          "a launcher started " + std::string(size) +
          " ranks, but this program was built without MPI; build it with HALFSTEP_MPI=ON");
  static const Ranks one;
  return one;
}
Ranks Ranks::duplicate() const { return *this; }
Ranks Ranks::on_machine() const { return *this; }
void Ranks::broadcast(void*, std::size_t, int) const {}
void Ranks::send(const void*, std::size_t, int, int) const {}
void Ranks::receive(void*, std::size_t, int, int) const {}
Swap Ranks::begin_swap(std::span<const Parcel>) const { return {}; }
void Swap::wait() {}
void Ranks::reduce(std::span<std::uint64_t>, Reduction) const {}
bool Ranks::meet(double) const { return true; }
Traffic Ranks::traffic() const { return {0, 0.0}; }
void Ranks::tell_first(std::int64_t) const {}
std::optional<std::int64_t> Ranks::told() const { return std::nullopt; }
void Ranks::abort(int code) const { std::_Exit(code); }
RanksAtEnd::~RanksAtEnd() = default;

#endif

}  // namespace halfstep::exchange
