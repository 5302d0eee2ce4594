#!/usr/bin/env bash
# Tests each header-only library alone: installs it by itself, moves it, finds it, builds and runs its examples. Then
# tests it as a part of another project's tree.
# Usage: test_install.sh SOURCE_DIR BUILD_DIR [NVCC]
set -euo pipefail
source_dir=$1 build=$2 nvcc=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() { "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }; }
fail() { echo "$*"; exit 1; }

install_alone() { # COMPONENT: into $scratch/prefix
  echo "== $1: install from a build of the libraries alone, and from the program's"
  rm -rf "$scratch/prefix" "$scratch/second"
  quietly cmake --install "$scratch/libraries" --component "$1" --prefix "$scratch/first"
  quietly cmake --install "$build" --component "$1" --prefix "$scratch/second"
  diff -r "$scratch/first" "$scratch/second" || fail "the two builds install different files"
  mv "$scratch/first" "$scratch/prefix"
  if grep -rnE '#include *"runtime/|'"$source_dir" "$scratch/prefix"; then
    fail "an installed header looks for the source tree"
  fi
  local headers=$scratch/prefix/include/halfstep
  [[ $(ls "$headers") == "device"$'\n'"$1" ]] || fail "installed are also: $(ls "$headers")"
  for header in "$headers"/device/*; do
    grep -rqE '#include "(../device/)?'"${header##*/}" "$headers" || fail "installed, but included by none: $header"
  done
  cmp "$source_dir/runtime/$1/README.md" "$scratch/prefix/share/doc/halfstep/$1/README.md" || fail "no README"
  examples=$scratch/prefix/share/halfstep/examples/$1
  diff -r "$source_dir/runtime/$1/examples" "$examples" || fail "examples are missing"
}

# example NAME EXPECTED: checks that the example prints EXPECTED or exits with 77, as it cannot run here.
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
without_cuda=-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
with_cuda=(-DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_FLAGS=--Werror=all-warnings)
# page COMPONENT FACADE HEADER: builds the README's programs, and one that includes the facade.
page() {
  echo "== $1: the README's programs, and one that includes $3"
  rm -rf "$scratch/page"
  mkdir "$scratch/page"
  sed -n '/^```cpp/,/^```/{/^```/!p}' "$source_dir/runtime/$1/README.md" >"$scratch/page/readme.cu"
  echo "#include \"$3\"" >"$scratch/page/facade.cu"
  cat >"$scratch/page/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(page LANGUAGES C CXX CUDA)
find_package(halfstep 0.1 REQUIRED COMPONENTS $1)
add_library(readme OBJECT readme.cu)
target_link_libraries(readme PRIVATE halfstep::$1)
add_library(facade OBJECT facade.cu)
target_link_libraries(facade PRIVATE halfstep::$2)
TEXT
  build_example "$scratch/page" "${with_cuda[@]}"
}
# Takes the generator of the build: CMake's default needs make, which a machine with Ninja may lack.
CMAKE_GENERATOR=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
export CMAKE_GENERATOR
quietly cmake -S "$source_dir" -B "$scratch/libraries" -DHALFSTEP_LIBRARIES_ONLY=ON
export CUDACXX=

install_alone soft_error
echo "== examples without CUDA"
build_example "$examples" "$without_cuda"
example cpu "no root of value 654: -9"
if [[ $nvcc ]]; then
  echo "== examples with CUDA"
  build_example "$examples" "${with_cuda[@]}"
  example cpu "no root of value 654: -9"
  example gpu "no error
no root in block 2, thread 154: -9
no root in block 1, thread 71: -9"
  page soft_error caserror CASerror.h
fi

install_alone interruptible
echo "== examples without CUDA"
descents="saved after 3 launches
871 takes 178 steps; 4 launches more"
build_example "$examples" "$without_cuda"
example cpu "$descents"
if [[ $nvcc ]]; then
  echo "== examples with CUDA"
  build_example "$examples" "${with_cuda[@]}"
  example cpu "$descents"
  example gpu "837799 takes 524 steps"
  example int_kernel "848400 in 49 launches
848400 in 5 launches
848400 in 1 launches"
  page interruptible intkernel IntKernel.h
fi

echo "== a component that is not there"
mkdir "$scratch/unknown"
cat >"$scratch/unknown/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(unknown LANGUAGES CXX)
find_package(halfstep REQUIRED COMPONENTS interruptible nonsense)
TEXT
if cmake -S "$scratch/unknown" -B "$scratch/unknown/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/log" 2>&1; then
  fail "find_package(halfstep COMPONENTS nonsense) finds something"
fi
tr -s ' \n' ' ' <"$scratch/log" | grep -q "no component 'nonsense' in .*; there are: interruptible, intkernel" ||
  fail "the message does not name the components: $(cat "$scratch/log")"

echo "== a project without the language CXX"
mkdir "$scratch/wordless"
for use in "find_package(halfstep REQUIRED)" "add_subdirectory(\"$source_dir\" halfstep)"; do
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(wordless LANGUAGES NONE)\n%s\n' "$use" >"$scratch/wordless/CMakeLists.txt"
  if cmake -S "$scratch/wordless" -B "$scratch/wordless/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/log" 2>&1; then
    fail "$use works without CXX"
  fi
  tr -s ' \n' ' ' <"$scratch/log" | grep -q "the project has not the language CXX" || fail "$use says: $(cat "$scratch/log")"
done

# part HOW CMAKE_OPTIONS...: builds a project that has the source tree as a part, by one line of CMake.
part() {
  echo "== a part of another project: $1"
  rm -rf "$scratch/part"
  mkdir "$scratch/part"
  {
    echo "cmake_minimum_required(VERSION 3.25)"
    echo "project(part LANGUAGES CXX)"
    echo "include(FetchContent)"
    echo "find_package(CUDAToolkit)"
    echo "$1"
    for library in soft_error interruptible; do
      echo "add_executable($library \"$source_dir/runtime/$library/examples/cpu.cpp\")"
      echo "target_link_libraries($library PRIVATE halfstep::$library)"
    done
    echo "if(CMAKE_BUILD_TYPE STREQUAL Release)"
    echo "  message(FATAL_ERROR \"the part chooses the build type of the whole\")"
    echo "endif()"
    echo "if(CUDAToolkit_FOUND)"
    echo "  enable_language(CUDA)"
    for library in soft_error interruptible; do
      echo "  add_executable(${library}_gpu \"$source_dir/runtime/$library/examples/gpu.cu\")"
      echo "  target_link_libraries(${library}_gpu PRIVATE halfstep::$library)"
    done
    echo "  add_library(facades OBJECT facades.cu)"
    echo "  target_link_libraries(facades PRIVATE halfstep::caserror halfstep::intkernel)"
    echo "endif()"
  } >"$scratch/part/CMakeLists.txt"
  printf '#include "CASerror.h"\n#include "IntKernel.h"\n' >"$scratch/part/facades.cu"
  rm -rf "$scratch/examples"
  quietly cmake -S "$scratch/part" -B "$scratch/examples" "${@:2}"
  quietly cmake --build "$scratch/examples"
  example soft_error "no root of value 654: -9"
  example interruptible "$descents"
}
part "FetchContent_Declare(halfstep SOURCE_DIR \"$source_dir\")
FetchContent_MakeAvailable(halfstep)" "$without_cuda"
if [[ $nvcc ]]; then part "add_subdirectory(\"$source_dir\" halfstep)" "${with_cuda[@]}"; fi

if [[ $nvcc ]]; then
  echo "== a program in C++17 with halfstep::caserror"
  install_alone soft_error
  rm -rf "$scratch/page"
  mkdir "$scratch/page"
  cat >"$scratch/page/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(older LANGUAGES CXX CUDA)
find_package(halfstep REQUIRED COMPONENTS caserror)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CXX_STANDARD 17)
add_library(older OBJECT older.cu older.cpp)
target_link_libraries(older PRIVATE halfstep::caserror)
TEXT
  echo '#include "CASerror.h"' >"$scratch/page/older.cu"
  echo 'static_assert(__cplusplus < 202002L, "C++20 is forced on programs in C++17");' |
    tee "$scratch/page/older.cpp" >>"$scratch/page/older.cu"
  build_example "$scratch/page" "${with_cuda[@]}"
fi
[[ $nvcc ]] || echo "no nvcc: nothing was built with CUDA"
