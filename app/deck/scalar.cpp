#include "app/deck/scalar.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <regex>

#include "app/deck/nearest.hpp"

namespace halfstep {

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::nothing:
      return "nothing";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::block:
      return "a block";
    case Node::Kind::scalar:
      break;
  }
  return node.is_text ? "the text " + quote(node.text) : quote(node.text);
}

bool is_integer(const std::string& text) {
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

bool is_real(const std::string& text) {
  static const std::regex real(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  return text.size() < 400 && std::regex_match(text, real);
}

bool is_not_finite(const std::string& text) {
  static const std::regex special(R"([-+]?\.?(inf|nan|infinity))", std::regex::icase);
  return text.size() < 20 && std::regex_match(text, special);
}

bool looks_like_expression(const std::string& text) { return text.find_first_of("+-*/^(", 1) < text.size(); }

std::string number_hint(const Node& node) {
  if (node.is_text)
    return is_real(node.text) ? fmt::format("; did you mean {}, without quotation marks?", node.text) : "";
  std::string text = node.text;
  for (char& c : text)
    if (c == 'd' || c == 'D')
      c = 'e';
    else if (c == ',')
      c = '.';
  return text != node.text && is_real(text) ? fmt::format("; did you mean {}?", text) : "";
}

std::string boolean_hint(const std::string& text) {
  static const std::map<std::string, std::string> meant = {{"yes", "true"}, {"on", "true"},   {"1", "true"},
                                                           {"no", "false"}, {"off", "false"}, {"0", "false"}};
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto it = meant.find(lower);
  return it == meant.end() ? did_you_mean(text, {"true", "false"})
                           : fmt::format("; did you mean '{}'?", it->second);
}

}  // namespace halfstep
