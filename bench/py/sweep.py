"""Prints the tables of bench/sweep.sh as Markdown: what is worse than its bar first, then everything.

python3 bench/py/sweep.py JAVA CPP

JAVA and CPP are files of JSON lines. The lines of a round belong together: each round has a ratio, the worst of
them is judged by the bar, and the median is printed. Ends with 1 if a way failed, or has no counterpart.
"""

import json
import math
import statistics
import sys

from tables import Failures, machine, table

# Stretto / C++: a rate of at least, a time and a cost of at most.
BARS = {"rate": 0.95, "time": 1.10, "cost": 1.10}
# Ordinary memory is what Stretto has a way of its own for, so that way must never be below the driver's.
RATE_OF_ORDINARY = 1.0
ORDINARY = {"heap-in", "heap-out", "native-in", "native-out", "mapped-in", "rows-in", "rows-out", "threads-heap-in"}
# C++ has one way where Java has several, and two where the better one counts.
COUNTERPARTS = {
    "heap-in": ["native-in"],
    "heap-out": ["native-out"],
    "launch-image": ["launch"],
    "launch-method": ["launch"],
    "threads-heap-in": ["threads-native-in"],
    "copy-all": ["copy-all", "copy-all-one-by-one"],
}
TITLES = {
    "rate": "Rate of many operations back to back, Stretto / C++; more is better",
    "time": "Time of one operation, from its call until the host knows that it is done, Stretto / C++; less is better",
    "cost": "Time of the call, Stretto / C++; less is better",
}
SHOWN_UNITS = {"GB/s": "GB/s", "Mop/s": "million/s", "us": "µs"}


class Row:
    """A way at one size, with so many streams and threads: the figures of each round, on both sides."""

    def __init__(self, key, unit, mine, theirs):
        self.way, self.size, self.streams, self.threads, self.kind = key
        self.unit = SHOWN_UNITS[unit]
        rounds = [name for name in mine if name in theirs]
        self.ratios = [mine[name] / theirs[name] for name in rounds]
        self.mine, self.theirs = statistics.median(mine.values()), statistics.median(theirs.values())
        self.bar = RATE_OF_ORDINARY if self.kind == "rate" and self.way in ORDINARY else BARS[self.kind]

    @property
    def ratio(self):
        return statistics.median(self.ratios)

    @property
    def worst(self):
        return min(self.ratios) if self.kind == "rate" else max(self.ratios)

    @property
    def excess(self):
        """How many times as bad as the bar allows."""
        return self.bar / self.worst if self.kind == "rate" else self.worst / self.bar

    def is_worse(self):
        return self.excess > 1


def read(path, side, failures, notes):
    """The figures by what they belong to and by round."""
    figures, units = {}, {}
    with open(path, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "error" in row:
                failures.add(f"{side}, {row['way']}: {row['error'][:400]}")
            elif "skipped" in row:
                notes[f"`{row['way']}` was left out: {row['skipped']}."] = None
            else:
                key = tuple(row[name] for name in ("way", "size", "streams", "threads", "kind"))
                rounds = figures.setdefault(key, {})
                rounds[row.get("round", len(rounds))] = row["value"]
                units[key] = row["unit"]
    return figures, units


def counterpart(key, figures):
    """The best of the ways of C++, round by round."""
    way, *others, kind = key
    best = max if kind == "rate" else min
    rounds = {}
    for name in COUNTERPARTS.get(way, [way]):
        for number, value in figures.get((name, *others, kind), {}).items():
            rounds[number] = best(rounds.get(number, value), value)
    return rounds


def shown_size(size):
    for shift, unit in (30, "GiB"), (20, "MiB"), (10, "KiB"):
        if size >= 1 << shift:
            return f"{size >> shift} {unit}"
    return ""


def number(value):
    """Three digits."""
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, decimals)}f}"


def print_worse(rows):
    worse = sorted((row for row in rows if row.is_worse()), key=lambda row: -row.excess)
    print(f"### Worse than the bar: {len(worse)} of {len(rows)} rows\n")
    if not worse:
        return
    columns = ["", "", "size", "streams", "threads", "Stretto", "C++", "Stretto / C++", "worst round", "bar"]
    table(
        columns,
        [
            [
                f"`{row.way}`",
                row.kind,
                shown_size(row.size),
                str(row.streams),
                str(row.threads),
                f"{number(row.mine)} {row.unit}",
                f"{number(row.theirs)} {row.unit}",
                f"{row.ratio:.2f}",
                f"**{row.worst:.2f}**",
                f"{'≥' if row.kind == 'rate' else '≤'} {row.bar:.2f}",
            ]
            for row in worse
        ],
    )


def cell(row):
    if row is None:
        return ""
    ratio = f"**{row.ratio:.2f}**" if row.is_worse() else f"{row.ratio:.2f}"
    return f"{ratio} ({number(row.mine)})"


def print_all(rows):
    for kind, title in TITLES.items():
        chosen = [row for row in rows if row.kind == kind]
        if not chosen:
            continue
        print(f"### {title}\n\nIn brackets Stretto's figure; bold where the worst round is worse than the bar.\n")
        sizes = sorted({row.size for row in chosen if row.size})
        lines = {}
        for row in chosen:
            lines.setdefault((row.way, row.streams, row.threads, row.unit), {})[row.size] = row
        for sized in (True, False):
            some = {key: cells for key, cells in lines.items() if (0 not in cells) == sized}
            if some:
                columns = [shown_size(size) for size in sizes] if sized else [""]
                table(
                    ["", "streams", "threads", "unit"] + columns,
                    [
                        [f"`{way}`", str(streams), str(threads), unit]
                        + [cell(cells.get(size)) for size in (sizes if sized else [0])]
                        for (way, streams, threads, unit), cells in some.items()
                    ],
                )


def main(java_path, cpp_path):
    failures, notes = Failures(), {}
    java, units = read(java_path, "Stretto", failures, notes)
    cpp, _ = read(cpp_path, "C++", failures, notes)
    rows, alone = [], {}
    for key, mine in java.items():
        theirs = counterpart(key, cpp)
        if set(mine) & set(theirs):
            rows.append(Row(key, units[key], mine, theirs))
        else:
            alone[key[0]] = alone.get(key[0], 0) + 1
    machine()
    rounds = sorted({len(row.ratios) for row in rows})
    print(f"Rounds: {' to '.join(map(str, dict.fromkeys((rounds[0], rounds[-1]))))}.\n" if rounds else "No rows.\n")
    print_worse(rows)
    print_all(rows)
    if any("rows" in row.way for row in rows):
        print("A row is three quarters of its pitch: a copy of rows of 4 KiB moves 3 KiB.")
    print("Cells are empty where the streams need more memory than the footprint (1 GiB unless set otherwise).")
    for note in notes:
        print(note)
    for way, count in alone.items():
        failures.add(f"{way}: {count} rows have no counterpart in C++ in the same round")
    failures.end()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
