#!/usr/bin/env bash
# What the virtual device says of `stretto overlap` beside what happens. Run it out of a kit (tools/gpu-kit) on a machine with
# a GPU:
#   bench/prediction.sh [FOLDER [GIBIBYTES]]   the four modes in memory and with a file in FOLDER, as a table in Markdown
# The host is measured first (`stretto devices --measure-host`). Measured are medians of three runs.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
folder=${1:-${TMPDIR:-/tmp}}
gibibytes=${2:-4}
out=${OUT:-$PWD}
device=${STRETTO_DEVICE:-cuda:0}
work=$(mktemp -d "$folder/prediction.XXXXXX")
trap 'rm -rf "$work"' EXIT

stretto() {
  "$kit/run" stretto "$@"
}

host=$(stretto devices --measure-host="$work")
echo "The host: \`$host\`"
# In memory first: after that, the disk still writes what files have left behind.
for ((round = 0; round < 3; round++)); do
  stretto overlap --device "$device" --json >"$out/measured-memory-$round.json"
done
head -c "${gibibytes}G" /dev/urandom >"$work/file"
for ((round = 0; round < 3; round++)); do
  sync
  stretto overlap "$work/file" --device "$device" --json >"$out/measured-file-$round.json"
done
stretto overlap --device "$host" --json >"$out/predicted-memory.json"
stretto overlap "$work/file" --device "$host" --json >"$out/predicted-file.json"

python3 - "$out" <<'PY'
import json, statistics, sys
def rates(name):
    modes = json.load(open("%s/%s.json" % (sys.argv[1], name)))["modes"]
    return {mode["mode"]: mode["gigabytesPerSecond"] for mode in modes}
print("| | predicted, GB/s | measured, GB/s | error |")
print("|---|---|---|---|")
for where in ("memory", "file"):
    predicted = rates("predicted-" + where)
    measured = [rates("measured-%s-%d" % (where, i)) for i in range(3)]
    for mode, rate in predicted.items():
        all = sorted(m[mode] for m in measured)
        middle = statistics.median(all)
        print("| %s, %s | %.2f | %.2f (%.2f to %.2f) | %+.0f %% |"
              % (mode, where, rate, middle, all[0], all[-1], 100 * (rate / middle - 1)))
PY
