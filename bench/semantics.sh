#!/usr/bin/env bash
# What CUDA promises, in C++ and through Stretto, line by line. Run it out of a kit (tools/gpu-kit) on a machine with a
# GPU (two, for what concerns peers) and nvcc:
#   bench/semantics.sh [--note FILE]
# It runs C++ and Java on the GPU and Java on virtual devices; what they printed goes to semantics-cpp.txt,
# semantics-java.txt and semantics-virtual.txt in $OUT or here. Then come two tables of equal and different programs,
# C++ beside Java on the GPU and beside Java on virtual devices, each with what differs below it, and a summary last.
# It ends with 1 if anything differs that differences.txt, or for virtual devices virtual-differences.txt, does not list.
# --note also writes what C++ printed to FILE, for semantics-h200.txt of core's tests, whatever differs.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-300} # for each side
note=
case ${1:-} in
  '') ;;
  --note) note=${2:?a file to write the note to} ;;
  *) sed -n '4s/^# *//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A stream that is held up must not stand in the way of others that share its queue to the GPU.
export CUDA_DEVICE_MAX_CONNECTIONS=32
# Nor must a kernel that is loaded at its first launch wait for it.
export CUDA_MODULE_LOADING=EAGER

cpp=$out/semantics-cpp.txt java=$out/semantics-java.txt virtual=$out/semantics-virtual.txt

nvcc -arch=sm_90a -O2 -std=c++17 -o "$work/semantics" "$kit/bench/cpp/semantics.cu" -lcuda

# What is missing because a side was ended shows in the tables.
side() {
  local name=$1 to=$2
  shift 2
  timeout -k 5 "$seconds" "$@" >"$to" 2>"$to.err" ||
    echo "$name ended with $?; the end of its standard error:" "$(tail -n 5 "$to.err")" >&2
  echo "$name: $(wc -l <"$to") lines"
}
side 'C++' "$cpp" "$work/semantics"
if [[ -n $note ]]; then
  {
    echo "# What bench/cpp/semantics.cu printed. Written by bench/semantics.sh --note; nobody types it."
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/^/# /'
    nvcc --version | sed -n 's/^Cuda compilation tools, /# nvcc /p'
    cat "$cpp"
  } >"$note"
  echo "noted in $note"
fi
side 'Java on the GPU' "$java" "$kit/run" java dev.stretto.twin.Main
side 'Java on virtual devices' "$virtual" "$kit/run" java dev.stretto.twin.Main --machine virtual:h200x2

compare() {
  "$kit/run" java dev.stretto.twin.Comparison "$@" || different=1
}
different=0
compare --virtual "$cpp" "$virtual" >"$work/virtual"
compare "$cpp" "$java" >"$work/gpu"
cat "$work/virtual"
echo
cat "$work/gpu"
echo
tail -qn 1 "$work/virtual" "$work/gpu"
exit $different
