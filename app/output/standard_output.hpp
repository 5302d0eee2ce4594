// Standard output whose reader may go away: `halfstep list | head -3`, a run whose terminal is closed.
#pragma once

namespace halfstep {

/// From now on what is printed when nobody reads any more is dropped, and is no error; all else that keeps it
/// from being written still is one. Before anything is printed.
void outlive_readers_of_stdout();

}  // namespace halfstep
