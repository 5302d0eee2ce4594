// Messages between devices by MPI: copied to pinned memory, exchanged by a host function of the stream, and
// copied back. MPI need not know of devices, and ranks may share one.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "runtime/device/memory.hpp"
#include "runtime/exchange/device_exchange.hpp"

namespace halfstep::exchange {

namespace {

class StagedExchange final : public DeviceExchange {
 public:
  explicit StagedExchange(const Ranks& ranks) : ranks_(ranks.duplicate()) {}

  void swap(std::span<const Parcel> parcels, cudaStream_t stream) override {
    traffic_.bytes_sent += bytes_sent(parcels);
    std::size_t bytes = 0;
    for (const Parcel& parcel : parcels) bytes += parcel.bytes;
    // Work in a stream runs in order, so one pair of buffers serves all calls; a larger one waits for them.
    reserve(2 * bytes, stream);
    char *out = pinned_->get(), *in = out + bytes;
    auto* const call = new Call{this, {}, {}, Reduction::sum};
    for (const Parcel& parcel : parcels) {
      if (parcel.to >= 0)
        HALFSTEP_CUDA(cudaMemcpyAsync(out, parcel.out, parcel.bytes, cudaMemcpyDeviceToHost, stream));
      call->parcels.push_back({parcel.to, parcel.from, out, in, parcel.bytes});
      out += parcel.bytes;
      in += parcel.bytes;
    }
    queue(call, stream);
    in = pinned_->get() + bytes;
    for (const Parcel& parcel : parcels) {
      if (parcel.from >= 0)
        HALFSTEP_CUDA(cudaMemcpyAsync(parcel.in, in, parcel.bytes, cudaMemcpyHostToDevice, stream));
      in += parcel.bytes;
    }
  }

  void reduce(std::span<const ReducedWords> all, cudaStream_t stream) override {
    for (const auto& [words, count, reduction] : all) {
      const std::size_t bytes = count * sizeof *words;
      reserve(bytes, stream);
      auto* const staged = reinterpret_cast<std::uint64_t*>(pinned_->get());
      HALFSTEP_CUDA(cudaMemcpyAsync(staged, words, bytes, cudaMemcpyDeviceToHost, stream));
      queue(new Call{this, {}, {staged, count}, reduction}, stream);
      HALFSTEP_CUDA(cudaMemcpyAsync(words, staged, bytes, cudaMemcpyHostToDevice, stream));
    }
  }

  void check() override {}  // an error in a host function ends all ranks
  std::string name() const override { return "MPI through pinned memory"; }

 private:
  struct Call {
    StagedExchange* exchange;
    std::vector<Parcel> parcels;
    std::span<std::uint64_t> words;
    Reduction reduction;
  };

  static void serve(void* data) {
    const std::unique_ptr<Call> call(static_cast<Call*>(data));
    const Ranks& ranks = call->exchange->ranks_;
    try {
      call->words.empty() ? ranks.swap(call->parcels) : ranks.reduce(call->words, call->reduction);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "halfstep: error: rank %d on %s: %s\n", ranks.rank(), Ranks::machine().c_str(),
                   error.what());
      ranks.abort(1);
    }
  }
  static void queue(Call* call, cudaStream_t stream) {
    HALFSTEP_CUDA(cudaLaunchHostFunc(stream, serve, call));
  }

  void reserve(std::size_t bytes, cudaStream_t stream) {
    if (last_ != stream && last_ != nullptr) HALFSTEP_CUDA(cudaStreamSynchronize(last_));
    last_ = stream;
    if (pinned_ && bytes <= bytes_) return;
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    pinned_ = std::make_unique<PinnedBuffer<char>>(bytes);
    bytes_ = bytes;
  }

  Ranks ranks_;
  std::unique_ptr<PinnedBuffer<char>> pinned_;
  std::size_t bytes_ = 0;
  cudaStream_t last_ = nullptr;
};

}  // namespace

std::unique_ptr<DeviceExchange> make_staged_exchange(const Ranks& ranks) {
  return std::make_unique<StagedExchange>(ranks);
}

std::unique_ptr<DeviceExchange> make_device_exchange(const Ranks& ranks) {
  // A device that ranks share is known by its identifier, whatever each rank calls it.
  int device = 0;
  cudaDeviceProp properties{};
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaGetDeviceProperties(&properties, device));
  std::vector<cudaUUID_t> all(static_cast<std::size_t>(ranks.size()));
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) all[rank] = properties.uuid;
    ranks.broadcast(&all[rank], sizeof all[rank], rank);
  }
  bool shares = false;
  for (int a = 0; a < ranks.size(); ++a)
    for (int b = 0; b < a; ++b) shares |= std::memcmp(&all[a], &all[b], sizeof all[a]) == 0;
  std::unique_ptr<DeviceExchange> exchange = shares ? nullptr : make_nccl_exchange(ranks);
  return exchange ? std::move(exchange) : make_staged_exchange(ranks);
}

}  // namespace halfstep::exchange
