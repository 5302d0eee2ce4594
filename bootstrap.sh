#!/usr/bin/env bash
# The way in: installs what is missing, builds what is needed, then runs halfstep or its tests.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./bootstrap.sh run DECK [options]   build halfstep if need be, then `halfstep run DECK`
       ./bootstrap.sh run --ranks N DECK [options]   the same on N ranks of this machine, by MPI
       ./bootstrap.sh test [options]       build everything and run every test; options go to ctest
       ./bootstrap.sh build                build halfstep and stop
       ./bootstrap.sh COMMAND [options]    any other halfstep command: check, compare, list, info, ...
       ./bootstrap.sh help                 this text

Paths are taken from the directory you are in. The program is build/release/halfstep, the log build/bootstrap.log.
TEXT
}

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=$root/build/release
log=$root/build/bootstrap.log

case ${1-} in
  help | -h | --help) usage && exit 0 ;;
  '') usage >&2 && exit 2 ;;
esac
command=$1
shift
ranks=1
if [[ $command == run && ${1-} == --ranks ]]; then
  ranks=${2-}
  [[ $ranks =~ ^[1-9][0-9]*$ ]] || { echo "bootstrap: --ranks takes a number of ranks, not '$ranks'" >&2 && exit 2; }
  shift 2
fi

packages=(g++ cmake ninja-build libhdf5-dev libyaml-cpp-dev libfmt-dev libcli11-dev nlohmann-json3-dev libmuparser-dev
  libfftw3-dev)
if [[ $command == test ]]; then
  packages+=(doctest-dev python3-vtk9 python3-matplotlib python3-h5py) # VTK: a reader of our files that is not ours
  packages+=(libassimp-dev libembree-dev)                              # bodies from STL files
  packages+=(libcgns-dev)                                              # meshes from CGNS files
fi
if [[ $command == test ]] || ((ranks > 1)); then
  packages+=(libopenmpi-dev openmpi-bin libmetis-dev) # METIS cuts meshes of curved elements among ranks
fi

say() { printf 'bootstrap: %s\n' "$*" >&2; }

# phase MESSAGE COMMAND...: one line for people, everything else to the log; stops when the command fails.
phase() {
  say "$1"
  shift
  printf '\n$ %s\n' "$*" >>"$log"
  if ! "$@" 2>&1 </dev/null | tee -a "$log" | show_progress; then
    # A compiler's first error is the one to read, and often far above the end of what it has to say.
    grep -m 1 -A 40 '^FAILED' "$log" >&2 || tail -n 40 "$log" >&2
    say "failed: $*"
    say "the full log is in $log"
    exit 1
  fi
}

# On a terminal the latest line of output, rewritten in place; elsewhere nothing.
show_progress() {
  if [[ ! -t 2 ]]; then
    cat >/dev/null
    return
  fi
  local line
  while IFS= read -r line; do printf '\r\e[K  %s' "${line:0:76}" >&2; done
  printf '\r\e[K' >&2
}

install_missing() {
  if ! command -v apt-get >/dev/null; then
    say "no apt-get here: the libraries README.md lists have to be there already"
    return
  fi
  local installed missing=() package as_root=(env)
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null) || true
  for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if [[ $(id -u) != 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      say "these packages are missing: ${missing[*]}"
      say "installing them needs root; run this, then ./bootstrap.sh again:"
      printf '  sudo apt-get update && sudo apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo -n env)
  fi
  as_root+=(DEBIAN_FRONTEND=noninteractive)
  # Waiting for the lock: a fresh machine is often still installing its own updates.
  phase "updating the package lists" "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 update
  phase "installing ${missing[*]}" \
    "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"
}

# A run is built without the tests and, where no GPU is there, without CUDA; the tests compile all there is a compiler
# for (cmake/cuda.cmake looks for nvcc). What was configured once stays.
was_configured() { grep -qsx "$1" "$build/CMakeCache.txt"; }
wants_tests() { [[ $command == test ]] || was_configured HALFSTEP_TESTS:BOOL=ON; }
wants_cuda() {
  wants_tests || was_configured HALFSTEP_CUDA:STRING=AUTO || [[ -e /dev/nvidiactl || -e /dev/dxg ]]
}

wants_mpi() { ((ranks > 1)) || wants_tests || was_configured HALFSTEP_MPI:STRING=AUTO || was_configured HALFSTEP_MPI:STRING=ON; }

configure() {
  local tests=OFF cuda=OFF mpi=OFF werror=OFF options
  wants_tests && tests=ON
  wants_mpi && mpi=AUTO
  ((ranks > 1)) && mpi=ON
  wants_cuda && cuda=AUTO
  [[ ${CI-} == true ]] && werror=ON
  options=("-DHALFSTEP_TESTS=$tests" "-DHALFSTEP_CUDA=$cuda" "-DHALFSTEP_MPI=$mpi" "-DHALFSTEP_WERROR=$werror")
  # The same again, with the same nvcc, is no work; that CMakeLists.txt changed Ninja sees by itself.
  local stamp=$build/bootstrap.configured now
  now="${options[*]} nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc || true)"
  [[ ! -e $build/build.ninja || $(cat "$stamp" 2>/dev/null) != "$now" ]] || return 0
  phase "configuring build/release" cmake -S "$root" --preset release "${options[@]}"
  printf '%s\n' "$now" >"$stamp"
}

# All cores, but not more compilers than memory holds: 2 GiB each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  local fit=$((${memory:-2097152} / 2097152))
  ((fit < cores)) && cores=$fit
  echo $((cores > 1 ? cores : 1))
}

mkdir -p "$root/build"
exec 9>"$root/build/bootstrap.lock"
if ! flock -n 9; then # two at once would build into the same files
  say "waiting for another bootstrap.sh"
  flock 9
fi
: >"$log"
install_missing
configure
if [[ $command == test ]]; then
  phase "building halfstep and its tests" cmake --build "$build" -j "$(jobs)"
else
  phase "building halfstep" cmake --build "$build" -j "$(jobs)" --target halfstep
fi
exec 9>&-

if ((ranks > 1)); then # more ranks than processors wait without occupying them
  mpi=(mpirun --quiet --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
  [[ $(id -u) == 0 ]] && mpi+=(--allow-run-as-root)
  exec "${mpi[@]}" -n "$ranks" "$build/halfstep" run "$@"
fi
case $command in
  build) say "built build/release/halfstep" ;;
  test) cd "$root" && exec ctest --preset release -j "$(jobs)" "$@" ;;
  *) exec "$build/halfstep" "$command" "$@" ;;
esac
