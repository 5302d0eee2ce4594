// Messages between devices that reach each other's memory: kernels write them there, and a value says that
// they have come. Kernels reduce words through mailboxes.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

#include "runtime/device/early_launch.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/exchange/device_exchange.hpp"

namespace halfstep::exchange {

namespace {

/// Device memory by a name that other processes of the machine understand.
struct Address {
  cudaIpcMemHandle_t allocation{};
  std::size_t offset = 0;
};

/// Returns the beginning of the allocation that holds `memory`. The driver's function is looked up at run
/// time, so that the program starts where no driver is.
CUdeviceptr allocation_of(CUdeviceptr memory) {
  static const auto range = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    HALFSTEP_CUDA(
        cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 3020, cudaEnableDefault, &found));
    if (!function)
      throw std::runtime_error("the CUDA driver has no cuMemGetAddressRange: install a newer one");
    return reinterpret_cast<PFN_cuMemGetAddressRange_v3020>(function);
  }();
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  if (const CUresult result = range(&base, &bytes, memory); result != CUDA_SUCCESS)
    throw std::runtime_error("CUDA cannot find the beginning of an allocation: error " +
                             std::to_string(result));
  return base;
}

Address address_of(void* memory) {
  const auto at = reinterpret_cast<CUdeviceptr>(memory), base = allocation_of(at);
  Address address{{}, at - base};
  HALFSTEP_CUDA(cudaIpcGetMemHandle(&address.allocation, reinterpret_cast<void*>(base)));
  return address;
}

/// The memory of other ranks that this one has opened.
class OpenedMemory {
 public:
  OpenedMemory() = default;
  OpenedMemory(const OpenedMemory&) = delete;
  OpenedMemory& operator=(const OpenedMemory&) = delete;
  ~OpenedMemory() { close(); }

  char* at(const Address& address) {
    std::array<char, sizeof address.allocation> key;
    std::memcpy(key.data(), &address.allocation, key.size());
    auto opened = opened_.find(key);
    if (opened == opened_.end()) {
      void* base = nullptr;
      HALFSTEP_CUDA(cudaIpcOpenMemHandle(&base, address.allocation, cudaIpcMemLazyEnablePeerAccess));
      opened = opened_.emplace(key, base).first;
    }
    return static_cast<char*>(opened->second) + address.offset;
  }
  void close() {
    for (const auto& [key, base] : opened_)
      if (cudaIpcCloseMemHandle(base) != cudaSuccess) cudaGetLastError();  // the process ends soon
    opened_.clear();
  }

 private:
  std::map<std::array<char, sizeof(cudaIpcMemHandle_t)>, void*> opened_;
};

/// The values by which other ranks tell this one something, in its device's memory.
struct Signals {
  std::uint64_t written[Mailboxes::kMostRanks];  ///< how often a rank has written
  std::uint64_t granted[Mailboxes::kMostRanks];  ///< how often it has let this rank write again
};

using NotesToAll = Notes<Mailboxes::kMostRanks>;

/// Tells all that the stream has done before, and waits: a thread to a note.
__global__ void tell_and_wait(const __grid_constant__ NotesToAll notes) {
  wait_for_earlier_kernels();
  const int n = static_cast<int>(threadIdx.x);
  const std::uint64_t began = nanoseconds();
  if (n < notes.count) {
    notes.tell(n);
    notes.await(n);
  }
  __syncwarp();
  if (n == 0) *notes.waited += nanoseconds() - began;
}

__global__ void reduce_words(const __grid_constant__ MailRound round, std::uint64_t* words, int count,
                             Reduction reduction) {
  const int n = static_cast<int>(threadIdx.x);
  if (n >= count) return;
  const std::uint64_t began = nanoseconds();
  words[n] = round.boxes.reduce(round.number, n, words[n], [reduction](std::uint64_t a, std::uint64_t b) {
    return reduction == Reduction::sum ? a + b : reduction == Reduction::max ? max(a, b) : min(a, b);
  });
  if (n == 0) *round.boxes.waited += nanoseconds() - began;
}

class PeerExchange final : public DeviceExchange {
 public:
  explicit PeerExchange(const Ranks& ranks)
      : ranks_(ranks.duplicate()),
        signals_(1),
        mail_(Mailboxes::words(ranks.size())),
        waited_(1),
        peers_(static_cast<std::size_t>(ranks.size())) {
    HALFSTEP_CUDA(cudaMemset(signals_.get(), 0, sizeof(Signals)));
    HALFSTEP_CUDA(cudaMemset(mail_.get(), 0, mail_.count() * sizeof(Mailboxes::Word)));
    HALFSTEP_CUDA(cudaMemset(waited_.get(), 0, sizeof(std::uint64_t)));
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    boxes_.waited = waited_.get();
    boxes_.rank = ranks.rank();
    boxes_.ranks = ranks.size();
    for (int rank = 0; rank < ranks.size(); ++rank) open(rank);
    std::uint64_t word = is_open_;
    ranks_.reduce({&word, 1}, Reduction::min);
    is_open_ = word != 0;
  }

  /// Whether all ranks could open each other's memory: containers of one machine may be kept from it.
  bool is_open() const { return is_open_; }

  /// Waits for what is under way, then for all ranks, since memory must not be freed while another has it
  /// open; not for long, because a rank that has failed does not come.
  ~PeerExchange() override {
    cudaDeviceSynchronize();
    opened_.close();
    try {
      ranks_.meet(kPatience);
    } catch (const std::exception&) {  // of MPI: the run ends
    }
  }

  std::unique_ptr<Route> route(std::vector<Parcel>) override {
    throw std::logic_error("devices that reach each other have windows, no routes");
  }
  std::unique_ptr<Window> window(const std::vector<WindowMessage>& messages) override;

  void reduce(std::span<const ReducedWords> all, cudaStream_t stream) override {
    for (auto [words, count, reduction] : all)
      for (std::size_t done = 0; done < count; done += Mailboxes::kWords) {
        const int part = static_cast<int>(std::min<std::size_t>(Mailboxes::kWords, count - done));
        reduce_words<<<1, Mailboxes::kWords, 0, stream>>>(*open_round(), words + done, part, reduction);
        HALFSTEP_CUDA_LAUNCHED("reduce_words");
      }
  }

  std::optional<MailRound> open_round() override { return MailRound{boxes_, ++rounds_}; }

  std::string name() const override { return "writes to each other's memory"; }

 private:
  friend class PeerWindow;
  static constexpr double kPatience = 5;  // seconds

  /// What this rank knows of another.
  struct Peer {
    Signals* signals = nullptr;  ///< as this device sees them
    std::uint64_t written = 0, granted = 0;
    int last = -1;  ///< the window by which they wrote
  };

  /// Opens the signals and the mailboxes of a rank, on all ranks at once.
  void open(int rank) {
    const bool is_own = rank == ranks_.rank();
    Address signals, mail;
    const auto attempt = [this](auto f) {
      try {
        f();
      } catch (const std::runtime_error&) {  // of CUDA
        cudaGetLastError();                  // so that the next check does not find it
        is_open_ = false;
      }
    };
    if (is_own)
      attempt([&] {
        signals = address_of(signals_.get());
        mail = address_of(mail_.get());
      });
    ranks_.broadcast(&signals, sizeof signals, rank);
    ranks_.broadcast(&mail, sizeof mail, rank);
    attempt([&] {
      peers_[rank].signals = is_own ? signals_.get() : reinterpret_cast<Signals*>(opened_.at(signals));
      boxes_.of_rank[rank] = is_own ? mail_.get() : reinterpret_cast<Mailboxes::Word*>(opened_.at(mail));
    });
  }

  Ranks ranks_;
  bool is_open_ = true;
  DeviceBuffer<Signals> signals_;
  DeviceBuffer<Mailboxes::Word> mail_;
  DeviceBuffer<std::uint64_t> waited_;
  OpenedMemory opened_;
  std::vector<Peer> peers_;
  Mailboxes boxes_{};
  std::uint32_t rounds_ = 0;
  int windows_ = 0;
};

class PeerWindow final : public Window {
 public:
  PeerWindow(PeerExchange& exchange, const std::vector<WindowMessage>& messages)
      : exchange_(exchange), number_(exchange.windows_++) {
    struct Letter {
      Address address;
      ArrayBox box;
    };
    std::vector<Letter> own(messages.size()), theirs(messages.size());
    std::vector<Parcel> parcels;
    for (std::size_t n = 0; n < messages.size(); ++n) {
      const auto& [to, from, box] = messages[n];
      if (from >= 0) own[n] = {address_of(box.first), box};
      parcels.push_back({from, to, &own[n], &theirs[n], sizeof(Letter)});
      for (const int rank : {to, from})
        if (rank >= 0 && std::find(peers_.begin(), peers_.end(), rank) == peers_.end())
          peers_.push_back(rank);
    }
    exchange_.ranks_.swap(parcels);
    for (std::size_t n = 0; n < messages.size(); ++n) {
      if (messages[n].to < 0) continue;
      theirs_.push_back(theirs[n].box);
      theirs_.back().first = exchange_.opened_.at(theirs[n].address);
    }
  }

  const std::vector<ArrayBox>& theirs() const override { return theirs_; }

  /// Where ranks wrote by another window in between, nothing has to be said: who has seen what the other
  /// wrote then knows that it had read what came before.
  void begin(cudaStream_t stream) override {
    NotesToAll notes;
    for (const int rank : peers_) {
      auto& peer = exchange_.peers_[rank];
      if (peer.last == number_) note(notes, rank, ++peer.granted, &Signals::granted);
      peer.last = number_;
    }
    if (notes.count > 0) launch(notes, stream);
  }

  void end(cudaStream_t stream) override { launch(notes_of_end<NotesToAll>(), stream); }
  NotesAlongAxis notes_of_end() override { return notes_of_end<NotesAlongAxis>(); }

 private:
  using Values = std::uint64_t (Signals::*)[Mailboxes::kMostRanks];

  template <class SomeNotes>
  SomeNotes notes_of_end() {
    SomeNotes notes;
    for (const int rank : peers_) note(notes, rank, ++exchange_.peers_[rank].written, &Signals::written);
    return notes;
  }
  /// Adds that this rank tells another a value, and that it awaits the same from it.
  template <class SomeNotes>
  void note(SomeNotes& notes, int rank, std::uint64_t value, Values values) const {
    Signals* const own = exchange_.signals_.get();
    notes.waited = exchange_.boxes_.waited;
    notes.told[notes.count] = {&(exchange_.peers_[rank].signals->*values)[exchange_.ranks_.rank()], value};
    notes.awaited[notes.count++] = {&(own->*values)[rank], value};
  }
  static void launch(const NotesToAll& notes, cudaStream_t stream) {
    launch_early("tell_and_wait", tell_and_wait, 1, 32, 0, stream, notes);
  }

  PeerExchange& exchange_;
  int number_;
  std::vector<ArrayBox> theirs_;
  std::vector<int> peers_;  // all neighbours
};

std::unique_ptr<Window> PeerExchange::window(const std::vector<WindowMessage>& messages) {
  return std::make_unique<PeerWindow>(*this, messages);
}

/// Whether this rank's device reaches those of all others, and they are all of this machine.
bool reaches_all(const Ranks& ranks) {
  int own = 0;
  HALFSTEP_CUDA(cudaGetDevice(&own));
  const Ranks machine = ranks.on_machine();
  bool reaches = machine.size() == ranks.size() && ranks.size() <= Mailboxes::kMostRanks;
  for (int rank = 0; rank < machine.size(); ++rank) {
    char place[16] = "";  // on the bus
    if (rank == machine.rank()) HALFSTEP_CUDA(cudaDeviceGetPCIBusId(place, sizeof place, own));
    machine.broadcast(place, sizeof place, rank);
    if (rank == machine.rank()) continue;
    int device = 0, can = 0;
    if (cudaDeviceGetByPCIBusId(&device, place) == cudaSuccess)
      HALFSTEP_CUDA(cudaDeviceCanAccessPeer(&can, own, device));
    else
      cudaGetLastError();  // this process does not see the device, which is no error
    reaches = reaches && can != 0;
  }
  std::uint64_t word = reaches;
  ranks.reduce({&word, 1}, Reduction::min);
  return word != 0;
}

}  // namespace

std::unique_ptr<DeviceExchange> make_peer_exchange(const Ranks& ranks) {
  if (!reaches_all(ranks)) return nullptr;
  auto exchange = std::make_unique<PeerExchange>(ranks);
  return exchange->is_open() ? std::move(exchange) : nullptr;
}

}  // namespace halfstep::exchange
