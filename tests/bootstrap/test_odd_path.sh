#!/usr/bin/env bash
# Tests source and build folders with an apostrophe and spaces in their names. Usage: test_odd_path.sh SOURCE_DIR
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$1" "$scratch/it's the source" # CMake keeps the name
build="$scratch/it's the build"

quietly() { "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }; }
quietly cmake -S "$scratch/it's the source" -B "$build" -G Ninja -DHALFSTEP_CUDA=OFF
# Builds the output of custom commands, and an object with the version and every definition in it.
quietly cmake --build "$build" --target generated/embedded.cpp CMakeFiles/halfstep_app.dir/app/commands/info.cpp.o
grep -q HALFSTEP_VERSION "$build/generated/halfstep_version.hpp"
grep -q "inputs/sod.yaml" "$build/generated/embedded.cpp"
echo "a path with an apostrophe can be built in"
