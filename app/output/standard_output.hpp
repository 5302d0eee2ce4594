// Standard output whose reader may go away, as in `halfstep list | head -3` or when a terminal is closed.
#pragma once

namespace halfstep {

/// From now on drops output that has no reader any more, without an error; other write errors remain errors.
/// To be called before anything is printed.
void outlive_readers_of_stdout();

}  // namespace halfstep
