#!/usr/bin/env bash
# Attention and products of matrices in Java beside PyTorch's (cuDNN, FlashAttention-2, cuBLAS), in turns. Run it out of
# a kit (tools/gpu-kit) on a machine with a GPU and PyTorch:
#   bench/attention.sh [--rounds N] [--seed N] [--millis N] [--rivals NAMES] [--ladder] [SHAPE…]   as bench/py/turns.py says
# Prints tables in Markdown: TFLOP/s, the median and the range of the ratio, clocks, power, temperature, reasons for lower
# clocks, and the greatest errors against float64. The JSON lines go to attention.jsonl in $OUT or here, each as soon as it
# is measured. Attention beside cuDNN takes eight minutes, FlashAttention-2 and the products about as much each, the other forms of attention more. Files of
# several machines: bench/py/ratios.py FILE… shows the worst machine of each row.
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}

status=0
python3 "$kit/bench/py/turns.py" "$@" --file "$out/attention.jsonl" || status=$?
python3 "$kit/bench/py/ratios.py" "$out/attention.jsonl" || status=$?
exit "$status"
