"""Prints the tables of docs/performance.md as Markdown, so that nobody types a figure.

python3 bench/py/tables.py host JAVA CPP
python3 bench/py/tables.py async JAVA CPP
python3 bench/py/tables.py kernels JAVA CPP [BENCH…]
python3 bench/py/tables.py peers JAVA CPP [BENCH…]
python3 bench/py/tables.py completion FILE
python3 bench/py/tables.py arrays FILE
python3 bench/py/tables.py bindings FILE
python3 bench/py/tables.py collectives FILE
python3 bench/py/tables.py meeting JAVA CPP
python3 bench/py/tables.py beside VIRTUAL GPU

JAVA, CPP and FILE are files of JSON lines that the scripts in bench write; those of meeting and clusters are tables. Several lines of one benchmark
are several runs: the figure is their median. Ends with 1 if a benchmark failed, is missing, or computed a
wrong result.
"""

import json
import math
import os
import statistics
import subprocess
import sys

MORE, LESS = "more is better", "less is better"
# By the key of a figure in the JSON lines: what divides it, its unit, its decimals, and which way is better.
FIGURES = {
    "gigabytesPerSecond": (1, "GB/s", 1, MORE),
    "gigaflopsPerSecond": (1000, "TFLOP/s", 2, MORE),
    "nanosecondsPerOperation": (1, "ns", 0, LESS),
    "microseconds": (1, "µs", 2, LESS),
    "togetherMilliseconds": (1, "ms", 2, LESS),
}


def read(path):
    """The runs of each benchmark, in the order of the file."""
    rows = {}
    with open(path, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            rows.setdefault(row["bench"], []).append(row)
    return rows


def table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def machine():
    """Names the machine below which the tables stand, as far as it is known."""
    try:
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        gpus = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        return
    name, _, driver = gpus[0].partition(", ")
    print(f"{name}, driver {driver}, {os.cpu_count()} cores.\n")


def key_of(row):
    return next((key for key in FIGURES if key in row), None)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def shown(figure, key):
    divisor, unit, decimals, _ = FIGURES[key]
    return f"{figure / divisor:.{decimals}f} {unit}"


def spread(runs, key):
    least, most = min(run[key] for run in runs), max(run[key] for run in runs)
    text = shown(statistics.median(run[key] for run in runs), key)
    return text if len(runs) == 1 else f"{text} ({shown(least, key).split()[0]} to {shown(most, key).split()[0]})"


class Failures:
    """What failed: printed last, and the reason for an exit status of 1."""

    def __init__(self):
        self.lines = []

    def of(self, side, rows, name):
        """The runs of a benchmark that gave a figure; None if there is none."""
        runs = rows.get(name, [])
        good = [run for run in runs if "error" not in run]
        for run in runs:
            if "error" in run:
                self.add(f"{side}, {name}: {run['error'][:400]}")
        if not runs:
            self.add(f"{side}, {name}: no line")
        return good or None

    def add(self, line):
        self.lines.append(line)

    def end(self):
        for line in dict.fromkeys(self.lines):
            print(line)
        sys.exit(1 if self.lines else 0)


def by_direction(rows, key):
    """Rows whose figure is better in the same direction stand in one table, under a column that says so."""
    for direction in (MORE, LESS):
        chosen = [name for name in rows if key(name) and FIGURES[key(name)][3] == direction]
        if chosen:
            yield direction, chosen


def host(java_path, cpp_path):
    java, cpp = read(java_path), read(cpp_path)
    # Of ordinary memory, C++ has the driver's own path.
    beside = {
        "staged-h2d": "pageable-h2d",
        "staged-d2h": "pageable-d2h",
        "staged-heap-h2d": "pageable-h2d",
        "staged-heap-d2h": "pageable-d2h",
    }
    machine()
    for direction, names in by_direction(java, lambda name: key_of(java[name][0])):
        rows = []
        allocates = any("bytesAllocatedPerOperation" in java[name][0] for name in names)
        for name in names:
            mine, theirs = java[name], cpp.get(beside.get(name, name))
            key = key_of(mine[0])
            row = [f"`{name}`", spread(mine, key)]
            row += [spread(theirs, key), f"{median(mine, key) / median(theirs, key):.3f}"] if theirs else ["", ""]
            if allocates:
                row.append(f"{median(mine, 'bytesAllocatedPerOperation'):.0f} bytes")
            rows.append(row)
        columns = ["", "Stretto", "C++", f"Stretto / C++ ({direction})"]
        table(columns + (["an operation allocates"] if allocates else []), rows)
    if "flow" in java and "pinned-both" in java:
        key = "gigabytesPerSecond"
        print(f"`flow` is {median(java['flow'], key) / (median(java['pinned-both'], key) / 2):.3f} of half of `pinned-both`.")


def asynchronous(java_path, cpp_path):
    java, cpp = read(java_path), read(cpp_path)
    machine()
    rows, notes = [], []
    for name, mine in java.items():
        key = key_of(mine[0])
        row = [f"`{name}`", spread(mine, key), "", "", ""]
        if theirs := cpp.get(name):
            ways = {way: statistics.median(run["ways"][way] for run in theirs) for way in theirs[0]["ways"]}
            best_way = min(ways, key=ways.get)
            every = [{key: run["ways"][best_way]} for run in theirs]
            best = min(way for run in theirs for way in run["ways"].values())
            row[2] = spread(every, key)
            row[3] = f"{median(mine, key) / ways[best_way]:.3f}"
            row[4] = f"{min(run[key] for run in mine) / best:.3f}"
            if len(ways) > 1:
                notes.append(f"`{name}` in C++: " + ", ".join(f"{way} {shown(ways[way], key)}" for way in ways) + ".")
        if "percentile99" in mine[0]:
            notes.append(f"`{name}`: 99th percentile {median(mine, 'percentile99'):.1f} µs.")
        row.append(f"{median(mine, 'bytesAllocatedPerOperation'):.1f} bytes")
        rows.append(row)
    columns = ["", "Stretto", "C++, its best way", f"Stretto / C++ ({LESS})", f"best process of each ({LESS})"]
    table(columns + ["an operation allocates"], rows)
    for note in notes:
        print(note)
    for name, (run, *_) in cpp.items():
        if "blocked" in run:
            more = "" if run["blocked"] else " and more"
            print(f"`{name}`: the driver takes {run['operations']}{more} behind a kernel that does not end.")


def kernels(java_path, cpp_path, names):
    java, cpp = read(java_path), read(cpp_path)
    failures, rows, ratios = Failures(), [], []
    machine()
    for name in names or java:
        mine, theirs = failures.of("Stretto", java, name), failures.of("C++", cpp, name)
        row = [f"`{name}`", "", "", "", ""]
        for column, runs in ((1, mine), (2, theirs)):
            if runs:
                row[column] = spread(runs, key_of(runs[0]))
        if mine and theirs:
            key = key_of(mine[0])
            ratios.append(median(mine, key) / median(theirs, key))
            row[3] = f"{ratios[-1]:.3f}"
            x, y = mine[0]["checksum"], theirs[0]["checksum"]
            if abs(x - y) > 1e-6 * max(abs(x), abs(y)):
                failures.add(f"{name}: checksums differ: {x} and {y}")
        code = [f"{runs[0]['registers']} + {runs[0]['localBytes']}" if runs and "registers" in runs[0] else "" for runs in (mine, theirs)]
        row[4] = " and ".join(filter(None, code))
        rows.append(row)
    if ratios:
        rows.append([f"geometric mean of {len(ratios)}", "", "", f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f}", ""])
    columns = ["", "Stretto", "C++", f"Stretto / C++ ({MORE})", "registers a thread + bytes of local memory"]
    if not any(row[4] for row in rows):
        columns, rows = columns[:4], [row[:4] for row in rows]
    elif not any("registers" in run for runs in java.values() for run in runs):
        columns[4] += ", C++"
    table(columns, rows)
    failures.end()


def peers(java_path, cpp_path, names):
    java, cpp = read(java_path), read(cpp_path)
    failures = Failures()
    pairs = []
    for name in names or java:
        pairs.append((name, name, failures.of("Stretto", java, name), failures.of("C++", cpp, name)))
        if name in ("off-one", "off-both"):
            # Without access C++ has two ways: the driver's staging, and staging by hand.
            by_hand = name.replace("off-", "off-hand-")
            pairs.append((f"{name}", by_hand, java.get(name), failures.of("C++", cpp, by_hand)))
    machine()
    for direction in (MORE, LESS):
        rows = []
        for name, other, mine, theirs in pairs:
            key = key_of((mine or theirs or [{}])[0])
            if key is None or FIGURES[key][3] != direction:
                continue
            notes = []
            if mine and theirs:
                if "hidden" in mine[0] and "hidden" in theirs[0]:
                    notes.append(f"copies hidden: {mine[0]['hidden']:.3f} and {theirs[0]['hidden']:.3f}")
            if theirs and "way" in theirs[0]:
                notes.append(f"C++: {theirs[0]['way']}")
            if theirs and "devices" in theirs[0]:
                notes.append(f"{theirs[0]['devices']} devices")
            if other != name:
                notes.append("C++: staging by hand")
            rows.append(
                [
                    f"`{name}`",
                    spread(mine, key) if mine else "failed",
                    spread(theirs, key) if theirs else "failed",
                    f"{median(mine, key) / median(theirs, key):.3f}" if mine and theirs else "",
                    "; ".join(notes),
                ]
            )
        if rows:
            table(["", "Stretto", "C++", f"Stretto / C++ ({direction})", ""], rows)
    failures.end()


def completion(path):
    rows = {}
    with open(path, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if "medianMicroseconds" in row:
                rows.setdefault(row["variant"], []).append(row)
    keys = ["median", "p90", "p99", "max", "gapMedian", "gap90", "gap99"]
    machine()
    table(
        [f"µs ({LESS})", "median", "90 %", "99 %", "most", "between two, median", "90 %", "99 %"],
        [[name] + [f"{median(rounds, key + 'Microseconds'):.1f}" for key in keys] for name, rounds in rows.items()],
    )


def arrays(path):
    rows = read(path)
    whole = {name: median(rows[f"array-{name}-whole"], "gigabytesPerSecond") for name in ("in", "out", "both")}
    print("Whole: " + ", ".join(f"{name} {rate:.1f} GB/s" for name, rate in whole.items()) + " (both: each way).\n")
    for name, of in ("in", "in"), ("out", "out"), ("through", "both"):
        runs = rows[f"array-{name}"]
        chunks = sorted({run["chunkBytes"] for run in runs})
        streams = sorted({run["streams"] for run in runs})
        rates = {}
        for run in runs:
            rates.setdefault((run["chunkBytes"], run["streams"]), []).append(run["gigabytesPerSecond"])
        title = {"in": "In", "out": "Out", "through": "In, kernel, out"}[name]
        print(f"{title}: GB/s (share of a whole copy{' in beside one out' if of == 'both' else ''}); more is better.\n")
        table(
            ["chunks of"] + [f"{count} stream{'s' if count > 1 else ''}" for count in streams],
            [
                [f"{chunk >> 20} MiB"]
                + [
                    f"{(rate := statistics.median(rates[chunk, count])):.1f} ({rate / whole[of]:.2f})"
                    for count in streams
                ]
                for chunk in chunks
            ],
        )
    flows = {}
    for run in rows["array-flow"]:
        flows.setdefault((run["bytes"], run["flows"]), []).append(run)
    table(
        ["bytes", "flows", "time", "GB/s"],
        [
            [
                f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB",
                str(count),
                f"{median(runs, 'microseconds') / 1000:.2f} ms",
                f"{median(runs, 'gigabytesPerSecond'):.1f}",
            ]
            for (size, count), runs in flows.items()
        ],
    )


def binary_size(size):
    unit, shift = next((unit, shift) for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10), ("bytes", 0)) if size >> shift)
    return f"{size / (1 << shift):.4g} {unit}"


def collectives(path):
    failures, shapes, notes, about = Failures(), {}, {}, {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line) if line.endswith("\n") else {}  # the last one may be cut off
            if "error" in row:
                failures.add(row["error"])
            elif "side" in row:
                sides = shapes.setdefault((row["operation"], row["bytes"]), {"stretto": {}, "nccl": {}})
                sides[row["side"]][row["round"]] = row
            else:
                about.update(row)
    rows = []
    for (operation, size), sides in sorted(shapes.items()):
        rounds = sides["stretto"].keys() & sides["nccl"].keys()
        if not rounds:
            continue
        mine, theirs = ([sides[side][number] for number in sorted(rounds)] for side in ("stretto", "nccl"))
        ratios = [their["milliseconds"] / my["milliseconds"] for my, their in zip(mine, theirs)]
        by_host = "aloneMilliseconds" if about.get("ranks") else "milliseconds"
        alone = [their["aloneMilliseconds"] / my[by_host] for my, their in zip(mine, theirs)]
        in_row = sum(their["rowMilliseconds"] < their["aloneMilliseconds"] for their in theirs)
        rows.append(
            [
                operation,
                binary_size(size),
                *(f"{median(runs, 'busGigabytesPerSecond'):.1f}" for runs in (mine, theirs)),
                *(f"{1000 * median(runs, 'milliseconds'):.1f}" for runs in (mine, theirs)),
                f"**{statistics.median(ratios):.3f}**",
                f"{min(ratios):.3f} to {max(ratios):.3f}",
                f"{statistics.median(alone):.3f}",
                str(len(ratios)),
            ]
        )
        if in_row and any(their["rowHostMilliseconds"] > 0.9 * their["rowMilliseconds"] for their in theirs):
            notes[f"{operation} of {binary_size(size)}"] = True
    times = (
        "Both have a process for each GPU. A time"
        if about.get("ranks")
        else "Stretto's time is the host's, from enqueue to awaited. NCCL's"
    )
    print(
        f"{about.get('machine', 'Unknown machine')}; {about.get('versions', 'no NCCL')}, without NVLink multicast. Every "
        f"word is checked. Sizes and bus bandwidths as in nccl-tests. {times} is the shorter of two: the host's, from the last rank's enqueue to all synchronized, and the device's for "
        "one of 20 operations in a row. The last ratio takes the host's time. "
        f"Who begins a round changes (seed {about.get('seed')}).\n"
    )
    columns = ["operation", "size", "Stretto, bus GB/s", "NCCL, bus GB/s", "Stretto, µs", "NCCL, µs"]
    columns += [f"Stretto / NCCL ({MORE})", "range", "beside NCCL's host time", "rounds"]
    if rows:
        table(columns, rows)
    else:
        failures.add("no shape has figures of both sides")
    if notes:
        print(f"NCCL's rows wait for the host: {', '.join(notes)}.")
    if "seconds" in about:
        print(f"{about['seconds']} s in all.")
    failures.end()


# How much faster than the best of the others Stretto must be, and the pinned copies that limit a job.
BINDINGS_BAR = 1.05
BINDINGS_LIMITS = {"arrays-in": "pinned-in", "arrays-out": "pinned-out", "pipeline": "pinned-both", "file-sum": "pinned-in"}
LIBRARIES = {"jcuda": "JCuda", "javacpp": "JavaCPP", "lwjgl": "LWJGL"}


class Contest:
    """One job: the figures of each library in each of its ways, one for each process."""

    def __init__(self, name, runs):
        self.name = name
        self.key = key_of(runs[0])
        self.ways = {}
        for run in runs:
            self.ways.setdefault((run["library"], run["way"], run["threads"]), []).append(run[self.key])

    def speed(self, figure):
        return figure if FIGURES[self.key][3] == MORE else 1 / figure

    def of(self, library, *names):
        """The best way with one of these names, by its median."""
        chosen = [way for way in self.ways if way[0] == library and (way[1] in names or not names)]
        return max(chosen, key=lambda way: self.speed(statistics.median(self.ways[way])), default=None)

    def mine(self):
        return [way for way in self.ways if way[0] == "stretto"]

    def others(self):
        return [way for way in self.ways if way[0] != "stretto"]

    def ratio(self, way):
        """How many times as fast as the best of the others: by medians, and in the worst round."""
        best = max(self.speed(statistics.median(self.ways[other])) for other in self.others())
        rounds = []
        for number, figure in enumerate(self.ways[way]):
            rivals = [self.ways[other][number] for other in self.others() if number < len(self.ways[other])]
            rounds += [self.speed(figure) / max(map(self.speed, rivals))] if rivals else []
        return self.speed(statistics.median(self.ways[way])) / best, min(rounds)

    def is_behind(self):
        return any(self.ratio(way)[0] < BINDINGS_BAR for way in self.mine())

    def cell(self, way):
        if not way:
            return ""
        note = f" ({way[2]} threads)" if way[2] > 1 else f" ({way[1]})" if way[1] not in ("plain", "expert") else ""
        return shown(statistics.median(self.ways[way]), self.key) + note

    def row(self, limits):
        row = [f"`{self.name}`"]
        row += [self.cell(self.of("stretto", "plain")), self.cell(self.of("stretto", "flow", "prepared", "chunks"))]
        for library in LIBRARIES:
            row += [self.cell(self.of(library, "plain")), self.cell(self.of(library, "expert"))]
        row.append(", ".join(f"{way[1]} {self.ratio(way)[0]:.2f}" for way in self.mine()))
        row.append(", ".join(f"{self.ratio(way)[1]:.2f}" for way in self.mine()))
        limit = limits.get(BINDINGS_LIMITS.get(self.name, BINDINGS_LIMITS.get(self.name.split("-")[0])))
        share = statistics.median(self.ways[self.of("stretto")]) / limit if limit else 0
        return row + [f"{share:.2f}" if limit else ""]


def bindings(path):
    rows = read(path)
    failures, limits, contests = Failures(), {}, []
    machine()
    broken = {run["library"] for run in rows.get("load", [])}
    for name, runs in rows.items():
        errors = dict.fromkeys(f"{run['library']}, {name}: {run['error'][:400]}" for run in runs if "error" in run)
        for error in errors:
            failures.add(error)
        good = [run for run in runs if "error" not in run]
        if name.startswith("pinned-"):
            contest = Contest(name, good)
            limits[name] = max(statistics.median(figures) for figures in contest.ways.values())
        elif good:
            contest = Contest(name, good)
            for library in ("stretto", *LIBRARIES):
                if library not in broken and not contest.of(library):
                    failures.add(f"{library}, {name}: no line")
            if contest.mine() and contest.others():
                contests.append(contest)
            most = max(map(len, contest.ways.values()))
            for way, figures in contest.ways.items():
                if len(figures) < most:
                    failures.add(f"{way[0]}, {name}, {way[1]}: {len(figures)} of {most} rounds")
    if limits:
        text = ", ".join(f"{name.split('-')[1]} {rate:.1f} GB/s" for name, rate in limits.items())
        print(f"Pinned copies by the driver, the limit: {text} (both: each way).\n")
    columns = ["", "Stretto", "Stretto, another way"]
    columns += [f"{title}{way}" for title in LIBRARIES.values() for way in ("", ", expert")]
    columns += [f"Stretto's speed / best other ({MORE})", "worst round", "Stretto's share of the limit"]
    for title, behind in ((f"Below {BINDINGS_BAR} of the best other:", True), ("The others:", False)):
        chosen = [contest.row(limits) for contest in contests if contest.is_behind() == behind]
        if chosen:
            print(title + "\n")
            table(columns, chosen)
    if not contests:
        failures.add("no job has figures of Stretto and of another library")
    failures.end()


def meeting(java_path, cpp_path):
    """The rows of both sides' tables; of several runs the worst of each side, and the worst pair."""

    def runs(path):
        rows = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                if len(cells) == 2 and cells[1].endswith(("us", "GB/s")):
                    figure, unit = cells[1].split()
                    rows.setdefault(cells[0], []).append((float(figure), unit))
        return rows

    java, cpp = runs(java_path), runs(cpp_path)
    rows = []
    for name, mine in java.items():
        unit = mine[0][1]
        worst = max if unit == "us" else min
        pairs = [a[0] / b[0] for a, b in zip(mine, cpp[name])]
        figures = [f"{worst(figure for figure, _ in side):.2f} {unit}" for side in (mine, cpp[name])]
        rows.append([name, *figures, f"{worst(pairs):.3f}"])
    table(["", "Stretto", "C++", "worst of " + str(len(next(iter(java.values())))) + " pairs"], rows)
    machine()


def beside(virtual_path, gpu_path):
    """What the virtual device says of each program, what the GPU took, and the ratio; 1 if one is off by more than 15 %."""
    says, takes = read(virtual_path), read(gpu_path)
    rows, far = [], []
    for name, runs in takes.items():
        gpu = statistics.median(run["microseconds"] for run in runs)
        virtual = statistics.median(run["microseconds"] for run in says[name])
        rows.append([name, f"{virtual:.1f} µs", f"{gpu:.1f} µs", f"{virtual / gpu:.3f}"])
        if not 0.85 <= virtual / gpu <= 1.15:
            far.append(name)
    table(["program", "virtual", "GPU", "ratio"], rows)
    machine()
    if far:
        sys.exit("more than 15 % off: " + ", ".join(far))


def main():
    topic, *arguments = sys.argv[1:] or [""]
    if topic == "host":
        host(*arguments)
    elif topic == "async":
        asynchronous(*arguments)
    elif topic == "kernels":
        kernels(arguments[0], arguments[1], arguments[2:])
    elif topic == "peers":
        peers(arguments[0], arguments[1], arguments[2:])
    elif topic == "completion":
        completion(*arguments)
    elif topic == "arrays":
        arrays(*arguments)
    elif topic == "bindings":
        bindings(*arguments)
    elif topic == "collectives":
        collectives(*arguments)
    elif topic == "meeting":
        meeting(*arguments)
    elif topic == "beside":
        beside(*arguments)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
