#include "app/output/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace halfstep {

void outlive_readers_of_stdout() {
  static const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  cookie_io_functions_t functions{};
  // All of it: the stream takes a part for an error, and a pipe whose reader leaves has taken a part.
  functions.write = [](void*, const char* text, std::size_t size) -> ssize_t {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t written = ::write(STDOUT_FILENO, text + done, size - done);
      if (written >= 0)
        done += static_cast<std::size_t>(written);
      else if (errno == EPIPE || (errno == EIO && is_terminal))  // EIO: a closed terminal
        return static_cast<ssize_t>(size);
      else if (errno != EINTR)
        return 0;
    }
    return static_cast<ssize_t>(size);
  };
  std::FILE* const stream = ::fopencookie(nullptr, "w", functions);
  if (stream == nullptr) return;
  std::setvbuf(stream, nullptr, is_terminal ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = stream;
}

}  // namespace halfstep
