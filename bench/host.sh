#!/usr/bin/env bash
# Host and device: Stretto beside CUDA C++ in one go. Run it out of a kit (tools/gpu-kit) on a machine with a GPU and nvcc:
#   bench/host.sh [submit]   every figure, or those of what is only submitted, as a table; the JSON lines go to
#                            host-java.jsonl and host-cpp.jsonl in $OUT or here
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

submits=(submit-copy-4k submit-launch submit-record-wait submit-launch-record-wait)
nvcc -arch=sm_90 -O3 -std=c++17 -o "$work/host" "$kit/bench/cpp/host.cu"
if [[ ${1:-} == submit ]]; then "$work/host" "${submits[@]}"; else "$work/host"; fi >"$out/host-cpp.jsonl"
# In a JVM of its own, as JMH would: what the others have made of the compiled code is not what is measured here.
"$kit/run" bench "${submits[@]}" >"$out/host-java.jsonl"
[[ ${1:-} == submit ]] ||
  "$kit/run" bench pinned-h2d pinned-d2h pinned-both device-local staged-h2d staged-d2h staged-heap-h2d staged-heap-d2h \
    pageable-h2d pageable-d2h flow chacha20 >>"$out/host-java.jsonl"

python3 - "$out/host-java.jsonl" "$out/host-cpp.jsonl" <<'END'
import json, sys

def read(path):
    return {row["bench"]: row for row in map(json.loads, open(path))}

java, cpp = read(sys.argv[1]), read(sys.argv[2])
beside = {"staged-h2d": "pageable-h2d", "staged-d2h": "pageable-d2h",
          "staged-heap-h2d": "pageable-h2d", "staged-heap-d2h": "pageable-d2h"}
print(f"{'':22}{'Stretto':>12}{'C++':>12}{'Stretto/C++':>13}")
for name, row in java.items():
    other = cpp.get(beside.get(name, name))
    key = "gigabytesPerSecond" if "gigabytesPerSecond" in row else "nanosecondsPerOperation"
    unit = "GB/s" if key == "gigabytesPerSecond" else "ns"
    mine = row[key]
    line = f"{name:22}{mine:>9.1f} {unit:2}"
    if other:
        line += f"{other[key]:>9.1f} {unit:2}{mine / other[key]:>10.3f}"
    if "bytesAllocatedPerOperation" in row:
        line += f"   {row['bytesAllocatedPerOperation']:.1f} bytes allocated an operation"
    print(line)
if "flow" in java and "pinned-both" in java:
    print(f"flow / (pinned-both / 2) = {java['flow']['gigabytesPerSecond'] / (java['pinned-both']['gigabytesPerSecond'] / 2):.3f}")
END
