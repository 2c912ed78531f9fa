#!/usr/bin/env bash
# Attention in Java beside PyTorch's FlashAttention-2 and cuDNN, in one go. Run it out of a kit (tools/gpu-kit) on a machine
# with a GPU and PyTorch:
#   bench/attention.sh [--ladder]   TFLOP/s, ratios, and the greatest errors against float64, of the same numbers; with
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

python3 - "$out/attention.jsonl" <<'PY'
import json, sys

rows = {}
for line in open(sys.argv[1]):
    row = json.loads(line)
    rows.setdefault(row["bench"], {})[row["implementation"]] = row
names = list(dict.fromkeys(name for row in rows.values() for name in row))
RATIOS = (("tuned", "fa2"), ("warp-groups", "cudnn"), ("warp-groups", "cublas"))
print(f"{'TFLOP/s':26}" + "".join(f"{name:>16}" for name in names) + "".join(f"{a + '/' + b:>20}" for a, b in RATIOS))
for bench, row in rows.items():
    rate = {name: it["gigaflopsPerSecond"] / 1000 for name, it in row.items()}
    line = f"{bench:26}" + "".join(f"{rate[name]:16.1f}" if name in rate else f"{'':16}" for name in names)
    for mine, other in RATIOS:
        line += f"{rate[mine] / rate[other]:20.3f}" if other in rate and mine in rate else f"{'':20}"
    print(line)
print(f"{'greatest error':26}" + "".join(f"{name:>16}" for name in names) + f"{'tuned/fa2':>20}{'warp-groups/fa2':>20}")
for bench, row in rows.items():
    line = f"{bench:26}" + "".join(f"{row[name]['error']:16.2e}" if "error" in row.get(name, {}) else f"{'':16}" for name in names)
    if "fa2" in row and "tuned" in row:
        line += "".join(f"{row[mine]['error'] / row['fa2']['error']:20.3f}" for mine in ("tuned", "warp-groups") if mine in row)
    print(line + ("   wrong" if any("wrong" in it for it in row.values()) else ""))
PY
exit "$status"
