#!/usr/bin/env bash
# Stretto's broadcast, all-gather and all-to-all beside NCCL's, in turns. Run it out of a kit (tools/gpu-kit) on a machine
# with two GPUs or more and PyTorch:
#   bench/collectives.sh [--gpus N] [--rounds N] [--most MIB] [OPERATION…]   and more, as bench/py/collectives.py says
# Prints a table in Markdown: bus bandwidths as nccl-tests defines them, the median and the range of the ratio. The JSON
# lines go to collectives.jsonl in $OUT or here, each as soon as it is measured. It takes less than 150 s, whatever hangs:
# no shape begins after 110 s, and what was measured by then is printed.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
seconds=${STRETTO_BENCH_SECONDS:-140}

status=0
timeout -k 5 "$seconds" python3 "$kit/bench/py/collectives.py" "$@" --file "$out/collectives.jsonl" || status=$?
((status == 0)) || echo "collectives.py: exit status $status" >&2
python3 "$kit/bench/py/tables.py" collectives "$out/collectives.jsonl" || status=$?
exit "$status"
