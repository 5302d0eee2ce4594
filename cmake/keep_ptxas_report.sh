#!/usr/bin/env bash
# A compiler launcher: runs nvcc and keeps the report of ptxas on the kernels of an object in OBJECT.ptxas, for
# tests/registers. Everything else goes to standard error. Usage: keep_ptxas_report.sh COMPILER ARGUMENTS...
set -u
object=
for ((n = 1; n < $#; ++n)); do
  next=$((n + 1))
  [[ ${!n} == -o ]] && object=${!next}
done
[[ $object == *.o ]] || exec "$@" # not a compilation: CMake also asks the compiler for its dependencies
report="^(ptxas info +: (Compiling entry function|Function properties|Used|Compile time|[0-9]+ bytes gmem)| +[0-9]+ bytes stack frame)"
"$@" 2>"$object.stderr"
status=$?
grep -E "$report" "$object.stderr" >"$object.ptxas"
grep -vE "$report" "$object.stderr" >&2
rm "$object.stderr"
exit $status
