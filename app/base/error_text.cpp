#include "app/base/error_text.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

namespace halfstep {

ErrorText error_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return {"not enough main memory", "use fewer cells; 'halfstep check DECK' says what a run needs"};
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return {fmt::format("cannot use '{}': {}", of_file->path1().string(), of_file->code().message()),
            "check the path and its permissions"};
  // fmt throws this without naming the file.
  if (dynamic_cast<const std::system_error*>(&error) && std::ferror(stdout))
    return {"cannot write to standard output", ""};
  return {error.what(), ""};
}

}  // namespace halfstep
