// Reductions and histograms on a device equal those of the host: the same bits, the same counts.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/histogram.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/device/reduction.hpp"
#include "tests/gpu/device_main.hpp"

using namespace halfstep;

namespace {

constexpr int kBlock = 128;

/// A sum whose bits depend on the order of its items.
struct Sum {
  float value = 0;
  int count = 0;
  bool operator==(const Sum&) const = default;
};
HALFSTEP_HD void merge(Sum& sum, const Sum& other) {
  sum.value += other.value;
  sum.count += other.count;
}
HALFSTEP_HD void add(Sum& sum, std::int64_t row, int item) {
  sum.value += 1.0f / static_cast<float>(1 + row + 7 * item);
  sum.count += 1;
}

__global__ void first_pass(std::int64_t rows, int items, Sum* sums) {
  reduce_rows<kBlock>(rows, items, sums, [](Sum& sum, std::int64_t row, int item) { add(sum, row, item); });
}
__global__ void second_pass(std::int64_t rows, const Sum* sums, Sum* lanes) {
  reduce_over_rows(sums, rows, lanes);
}

template <class T>
std::vector<T> fetched(const DeviceBuffer<T>& buffer) {
  std::vector<T> values(buffer.count());
  HALFSTEP_CUDA(cudaMemcpy(values.data(), buffer.get(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// Returns the bins of the two values that an item stands for.
struct TwoBins {
  int bins;
  HALFSTEP_HD std::array<int, 2> operator()(std::int64_t item) const {
    return {static_cast<int>(item * item % bins), 0};
  }
};

}  // namespace

TEST_CASE("two passes on a device give the bits of the host, whatever the shape") {
  struct Shape {
    std::int64_t rows;
    int items;
  };
  for (const auto& [rows, items] :
       {Shape{1, 1}, Shape{3, 31}, Shape{5, 33}, Shape{1023, 64}, Shape{1025, 100}, Shape{5000, 257}}) {
    INFO(("rows " + std::to_string(rows) + ", items " + std::to_string(items)));
    const DeviceBuffer<Sum> sums(static_cast<std::size_t>(rows)), lanes(kRowLanes);
    first_pass<<<static_cast<unsigned>((row_threads(rows) + kBlock - 1) / kBlock), kBlock>>>(rows, items,
                                                                                             sums.get());
    HALFSTEP_CUDA_LAUNCHED("first_pass");
    second_pass<<<1, kRowLanes>>>(rows, sums.get(), lanes.get());
    HALFSTEP_CUDA_LAUNCHED("second_pass");

    std::vector<Sum> on_host;
    for (std::int64_t row = 0; row < rows; ++row)
      on_host.push_back(reduced_row<Sum>(items, [&](Sum& sum, int item) { add(sum, row, item); }));
    CHECK(fetched(sums) == on_host);
    const Sum all = fetched(lanes)[0];
    CHECK(all == reduced_over_rows(on_host));
    CHECK(all.count == rows * items);
  }
}

TEST_CASE("a histogram counts every thing of every item, and adds to what was there") {
  for (const int bins : {1, 7, 300, 4096, 12288})
    for (const std::int64_t items : {1, 100, 1'000'003}) {
      INFO(("bins " + std::to_string(bins) + ", items " + std::to_string(items)));
      const TwoBins bins_of{bins};
      std::vector<unsigned long long> expected(static_cast<std::size_t>(bins));
      for (std::int64_t item = 0; item < items; ++item)
        for (const int bin : bins_of(item)) expected[static_cast<std::size_t>(bin)] += 2;
      const DeviceBuffer<unsigned long long> counts(static_cast<std::size_t>(bins));
      HALFSTEP_CUDA(cudaMemset(counts.get(), 0, counts.count() * sizeof(unsigned long long)));
      const Histogrammer<unsigned long long, TwoBins> histogrammer(bins);
      for (int time = 0; time < 2; ++time) histogrammer.launch(items, bins_of, counts.get(), nullptr);
      CHECK(fetched(counts) == expected);
    }
}

int main(int argc, char** argv) { return halfstep::run_on_device(argc, argv, "reductions were not tested"); }
