#include "app/output/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace halfstep {

void outlive_readers_of_stdout() {
  static const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  cookie_io_functions_t functions{};
  functions.write = [](void*, const char* text, std::size_t size) -> ssize_t {
    ssize_t written = 0;
    do written = ::write(STDOUT_FILENO, text, size);
    while (written < 0 && errno == EINTR);
    if (written >= 0) return written;
    // A closed terminal gives EIO.
    const bool unread = errno == EPIPE || (errno == EIO && is_terminal);
    return unread ? static_cast<ssize_t>(size) : 0;
  };
  std::FILE* const stream = ::fopencookie(nullptr, "w", functions);
  if (stream == nullptr) return;
  std::setvbuf(stream, nullptr, is_terminal ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = stream;
}

}  // namespace halfstep
