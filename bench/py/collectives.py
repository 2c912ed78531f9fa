"""Measures Stretto's collectives and NCCL's in turns, shape by shape: for bench/collectives.sh.

python3 bench/py/collectives.py [--gpus N] [--rounds N] [--seed N] [--millis N] [--least MIB] [--most MIB]
                                [--seconds N] [--ranks [--windows]] [--file FILE] [OPERATION…]

Stretto is one process; NCCL has one for each GPU (bench/py/nccl.py). With --ranks, Stretto has one for each GPU, too:
a Communicator, which calls NCCL by itself. All of them wait for requests. In each round
of a shape both sides measure once, with as many operations and warm-ups; the seed says who begins. Both have their
memory before. Each figure becomes a line of JSON in FILE at once. bench/py/tables.py makes a table of FILE.

  --gpus     all by default
  --rounds   5 by default
  --millis   how long the operations of a figure take, about, on the slower side: 100 by default
  --least    the least size, 1 by default; each size is four times the one before
  --most     the greatest size, 1024 by default. Both sides together need 4 to 5 times as much on each GPU
  --ranks    a Communicator beside PyTorch, with all-reduce as well, instead of copies beside PyTorch
  --windows  the same with Stretto's all-gather and all-to-all in windows, by NCCL's copy engines
  --sizes    in MiB, separated by commas, instead of --least and --most
  --seconds  no shape begins after as many seconds, 110 by default
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from turns import Side

OPERATIONS = ["broadcast", "all-gather", "all-to-all"]
SECONDS = 60  # for one answer; the first one includes the start
MOST_OPERATIONS = 2000
# The JIT compiles late.
WARM_UP_MILLIS = 700


class Ranks:
    """All ranks, asked at the same time."""

    def __init__(self, command, count, folder, *more):
        self.ranks = [Side(*command, str(rank), str(count), folder, *more, seconds=SECONDS) for rank in range(count)]

    def answers(self, request):
        for rank in self.ranks:
            rank.send(request)
        return [rank.answer(request) for rank in self.ranks]

    def ask(self, request):
        answers = self.answers(request)
        if request.startswith("prepare") and not any("failed" in answer for answer in answers):
            # Only now, since a rank without memory would leave the others waiting.
            prepared = answers[0]
            answers = [{**prepared, **answer} for answer in self.answers("verify")]
        for answer in answers:
            if "failed" in answer:
                return answer
        return times(answers) if "begun" in answers[0] else answers[0]

    def close(self):
        for rank in self.ranks:
            rank.process.stdin.close()
        for rank in self.ranks:
            rank.process.wait(SECONDS)


def times(answers):
    """The shorter one of two times, and both.

    The host's begins when the last rank begins, and ends when the last one ends. The device's is that of the
    slowest rank, for one of several operations in a row.
    """
    begun, ended = (zip(*(answer[name] for answer in answers)) for name in ("begun", "ended"))
    alone = statistics.median(max(ends) - max(begins) for begins, ends in zip(begun, ended)) * 1e-6
    row = statistics.median(map(max, zip(*(answer["rows"] for answer in answers))))
    by_host = statistics.median(map(max, zip(*(answer["rowsByHost"] for answer in answers))))
    return {
        "milliseconds": round(min(alone, row), 6),
        "aloneMilliseconds": round(alone, 6),
        "rowMilliseconds": round(row, 6),
        "rowHostMilliseconds": round(by_host, 6),
    }


def bus_factor(operation, devices):
    """The share of the size that crosses the busiest link, as nccl-tests defines it."""
    if operation == "broadcast":
        return 1
    return (devices - 1) / devices * (2 if operation == "all-reduce" else 1)


class Contest:
    def __init__(self, sides, file, options):
        self.sides, self.file, self.options = sides, file, options
        self.random = random.Random(options.seed)

    def write(self, **line):
        print(json.dumps({"bench": "collectives", **line}), file=self.file, flush=True)

    def ask_all(self, request):
        """Asks one side after the other; None if one fails."""
        answers = [side.ask(request) for side in self.sides.values()]
        failures = [
            f"{name}, {request}: {answer['failed']}" for name, answer in zip(self.sides, answers) if "failed" in answer
        ]
        for failure in failures:
            self.write(error=failure)
        return None if failures else answers

    def prepare(self, operation, size):
        prepared = self.ask_all(f"prepare {operation} {size}")
        if prepared and any(prepared[0][key] != prepared[1][key] for key in ("devices", "bytes")):
            self.write(error=f"the two sides differ: {prepared}")
            return None
        return prepared

    def warm_up(self, operation, size):
        if self.prepare(operation, size) and (first := self.ask_all("measure 0 100")):
            count = round(WARM_UP_MILLIS / max(answer["milliseconds"] for answer in first))
            self.ask_all(f"measure 0 {max(1, min(20 * MOST_OPERATIONS, count))}")

    def run(self, operation, size):
        prepared = self.prepare(operation, size)
        if not prepared:
            return
        devices, size = prepared[0]["devices"], prepared[0]["bytes"]
        shape = {"operation": operation, "devices": devices, "bytes": size}
        self.write(**shape, versions=prepared[1]["versions"])
        first = self.ask_all("measure 3 5")
        if not first:
            return
        slowest = max(answer["milliseconds"] for answer in first)
        count = max(5, min(MOST_OPERATIONS, round(self.options.millis / slowest)))
        request = f"measure {max(3, count // 4)} {count}"
        orders = ([list(self.sides), list(self.sides)[::-1]] * self.options.rounds)[: self.options.rounds]
        self.random.shuffle(orders)
        for round_, order in enumerate(orders, 1):
            for place, name in enumerate(order):
                figure = self.sides[name].ask(request)
                if "failed" in figure:
                    self.write(error=f"{name}, {operation} of {size} bytes: {figure['failed']}")
                    return
                rate = size / figure["milliseconds"] * 1e-6
                self.write(
                    **shape,
                    side=name,
                    round=round_,
                    place=place,
                    operations=count,
                    **figure,
                    gigabytesPerSecond=round(rate, 3),
                    busGigabytesPerSecond=round(rate * bus_factor(operation, devices), 3),
                )


def gpus():
    """The names of those that programs may see, and the driver's version."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split("\n")
    names, drivers = zip(*(line.split(", ") for line in lines if line))
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        names = names[: len(os.environ["CUDA_VISIBLE_DEVICES"].split(","))]
    return names, drivers[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--millis", type=int, default=100)
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--most", type=int, default=1024)
    parser.add_argument("--seconds", type=int, default=110)
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--windows", action="store_true")
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")])
    parser.add_argument("--file", type=pathlib.Path, default="collectives.jsonl")
    parser.add_argument("operations", nargs="*")
    options = parser.parse_args()
    begun = time.monotonic()
    kit = pathlib.Path(__file__).resolve().parents[2]
    names, driver = gpus()
    count = options.gpus or len(names)
    devices = ";".join(f"cuda:{index}" for index in range(count))
    everything = (["all-reduce"] if options.ranks else []) + OPERATIONS
    options.operations = options.operations or (OPERATIONS[1:] if options.windows else everything)
    sizes = [options.most << 20]
    while sizes[-1] >= options.least << 22:
        sizes.append(sizes[-1] // 4)
    if options.sizes:
        sizes = [size << 20 for size in options.sizes]
    with tempfile.TemporaryDirectory() as folder, open(options.file, "w", encoding="utf-8") as file:
        run = (str(kit / "run"), "bench")
        script = str(pathlib.Path(__file__).with_name("nccl.py"))
        sides = {
            "stretto": Ranks((*run, "rank-turns"), count, folder, *(["windows"] if options.windows else []))
            if options.ranks
            else Side(*run, "collective-turns", "--devices", devices, seconds=SECONDS),
            "nccl": Ranks((sys.executable, script), count, folder),
        }
        contest = Contest(sides, file, options)
        machine = f"{count} {names[0]}, driver {driver}, {os.cpu_count()} cores"
        contest.write(machine=machine, rounds=options.rounds, seed=options.seed, ranks=options.ranks)
        for operation in options.operations:
            contest.warm_up(operation, sizes[len(sizes) // 2])
        for size in sizes:
            for operation in options.operations:
                if time.monotonic() - begun < options.seconds:
                    contest.run(operation, size)
                else:
                    contest.write(error=f"{operation} of {size} bytes: no time left of {options.seconds} s")
        for side in sides.values():
            side.close()
        contest.write(seconds=round(time.monotonic() - begun, 1))


if __name__ == "__main__":
    main()
