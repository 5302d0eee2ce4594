#!/usr/bin/env bash
# What detection costs a stage kernel in registers: compiles each of the twelve kernels of docs/performance.md with
# and without its reports and prints a table. Needs nvcc, but no GPU.
# Usage: tests/gpu/registers.sh [ARCHITECTURE...], by default sm_80 sm_90 sm_100 sm_120
set -euo pipefail
cd "$(dirname "$0")/../.."
architectures=("$@")
((${#architectures[@]})) || architectures=(sm_80 sm_90 sm_100 sm_120)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cat > "$out/pair.cu" << 'CODE'
#include "physics/stage_cuda_body.cuh"
namespace halfstep {
template StageKernel<REAL> stage_kernel<RECONSTRUCTION, Variables::VARIABLES, Hllc, REAL, Reporting::raise_once>();
template StageKernel<REAL> stage_kernel<RECONSTRUCTION, Variables::VARIABLES, Hllc, REAL, Reporting::none>();
}  // namespace halfstep
CODE

# pair ARCHITECTURE RECONSTRUCTION VARIABLES REAL: "registers, local bytes, shared bytes" with and without reports.
# The value of Reporting is in the kernels' mangled names.
pair() {
  nvcc -std=c++20 --expt-relaxed-constexpr -O3 -I. -arch="$1" -DRECONSTRUCTION="$2" -DVARIABLES="$3" -DREAL="$4" \
    -cubin -Xptxas -v -o "$out/pair.cubin" "$out/pair.cu" 2>&1 | awk '
      /Compiling entry function/ { reporting = /ReportingE0/ ? "with" : "without" }
      /bytes stack frame/ { local_bytes[reporting] = $1 }
      /Used [0-9]+ registers/ {
        shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
        match($0, /Used [0-9]+/)
        figures[reporting] = substr($0, RSTART + 5, RLENGTH - 5) ", " local_bytes[reporting] ", " shared
      }
      END { print figures["with"] " / " figures["without"] }'
}

printf '| scheme | precision |'
printf ' %s |' "${architectures[@]}"
printf '\n|---|---|'
printf -- '---|%.0s' "${architectures[@]}"
printf '\n'
for scheme in "plm Plm<Limiter::van_leer>" "ppm Ppm" "weno5z Weno5z"; do
  for variables in primitive characteristic; do
    for precision in "double double" "single float"; do
      printf '| %s %s | %s |' "${scheme% *}" "$variables" "${precision% *}"
      for architecture in "${architectures[@]}"; do
        printf ' %s |' "$(pair "$architecture" "${scheme#* }" "$variables" "${precision#* }")"
      done
      printf '\n'
    done
  done
done
