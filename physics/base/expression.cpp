#include "physics/base/expression.hpp"

#if HALFSTEP_HAS_MUPARSER

#include <muParser.h>

#include <atomic>
#include <cctype>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace halfstep {

struct Expression::Source {
  std::uint64_t id;
  std::string text;
  NamedNumbers names;
  std::array<bool, 3> used{};
};

namespace {

constexpr const char* kCoordinates[] = {"x", "y", "z"};
const NamedNumbers kConstants = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

/// muParser keeps the coordinates and its stack in the parser, so each thread has its own.
struct Compiled {
  Compiled(const std::string& text, const NamedNumbers& names) {
    for (int axis = 0; axis < 3; ++axis) parser.DefineVar(kCoordinates[axis], &x[axis]);
    for (const auto& [name, value] : kConstants) parser.DefineConst(name, value);
    for (const auto& [name, value] : names) parser.DefineConst(name, value);
    parser.SetExpr(text);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::array<double, 3> x{};
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
  std::vector<std::string> names(std::begin(kCoordinates), std::end(kCoordinates));
  for (const auto& constant : kConstants) names.push_back(constant.first);
  const mu::Parser parser;
  for (const auto& function : parser.GetFunDef()) names.push_back(function.first);
  return names;
}

Expression::Expression(const std::string& text, const NamedNumbers& names) {
  static std::atomic<std::uint64_t> next_id = 0;
  const auto source = std::make_shared<Source>(Source{next_id++, text, names});
  Compiled compiled(text, names);
  try {
    int values = 0;
    compiled.parser.Eval(values);
    if (values != 1) throw ExpressionError("a ',' outside of a function's arguments");
    if (assigns(text)) throw ExpressionError("'=' changes a value; '==' compares");
    for (int axis = 0; axis < 3; ++axis)
      source->used[axis] = compiled.parser.GetUsedVar().count(kCoordinates[axis]) > 0;
  } catch (const mu::Parser::exception_type& error) {
    throw explained(error, compiled.parser);
  }
  source_ = source;
}

bool Expression::depends_on(int axis) const { return source_->used[axis]; }

double Expression::operator()(const std::array<double, 3>& x) const {
  struct Copy {
    std::weak_ptr<const Source> source;
    std::unique_ptr<Compiled> compiled;
  };
  thread_local std::unordered_map<std::uint64_t, Copy> copies;
  auto copy = copies.find(source_->id);
  if (copy == copies.end()) {
    std::erase_if(copies, [](const auto& entry) { return entry.second.source.expired(); });
    copy =
        copies.emplace(source_->id, Copy{source_, std::make_unique<Compiled>(source_->text, source_->names)})
            .first;
  }
  copy->second.compiled->x = x;
  return copy->second.compiled->parser.Eval();
}

}  // namespace halfstep

#else

namespace halfstep {

struct Expression::Source {};

std::string muparser_version() { return ""; }

std::vector<std::string> names_in_expressions() { return {"x", "y", "z", "pi", "e"}; }

Expression::Expression(const std::string&, const NamedNumbers&) {
  throw ExpressionError("expressions need muParser, without which this program was built");
}
bool Expression::depends_on(int) const { return false; }
double Expression::operator()(const std::array<double, 3>&) const { return 0; }

}  // namespace halfstep

#endif
