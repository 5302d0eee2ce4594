// Messages between devices by NCCL, one device a rank.
#include "runtime/exchange/device_exchange.hpp"

#if HALFSTEP_HAS_NCCL
#include <nccl.h>

#include <stdexcept>

#include "runtime/device/cuda_check.hpp"
#endif

namespace halfstep::exchange {

#if HALFSTEP_HAS_NCCL

namespace {

void check(ncclResult_t result, const char* doing) {
  if (result == ncclSuccess) return;
  throw std::runtime_error(std::string("NCCL cannot ") + doing + ": " + ncclGetErrorString(result));
}

class NcclExchange final : public DeviceExchange {
 public:
  explicit NcclExchange(const Ranks& ranks) {
    ncclUniqueId id{};
    if (ranks.is_first()) exchange::check(ncclGetUniqueId(&id), "begin");
    ranks.broadcast(&id, sizeof id);
    exchange::check(ncclCommInitRank(&communicator_, ranks.size(), id, ranks.rank()), "connect");
  }
  ~NcclExchange() override { ncclCommAbort(communicator_); }

  void swap(std::span<const Parcel> parcels, cudaStream_t stream) override {
    traffic_.bytes_sent += bytes_sent(parcels);
    exchange::check(ncclGroupStart(), "begin a message");
    for (const Parcel& parcel : parcels) {
      if (parcel.to >= 0)
        exchange::check(ncclSend(parcel.out, parcel.bytes, ncclInt8, parcel.to, communicator_, stream),
                        "send");
      if (parcel.from >= 0)
        exchange::check(ncclRecv(parcel.in, parcel.bytes, ncclInt8, parcel.from, communicator_, stream),
                        "receive");
    }
    exchange::check(ncclGroupEnd(), "exchange");
  }

  void reduce(std::span<const ReducedWords> all, cudaStream_t stream) override {
    exchange::check(ncclGroupStart(), "begin a reduction");
    for (const auto& [words, count, reduction] : all) {
      const ncclRedOp_t operation = reduction == Reduction::sum   ? ncclSum
                                    : reduction == Reduction::max ? ncclMax
                                                                  : ncclMin;
      exchange::check(ncclAllReduce(words, words, count, ncclUint64, operation, communicator_, stream),
                      "reduce");
    }
    exchange::check(ncclGroupEnd(), "reduce");
  }

  void check() override {
    ncclResult_t state = ncclSuccess;
    exchange::check(ncclCommGetAsyncError(communicator_, &state), "tell its state");
    exchange::check(state, "reach another rank");
  }

  std::string name() const override {
    int version = 0;
    ncclGetVersion(&version);
    return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }

 private:
  // Its calls only queue. One that does not block would start a thread for each of them, which takes 0.1 ms.
  ncclComm_t communicator_{};
};

}  // namespace

std::unique_ptr<DeviceExchange> make_nccl_exchange(const Ranks& ranks) {
  return std::make_unique<NcclExchange>(ranks);
}

#else

std::unique_ptr<DeviceExchange> make_nccl_exchange(const Ranks&) { return nullptr; }

#endif

}  // namespace halfstep::exchange
