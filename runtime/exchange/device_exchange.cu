#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "runtime/device/cuda_check.hpp"
#include "runtime/exchange/device_exchange.hpp"

namespace halfstep::exchange {

namespace {

/// Whether ranks of a machine share a device, which is known by its identifier, whatever each rank calls it.
bool shares_device(const Ranks& ranks) {
  int device = 0;
  cudaDeviceProp properties{};
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaGetDeviceProperties(&properties, device));
  const Ranks machine = ranks.on_machine();
  bool shares = false;
  for (int rank = 0; rank < machine.size(); ++rank) {
    cudaUUID_t theirs = properties.uuid;
    machine.broadcast(&theirs, sizeof theirs, rank);
    shares |= rank != machine.rank() && std::memcmp(&theirs, &properties.uuid, sizeof theirs) == 0;
  }
  return shares;
}

bool on_any_rank(const Ranks& ranks, bool here) {
  std::uint64_t word = here;
  ranks.reduce({&word, 1}, Reduction::max);
  return word != 0;
}

/// Returns what the environment of the first rank asks for: others may have another.
std::string wanted_kind(const Ranks& ranks) {
  char kind[8] = "";
  if (const char* const wanted = std::getenv("HALFSTEP_MESSAGES"); wanted && ranks.is_first()) {
    if (const std::string name = wanted; !name.empty() && name != "nccl" && name != "mpi")
      throw std::runtime_error("HALFSTEP_MESSAGES is '" + name + "'; it may be nccl or mpi");
    std::strcpy(kind, wanted);
  }
  ranks.broadcast(kind, sizeof kind);
  return kind;
}

}  // namespace

std::unique_ptr<DeviceExchange> make_device_exchange(const Ranks& ranks) {
  const std::string kind = wanted_kind(ranks);
  const bool shares = on_any_rank(ranks, shares_device(ranks));
  std::unique_ptr<DeviceExchange> exchange;
  if (kind.empty() && !shares) exchange = make_peer_exchange(ranks);
  if (!exchange && kind != "mpi" && !shares) exchange = make_nccl_exchange(ranks);
  if (!exchange && kind == "nccl")
    throw std::runtime_error(shares ? "NCCL needs a device for each rank; HALFSTEP_MESSAGES asks for it"
                                    : "this program was built without NCCL; HALFSTEP_MESSAGES asks for it");
  return exchange ? std::move(exchange) : make_staged_exchange(ranks);
}

}  // namespace halfstep::exchange
