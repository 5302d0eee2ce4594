// A safe point inside a switch of the body, whose `case` it would become: it must not compile.
#include "runtime/interruptible/resumable.hpp"

using namespace halfstep::interruptible;

struct Turner : Resumable {
  int turn = 0;
};

HALFSTEP_HD void body(const int& turns, Turner& my, SafePoints& safe_points) {
  HALFSTEP_RESUME(my) {
    for (my.turn = 0; my.turn < turns; ++my.turn) {
      switch (my.turn % 2) {
        case 0:
          HALFSTEP_SAFE_POINT(1, my, safe_points);
      }
    }
  }
  HALFSTEP_FINISH(my);
}

void (*const used)(const int&, Turner&, SafePoints&) = body;
