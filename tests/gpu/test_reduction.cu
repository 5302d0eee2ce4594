// Reductions and histograms on a device equal those of the host: the same bits, the same counts.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/device/exact_sum.hpp"
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

/// Adds the numbers by windows to sums[0], one by one to sums[1], and keeps the largest one's index.
__global__ void sum_exactly(const double* numbers, std::int64_t count, ExactSum* sums, std::uint64_t* last) {
  ExactWindow window;
  std::uint64_t largest = 0;
  const int lane = threadIdx.x % 32;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::int64_t n = first; n - lane < count; n += std::int64_t{gridDim.x} * blockDim.x) {
    window.add(n < count ? numbers[n] : 0, sums[0]);
    if (n >= count) continue;
    sums[1].add(numbers[n]);
    largest = n;
  }
  window.flush(sums[0]);
  lanes::raise_to(*last, largest);
}
__global__ void round_all(const ExactSum* sums, double* values) {
  values[threadIdx.x] = sums[threadIdx.x].value();
}

/// Returns numbers of all signs whose exponents of 2 differ by up to `spread`, some of them 0.
std::vector<double> random_numbers(std::size_t count, int spread) {
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> significand(-2, 2);
  std::vector<double> numbers(count);
  for (double& x : numbers) {
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * spread + 1)) - spread;
    x = random() % 8 == 0 ? 0 : std::ldexp(significand(random), exponent);
  }
  return numbers;
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

TEST_CASE("exact sums on a device have the bits of the host, whatever the grid") {
  for (const int spread : {0, 10, 40, 1000})
    for (const std::size_t count : {1, 31, 33, 1000, 300'000})
      for (const unsigned blocks : {1, 3, 500}) {
        INFO(("spread " + std::to_string(spread) + ", numbers " + std::to_string(count) + ", blocks " +
              std::to_string(blocks)));
        const std::vector<double> numbers = random_numbers(count, spread);
        ExactSum expected;
        for (const double x : numbers) expected.add(x);

        const DeviceBuffer<double> on_device(count), values(2);
        const DeviceBuffer<ExactSum> sums(2);
        const DeviceBuffer<std::uint64_t> last(1);
        HALFSTEP_CUDA(
            cudaMemcpy(on_device.get(), numbers.data(), count * sizeof(double), cudaMemcpyHostToDevice));
        HALFSTEP_CUDA(cudaMemset(sums.get(), 0, 2 * sizeof(ExactSum)));
        HALFSTEP_CUDA(cudaMemset(last.get(), 0, sizeof(std::uint64_t)));
        sum_exactly<<<blocks, kBlock>>>(on_device.get(), static_cast<std::int64_t>(count), sums.get(),
                                        last.get());
        HALFSTEP_CUDA_LAUNCHED("sum_exactly");
        round_all<<<1, 2>>>(sums.get(), values.get());
        HALFSTEP_CUDA_LAUNCHED("round_all");
        for (const double value : fetched(values)) CHECK(value == expected.value());
        for (const ExactSum& sum : fetched(sums)) CHECK(sum.value() == expected.value());
        CHECK(fetched(last)[0] == count - 1);
      }
}

TEST_CASE("exact sums on a device see what is not finite, and round as the host") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> cases[] = {
      {infinity, 1},    {1e300, 1, -1e300},   {1, 0x1p-53}, {1, 0x1p-53, 5e-324},
      {5e-324, 5e-324}, {0x1p1023, 0x1p1023}, {-0.0},       {-3, 0x1p-60}};
  for (const auto& numbers : cases) {
    ExactSum sum;
    for (const double x : numbers) sum.add(x);
    const DeviceBuffer<ExactSum> on_device(1);
    const DeviceBuffer<double> value(1);
    HALFSTEP_CUDA(cudaMemcpy(on_device.get(), &sum, sizeof sum, cudaMemcpyHostToDevice));
    round_all<<<1, 1>>>(on_device.get(), value.get());
    HALFSTEP_CUDA_LAUNCHED("round_all");
    CHECK(std::bit_cast<std::uint64_t>(fetched(value)[0]) == std::bit_cast<std::uint64_t>(sum.value()));
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
