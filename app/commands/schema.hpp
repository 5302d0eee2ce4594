// `halfstep schema`: the JSON Schema of decks, for editors.
#pragma once

namespace halfstep {

/// With `markdown`, prints docs/deck.md instead.
int schema(bool markdown);

}  // namespace halfstep
