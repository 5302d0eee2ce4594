#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "physics/base/expression.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const NamedNumbers kNames = {{"gamma", 1.4}, {"r0", 0.25}};

double value_of(const std::string& text, const std::array<double, 3>& x = {}) {
  return Expression(text, kNames)(x);
}

std::string refused(const std::string& text) {
  return refusal([&] { Expression(text, kNames); });
}

}  // namespace

TEST_CASE("an expression has the constants, the named numbers and the functions of the field") {
  if (!can_test_expressions()) return;
  CHECK(value_of("5/3") == 5.0 / 3);
  CHECK(value_of("2*pi") == 2 * std::numbers::pi);
  CHECK(value_of("log(e)") == doctest::Approx(1).epsilon(1e-15));
  CHECK(value_of("log(10)") == value_of("ln(10)"));
  CHECK(value_of("sqrt(gamma) + r0^2") == std::sqrt(1.4) + 0.0625);
  CHECK(value_of("-x^2 + y*z", {3, 2, 5}) == 1);
  CHECK(value_of("x < r0 && y > 0 ? 1 : 2", {0, 1, 0}) == 1);
  CHECK(value_of("x < r0 && y > 0 ? 1 : 2", {1, 1, 0}) == 2);
  CHECK(std::isnan(value_of("sqrt(x)", {-1, 0, 0})));
}

TEST_CASE("an expression knows the coordinates it depends on") {
  if (!can_test_expressions()) return;
  CHECK(Expression("5/3 + gamma", kNames).is_constant());
  const Expression f("1 + x*z", kNames);
  CHECK(f.depends_on(0));
  CHECK_FALSE(f.depends_on(1));
  CHECK(f.depends_on(2));
}

TEST_CASE("a text that is no expression says what is wrong with it") {
  if (!can_test_expressions()) return;
  CHECK(refused("rh0*2") == "unknown name 'rh0'");
  CHECK(refused("sinn(x)") == "unknown name 'sinn'");
  CHECK(refused("sin x") == "a '(' is missing after 'sin'");
  CHECK(refused("2x") == "an operator is missing before 'x'");
  CHECK(refused("1 2") == "an operator is missing before '2'");
  CHECK(refused("2*") == "it ends too early");
  CHECK(refused("(1+x") == "a ')' is missing");
  CHECK(refused("1+x)") == "unexpected ')'");
  CHECK(refused("2**3") == "unexpected '*'");
  CHECK(refused("x @ 2") == "unexpected '@ 2'");
  CHECK(refused("sin(x, y)") == "too many arguments of 'sin'");
  CHECK(refused("atan2(x)") == "too few arguments of 'atan2'");
  CHECK(refused("x < 1 ? 2") == "a ':' is missing after the '?'");
  CHECK(refused("1, 2") == "a ',' outside of a function's arguments");
  CHECK(refused("x = 5") == "'=' changes a value; '==' compares");
  CHECK(refused("") == "it is empty");
  CHECK(refused("1 + " + std::string(30000, '0')) != "");
  CHECK(refused("x == 1 || x <= 2 && x != 3") == "");
}

TEST_CASE("threads evaluate an expression at once, and a copy outlives what it was copied from") {
  if (!can_test_expressions()) return;
  std::vector<Expression> kept;
  {
    const Expression first("sin(10*x) + y", kNames);
    kept.push_back(first);
  }
  std::vector<double> worst(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < worst.size(); ++t)
    threads.emplace_back([&, t] {
      for (int n = 0; n < 200000; ++n) {
        const double x = 1e-5 * n, y = static_cast<double>(t);
        worst[t] = std::max(worst[t], std::abs(kept[0]({x, y, 0}) - (std::sin(10 * x) + y)));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const double difference : worst) CHECK(difference == 0);
}

namespace {

double recorded(const std::string& text, const std::array<double, 3>& x = {}, double t = 0) {
  Formulas formulas;
  const Formula formula = formula_of(text, kNames, formulas);
  double results[Formulas::kMaxOperations];
  formulas.evaluate(formulas.count(), x.data(), t, results);
  return results[formula.index()];
}

std::string refused_at_boundaries(const std::string& text) {
  return refusal([&] {
    Formulas formulas;
    formula_of(text, kNames, formulas);
  });
}

}  // namespace

TEST_CASE("an expression written as a formula is worth the same") {
  if (!can_test_expressions()) return;
  const std::array<double, 3> x = {-0.7, 0.4, 2};
  for (const std::string text : {"1 + 2*3 - 4/5",
                                 "2^3^2",
                                 "-x^2",
                                 "x^-3",
                                 "x^0",
                                 "z^1.5",
                                 "(x - y)*(x + y)/z",
                                 "abs(x) + abs(y)",
                                 "min(x, y, z) + max(x, y) + max(z)",
                                 "sin(3*x) + cos(y)",
                                 "exp(-((x - 0.3)^2 + y^2)/r0^2)",
                                 "log(z) + ln(z)",
                                 "tanh(20*y) - tanh(x)",
                                 "sqrt(gamma)*pi*e",
                                 "x < y",
                                 "y <= x",
                                 "x == x",
                                 "x != x",
                                 "x > y || z >= 2",
                                 "x < 0 && y < 0",
                                 "2*-x",
                                 "+x",
                                 "5",
                                 "1e-3*x",
                                 "x",
                                 "r0"}) {
    INFO(text);
    CHECK(recorded(text, x) == doctest::Approx(value_of(text, x)).epsilon(1e-15));
  }
  CHECK(recorded("1 + 3*t", x, 2) == 7);
  CHECK(recorded("t*x", x, 2) == 2 * -0.7);
  CHECK(recorded("x^2", x) == -0.7 * -0.7);
  CHECK(std::isinf(recorded("1/t")));
}

TEST_CASE("what formulas have not is refused, and a formula has an end") {
  if (!can_test_expressions()) return;
  CHECK(refused_at_boundaries("1 + sinh(x)").find("no 'sinh'") != std::string::npos);
  CHECK(refused_at_boundaries("x < 1 ? 2 : 3").find("a ? b : c") != std::string::npos);
  CHECK(refused_at_boundaries("x +") == refused("x +"));
  CHECK(refused_at_boundaries("tt").find("unknown name") != std::string::npos);
  CHECK(refused("t").find("unknown name") != std::string::npos);
  std::string text = "x";
  for (int n = 0; n < Formulas::kMaxOperations; ++n) text = "sin(" + text + ")";
  Formulas formulas;
  CHECK_THROWS_AS(formula_of(text, kNames, formulas), std::length_error);
}

TEST_CASE("a function of time is not constant") {
  if (!can_test_expressions()) return;
  const Expression expression("1 + t", kNames, Coordinates::place_and_time);
  CHECK(expression.depends_on_time());
  CHECK_FALSE(expression.is_constant());
  CHECK(Expression("x", kNames).depends_on_time() == false);
}
