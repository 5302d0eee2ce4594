#!/usr/bin/env bash
# halfstep::soft_error taken alone: installed by itself, moved elsewhere, found, its examples built and run.
# Usage: test_install.sh SOURCE_DIR BUILD_DIR [NVCC]
set -euo pipefail
source_dir=$1 build=$2 nvcc=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() { "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }; }
fail() { echo "$*"; exit 1; }

echo "== install from a build of the libraries alone, and from the program's"
quietly cmake -S "$source_dir" -B "$scratch/libraries" -DHALFSTEP_LIBRARIES_ONLY=ON
quietly cmake --install "$scratch/libraries" --component soft_error --prefix "$scratch/first"
quietly cmake --install "$build" --component soft_error --prefix "$scratch/second"
diff -r "$scratch/first" "$scratch/second" || fail "the two builds install different files"
mv "$scratch/first" "$scratch/prefix"
if grep -rnE '#include *"runtime/|'"$source_dir" "$scratch/prefix"; then
  fail "an installed header looks for the source tree"
fi

# example NAME EXPECTED: prints EXPECTED, or says that it cannot run here (77).
example() {
  local status=0 output
  output=$("$scratch/examples/$1") || status=$?
  [[ $status == 77 ]] && { echo "$1: $output"; return; }
  [[ $status == 0 && $output == "$2" ]] || fail "$1 ended with $status and printed: $output"
  echo "$1: runs"
}
build_example() { # FOLDER CMAKE_OPTIONS...
  rm -rf "$scratch/examples"
  quietly cmake -S "$1" -B "$scratch/examples" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" "${@:2}"
  quietly cmake --build "$scratch/examples"
}
examples=$source_dir/runtime/soft_error/examples
export CUDACXX=

echo "== examples without CUDA"
build_example "$examples" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
example cpu "no root of value 654: -9"

[[ $nvcc ]] || { echo "no nvcc: the examples were not built with CUDA"; exit 0; }
echo "== examples with CUDA"
with_cuda=(-DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_FLAGS=--Werror=all-warnings)
build_example "$examples" "${with_cuda[@]}"
example cpu "no root of value 654: -9"
example gpu "no error
no root in block 2, thread 154: -9
no root in block 1, thread 71: -9"

echo "== the README's program, and one that includes CASerror.h"
mkdir "$scratch/page"
sed -n '/^```cpp/,/^```/{/^```/!p}' "$source_dir/runtime/soft_error/README.md" >"$scratch/page/readme.cu"
echo '#include "CASerror.h"' >"$scratch/page/caserror.cu"
cat >"$scratch/page/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(page LANGUAGES C CXX CUDA)
find_package(halfstep 0.1 REQUIRED)
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -std=c++20")
add_library(readme OBJECT readme.cu)
target_link_libraries(readme PRIVATE halfstep::soft_error)
add_library(caserror OBJECT caserror.cu)
target_link_libraries(caserror PRIVATE halfstep::caserror)
TEXT
build_example "$scratch/page" "${with_cuda[@]}"
