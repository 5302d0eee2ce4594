// Messages between devices that reach each other's memory. A kernel writes them there, which is fastest; or
// copy engines do, which need no room on a multiprocessor, beside kernels that fill the device. A value
// behind each message says that it has come. Kernels reduce words through mailboxes.
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

/// Parcels as a kernel writes them. `in`: the receiver's memory.
struct Pushed {
  static constexpr int kMost = 26;
  int parcels = 0, receivers = 0;
  const char* out[kMost];
  char* in[kMost];
  std::size_t bytes[kMost], rows[kMost], out_pitch[kMost], in_pitch[kMost];
  std::uint64_t* arrived[Mailboxes::kMostRanks];
  std::uint64_t number[Mailboxes::kMostRanks];  ///< of this exchange, for each receiver

  /// Returns the bytes that threads can copy at once, all addresses and sizes being multiples of them.
  std::size_t unit() const {
    std::size_t all = 16;
    for (int n = 0; n < parcels; ++n)
      all |= reinterpret_cast<std::size_t>(out[n]) | reinterpret_cast<std::size_t>(in[n]) | bytes[n] |
             (rows[n] > 1 ? out_pitch[n] | in_pitch[n] : 0);
    return all & -all;
  }
};

/// Writes parcel blockIdx.y. The last block of all tells the receivers. `ended`: counts blocks; 0 before and
/// after.
template <class Unit>
__global__ void push(const __grid_constant__ Pushed pushed, unsigned* ended) {
  const int n = static_cast<int>(blockIdx.y);
  const std::size_t units = pushed.bytes[n] / sizeof(Unit), stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t row = 0; row < pushed.rows[n]; ++row) {
    const auto* const out = reinterpret_cast<const Unit*>(pushed.out[n] + row * pushed.out_pitch[n]);
    auto* const in = reinterpret_cast<Unit*>(pushed.in[n] + row * pushed.in_pitch[n]);
    for (std::size_t at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; at < units; at += stride)
      in[at] = out[at];
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  __threadfence_system();
  if (atomicAdd(ended, 1) + 1 < gridDim.x * gridDim.y) return;
  *ended = 0;
  __threadfence_system();
  for (int to = 0; to < pushed.receivers; ++to)
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(*pushed.arrived[to])
        .store(pushed.number[to], cuda::memory_order_release);
}

class PeerExchange final : public DeviceExchange {
 public:
  explicit PeerExchange(const Ranks& ranks)
      : ranks_(ranks.duplicate()),
        signals_(1),
        ended_(1),
        mail_(Mailboxes::words(ranks.size())),
        peers_(static_cast<std::size_t>(ranks.size())) {
    HALFSTEP_CUDA(cudaMemset(signals_.get(), 0, sizeof(Signals)));
    HALFSTEP_CUDA(cudaMemset(ended_.get(), 0, sizeof(unsigned)));
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

  std::string name() const override { return "writes to each other's memory"; }

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
  DeviceBuffer<unsigned> ended_;  // for push()
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
    count_sent();
    push_all(stream);
    wait(stream);
  }

  void swap_beside(cudaStream_t stream) override {
    grant(stream);
    for (const DeviceParcel& parcel : parcels_)
      if (parcel.to >= 0) copy(parcel, stream);
    count_sent();
    for (const int to : receivers_)
      exchange_.values_.write(stream, arrived_at(to), exchange_.peers_[to].sent);
    wait(stream);
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

  std::uint64_t* arrived_at(int to) const {
    return &exchange_.peers_[to].signals->arrived[exchange_.ranks_.rank()];
  }

  void count_sent() {
    for (const int to : receivers_) {
      exchange_.peers_[to].sent += 1;
      exchange_.peers_[to].sent_by = this;
    }
  }

  /// Makes the stream wait for what comes.
  void wait(cudaStream_t stream) {
    for (const int from : senders_) {
      auto& peer = exchange_.peers_[from];
      exchange_.values_.wait(stream, &exchange_.signals_.get()->arrived[from], ++peer.received);
      peer.received_by = this;
    }
  }

  void push_all(cudaStream_t stream) const {
    Pushed pushed{};
    std::size_t most = 0;
    for (const DeviceParcel& parcel : parcels_) {
      if (parcel.to < 0) continue;
      const int n = pushed.parcels++;
      pushed.out[n] = static_cast<const char*>(parcel.out);
      pushed.in[n] = static_cast<char*>(parcel.in);
      pushed.bytes[n] = parcel.bytes;
      pushed.rows[n] = parcel.rows;
      pushed.out_pitch[n] = parcel.out_pitch;
      pushed.in_pitch[n] = parcel.in_pitch;
      most = std::max(most, parcel.bytes);
    }
    for (const int to : receivers_) {
      pushed.arrived[pushed.receivers] = arrived_at(to);
      pushed.number[pushed.receivers++] = exchange_.peers_[to].sent;
    }
    if (pushed.parcels == 0) return;
    const std::size_t unit = pushed.unit();
    const auto kernel = unit == 16  ? push<uint4>
                        : unit == 8 ? push<uint2>
                        : unit == 4 ? push<unsigned>
                                    : push<unsigned char>;
    constexpr int block = 256, most_blocks = 64;
    const std::size_t blocks = (most / unit + block - 1) / block;
    const dim3 grid(static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, most_blocks)), pushed.parcels);
    kernel<<<grid, block, 0, stream>>>(pushed, exchange_.ended_.get());
    HALFSTEP_CUDA_LAUNCHED("push");
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
      machine.size() == ranks.size() && ranks.size() <= Mailboxes::kMostRanks && StreamValues::are_there();
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
