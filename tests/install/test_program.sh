#!/usr/bin/env bash
# Tests the program's installation: it is complete, it can be moved, and it needs no source tree.
# Usage: test_program.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*"; exit 1; }

cmake --install "$build" --component halfstep --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/prefix"
cd "$scratch"
[[ $(ls prefix) == "bin"$'\n'"share" ]] || fail "installed are also: $(ls prefix)"
diff -r "$source_dir/inputs" prefix/share/halfstep/inputs || fail "decks or schema are missing"

halfstep=prefix/bin/halfstep
"$halfstep" schema | cmp - prefix/share/halfstep/inputs/deck.schema.json || fail "the schema is another program's"
"$halfstep" run prefix/share/halfstep/inputs/sod.yaml --quiet --output by_file
"$halfstep" run sod --quiet --output by_name
"$halfstep" compare by_file by_name || fail "the deck in the program is another one"
if ! "$halfstep" info | grep -q 'not built in: assimp'; then
  "$halfstep" check sphere_stl >/dev/null || fail "the program does not find the STL file that it carries"
fi
