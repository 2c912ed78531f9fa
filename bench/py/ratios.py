"""Prints what bench/py/turns.py has measured as tables in Markdown.

python3 bench/py/ratios.py FILE…

Each FILE is of one machine. With several, each row is that of the machine on which its ratio is worst. Ends
with 1 if a result is wrong, or something failed.
"""

import json
import statistics
import sys

from tables import MORE, LESS, Failures, table

NAMES = {
    "cudnn": "cuDNN",
    "cudnn-jax": "cuDNN by JAX",
    "cudnn-bf16": "cuDNN with bfloat16",
    "fa2": "FlashAttention-2",
    "cublas": "cuBLAS",
    "cublaslt": "cuBLASLt",
}


def between(figures, field):
    """The least and the greatest value of a field of nvidia-smi."""
    found = [f"{value:.0f}" for figure in figures for value in figure["gpu"].get(field, [])]
    least, most = min(found, key=int, default=""), max(found, key=int, default="")
    return least if least == most else f"{least} to {most}"


class Row:
    """A shape and two kernels on one machine: a figure of each for every round."""

    def __init__(self, machine, bench, figures):
        self.machine, self.bench, self.figures = machine, bench, figures
        rates = [{figure["round"]: 1 / figure["milliseconds"] for figure in self.of(side)} for side in (0, 1)]
        self.ratios = [rate / rates[1][round_] for round_, rate in rates[0].items() if round_ in rates[1]]

    def of(self, side):
        return [figure for figure in self.figures if figure["side"] == side]

    @property
    def ratio(self):
        return statistics.median(self.ratios)

    def rate(self, side):
        """The median in TFLOP/s, and how far the rounds are apart."""
        rates = [self.machine.operations[self.bench] / figure["milliseconds"] * 1e-9 for figure in self.of(side)]
        middle = statistics.median(rates)
        return [f"{middle:.1f}", f"{100 * (max(rates) - min(rates)) / middle:.1f} %"]

    def reasons(self):
        return ", ".join(dict.fromkeys(reason for figure in self.figures for reason in figure["gpu"]["reasons"])) or "none"

    def waits_for_the_host(self):
        return any(figure["hostMilliseconds"] > 0.9 * figure["milliseconds"] for figure in self.figures)

    def cells(self):
        low, high = min(self.ratios), max(self.ratios)
        row = [self.bench, *self.rate(0), *self.rate(1), f"**{self.ratio:.3f}**", f"{low:.3f} to {high:.3f}"]
        row += [between(self.of(side), field) for field in ("smMHz", "watts") for side in (0, 1)]
        return row + [between(self.figures, "celsius"), self.reasons()]


class Machine:
    """What a file says."""

    def __init__(self, path, failures):
        self.name, self.versions, self.rounds, self.seed = path, "", 0, 0
        self.operations, self.errors, self.figures = {}, {}, {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if line.endswith("\n"):  # the last one may be cut off
                    self.add(json.loads(line), failures)

    def add(self, line, failures):
        bench = line.get("bench")
        for part in line.get("prepared", [line]):
            if "failed" in part:
                failures.add(f"{self.name}: {bench} {line.get('kernel', '')}: {part['failed']}")
        if "machine" in line:
            self.name, self.rounds, self.seed = line["machine"], line["rounds"], line["seed"]
        elif "prepared" in line:
            self.operations[bench] = line["operations"]
            self.versions = line["prepared"][1].get("versions", "")
        elif "error" in line:
            self.errors.setdefault(bench, {})[line["kernel"]] = line["error"]
            if line.get("wrong"):
                failures.add(f"{self.name}: {bench} {line['kernel']}: wrong")
        elif "milliseconds" in line:
            self.figures.setdefault((line["pair"], bench), []).append(line)

    def rows(self):
        """Those of which at least one round is complete, by pair and shape."""
        rows = {key: Row(self, key[1], figures) for key, figures in self.figures.items()}
        return {key: row for key, row in rows.items() if row.ratios}

    def describe(self):
        figures = [figure for of_row in self.figures.values() for figure in of_row]
        warm_ups, launches = ([figure[name] for figure in figures] for name in ("warmUps", "launches"))
        print(
            f"{self.name}; {self.versions}. {self.rounds} rounds a row, in each of which both sides measure once; who "
            f"begins changes (seed {self.seed}). A figure is the device time of {min(launches)} to {max(launches)} "
            f"launches in a row, after {min(warm_ups)} to {max(warm_ups)} that do not count; in a row of the table both "
            f"sides have as many. Memory clock, MHz: {between(figures, 'memoryMHz')}.\n"
        )


def print_rows(rows, machines):
    for pair in dict.fromkeys(pair for pair, _ in rows):
        mine, theirs = pair.split("/")
        theirs = NAMES.get(theirs, theirs)
        print(f"{mine} beside {theirs} ({MORE}):\n")
        columns = ["", f"{mine}, TFLOP/s", "spread", f"{theirs}, TFLOP/s", "spread", f"{mine} / {theirs}, median", "range"]
        columns += [f"SM MHz, {mine}", f"SM MHz, {theirs}", f"W, {mine}", f"W, {theirs}", "°C", "reasons for lower clocks"]
        chosen = [row for (name, _), row in rows.items() if name == pair]
        if len(machines) > 1:
            columns.append("machine")
        numbers = {machine: str(number) for number, machine in enumerate(machines, 1)}
        table(columns, [row.cells() + ([numbers[row.machine]] if len(machines) > 1 else []) for row in chosen])


def print_errors(machines):
    """The greatest of all machines."""
    greatest = {}
    for machine in machines:
        for bench, errors in machine.errors.items():
            of_bench = greatest.setdefault(bench, {})
            for name, error in errors.items():
                of_bench[name] = max(error, of_bench.get(name, 0))
    names = list(dict.fromkeys(name for errors in greatest.values() for name in errors))
    pairs = [(mine, theirs) for mine in names for theirs in NAMES if mine not in NAMES]
    pairs = [(mine, theirs) for mine, theirs in pairs if mine in ("warp-groups", "chosen") or theirs == "fa2"]
    pairs = [pair for pair in pairs if any(errors.keys() >= {*pair} for errors in greatest.values())]
    lines = []
    for bench, errors in greatest.items():
        line = [bench] + [f"{errors[name]:.2e}" if name in errors else "" for name in names]
        for mine, theirs in pairs:
            line.append(f"{errors[mine] / errors[theirs]:.3f}" if mine in errors and theirs in errors else "")
        lines.append(line)
    columns = ["greatest error"] + [NAMES.get(name, name) for name in names]
    columns += [f"{mine} / {NAMES[theirs]} ({LESS})" for mine, theirs in pairs]
    table(columns, lines)


def main(paths):
    failures = Failures()
    machines = [Machine(path, failures) for path in paths]
    worst = {}
    for machine in machines:
        if machine.figures:
            machine.describe()
        for key, row in machine.rows().items():
            if key not in worst or row.ratio < worst[key].ratio:
                worst[key] = row
    print(
        "Both sides read the same files of numbers. L2 is not flushed between launches, on either side: they follow "
        "each other on the same arrays. A spread is (greatest - least) / median of the rounds.\n"
    )
    print_rows(worst, machines)
    for row in worst.values():
        if row.waits_for_the_host():
            print(f"{row.bench}, {row.figures[0]['pair']}: the host is about as slow as the device, which may have waited for it.")
    print_errors(machines)
    if not worst:
        failures.add("no shape has figures of both sides")
    failures.end()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
