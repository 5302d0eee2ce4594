// `halfstep list`: what there is to choose from, one line each.
#pragma once

namespace halfstep {

int list();

}  // namespace halfstep
