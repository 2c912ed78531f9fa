#!/usr/bin/env bash
# Random programs of every operation, on every two GPUs of the machine at once. Run it out of a kit (tools/gpu-kit):
#   bench/soak.sh [MINUTES [PROCESSES]]   30 unless given, and one process for each two GPUs; the logs go to soak-0.log, soak-1.log
#                                         and so on in $OUT or here
# Fails if a result is wrong, or if a resource is held at the end that was not held at the beginning.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
minutes=${1:-30}
each=${2:-1}

IFS=, read -ra gpus <<<"${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | paste -sd,)}"
if ((!${#gpus[@]})); then
  echo "There is no GPU here." >&2
  exit 1
fi
"$kit/run" java -version >/dev/null 2>&1 # unpacks, once for all
processes=()
for ((i = 0; i < ${#gpus[@]}; i += 2)); do
  for ((k = 0; k < each; k++)); do
    CUDA_VISIBLE_DEVICES=$(IFS=, && echo "${gpus[*]:i:2}") "$kit/run" java -ea dev.stretto.contract.SoakRun "$minutes" cuda \
      >"$out/soak-${#processes[@]}.log" 2>&1 &
    processes+=($!)
  done
done
failed=0
for ((p = 0; p < ${#processes[@]}; p++)); do
  wait "${processes[p]}" || failed=1
  tail -n 1 "$out/soak-$p.log"
done
exit "$failed"
