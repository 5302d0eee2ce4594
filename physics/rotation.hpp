// Which of the three buffers holds what: U^n, and the outputs of the stages.
#pragma once

namespace halfstep {

/// Stage 1 writes the first buffer after U^n, stage 2 the second, stage 3 the first again. No stage writes
/// U^n or its own input, so a rejected attempt leaves both intact, and accepting is a change of index.
struct Rotation {
  int start = 0;

  int output(int stage) const { return (start + (stage == 2 ? 2 : 1)) % 3; }
  int input(int stage) const { return stage == 1 ? start : output(stage - 1); }
  void accept(int stages) { start = output(stages); }
};

}  // namespace halfstep
