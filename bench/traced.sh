#!/usr/bin/env bash
# What a trace costs a whole program: the same 99,999 operations with -Ddev.stretto.trace and without, in turns. Run it out of
# a kit (tools/gpu-kit):
#   bench/traced.sh [ROUNDS]   3 pairs of each size unless given; prints a table: the seconds of the work, those of the
#                              process, from its start until the trace is written, and the worst pair's quotient of each.
#                              Where there is nvcc, before each size the same pipeline in CUDA C++, with events that have
#                              times and without
# STRETTO_DEVICE names another device, STRETTO_SIZES other bytes of a chunk, STRETTO_TRACE another ending than html.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
rounds=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=(bench --device "${STRETTO_DEVICE:-cuda:0}" --operations "${STRETTO_OPERATIONS:-99999}")
once() { # BYTES OPTIONS
  local begin=$EPOCHREALTIME
  STRETTO_JAVA_OPTS="${STRETTO_JAVA_OPTS:-} $2" "$kit/run" "${bench[@]}" --bytes "$1" traced-run >"$work/out"
  local end=$EPOCHREALTIME
  sed -E "s/.*\"seconds\":([0-9.]+).*/\1/" "$work/out" | tr '\n' ' '
  echo "$(((${end/./} - ${begin/./}) / 1000))"
}
if command -v nvcc >/dev/null; then
  nvcc -O3 -std=c++17 -arch=sm_90a -o "$work/traced" "$kit/bench/cpp/traced.cu"
fi
once 4096 "" >/dev/null
printf '%10s %12s %12s %14s %14s\n' bytes "work, s" "traced, s" "process, ms" "traced, ms"
for bytes in ${STRETTO_SIZES:-4096 65536 1048576 4194304}; do
  [[ ! -x $work/traced ]] || "$work/traced" "$bytes" "${STRETTO_OPERATIONS:-99999}"
  worstWork=0 worstProcess=0
  for ((round = 0; round < rounds; round++)); do
    read -r plainWork plainProcess < <(once "$bytes" "")
    read -r tracedWork tracedProcess < <(once "$bytes" "-Ddev.stretto.trace=$work/trace.${STRETTO_TRACE:-html}")
    printf '%10d %12s %12s %14s %14s\n' "$bytes" "$plainWork" "$tracedWork" "$plainProcess" "$tracedProcess"
    read -r worstWork worstProcess < <(awk -v a="$plainWork" -v b="$tracedWork" -v c="$plainProcess" -v d="$tracedProcess" \
      -v w="$worstWork" -v p="$worstProcess" 'BEGIN { x = b / a; y = d / c; print (x > w ? x : w), (y > p ? y : p) }')
  done
  printf '%10d worst pair: work x %.3f, process x %.3f\n' "$bytes" "$worstWork" "$worstProcess"
done
ls -l "$work"/trace.* | awk '{ print "the last trace has", $5, "bytes" }'
