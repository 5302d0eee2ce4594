#!/usr/bin/env bash
# Checks the rules of docs/architecture.md that a script can check; rooms.py checks includes. Usage: test_house.sh SOURCE_DIR
set -euo pipefail
cd "$1"
broken=0

# none RULE PATTERN PATHS...: checks that no line below PATHS matches PATTERN.
none() {
  local rule=$1 pattern=$2 hits
  shift 2
  hits=$(grep -rnEI "$pattern" "$@" || [[ $? == 1 ]]) # 2: a path is not there
  if [[ $hits ]]; then
    printf '%s:\n%s\n\n' "$rule" "$hits"
    broken=1
  fi
}

none "physics/ knows nothing of YAML, HDF5, JSON or the terminal" \
  '#include *[<"](yaml-cpp|hdf5|H5|nlohmann|fmt|CLI|iostream|unistd)' physics
# CASerror.h includes the same headers as NVIDIA's.
none "runtime/ knows nothing of YAML or the terminal" '#include *[<"](yaml-cpp|fmt|CLI|iostream)' \
  --exclude=CASerror.h runtime
none "no paths of somebody's machine" '(^|[^[:alnum:]_.])/(home|root|work|Users|mnt|scratch)/' \
  app physics runtime inputs tests docs cmake .ci ./*.*

# Every deck names its schema for the editor. (CMake checks that a test runs each deck.)
for deck in inputs/*.yaml; do
  schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$deck")
  if [[ ! $schema || ! -e inputs/$schema ]]; then
    echo "$deck does not begin with '# yaml-language-server: \$schema=FILE', or inputs/FILE is not there"
    broken=1
  fi
done

((broken == 0)) && echo "the house is in order"
