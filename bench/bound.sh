#!/usr/bin/env bash
# Does `stretto overlap FILE` name the part that bounds the rest? Run it out of a kit (tools/gpu-kit) on a machine with a GPU
# and nvcc:
#   bench/bound.sh [FOLDER [GIBIBYTES]]   each part in turn is made the slowest; one line of Markdown for each
# Writing is the slowest as long as nothing is done about it. Reading is, of a file that is in no cache; the copies and the
# kernels are, beside other processes that keep the link or the multiprocessors busy (bench/cpp/load.cu).
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
folder=${1:-${TMPDIR:-/tmp}}
gibibytes=${2:-8}
out=${OUT:-$PWD}
device=${STRETTO_DEVICE:-cuda:0}
work=$(mktemp -d "$folder/bound.XXXXXX")
loaded=
trap 'kill $loaded 2>/dev/null || true; rm -rf "$work"' EXIT

nvcc -O3 -std=c++17 -o "$work/load" "$kit/bench/cpp/load.cu"
head -c "${gibibytes}G" /dev/urandom >"$work/file"
sync "$work/file"

uncached() {
  python3 - "$1" <<'PY'
import os, sys
file = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
PY
}

cached() {
  cat "$1" >/dev/null
}

# measure NAME PART…: one of the parts has to be the bound
measure() {
  local name=$1
  shift
  "$kit/run" stretto overlap "$work/file" --mode overlap --device "$device" --json >"$out/bound-$name.json"
  python3 - "$name" "$out/bound-$name.json" "$@" <<'PY'
import json, sys
mode = json.load(open(sys.argv[2]))["modes"][0]
parts = ", ".join("%s %.1f (%.0f %%)" % (p["part"], p["gigabytesPerSecond"], 100 * p["busy"]) for p in mode["parts"])
right = "right" if mode["boundBy"] in sys.argv[3:] else "WRONG"
print("| %s | %.1f | %s | %s | %.1f | %s |" % (sys.argv[1], mode["gigabytesPerSecond"], parts, mode["boundBy"],
                                          mode["aloneGigabytesPerSecond"], right))
PY
}

beside() {
  "$work/load" "$1" "$2" &
  loaded=$!
  sleep 3
  measure "${@:3}"
  kill "$loaded"
  wait "$loaded" 2>/dev/null || true
  loaded=
}

echo "| made the slowest | GB/s | parts, GB/s while busy | bound by | alone | |"
echo "|---|---|---|---|---|---|"
cached "$work/file"
measure writing writing
uncached "$work/file"
measure reading reading
cached "$work/file"
beside copies 16 copies "copy in" "copy out"
beside kernels 16 kernels kernels
