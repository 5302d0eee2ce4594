// The ladder of remedies beyond a shorter step, in the order in which they are tried.
#pragma once

namespace halfstep {

/// `scaling` is one of elements alone.
enum class Remedy { none, scaling, first_order, floor };

/// The cure of a soft error: a shorter step or a remedy, only a shorter step, or only a remedy.
enum class Cure { any, shorter_step, remedy };

}  // namespace halfstep
