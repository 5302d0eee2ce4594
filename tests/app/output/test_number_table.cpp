// NAME.h5: rows that are appended, a file that opens at any time, and goes on after a kill.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/output/number_table.hpp"
#include "app/output/probes_file.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNames = {"density", "pressure"};
constexpr std::size_t kPlaces = 3;

/// Returns what a row of the step has, by field, then by place.
std::vector<std::vector<double>> values_of(std::int64_t step) {
  std::vector<std::vector<double>> values(kNames.size());
  for (std::size_t field = 0; field < kNames.size(); ++field)
    for (std::size_t place = 0; place < kPlaces; ++place)
      values[field].push_back(std::sin(static_cast<double>(step + 10 * field + 100 * place)));
  return values;
}

void write_steps(OutputTable& table, std::int64_t first, std::int64_t last) {
  for (std::int64_t step = first; step <= last; ++step)
    table.write(step, 0.1 * static_cast<double>(step), values_of(step));
  table.flush();
}

/// Checks that the file has these steps, and that they are those of a CSV file.
void expect_steps(const fs::path& path, std::int64_t first, std::int64_t last, Precision precision) {
  const fs::path text = path.parent_path() / "text.csv";
  ProbesFile csv(text, kNames, kPlaces, precision);
  write_steps(csv, first, last);
  const StepRows rows = read_number_table(path), expected = read_step_rows(text, {"step"});
  CHECK(rows.labels == expected.labels);
  CHECK(rows.columns == expected.columns);
  if (precision == Precision::double_precision) CHECK(rows.values == expected.values);
  for (std::size_t column = 0; column < rows.values.size(); ++column)
    for (std::size_t row = 0; row < rows.labels.size(); ++row)
      CHECK(rows.values[column][row] == doctest::Approx(expected.values[column][row]).epsilon(1e-8));
}

}  // namespace

TEST_CASE("a table of numbers opens after every row, and has what a table in text has") {
  const TemporaryDirectory directory;
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const fs::path path = directory / "numbers.h5";
    NumberTable table(path, kNames, kPlaces, precision);
    CHECK(is_number_table(path));
    CHECK(read_number_table(path).labels.empty());
    for (std::int64_t step = 0; step < 5; ++step) {
      write_steps(table, step, step);
      expect_steps(path, 0, step, precision);
    }
    table.synchronise();
  }
  CHECK_FALSE(is_number_table(directory / "text.csv"));
  CHECK_FALSE(is_number_table(directory / "none.h5"));
}

TEST_CASE("a table of numbers opens however many bytes a row has") {
  const TemporaryDirectory directory;
  const auto check = [&](std::size_t fields, std::size_t places, Precision precision) {
    CAPTURE(fields);
    CAPTURE(places);
    std::vector<std::string> names;
    for (std::size_t n = 0; n < fields; ++n) names.push_back("field" + std::to_string(n));
    const std::vector<std::vector<double>> values(fields, std::vector<double>(places, 0.5));
    const fs::path path = directory / "rows.h5";
    NumberTable table(path, names, places, precision);
    for (std::int64_t step = 0; step < 3; ++step) table.write(step, 0.25, values);
    table.flush();
    const StepRows rows = read_number_table(path);
    CHECK(rows.labels == std::vector<std::string>{"step 0", "step 1", "step 2"});
    CHECK(rows.values.back() == std::vector<double>(3, 0.5));
    CHECK(rows.columns.size() == 1 + fields * places);
  };
  // In rows of 256 bytes, or of 65536 and some more, the number of bytes holds that of rows, too.
  for (const std::size_t places : {29, 30, 31, 62, 8189, 8190, 8191, 9000, 20000})
    check(1, places, Precision::double_precision);
  for (const std::size_t places : {59, 60, 61}) check(1, places, Precision::single_precision);
  for (const std::size_t fields :
       {10, 20, 22, 24, 29, 30, 31, 40, 100, 300})  // and however long its description is
    check(fields, 1, Precision::double_precision);
  check(60, 1, Precision::single_precision);
  check(3, 10, Precision::double_precision);
}

TEST_CASE("a table of numbers has room for many rows and places, and few") {
  const TemporaryDirectory directory;
  for (const std::size_t places : {std::size_t{1}, std::size_t{5000}}) {
    const fs::path path = directory / "many.h5";
    NumberTable table(path, {"energy"}, places, Precision::double_precision);
    for (std::int64_t step = 0; step < 300; ++step)
      table.write(step, 0.5, {std::vector<double>(places, static_cast<double>(step))});
    CHECK(read_number_table(path).labels.size() == (places == 1 ? 0 : 300));  // few bytes are held
    table.flush();
    const StepRows rows = read_number_table(path);
    REQUIRE(rows.labels.size() == 300);
    REQUIRE(rows.columns.size() == places + 1);
    CHECK(rows.values.back()[299] == 299);
    CHECK(rows.values[1][17] == 17);
  }
}

TEST_CASE("a table of numbers goes on after a step, whatever a kill left behind it") {
  const TemporaryDirectory directory;
  const fs::path path = directory / "numbers.h5";
  const auto resume = [&](std::int64_t step) {
    return NumberTable::resume(path, kNames, kPlaces, Precision::double_precision, step);
  };
  {
    NumberTable table = resume(7);  // there is none
    write_steps(table, 8, 12);
  }
  expect_steps(path, 8, 12, Precision::double_precision);
  {
    NumberTable table = resume(10);
    expect_steps(path, 8, 10, Precision::double_precision);
    write_steps(table, 11, 11);
  }
  expect_steps(path, 8, 11, Precision::double_precision);

  const auto size = fs::file_size(path);
  std::ofstream(path, std::ios::app | std::ios::binary) << "half a row";
  expect_steps(path, 8, 11, Precision::double_precision);
  resume(20);
  CHECK(fs::file_size(path) == size);
  fs::resize_file(path, size - 5);  // as after a power cut
  resume(20);
  expect_steps(path, 8, 10, Precision::double_precision);
  fs::resize_file(path, 100);  // killed before it had a beginning
  resume(20);
  expect_steps(path, 0, -1, Precision::double_precision);
}

TEST_CASE("a table of numbers goes on with its own columns alone, and not through a link or a pipe") {
  const TemporaryDirectory directory;
  const fs::path path = directory / "numbers.h5";
  {
    NumberTable table(path, kNames, kPlaces, Precision::double_precision);
    write_steps(table, 0, 3);
  }
  const auto refused = [&](const std::vector<std::string>& fields, std::size_t places, Precision precision) {
    CHECK_THROWS_WITH_AS(NumberTable::resume(path, fields, places, precision, 2),
                         doctest::Contains("it has other columns"), std::runtime_error);
  };
  refused({"density", "energy"}, kPlaces, Precision::double_precision);
  refused(kNames, kPlaces + 1, Precision::double_precision);
  refused(kNames, kPlaces, Precision::single_precision);
  expect_steps(path, 0, 3, Precision::double_precision);

  fs::create_symlink(path, directory / "link.h5");
  CHECK_THROWS_AS(NumberTable(directory / "link.h5", kNames, kPlaces, Precision::double_precision),
                  std::runtime_error);
  expect_steps(path, 0, 3, Precision::double_precision);
}

TEST_CASE("a file that is no table of numbers is refused with the reason") {
  const TemporaryDirectory directory;
  const fs::path path = directory / "other.h5";
  std::ofstream(path) << "text";
  CHECK_THROWS_WITH_AS(read_number_table(path), doctest::Contains("cannot use"), std::runtime_error);
}
