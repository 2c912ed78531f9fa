#!/usr/bin/env bash
# Host and device: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/host.sh [submit]   every figure, or only the costs of submitting, as tables in Markdown; the JSON lines go to
#                            host-java.jsonl and host-cpp.jsonl in $OUT or here
# Submitting is measured six times, C++ and Java in turn, in processes of their own: what a call costs differs from process
# to process. STRETTO_BENCH_ROUNDS sets another number.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
rounds=${STRETTO_BENCH_ROUNDS:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

submits=(submit-copy-4k submit-launch submit-record-wait submit-launch-record-wait)
: >"$out/host-cpp.jsonl"
: >"$out/host-java.jsonl"
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/host" "$kit/bench/cpp/host.cu"
for ((round = 0; round < rounds; round++)); do
  "$work/host" "${submits[@]}" >>"$out/host-cpp.jsonl"
  "$kit/run" bench "${submits[@]}" >>"$out/host-java.jsonl"
done
if [[ ${1:-} != submit ]]; then
  "$work/host" pinned-h2d pinned-d2h pinned-both pageable-h2d pageable-d2h flow chacha20 >>"$out/host-cpp.jsonl"
  "$kit/run" bench pinned-h2d pinned-d2h pinned-both device-local staged-h2d staged-d2h staged-heap-h2d staged-heap-d2h \
    pageable-h2d pageable-d2h flow chacha20 >>"$out/host-java.jsonl"
fi

python3 "$kit/bench/py/tables.py" host "$out/host-java.jsonl" "$out/host-cpp.jsonl"
