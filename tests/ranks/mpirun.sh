#!/usr/bin/env bash
# mpirun.sh RANKS PROGRAM [ARGUMENT...]: starts ranks on this machine, more than it has cores if need be.
set -euo pipefail
ranks=$1
shift
options=(--oversubscribe --bind-to none --mca mpi_yield_when_idle 1 --mca btl self,vader)
[[ $(id -u) == 0 ]] && options+=(--allow-run-as-root)
exec mpirun "${options[@]}" -n "$ranks" "$@"
