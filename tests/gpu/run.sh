#!/usr/bin/env bash
# Everything that needs a GPU. Usage: tests/gpu/run.sh [BUILD_DIR [PART...]]
# It configures and builds, then runs the parts that are named, or all: tests, strict, verify, sanitise_runs,
# sanitise_libraries, bench, elements, bodies, profile, traffic, dumps, outputs, studies, own_kernel, kernels. The last, which compiles kernels,
# takes the longest.
# ranks and curved_ranks run only when they are named: they need two GPUs and MPI, and NCCL_HOME where nccl.h is in no usual place;
# curved_ranks needs METIS, too.
# HALFSTEP_TOOLS names the sanitisers of sanitise_runs: memcheck and racecheck, where it is empty.
# same_bits runs only when it is named: it compares with the program of an earlier source tree, HALFSTEP_BEFORE=TREE, whose
# build/gpu/halfstep is built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/gpu}
parts=("${@:2}")
((${#parts[@]})) || parts=(tests strict verify sanitise_runs sanitise_libraries bench elements bodies profile traffic dumps outputs studies own_kernel kernels)
mkdir -p "$(dirname "$build")"

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
git describe --always --dirty 2>/dev/null || true

echo "== build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release > "$build.log" 2>&1 || { tail -30 "$build.log"; exit 1; }
libraries=(channel arithmetic caserror interruptible int_kernel reduction portable_sources fourth_order_flux viscous_stage)
targets=("${libraries[@]/#/halfstep_}")
targets=("${targets[@]/%/_tests}")
ninja -C "$build" halfstep halfstep_gpu_tests halfstep_achieved_occupancy_tests "${targets[@]}" >> "$build.log" 2>&1 ||
  { grep -E 'error|FAILED' "$build.log" | head -30; exit 1; }
halfstep=$build/halfstep
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

tests() {
  "$build/tests/halfstep_gpu_tests"
  for library in "${libraries[@]}"; do "$build/tests/halfstep_${library}_tests"; done
  "$halfstep" regress --backend cuda
  "$build/tests/halfstep_achieved_occupancy_tests" || [ $? -eq 77 ]  # the counters may be administrators' alone
}

strict() {  # a build of its own, in which the bits of both backends are the same
  cmake -S . -B "$build-strict" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHALFSTEP_STRICT_FP=ON > "$build-strict.log" 2>&1
  ninja -C "$build-strict" halfstep_gpu_tests >> "$build-strict.log" 2>&1 || { grep -E 'error|FAILED' "$build-strict.log" | head -30; exit 1; }
  "$build-strict/tests/halfstep_gpu_tests"
}

verify() {
  "$halfstep" verify --full --backend cuda --json "$build/verify.json"
}

sanitise() {  # tool, deck, overrides
  local tool=$1 deck=$2
  shift 2
  printf '%-10s %-14s ' "$tool" "$deck"
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$halfstep" run "inputs/$deck.yaml" "$@" --backend cuda --quiet \
    --output "$out/$tool-$deck" > "$out/log" 2>&1 || { tail -20 "$out/log"; exit 1; }
  grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out/log"
}
sanitise_runs() {
  for tool in ${HALFSTEP_TOOLS:-memcheck racecheck}; do
    for scheme in plm ppm weno5z; do
      sanitise $tool sedov_3d mesh.cells=[20,12,10] time.max_steps=3 scheme.reconstruction=$scheme output.histogram.field=density
    done
    sanitise $tool sod mesh.cells=[300,1,1] time.dt=0.02 time.max_steps=10
    sanitise $tool sedov_3d mesh.cells=[20,12,10] time.max_steps=3 "outputs=[{kind: slice, name: plane, axis: z, position: 0.5, \
every_steps: 1, fields: [density, vorticity]}, {kind: box, name: part, lower: [0.2, 0, 0], upper: [0.7, 1, 1], every_steps: 2, every_cell: 2}, \
{kind: averages, name: mean, every_steps: 3}, {kind: averages, name: all, every_steps: 2, covariances: true, fields: [mach, entropy, schlieren]}]"
    sanitise $tool double_mach mesh.cells=[60,15,1] time.max_steps=3
    sanitise $tool sphere_mach3 mesh.cells=[20,18,16] time.max_steps=8 "inject={step: 4, stage: 2, cell: [2, 9, 9], kind: not_finite}"
    sanitise $tool spike mesh.cells=[100,1,1] time.max_steps=10
    sanitise $tool near_vacuum time.max_steps=15
    sanitise $tool cold_stream time.max_steps=90
    sanitise $tool sedov_3d mesh.cells=[20,12,10] time.max_steps=8 soft_error.poll=pipelined \
      "inject={step: 4, stage: 2, cell: [9, 6, 0], kind: not_finite}"
    sanitise $tool sedov_3d mesh.cells=[40,20,10] time.max_steps=3 "interruptible={enabled: true, launch_budget_ms: 0.01}"
    sanitise $tool kelvin_helmholtz mesh.cells=[70,33,1] time.max_steps=3 gas.viscosity=1e-3 scheme.viscous_order=4 \
      "mesh.boundary.y=[no_slip,no_slip]" gravity=[0,-1,0]
    sanitise $tool taylor_green mesh.cells=[33,12,10] time.max_steps=3 gas.viscosity=0.01 gas.viscosity_law=sutherland
    sanitise $tool taylor_green mesh.cells=[33,12,10] time.max_steps=3 scheme.averages=fourth_order
    sanitise $tool jet mesh.cells=[80,40,1] time.max_steps=5 time.cfl=0.3 positivity=hu_adams_shu
    sanitise $tool detonation mesh.cells=[300,1,1] time.max_steps=5
    sanitise $tool detonation mesh.cells=[300,1,1] time.max_steps=3 "interruptible={enabled: true, launch_budget_ms: 0.1}"
    sanitise $tool vortex_bent mesh.cells=[5,4,1] time.max_steps=4 "inject={step: 2, stage: 2, cell: [3, 9, 0], kind: not_finite}"
    sanitise $tool taylor_green mesh.cells=[4,3,3] time.max_steps=3 gas.viscosity=0.01 scheme.method=flux_reconstruction \
      scheme.degree=3 "mesh.map={kind: bend, amplitude: 0.04}" output.budgets=false soft_error.poll=pipelined
    sanitise $tool cylinder_elements mesh.cells=[3,8,1] scheme.degree=2 time.max_steps=3 time.cfl=0.5
    sanitise $tool sod_elements mesh.cells=[24,3,1] "mesh.map={kind: bend, amplitude: 0.04}" time.max_steps=20 case.left.pressure=1000 \
      soft_error.max_halvings=1 soft_error.on_exhausted=floor "mesh.boundary={x: outflow, y: reflecting, z: outflow}"
    sanitise $tool sod_elements mesh.cells=[32,2,1] time.max_steps=20 case.left.pressure=1000 soft_error.max_halvings=1 \
      soft_error.on_exhausted=floor
    sanitise $tool cooling_box mesh.cells=[9,7,1] time.dt=8 time.max_steps=3 soft_error.cfl_limit=0 source.max_substeps=4
  done
}

sanitise_libraries() {
  for tool in memcheck racecheck synccheck; do
    for library in channel interruptible int_kernel reduction; do
      printf '%-10s %-14s ' $tool $library
      # IntKernel's test makes a launch fail on purpose.
      HALFSTEP_CYCLES=200 compute-sanitizer --tool $tool --error-exitcode 9 --report-api-errors no "$build/tests/halfstep_${library}_tests" \
        > "$out/log" 2>&1 || { tail -40 "$out/log"; exit 1; }
      grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out/log"
    done
  done
}

blast() {  # cells along each axis, overrides and options: the row of the table
  "$halfstep" bench inputs/sedov_3d.yaml --backend cuda "mesh.cells=[$1,$1,$1]" scheme.riemann=hllc scheme.variables=primitive \
    scheme.reconstruction=plm scheme.integrator=ssprk2 "${@:2}" | awk '/^plm / && !shown++'
}
bench() {
  "$halfstep" bench --backend cuda --json "$out/bench.json"
  "$halfstep" plot "$out/bench.json"
  echo "a blast"
  blast 256

  echo "a step that is waited for, and steps queued ahead"
  for n in 64 256; do
    for poll in step pipelined step pipelined; do
      printf '%s^3 %-10s' $n $poll
      blast $n soft_error.poll=$poll --steps 100
    done
  done

  echo "what slices cost, with a budget of 50 ms"
  for n in 64 256; do
    for sliced in false true false true; do
      printf '%s^3 %-6s' $n $sliced
      blast $n interruptible.enabled=$sliced
    done
  done
}

elements() {  # flux reconstruction on about 128^3 points: of a box, of bent elements, and these with viscosity
  local precision degree flow n more
  for precision in double single; do
    for degree in 1 2 3 4 5; do
      n=$((128 / (degree + 1)))
      for flow in box bent viscous; do
        more=()
        if [[ $flow != box ]]; then more+=("mesh.map={kind: bend, amplitude: 0.04}"); fi
        if [[ $flow == viscous ]]; then more+=(gas.viscosity=0.000625); fi
        echo "degree $degree, $n^3 elements, $flow, $precision"
        "$halfstep" bench inputs/taylor_green.yaml --backend cuda scheme.method=flux_reconstruction scheme.degree=$degree \
          "mesh.cells=[$n,$n,$n]" scheme.riemann=rusanov scheme.precision=$precision output.budgets=false "${more[@]}" |
          grep -E '^flux|^ .* (ends|viscous fluxes|faces|CFL rate) '
      done
    done
  done
}

bodies() {  # what bodies cost: a stream without any, and past 27 balls, 9 % of the cells within two of a surface
  local balls scheme round
  balls=$(python3 -c "
centers = [(2 * n + 1) / 6 for n in range(3)]
print(', '.join(f'{{shape: ball, center: [{x:.6f}, {y:.6f}, {z:.6f}], radius: 0.13}}' for x in centers for y in centers for z in centers))")
  for scheme in "plm ssprk2" "weno5z ssprk3"; do
    set -- $scheme
    for round in 1 2; do
      for solids in "" "$balls"; do
        echo "$1, ${solids:+with }${solids:-without} bodies" | sed 's/{.*}/27/'
        "$halfstep" bench inputs/uniform.yaml --backend cuda "mesh.cells=[256,256,256]" "mesh.lower=[0,0,0]" "mesh.upper=[1,1,1]" \
          scheme.riemann=hllc scheme.variables=primitive scheme.reconstruction=$1 scheme.integrator=$2 "solids=[$solids]" |
          grep -E "^$1|^ .* (solids|gas again) "
      done
    done
  done
}

profile() {  # what stage kernels do with the device by ncu's counters, in percent of its peak
  local of_peak=.avg.pct_of_peak_sustained_active scheme pipe
  local metrics=gpu__time_duration.sum,smsp__inst_executed.sum,smsp__issue_active$of_peak,sm__warps_active$of_peak
  for pipe in fp64 fma alu lsu; do metrics+=,sm__inst_executed_pipe_$pipe$of_peak; done
  metrics+=,dram__throughput.avg.pct_of_peak_sustained_elapsed
  for scheme in "plm primitive ssprk2 double" "ppm primitive ssprk3 double" "weno5z primitive ssprk3 double" \
    "weno5z characteristic ssprk3 double" "plm primitive ssprk2 single" "weno5z primitive ssprk3 single"; do
    echo "$scheme"
    set -- $scheme
    ncu --clock-control none --kernel-name regex:stage --launch-skip 10 --launch-count 2 --metrics "$metrics" "$halfstep" bench \
      inputs/linear_wave_3d.yaml --backend cuda --steps 2 --repeats 1 "mesh.cells=[256,256,256]" scheme.reconstruction=$1 \
      scheme.variables=$2 scheme.integrator=$3 scheme.precision=$4 scheme.riemann=hllc > "$out/log" 2>&1 &&
      grep -E '^ +[a-z]+__' "$out/log" || tail -5 "$out/log"  # where counters are administrators' alone ncu says so
  done
}

traffic() {  # what the passes of elements of degree 3 move to and from memory, a point and stage, and their shares of the device
  local bytes=dram__bytes_read.sum,dram__bytes_write.sum precision flow more metrics
  # Bytes are measured in a run of their own, in one pass: a replay would change what the cache holds.
  local shares=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active
  for precision in double single; do
    for flow in box straight; do
      more=(gas.viscosity=0)
      [[ $flow = box ]] || more=(mesh.map=straight gas.viscosity=0.000625)
      echo "$flow, $precision"
      for metrics in $bytes $shares; do
        ncu --csv --page raw --print-units base --cache-control none --clock-control none --launch-skip 12 --launch-count 24 \
          --kernel-name 'regex:stage_of|extrapolate|viscous|face' --metrics $metrics "$halfstep" run inputs/taylor_green.yaml \
          --backend cuda --quiet scheme.method=flux_reconstruction scheme.degree=3 "mesh.cells=[32,32,32]" scheme.riemann=rusanov \
          scheme.precision=$precision output.budgets=false output.every=0 output.history_every_steps=0 time.max_steps=16 \
          checkpoint.every_wall=00:00:00 "${more[@]}" --output "$out/traffic" > "$out/log" 2>&1 &&
          python3 - "$out/log" $metrics $((128 ** 3)) << 'END' || tail -5 "$out/log"
import collections, csv, sys
metrics, points = sys.argv[2].split(","), int(sys.argv[3])
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if line.startswith('"')))[1:]  # the first has the units
if not rows:
    sys.exit("ncu saw none of the kernels")
kernels = collections.defaultdict(list)
for row in rows:
    name = row["Kernel Name"].split("<")[0].split("(")[0].split()[-1]
    kernels[name].append([float(row[metric].replace(",", "")) for metric in metrics])
means = {name: [sum(values) / len(values) for values in zip(*launches)] for name, launches in kernels.items()}
if "bytes" in metrics[0]:
    means = {name: [value / points for value in values] for name, values in means.items()}
    means["together"] = [sum(values) for values in zip(*means.values())]
for name, values in means.items():
    print(f"  {name:30}", "  ".join(f"{metric.split('.')[0]} {value:.1f}" for metric, value in zip(metrics, values)))
END
      done
    done
  done
}

dumps_of() {  # fields, overrides
  for every in 0 20 0 20; do
    printf '%-30s every %-3s' "$1" $every
    "$halfstep" run inputs/sedov_3d.yaml --backend cuda --no-progress --output "$HALFSTEP_OUTPUT/dumps" mesh.cells=[256,256,256] \
      time.max_steps=200 output.every=0 output.every_steps=$every "output.fields=[$1]" output.history_every_steps=0 \
      checkpoint.every_wall=00:00:00 scheme.riemann=hllc scheme.integrator=ssprk3 "${@:2}" | grep 'cell updates'
    rm -rf "$HALFSTEP_OUTPUT/dumps" "$HALFSTEP_OUTPUT/dumps.previous"
  done
}
dumps() {
  echo "a dump every 20 steps, into ${HALFSTEP_OUTPUT:=$out}"
  dd if=/dev/zero of="$HALFSTEP_OUTPUT/zeros" bs=16M count=128 conv=fsync 2>&1 | tail -1
  rm "$HALFSTEP_OUTPUT/zeros"
  dumps_of density scheme.reconstruction=plm
  dumps_of density,velocity,pressure scheme.reconstruction=plm
  dumps_of density,velocity,pressure scheme.reconstruction=weno5z
}

outputs() {  # what outputs after every step cost, in pairs: none, and one kind; the state has the bits of none
  : "${HALFSTEP_OUTPUT:=$out}"
  local points five with name round
  local -A kinds
  points=$(python3 -c "print(', '.join('[%.3f, 0.5, 0.5]' % (0.005 + 0.01 * n) for n in range(100)))")
  five='fields: [density, velocity_x, velocity_y, velocity_z, pressure]'
  kinds[probes]="{kind: probes, name: points, every_steps: 1, points: [$points]}"
  kinds[numbers]="{kind: probes, name: points, every_steps: 1, points: [$points], format: hdf5}"
  kinds[slice]='{kind: slice, name: plane, axis: z, position: 0.5, every_steps: 1, fields: [density, pressure]}'
  kinds[slice+probes]="${kinds[slice]}, ${kinds[numbers]}"
  kinds[averages]="{kind: averages, name: mean, every_steps: 1000000, $five}"
  kinds[averages-of-every-third]="{kind: averages, name: mean, every_steps: 1000000, sample_steps: 3, $five}"
  for name in probes numbers slice slice+probes averages averages-of-every-third; do
    for round in 1 2 3; do
      rm -rf "$HALFSTEP_OUTPUT"/outputs*
      for with in "" "${kinds[$name]}"; do
        "$halfstep" run inputs/sedov_3d.yaml --backend "${BACKEND:=cuda}" --quiet --output "$HALFSTEP_OUTPUT/outputs${with:+_with}" \
          "mesh.cells=[${CELLS:=256},$CELLS,$CELLS]" "time.max_steps=${STEPS:=300}" output.every=0 output.history_every_steps=0 \
          output.budgets=false soft_error.poll=pipelined "outputs=[$with]" checkpoint.every_wall=00:00:00 scheme.riemann=hllc \
          scheme.variables=primitive scheme.reconstruction=plm scheme.integrator=ssprk2
      done
      python3 - "$HALFSTEP_OUTPUT/outputs" "$CELLS^3 $name" << 'END'
import json, sys
ms = [1e3 * json.load(open(sys.argv[1] + end + "/summary.json"))["cell_updates_per_second"] for end in ("", "_with")]
cells = 1e6 * int(sys.argv[2].split("^")[0]) ** 3
none, there = (cells / rate for rate in ms)
print(f"{sys.argv[2]:32} {none:.3f} ms a step without, {there:.3f} with: {100 * (there / none - 1):.1f} % more")
END
    done
    "$halfstep" compare --quiet "$HALFSTEP_OUTPUT"/outputs/checkpoint_latest.h5 "$HALFSTEP_OUTPUT"/outputs_with/checkpoint_latest.h5
  done
  rm -rf "$HALFSTEP_OUTPUT"/outputs*
}

studies() {
  echo "within 60 s, and all of it measured"
  local began=$SECONDS
  for study in timers transfers streams atomics; do "$halfstep" study $study --output "$out/$study"; done
  echo "$((SECONDS - began)) s"
  ((SECONDS - began < 60))
  if grep -H '"not measured"' "$out"/{timers,transfers,streams,atomics}/*.json; then exit 1; fi
  "$halfstep" study interruptible
}

own_kernel() {  # within two minutes each, without what the cache has
  local example kernel began
  for example in lennard_jones:forces lattice_boltzmann:collide newton_chemistry:react toy:toy; do
    kernel=${example#*:} began=$SECONDS
    HALFSTEP_CACHE=$out/cache "$halfstep" study kernel "app/study/examples/${example%:*}.cu:$kernel" --output "$out/$kernel"
    echo "$((SECONDS - began)) s"
    ((SECONDS - began < 120))
  done
}

same_bits() {  # every deck of both trees at its test size: the last dump has the bits that it had
  # The fields are named here, because which ones a deck writes may have changed.
  local name words which different=0
  while read -r name words; do
    [[ $name && $name != \#* && -e $HALFSTEP_BEFORE/inputs/$name.yaml ]] || continue
    if [[ $words == *needs=stl* ]] && "$halfstep" info | grep -q 'not built in: assimp'; then
      echo "skipped $name: built without assimp and Embree"
      continue
    fi
    rm -rf "$out/before" "$out/now"
    read -ra words <<< "$(tr ' ' '\n' <<< "$words" | grep -Ev '^(tolerance|without|needs)' | tr '\n' ' ')"
    for which in before now; do
      [[ $which = before ]] && set -- "$HALFSTEP_BEFORE" "$HALFSTEP_BEFORE/build/gpu/halfstep" || set -- . "$halfstep"
      "$2" run "$1/inputs/$name.yaml" "${words[@]}" "output.fields=[density,velocity,pressure]" --backend cuda --quiet \
        --output "$out/$which" > "$out/log" 2>&1 || [ $? -eq 3 ] || { tail -3 "$out/log"; exit 1; }
    done
    set -- "$out"/before/fields_*.vtkhdf
    printf '%-60s ' "$name ${words[*]}"
    "$halfstep" compare --quiet "${!#}" "$out/now/$(basename "${!#}")" || different=1
  done < tests/regression/decks.txt
  ((!different))
}

# rate CELLS_X,CELLS_Y,CELLS_Z RANKS SCHEME INTEGRATOR [OVERRIDE...]: milliseconds a step.
rate() {
  local cells=$1 ranks=$2 scheme=$3 integrator=$4
  tests/ranks/mpirun.sh "$ranks" "$halfstep" bench inputs/linear_wave_3d.yaml --backend cuda --repeats 5 --json "$out/rate.json" \
    "mesh.cells=[$cells]" "scheme.reconstruction=$scheme" "scheme.integrator=$integrator" scheme.riemann=hllc \
    scheme.variables=primitive soft_error.poll=pipelined "${@:5}" > "$out/log" 2>&1 || { tail -5 "$out/log"; exit 1; }
  python3 -c "
import json
row = json.load(open('$out/rate.json'))['rows'][0]
low, median, high = (1e3 * s for s in row['quartiles'])
print('%-12s %d ranks  %-7s %.4f ms a step (%.4f to %.4f) ${*:5}' % ('$cells', $ranks, '$scheme', median, low, high))"
}
# seconds_of RANKS CELLS STEPS [OVERRIDE...]: the least wall time of five runs of plm.
seconds_of() {
  local run
  for run in 1 2 3 4 5; do
    CUDA_MODULE_LOADING=EAGER tests/ranks/mpirun.sh "$1" "$halfstep" run inputs/linear_wave_3d.yaml --backend cuda --quiet \
      "mesh.cells=[$2]" scheme.reconstruction=plm scheme.integrator=ssprk2 scheme.riemann=hllc scheme.variables=primitive \
      soft_error.poll=pipelined time.end=100 "time.max_steps=$3" output.every=0 output.history_every_steps=0 \
      checkpoint.every_wall=00:00:00 "${@:4}" --output "$out/timed" > "$out/log" 2>&1 || { tail -5 "$out/log"; exit 1; }
    python3 -c "import json; print(json.load(open('$out/timed/summary.json'))['wall_seconds'])"
    rm -rf "$out/timed" "$out/timed.previous"
  done | sort -g | head -1
}
# seconds_a_step RANKS CELLS [OVERRIDE...]: from runs of 800 steps and of 400.
seconds_a_step() {
  python3 -c "print(($(seconds_of "$1" "$2" 800 "${@:3}") - $(seconds_of "$1" "$2" 400 "${@:3}")) / 400)"
}
# What a rejection costs beyond its attempt: steps that are rejected once each for their CFL number, with all cells
# flagged, against steps of the length that is accepted.
rejection() {
  local of rejected accepted
  for of in "1 64,64,64 0.014 0.007" "2 64,64,128 0.010 0.005"; do
    set -- $of
    rejected=$(seconds_a_step "$1" "$2" "time.dt=$3" soft_error.regrow_after=1)
    accepted=$(seconds_a_step "$1" "$2" "time.dt=$4")
    python3 -c "print('a rejection beyond its attempt, %s on %s: %.0f us; a step: %.1f us' %
      ('$2', '$1', 1e6 * ($rejected - 2 * $accepted), 1e6 * $accepted))"
  done
}
# One rank of the build with MPI against a build without it.
without_mpi() {
  local plain=$build-without_mpi n
  cmake -S . -B "$plain" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHALFSTEP_MPI=OFF > "$plain.log" 2>&1
  ninja -C "$plain" halfstep >> "$plain.log" 2>&1 || { grep -E 'error|FAILED' "$plain.log" | head -30; exit 1; }
  for n in 64 256 64 256; do
    printf 'with MPI    %s^3 ' $n
    blast $n soft_error.poll=pipelined
    printf 'without MPI %s^3 ' $n
    halfstep=$plain/halfstep blast $n soft_error.poll=pipelined
  done
}
# The wall time of a step with two dumps and a checkpoint of 512^3, into memory.
dumps_of_ranks() {
  local ranks
  for ranks in 1 2 1 2; do
    tests/ranks/mpirun.sh $ranks "$halfstep" run inputs/sedov_3d.yaml --backend cuda --quiet mesh.cells=[512,512,512] time.max_steps=1 \
      output.every=0 output.every_steps=1 checkpoint.every_wall=00:00:00 --output /dev/shm/halfstep_dumps > "$out/log" 2>&1
    python3 -c "import json; print('512^3 written by $ranks: %.2f s' % json.load(open('/dev/shm/halfstep_dumps/summary.json'))['wall_seconds'])"
    rm -rf /dev/shm/halfstep_dumps
  done
}
memcheck_of_ranks() {  # steps, then decks, each with its overrides
  local steps=$1 deck words
  shift
  for deck in "$@"; do
    read -ra words <<< "$deck"
    printf 'memcheck %-18s ' "${words[0]}"
    tests/ranks/mpirun.sh 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$halfstep" run "inputs/${words[0]}.yaml" "${words[@]:1}" \
      "time.max_steps=$steps" --backend cuda --quiet --output "$out/memcheck" > "$out/log" 2>&1 || { tail -20 "$out/log"; exit 1; }
    grep -c 'ERROR SUMMARY: 0 errors' "$out/log"
  done
}
ranks() {
  ninja -C "$build" halfstep_same_bits halfstep_strike >> "$build.log" 2>&1 || { grep -E 'error|FAILED' "$build.log" | head -30; exit 1; }
  for n in 2 3; do tests/ranks/mpirun.sh $n "$build/tests/halfstep_same_bits" cuda; done  # into each other's memory; pinned memory
  # A communicator of NCCL takes long to begin, so these are a few.
  HALFSTEP_MESSAGES=nccl tests/ranks/mpirun.sh 2 "$build/tests/halfstep_same_bits" cuda sod near_vacuum taylor_green sedov_3d detonation
  for name in files_are_those_of_one_rank two_checkpoints_of_one_step_are_written_one_after_the_other \
    errors_are_told_once_with_their_exit_code a_state_that_only_a_later_block_cannot_have_ends_all \
    a_step_under_way_goes_on_with_any_number_of_ranks a_restart_takes_any_number_of_ranks a_signal_to_any_rank_stops_all_after_the_same_step \
    twenty_killed_ranks_later_the_run_has_the_bits_of_one_that_nobody_disturbed; do
    HALFSTEP_TEST_BACKEND=cuda timeout -k 9 200 python3 tests/ranks/test_runs.py "$halfstep" "$build/tests/libhalfstep_strike.so" \
      "Ranks.test_$name" > "$out/log" 2>&1 && echo "passed $name" || { tail -20 "$out/log"; exit 1; }
  done
  memcheck_of_ranks 6 "sod mesh.cells=[300,1,1]" "sedov_3d mesh.cells=[20,12,16]" "near_vacuum mesh.cells=[100,1,1]"
  for scheme in "plm ssprk2" "weno5z ssprk3"; do
    set -- $scheme
    for pair in "256,256,256 256,256,512" "128,128,128 128,128,256" "64,64,64 64,64,128" "64,64,64 64,64,64" \
      "512,512,512 512,512,512"; do
      rate "${pair% *}" 1 $1 $2
      rate "${pair#* }" 2 $1 $2
    done
  done
  rejection
  without_mpi
  dumps_of_ranks
}

curved_ranks() {  # curved elements on two GPUs: the bits of one, by each carrier; restarts, slices; memcheck; times
  local messages name n
  ninja -C "$build" halfstep_same_bits halfstep_strike >> "$build.log" 2>&1 || { grep -E 'error|FAILED' "$build.log" | head -30; exit 1; }
  local decks=(vortex_bent uniform cylinder_elements spike_elements sod bent_blast mesh_file)
  for n in 2 3 4; do tests/ranks/mpirun.sh $n "$build/tests/halfstep_same_bits" cuda "${decks[@]}"; done
  for messages in nccl mpi; do
    HALFSTEP_MESSAGES=$messages tests/ranks/mpirun.sh 2 "$build/tests/halfstep_same_bits" cuda vortex_bent spike_elements mesh_file
  done
  for name in files_of_runs_in_curved_elements_are_those_of_one_rank outputs_of_curved_elements_are_those_of_one_rank \
    a_restart_of_curved_elements_takes_any_number_of_ranks; do
    HALFSTEP_TEST_BACKEND=cuda timeout -k 9 300 python3 tests/ranks/test_runs.py "$halfstep" "$build/tests/libhalfstep_strike.so" \
      "Ranks.test_$name" > "$out/log" 2>&1 && echo "passed $name" || { tail -20 "$out/log"; exit 1; }
  done
  memcheck_of_ranks 20 "vortex_bent mesh.cells=[5,4,1]" "cylinder_elements mesh.cells=[4,6,1] scheme.degree=2 time.cfl=0.5" \
    "spike_elements mesh.cells=[16,4,1] time.end=0.04"
  for n in 1 2; do  # 32^3 elements of degree 3, with viscosity and without, on one GPU and on two
    for name in 0 0.000625; do
      echo "$n GPUs, viscosity $name"
      tests/ranks/mpirun.sh $n "$halfstep" bench inputs/taylor_green.yaml --backend cuda scheme.method=flux_reconstruction scheme.degree=3 \
        "mesh.cells=[32,32,32]" "mesh.map={kind: bend, amplitude: 0.04}" scheme.riemann=rusanov output.budgets=false \
        gas.viscosity=$name soft_error.poll=pipelined | grep -E '^flux'
    done
  done
}

kernels() {
  for study in detection registers tune; do "$halfstep" study $study --output "$out/$study"; done
}

for part in "${parts[@]}"; do
  echo "== $part"
  "$part"
done
