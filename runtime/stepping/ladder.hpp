// The remedies beyond a shorter step, in the order in which they are tried, and what calls for which.
#pragma once

namespace halfstep {

enum class Remedy { none, first_order, floor };

/// What can cure a soft error: either a shorter step or a remedy, a shorter step alone, or a remedy alone.
enum class Cure { any, shorter_step, remedy };

}  // namespace halfstep
