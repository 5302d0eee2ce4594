// Messages between devices that reach each other's memory: copy engines write them there, and a value behind
// each message says that it has come. Kernels reduce words through mailboxes. Nothing but reductions needs
// room on a multiprocessor, so messages fly while kernels fill the device.
#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <map>
#include <utility>

#include "runtime/device/memory.hpp"
#include "runtime/exchange/device_exchange.hpp"
#include "runtime/exchange/stream_values.hpp"

namespace halfstep::exchange {

namespace {

/// Device memory by a name that other processes of the machine understand.
struct Address {
  cudaIpcMemHandle_t allocation{};
  std::size_t offset = 0;
  std::size_t pitch = 0;  ///< of a parcel's rows
};

Address address_of(void* memory, std::size_t pitch = 0) {
  static const auto range = driver_function<PFN_cuMemGetAddressRange_v3020>("cuMemGetAddressRange", 3020);
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  const auto at = reinterpret_cast<CUdeviceptr>(memory);
  check_driver(range(&base, &bytes, at), "tell the beginning of an allocation");
  Address address{{}, at - base, pitch};
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
    void*& base = opened_[key];
    if (!base) HALFSTEP_CUDA(cudaIpcOpenMemHandle(&base, address.allocation, cudaIpcMemLazyEnablePeerAccess));
    return static_cast<char*>(base) + address.offset;
  }
  void close() {
    for (const auto& [key, base] : opened_) cudaIpcCloseMemHandle(base);
    opened_.clear();
  }

 private:
  std::map<std::array<char, sizeof(cudaIpcMemHandle_t)>, void*> opened_;
};

/// The values that tell a rank what has come from the others, in its device's memory.
struct Signals {
  std::uint64_t arrived[Mailboxes::kMostRanks];  ///< number of the last exchange that came from a rank
  std::uint64_t granted[Mailboxes::kMostRanks];  ///< up to which a rank may write
};

__global__ void reduce_words(const __grid_constant__ MailRound round, std::uint64_t* words, int count,
                             Reduction reduction) {
  const int n = static_cast<int>(threadIdx.x);
  if (n >= count) return;
  words[n] = round.boxes.reduce(round.number, n, words[n], [reduction](std::uint64_t a, std::uint64_t b) {
    return reduction == Reduction::sum ? a + b : reduction == Reduction::max ? max(a, b) : min(a, b);
  });
}

class PeerExchange final : public DeviceExchange {
 public:
  explicit PeerExchange(const Ranks& ranks)
      : ranks_(ranks.duplicate()),
        signals_(1),
        mail_(Mailboxes::words(ranks.size())),
        peers_(static_cast<std::size_t>(ranks.size())) {
    HALFSTEP_CUDA(cudaMemset(signals_.get(), 0, sizeof(Signals)));
    HALFSTEP_CUDA(cudaMemset(mail_.get(), 0, mail_.count() * sizeof(Mailboxes::Word)));
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    boxes_.rank = ranks.rank();
    boxes_.ranks = ranks.size();
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const bool is_own = rank == ranks.rank();
      Address signals, mail;
      if (is_own) {
        signals = address_of(signals_.get());
        mail = address_of(mail_.get());
      }
      ranks_.broadcast(&signals, sizeof signals, rank);
      ranks_.broadcast(&mail, sizeof mail, rank);
      peers_[rank].signals = is_own ? signals_.get() : reinterpret_cast<Signals*>(opened_.at(signals));
      boxes_.of_rank[rank] = is_own ? mail_.get() : reinterpret_cast<Mailboxes::Word*>(opened_.at(mail));
    }
  }

  /// Waits for what is under way, then for all ranks, since memory must not be freed while another has it
  /// open. A rank that fails does not wait: the run ends anyway.
  ~PeerExchange() override {
    if (std::uncaught_exceptions() > 0) return;
    cudaDeviceSynchronize();
    opened_.close();
    ranks_.max(0);
  }

  bool takes_rows() const override { return true; }

  std::unique_ptr<Route> route(std::vector<DeviceParcel> parcels) override;

  void reduce(std::span<const ReducedWords> all, cudaStream_t stream) override {
    for (auto [words, count, reduction] : all)
      for (std::size_t done = 0; done < count; done += Mailboxes::kWords) {
        const int part = static_cast<int>(std::min<std::size_t>(Mailboxes::kWords, count - done));
        reduce_words<<<1, Mailboxes::kWords, 0, stream>>>(*open_round(), words + done, part, reduction);
        HALFSTEP_CUDA_LAUNCHED("reduce_words");
      }
  }

  std::optional<MailRound> open_round() override { return MailRound{boxes_, ++rounds_}; }

  std::string name() const override { return "copy engines"; }

 private:
  friend class PeerRoute;

  /// What this rank knows of another.
  struct Peer {
    Signals* signals = nullptr;      ///< as this device sees them
    std::uint64_t sent = 0;          ///< exchanges in which this rank sent to it
    std::uint64_t received = 0;      ///< and in which it received from it
    const Route* sent_by = nullptr;  ///< the last of these
    const Route* received_by = nullptr;
  };

  Ranks ranks_;
  StreamValues values_;
  DeviceBuffer<Signals> signals_;
  DeviceBuffer<Mailboxes::Word> mail_;
  OpenedMemory opened_;
  std::vector<Peer> peers_;
  Mailboxes boxes_{};
  std::uint32_t rounds_ = 0;
};

class PeerRoute final : public Route {
 public:
  PeerRoute(PeerExchange& exchange, std::vector<DeviceParcel> parcels)
      : exchange_(exchange), parcels_(std::move(parcels)) {
    // Each receiver tells the sender where to write. The parcels between two ranks keep their order.
    std::vector<Address> own(parcels_.size()), theirs(parcels_.size());
    std::vector<Parcel> letters;
    for (std::size_t n = 0; n < parcels_.size(); ++n) {
      const DeviceParcel& parcel = parcels_[n];
      if (parcel.from >= 0) own[n] = address_of(parcel.in, parcel.in_pitch);
      letters.push_back({parcel.from, parcel.to, &own[n], &theirs[n], sizeof(Address)});
    }
    exchange_.ranks_.swap(letters);
    for (std::size_t n = 0; n < parcels_.size(); ++n) {
      DeviceParcel& parcel = parcels_[n];
      if (parcel.from >= 0) add(senders_, parcel.from);
      if (parcel.to < 0) continue;
      add(receivers_, parcel.to);
      parcel.in = exchange_.opened_.at(theirs[n]);
      parcel.in_pitch = theirs[n].pitch;
    }
  }

  void swap(cudaStream_t stream) override {
    grant(stream);
    for (const DeviceParcel& parcel : parcels_)
      if (parcel.to >= 0) copy(parcel, stream);
    const int own = exchange_.ranks_.rank();
    for (const int to : receivers_) {
      auto& peer = exchange_.peers_[to];
      exchange_.values_.write(stream, &peer.signals->arrived[own], ++peer.sent);
      peer.sent_by = this;
    }
    for (const int from : senders_) {
      auto& peer = exchange_.peers_[from];
      exchange_.values_.wait(stream, &exchange_.signals_.get()->arrived[from], ++peer.received);
      peer.received_by = this;
    }
  }

 private:
  static void add(std::vector<int>& ranks, int rank) {
    if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
  }

  /// Lets ranks write where they wrote in the last exchange, and waits until they let this one. Between two
  /// exchanges into other memory nothing has to be said: who sends has received what the other sent after
  /// it had read the one before.
  void grant(cudaStream_t stream) {
    const int own = exchange_.ranks_.rank();
    for (const int from : senders_)
      if (const auto& peer = exchange_.peers_[from]; peer.received_by == this)
        exchange_.values_.write(stream, &peer.signals->granted[own], peer.received + 1);
    for (const int to : receivers_)
      if (const auto& peer = exchange_.peers_[to]; peer.sent_by == this)
        exchange_.values_.wait(stream, &exchange_.signals_.get()->granted[to], peer.sent + 1);
  }

  /// `in` is the receiver's memory.
  static void copy(const DeviceParcel& parcel, cudaStream_t stream) {
    if (parcel.rows == 1)
      HALFSTEP_CUDA(cudaMemcpyAsync(parcel.in, parcel.out, parcel.bytes, cudaMemcpyDeviceToDevice, stream));
    else
      HALFSTEP_CUDA(cudaMemcpy2DAsync(parcel.in, parcel.in_pitch, parcel.out, parcel.out_pitch, parcel.bytes,
                                      parcel.rows, cudaMemcpyDeviceToDevice, stream));
  }

  PeerExchange& exchange_;
  std::vector<DeviceParcel> parcels_;
  std::vector<int> receivers_, senders_;
};

std::unique_ptr<Route> PeerExchange::route(std::vector<DeviceParcel> parcels) {
  return std::make_unique<PeerRoute>(*this, std::move(parcels));
}

/// Whether this rank's device reaches those of all others, and they are all of this machine.
bool reaches_all(const Ranks& ranks) {
  int own = 0;
  HALFSTEP_CUDA(cudaGetDevice(&own));
  const Ranks machine = ranks.on_machine();
  bool reaches =
      machine.size() == ranks.size() && ranks.size() <= Mailboxes::kMostRanks && StreamValues::are_there(own);
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
  return reaches_all(ranks) ? std::make_unique<PeerExchange>(ranks) : nullptr;
}

}  // namespace halfstep::exchange
