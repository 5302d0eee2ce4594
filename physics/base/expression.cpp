#include "physics/base/expression.hpp"

#if HALFSTEP_HAS_MUPARSER

#include <muParser.h>

#include <atomic>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace halfstep {

struct Expression::Source {
  std::uint64_t id;
  std::string text;
  NamedNumbers names;
  Coordinates coordinates;
  std::array<bool, 4> used{};
};

namespace {

constexpr const char* kVariables[] = {"x", "y", "z", "t"};
constexpr int kTime = 3;
const NamedNumbers kConstants = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

int count(Coordinates coordinates) { return coordinates == Coordinates::place ? kTime : kTime + 1; }

/// muParser keeps the variables and its stack in the parser, so each thread has its own.
struct Compiled {
  explicit Compiled(Coordinates coordinates) {
    for (int n = 0; n < count(coordinates); ++n) parser.DefineVar(kVariables[n], &values[n]);
    for (const auto& [name, value] : kConstants) parser.DefineConst(name, value);
  }
  Compiled(const std::string& text, const NamedNumbers& names, Coordinates coordinates)
      : Compiled(coordinates) {
    define(text, names);
  }
  /// Throws muParser's error for a name or a text that is too long for it.
  void define(const std::string& text, const NamedNumbers& names) {
    for (const auto& [name, value] : names) parser.DefineConst(name, value);
    parser.SetExpr(text);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::array<double, kTime + 1> values{};
  mu::Parser parser;
};

/// muParser assigns to coordinates; a function must not.
bool assigns(const std::string& text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '=' && at(i + 1) != '=' &&
        (i == 0 || std::string("=<>!").find(at(i - 1)) == std::string::npos))
      return true;
  return false;
}

/// Says muParser's error in the words of a user who does not know muParser.
ExpressionError explained(const mu::Parser::exception_type& error, const mu::Parser& parser) {
  std::string token = error.GetToken();
  while (!token.empty() && std::isspace(static_cast<unsigned char>(token.back()))) token.pop_back();
  const std::string quoted = "'" + token + "'";
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
      if (parser.GetFunDef().count(token)) return ExpressionError("a '(' is missing after " + quoted);
      if (token.empty() || !(std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_'))
        return ExpressionError("unexpected " + quoted);
      return ExpressionError("unknown name " + quoted, token);
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
      return ExpressionError("an operator is missing before " + quoted);
    case mu::ecUNEXPECTED_OPERATOR:
    case mu::ecUNEXPECTED_PARENS:
      return ExpressionError("unexpected " + quoted);
    case mu::ecUNEXPECTED_EOF:
      return ExpressionError("it ends too early");
    case mu::ecMISSING_PARENS:
      return ExpressionError("a ')' is missing");
    case mu::ecMISSING_ELSE_CLAUSE:
      return ExpressionError("a ':' is missing after the '?'");
    case mu::ecTOO_MANY_PARAMS:
      return ExpressionError("too many arguments of " + quoted);
    case mu::ecTOO_FEW_PARAMS:
      return ExpressionError("too few arguments of " + quoted);
    case mu::ecEMPTY_EXPRESSION:
      return ExpressionError("it is empty");
    default:
      return ExpressionError(error.GetMsg());
  }
}

}  // namespace

std::string muparser_version() { return mu::Parser().GetVersion(mu::pviBRIEF); }

std::vector<std::string> names_in_expressions() {
  std::vector<std::string> names(kVariables, kVariables + kTime);
  for (const auto& constant : kConstants) names.push_back(constant.first);
  const mu::Parser parser;
  for (const auto& function : parser.GetFunDef()) names.push_back(function.first);
  return names;
}

Expression::Expression(const std::string& text, const NamedNumbers& names, Coordinates coordinates) {
  static std::atomic<std::uint64_t> next_id = 0;
  const auto source = std::make_shared<Source>(Source{next_id++, text, names, coordinates});
  Compiled compiled(coordinates);
  try {
    compiled.define(text, names);
    int values = 0;
    compiled.parser.Eval(values);
    if (values != 1) throw ExpressionError("a ',' outside of a function's arguments");
    if (assigns(text)) throw ExpressionError("'=' changes a value; '==' compares");
    for (int n = 0; n < count(coordinates); ++n)
      source->used[n] = compiled.parser.GetUsedVar().count(kVariables[n]) > 0;
  } catch (const mu::Parser::exception_type& error) {
    throw explained(error, compiled.parser);
  }
  source_ = source;
}

bool Expression::depends_on(int axis) const { return source_->used[axis]; }
bool Expression::depends_on_time() const { return source_->used[kTime]; }

double Expression::operator()(const std::array<double, 3>& x) const {
  struct Copy {
    std::weak_ptr<const Source> source;
    std::unique_ptr<Compiled> compiled;
  };
  thread_local std::unordered_map<std::uint64_t, Copy> copies;
  auto copy = copies.find(source_->id);
  if (copy == copies.end()) {
    std::erase_if(copies, [](const auto& entry) { return entry.second.source.expired(); });
    copy = copies
               .emplace(source_->id, Copy{source_, std::make_unique<Compiled>(source_->text, source_->names,
                                                                              source_->coordinates)})
               .first;
  }
  copy->second.compiled->values = {x[0], x[1], x[2], 0};
  return copy->second.compiled->parser.Eval();
}

namespace {

/// Records formulas in place of evaluating. muParser calls operators and functions with numbers; those that
/// stand for a formula are NaNs with its index in their payload. What depends on no variable is evaluated at
/// once.
class Recorder {
 public:
  explicit Recorder(Formulas& formulas) : formulas_(formulas) {
    for (int axis = 0; axis < 3; ++axis) variables_[axis] = stand_in(formulas.coordinate(axis));
    variables_[kTime] = stand_in(formulas.time());
    define_operators();
    define_functions();
  }

  /// Returns the formula of a text that is an expression. Throws ExpressionError where it has what formulas
  /// have not.
  Formula record(const std::string& text, const NamedNumbers& names) {
    for (int n = 0; n < count(Coordinates::place_and_time); ++n)
      parser_.DefineVar(kVariables[n], &variables_[n]);
    for (const auto& [name, value] : kConstants) parser_.DefineConst(name, value);
    for (const auto& [name, value] : names) parser_.DefineConst(name, value);
    parser_.SetExpr(text);
    formulas_under_way = &formulas_;
    try {
      return formula(formulas_, parser_.Eval());
    } catch (const mu::Parser::exception_type& error) {
      throw ExpressionError("a boundary has no '" + error.GetToken() +
                            "', but abs cos exp ln log max min sin sqrt tanh,");
    }
  }

 private:
  static constexpr std::uint64_t kMark = 0x7ff8'5a17'0000'0000, kIndex = 0xff;
  static inline thread_local Formulas* formulas_under_way = nullptr;  // muParser's callbacks have no context

  static bool is_stand_in(double value) { return (std::bit_cast<std::uint64_t>(value) & ~kIndex) == kMark; }
  static double stand_in(Formula formula) {
    return std::bit_cast<double>(kMark | static_cast<std::uint64_t>(formula.index()));
  }
  static Formula formula(Formulas& formulas, double value) {
    return is_stand_in(value) ? formulas.at(static_cast<int>(std::bit_cast<std::uint64_t>(value) & kIndex))
                              : formulas.constant(value);
  }

  /// Returns function(formulas...) as a stand-in, or its value where the arguments are numbers.
  template <class Function, class... Numbers>
  static double applied(const Function& function, Numbers... arguments) {
    if ((is_stand_in(arguments) || ...))
      return stand_in(function(formula(*formulas_under_way, arguments)...));
    Formulas own;
    const Formula result = function(own.constant(arguments)...);
    const double nowhere[3] = {};
    double results[Formulas::kMaxOperations];
    own.evaluate(own.count(), nowhere, 0, results);
    return results[result.index()];
  }
  /// The same as functions that muParser takes.
  template <Formula function(Formula)>
  static double unary(double a) {
    return applied(function, a);
  }
  template <Formula function(Formula, Formula)>
  static double binary(double a, double b) {
    return applied(function, a, b);
  }
  template <Formula function(Formula, Formula)>
  static double folded(const double* values, int count) {
    double result = values[0];
    for (int n = 1; n < count; ++n) result = applied(function, result, values[n]);
    return result;
  }

  static Formula add(Formula a, Formula b) { return a + b; }
  static Formula subtract(Formula a, Formula b) { return a - b; }
  static Formula multiply(Formula a, Formula b) { return a * b; }
  static Formula divide(Formula a, Formula b) { return a / b; }
  static Formula negative(Formula a) { return -1 * a; }
  static Formula is_less(Formula a, Formula b) { return less(a, b); }
  static Formula is_greater(Formula a, Formula b) { return less(b, a); }
  static Formula is_at_most(Formula a, Formula b) { return 1 - less(b, a); }
  static Formula is_at_least(Formula a, Formula b) { return 1 - less(a, b); }
  static Formula is_other(Formula a, Formula b) { return max(less(a, b), less(b, a)); }
  static Formula is_equal(Formula a, Formula b) { return 1 - is_other(a, b); }
  static Formula both(Formula a, Formula b) { return select(a, 1, 0) * select(b, 1, 0); }
  static Formula either(Formula a, Formula b) { return max(select(a, 1, 0), select(b, 1, 0)); }
  static Formula absolute(Formula a) { return max(a, negative(a)); }
  static Formula smaller(Formula a, Formula b) { return select(less(b, a), b, a); }
  static Formula larger(Formula a, Formula b) { return max(a, b); }
  static Formula root(Formula a) { return sqrt(a); }
  static Formula exponential(Formula a) { return exp(a); }
  static Formula logarithm(Formula a) { return log(a); }
  static Formula sine(Formula a) { return sin(a); }
  static Formula cosine(Formula a) { return cos(a); }
  static Formula hyperbolic_tangent(Formula a) { return tanh(a); }
  static Formula any_power(Formula a, Formula b) { return pow(a, b); }

  /// Returns a^n for n > 0, by products.
  static Formula whole_power(Formula a, int n) {
    if (n == 1) return a;
    const Formula half = whole_power(a, n / 2), even = half * half;
    return n % 2 == 0 ? even : even * a;
  }
  /// Returns a^b. Small whole powers are products, so that a may be negative.
  static double power(double a, double b) {
    constexpr double kLargest = 32;
    if (b == 0) return 1;
    if (is_stand_in(b) || b != std::floor(b) || std::abs(b) > kLargest) return applied(any_power, a, b);
    const int n = static_cast<int>(std::abs(b));
    return applied([&](Formula p) { return b > 0 ? whole_power(p, n) : 1 / whole_power(p, n); }, a);
  }

  void define_operators() {
    parser_.EnableBuiltInOprt(false);
    const auto define = [&](const char* name, mu::fun_type2 function, mu::EOprtPrecedence precedence) {
      parser_.DefineOprt(name, function, precedence);
    };
    define("+", binary<add>, mu::prADD_SUB);
    define("-", binary<subtract>, mu::prADD_SUB);
    define("*", binary<multiply>, mu::prMUL_DIV);
    define("/", binary<divide>, mu::prMUL_DIV);
    define("<", binary<is_less>, mu::prCMP);
    define(">", binary<is_greater>, mu::prCMP);
    define("<=", binary<is_at_most>, mu::prCMP);
    define(">=", binary<is_at_least>, mu::prCMP);
    define("!=", binary<is_other>, mu::prCMP);
    define("==", binary<is_equal>, mu::prCMP);
    define("&&", binary<both>, mu::prLAND);
    define("||", binary<either>, mu::prLOR);
    parser_.DefineOprt("^", power, mu::prPOW, mu::oaRIGHT);
    parser_.ClearInfixOprt();
    parser_.DefineInfixOprt("-", unary<negative>);
    parser_.DefineInfixOprt("+", [](double a) { return a; });
  }
  void define_functions() {
    parser_.ClearFun();
    const auto define = [&](const char* name, mu::fun_type1 function) { parser_.DefineFun(name, function); };
    define("abs", unary<absolute>);
    define("sqrt", unary<root>);
    define("exp", unary<exponential>);
    define("ln", unary<logarithm>);
    define("log", unary<logarithm>);
    define("sin", unary<sine>);
    define("cos", unary<cosine>);
    define("tanh", unary<hyperbolic_tangent>);
    parser_.DefineFun("min", static_cast<mu::multfun_type>(folded<smaller>));
    parser_.DefineFun("max", static_cast<mu::multfun_type>(folded<larger>));
  }

  Formulas& formulas_;
  std::array<double, kTime + 1> variables_{};
  mu::Parser parser_;
};

}  // namespace

Formula formula_of(const std::string& text, const NamedNumbers& names, Formulas& formulas) {
  Expression(text, names, Coordinates::place_and_time);
  if (text.find('?') != std::string::npos)
    throw ExpressionError("a boundary has no 'a ? b : c', but (x < 1)*b + (x >= 1)*c does the same,");
  return Recorder(formulas).record(text, names);
}

}  // namespace halfstep

#else

namespace halfstep {

struct Expression::Source {};

std::string muparser_version() { return ""; }

std::vector<std::string> names_in_expressions() { return {"x", "y", "z", "pi", "e"}; }

Expression::Expression(const std::string&, const NamedNumbers&, Coordinates) {
  throw ExpressionError("expressions need muParser, without which this program was built");
}
bool Expression::depends_on(int) const { return false; }
bool Expression::depends_on_time() const { return false; }
double Expression::operator()(const std::array<double, 3>&) const { return 0; }

Formula formula_of(const std::string& text, const NamedNumbers& names, Formulas& formulas) {
  Expression(text, names);
  return formulas.constant(0);
}

}  // namespace halfstep

#endif
