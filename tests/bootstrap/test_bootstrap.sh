#!/usr/bin/env bash
# Tests bootstrap.sh in a scratch project with a program of three lines: cmake and ninja are real, apt-get, dpkg-query,
# sudo and id are stand-ins that record their calls. Usage: test_bootstrap.sh SOURCE_DIR
set -euo pipefail
source_dir=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
project=$scratch/project
export FAKE=$scratch/fake
mkdir -p "$project" "$FAKE/bin" "$scratch/elsewhere"

cp "$source_dir/bootstrap.sh" "$source_dir/CMakePresets.json" "$project"
cat >"$project/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(scratch LANGUAGES CXX)
set(HALFSTEP_CUDA AUTO CACHE STRING "")
option(HALFSTEP_WERROR "" OFF)
option(HALFSTEP_TESTS "" ON)
add_executable(halfstep main.cpp)
if(HALFSTEP_TESTS)
  add_executable(tests main.cpp)
  enable_testing()
  add_test(NAME echo COMMAND tests echo)
endif()
TEXT
cat >"$project/main.cpp" <<'TEXT'
#include <cstdio>
int main(int n, char** words) { for (int i = 1; i < n; ++i) std::printf("<%s>", words[i]); }
TEXT

cat >"$FAKE/bin/dpkg-query" <<'TEXT'
#!/bin/sh
sed 's/^/installed /' "$FAKE/installed"
echo "not-installed cmake"
exit 1
TEXT
cat >"$FAKE/bin/apt-get" <<'TEXT'
#!/bin/sh
echo "$@" >>"$FAKE/apt-get.calls"
case "$*" in *install*) for word in "$@"; do echo "$word" >>"$FAKE/installed"; done ;; esac
TEXT
printf '#!/bin/sh\n[ "$1" = -n ] && [ -e "$FAKE/may_sudo" ] || exit 1\nshift; echo "$1" >>"$FAKE/sudo.calls"; exec "$@"\n' \
  >"$FAKE/bin/sudo"
printf '#!/bin/sh\ncat "$FAKE/uid"\n' >"$FAKE/bin/id"
chmod +x "$FAKE"/bin/*
export PATH=$FAKE/bin:$PATH
unset CI

fail() {
  echo "FAILED: $*"
  echo "--- stdout" && cat "$scratch/stdout"
  echo "--- stderr" && cat "$scratch/stderr"
  exit 1
}
bootstrap=$project/bootstrap.sh
# expect STATUS ARGUMENTS...: runs bootstrap.sh from another directory and checks its status.
expect() {
  local status=0 wanted=$1
  shift
  (cd "$scratch/elsewhere" && "$bootstrap" "$@") >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || status=$?
  [[ $status == "$wanted" ]] || fail "bootstrap.sh $* exited $status, not $wanted"
}
printed() { grep -qF -- "$2" "$scratch/$1" || fail "no '$2' on $1"; }
silent_about() { ! grep -qF -- "$2" "$scratch/$1" || fail "'$2' on $1"; }

# Without the right to install it prints the exact command, exits with 1 and builds nothing.
echo 1000 >"$FAKE/uid"
printf '%s\n' g++ ninja-build libhdf5-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev libmuparser-dev libfftw3-dev >"$FAKE/installed"
expect 1 run deck.yaml
printed stderr "apt-get install --no-install-recommends cmake libcli11-dev"
[[ ! -e $FAKE/apt-get.calls && ! -e $project/build/release ]] || fail "it went on without its packages"

# With sudo without a password it installs only what is missing, then runs with the arguments as given.
touch "$FAKE/may_sudo"
expect 0 run deck.yaml time.dt=0.1 "two words"
[[ $(cat "$scratch/stdout") == "<run><deck.yaml><time.dt=0.1><two words>" ]] || fail "the program got other arguments"
grep -q "install -y --no-install-recommends cmake libcli11-dev$" "$FAKE/apt-get.calls" || fail "$(cat "$FAKE/apt-get.calls")"
[[ ! -e $project/build/release/tests ]] || fail "a run built the tests"

# A second call installs, configures and compiles nothing.
rm "$FAKE/apt-get.calls"
before=$(stat -c %Y%z "$project/build/release/halfstep")
expect 0 check deck.yaml
[[ $(cat "$scratch/stdout") == "<check><deck.yaml>" ]] || fail "the program got other arguments"
[[ ! -e $FAKE/apt-get.calls && $before == $(stat -c %Y%z "$project/build/release/halfstep") ]] || fail "work done twice"
silent_about stderr configuring

# Root needs no sudo; the tests need some packages more, and end with ctest's own output.
echo 0 >"$FAKE/uid"
rm "$FAKE/sudo.calls"
expect 0 test
printed stdout "100% tests passed"
grep -q "install -y --no-install-recommends doctest-dev python3-vtk9 python3-matplotlib python3-h5py libassimp-dev libembree-dev libcgns-dev libopenmpi-dev openmpi-bin libmetis-dev$" "$FAKE/apt-get.calls" || fail "$(cat "$FAKE/apt-get.calls")"
[[ ! -e $FAKE/sudo.calls ]] || fail "root used sudo"

# It may be called through a symbolic link.
ln -s "$bootstrap" "$scratch/elsewhere/link"
bootstrap=$scratch/elsewhere/link expect 0 info
[[ $(cat "$scratch/stdout") == "<info>" ]] || fail "a symbolic link led astray"

# With CI=true warnings are errors.
CI=true expect 0 build
grep -q "HALFSTEP_WERROR:BOOL=ON" "$project/build/release/CMakeCache.txt" || fail "warnings are no errors in CI"

# A failing test and a program that does not compile are both reported, with a status that is not 0.
sed -i 's/COMMAND tests echo/COMMAND false/' "$project/CMakeLists.txt"
expect 8 test
printed stdout "1 tests failed out of 1"
echo "int broken = no_such_name;" >>"$project/main.cpp"
expect 1 run deck.yaml
printed stderr "no_such_name"
printed stderr "the full log is in $project/build/bootstrap.log"
[[ ! -s $scratch/stdout ]] || fail "an old program was run"

# Without a command it prints its usage.
expect 2
printed stderr "usage:"
expect 0 help
printed stdout "usage:"
echo "bootstrap.sh does what README.md says"
