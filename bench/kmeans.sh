#!/usr/bin/env bash
# k-means over a file that is larger than a GPU's memory may be: how near an iteration comes to reading the file alone. Both send the
# file through the GPU, one with the kernels and one without, in turns. Run it out of a kit (tools/gpu-kit) on a machine with a GPU:
#   bench/kmeans.sh [--gib 20] [--passes 5] [--width 128] [--k 256] [--rounds 5] [--file FILE] [--gpus N] [--pin]
# An iteration reads the file so many times as there are passes: 20 GiB in 5 passes are 100 GiB, of which 20 have to fit into the
# page cache. The file is made unless it is there; without --file it is deleted. With two GPUs or more, two processes share it too.
# With --pin each process pins its share once, and the GPU takes it out of the page cache by itself. Predicted for H200s: the link is
# the limit then, 55 GB/s for each GPU; two GPUs are 1.97 times as fast as one, as measured for the copies alone in C++.
# Predicted for an H200 without it: the kernels take a third of the time that the link needs (a chunk of 32 MiB: 670 us by PCIe at 50 GB/s, about
# 200 us on the device), so an iteration is as fast as reading. The bar: 0.9 of it. "kernels" is their rate on points that are there.
set -euo pipefail
kit=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
gib=20 passes=5 width=128 k=256 rounds=5 file='' gpus='' pin=''
while (($#)); do
  case $1 in
    --gib | --passes | --width | --k | --rounds | --file | --gpus)
      [[ $# -ge 2 ]] || { echo "$1 has no value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    --pin)
      pin=1
      shift
      ;;
    *)
      echo "$1 is no option: bench/kmeans.sh [--gib N] [--passes P] [--width D] [--k K] [--rounds R] [--file FILE] [--gpus N] [--pin]" >&2
      exit 2
      ;;
  esac
done
device=${KMEANS_DEVICE:-}
[[ -n $gpus ]] || gpus=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kmeans=("$kit/run" java dev.stretto.examples.kmeans.FileKMeans)

"${kmeans[@]}" check ${device:+--device "$device"}
file=${file:-$work/points}
[[ -e $file ]] || "${kmeans[@]}" make --file "$file" --gib "$gib" --width "$width" --clusters "$k"
bytes=$(stat -c %s "$file")

common=(compare --file "$file" --width "$width" --k "$k" --passes "$passes" --rounds "$rounds" ${pin:+--pin})
"${kmeans[@]}" "${common[@]}" ${device:+--device "$device"} | tee "$work/1"
counts=(1)
if ((gpus > 1)); then
  counts+=(2)
  for rank in 1 0; do
    "${kmeans[@]}" "${common[@]}" --rank $rank --size 2 --meeting "$work/meeting" --device "${device:-cuda:$rank}" >"$work/2.$rank" &
    ranks[rank]=$!
  done
  wait "${ranks[0]}"
  wait "${ranks[1]}"
  tee "$work/2" <"$work/2.0"
fi

echo
awk -v bytes="$bytes" -v passes="$passes" -v width="$width" -v k="$k" '
  BEGIN {
    printf "%.1f GiB an iteration, points of %d floats, %d centres; rates in GB/s, median (least, most)\n\n", bytes * passes / 2 ^ 30, width, k
    print "| processes | read alone | iteration | seconds an iteration | ratio |"
    print "|---|---|---|---|---|"
  }' </dev/null
for count in "${counts[@]}"; do
  for what in read iteration; do
    awk -v what=$what '$1 == what { print $4, $2 }' "$work/$count" | sort -n >"$work/$what"
  done
  awk -v count="$count" '
    FILENAME != last { last = FILENAME; file++ }
    { n[file]++; rate[file, n[file]] = $1; seconds[file, n[file]] = $2 }
    function middle(f) { return int((n[f] + 1) / 2) }
    END {
      printf "| %d | %.2f (%.2f, %.2f) | %.2f (%.2f, %.2f) | %.3f | %.2f |\n", count,
        rate[1, middle(1)], rate[1, 1], rate[1, n[1]], rate[2, middle(2)], rate[2, 1], rate[2, n[2]],
        seconds[2, middle(2)], seconds[1, middle(1)] / seconds[2, middle(2)]
    }' "$work/read" "$work/iteration"
done
