#!/usr/bin/env bash
# Attention in Java beside PyTorch's FlashAttention-2 and cuDNN, in one go. Run it out of a kit (tools/gpu-kit) on a machine
# with a GPU and PyTorch:
#   bench/attention.sh [--ladder]   tables in Markdown: TFLOP/s, ratios, and the greatest errors against float64, of the same numbers; with
#                                   --ladder every step, too, of 8,192 tokens. The JSON lines go to attention.jsonl in $OUT or here
set -uo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=${OUT:-$PWD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$kit/run" bench attention --errors --inputs "$work" "$@" >"$work/java" || status=$?
"$kit/run" bench product >>"$work/java" || status=$?
python3 "$kit/bench/py/attention.py" --errors "$work" >"$work/python" || status=$?
cat "$work/java" "$work/python" >"$out/attention.jsonl"

python3 "$kit/bench/py/tables.py" attention "$out/attention.jsonl" || status=$?
exit "$status"
