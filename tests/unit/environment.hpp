// Environment variables of a test.
#pragma once

#include <stdlib.h>

#include <optional>
#include <string>
#include <utility>

namespace halfstep {

/// Set (or, of nothing, unset) as long as this lives; then as it was.
class Environment {
 public:
  Environment(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* old = ::getenv(name_.c_str())) before_ = old;
    set(value);
  }
  ~Environment() { set(before_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    if (value)
      ::setenv(name_.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace halfstep
