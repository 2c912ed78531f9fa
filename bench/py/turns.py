"""Measures the kernels in Java and PyTorch's in turns, shape by shape: for bench/attention.sh.

python3 bench/py/turns.py [--rounds N] [--seed N] [--millis N] [--rivals NAMES] [--ladder] [--file FILE] [SHAPE…]

Both sides are processes that wait for requests. In each round of a shape both measure once, with the same
number of launches and of warm-up launches; the seed says who begins. Each figure becomes a line of JSON in FILE
at once, with what nvidia-smi said meanwhile. bench/py/ratios.py makes tables of FILE.

  --rounds   7 by default
  --millis   how long the timed launches of a figure take, about, on the slower side: 900 by default, after a third as
             many that do not count. A GPU at its power limit lowers its clocks too far and raises them again within
             some tenths of a second, so shorter figures differ by chance
  --rivals   cudnn,fa2,cublas,cublaslt,cudnn-jax,cudnn-bf16 by default
  --ladder   adds every step of the attention kernels, of 8,192 tokens
  SHAPE      patterns, such as 'attention-d64-*' or 'product-*'
"""

import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from gpu_state import GpuState, ask

TOKENS = 16384  # in a launch
WIDTH = 2048  # heads times numbers of a head
LADDER = ["plain-loads", "double-buffered", "swizzled"]
# Squares, and layers of transformers: M is the number of tokens. Words as in a request.
PRODUCTS = [
    "2048 2048 2048",
    "4096 4096 4096",
    "8192 8192 8192",
    "16384 16384 16384",
    "8192 8192 8192 fp16",
    "1 4096 4096",
    "1 14336 4096 bf16 bias-gelu",
    "16 4096 14336",
    "16 11008 4096 fp16 bias-gelu",
    "128 4096 11008 fp16",
    "128 14336 4096 bf16 bias-gelu",
    "1024 4096 4096",
    "1024 4096 14336 bf16 bias-gelu",
    "4096 14336 4096 bf16 bias-gelu",
    "16384 4096 14336 fp16 bias-gelu",
    "1024 1024 128 bf16 plain 64",
]
# Attention of other forms: numbers of a row, mask, tokens, rivals, and the words of a request.
FORMS = [
    *[
        (dim, mask, tokens, "cudnn", "fp16")
        for dim in (128, 64, 256)
        for mask in ("full", "causal")
        for tokens in (512, 4096, 16384)
    ],
    *[(128, mask, tokens, "cudnn cudnn-jax", "bf16", "group=8") for mask in ("full", "causal") for tokens in (4096, 16384)],
    *[(128, "causal", tokens, "fa2 cudnn-jax", "bf16", f"window={tokens // 8}") for tokens in (4096, 16384)],
    (64, "causal", 8192, "fa2 cudnn-jax", "bf16", "window=512"),
    *[(128, mask, tokens, "cudnn fa2", "bf16", "packed") for mask in ("full", "causal") for tokens in (1024, 4096)],
    *[(128, mask, tokens, "cudnn-bf16", "fp8") for mask in ("full", "causal") for tokens in (2048, 8192, 16384)],
    (64, "full", 16384, "cudnn-bf16", "fp8"),
]
SECONDS = 120  # for one answer
FIRST_LAUNCHES = 4  # of a first measurement: a rival's call may take long
MOST_LAUNCHES = 20000  # of a figure


@dataclasses.dataclass
class Shape:
    name: str
    request: str
    operations: float
    pairs: list


def named(dim, mask, tokens, *form):
    length = str(tokens) if tokens < 1024 else f"{tokens // 1024}k"
    words = [word.replace("=", "") for word in form]
    return "-".join([f"attention-d{dim}"] + ["causal"] * (mask == "causal") + [length] + words)


def attention(dim, mask, tokens, ladder):
    name = named(dim, mask, tokens)
    request = f"prepare attention {TOKENS // tokens} {WIDTH // dim} {tokens} {dim} {mask}"
    operations = 4 * TOKENS * tokens * WIDTH * (0.5 if mask == "causal" else 1)
    pairs = [("warp-groups", "cudnn")] + ([("tuned", "fa2")] if dim <= 128 else [])
    if ladder and dim <= 128 and tokens == 8192:
        pairs += [(step, "fa2") for step in LADDER]
    return Shape(name, request, operations, pairs)


def formed(dim, mask, tokens, rivals, *form):
    """Attention that only the library has: other numbers, grouped heads, windows, packed sequences."""
    batches = TOKENS // tokens
    lengths = [tokens] * batches
    if "packed" in form:
        lengths = [tokens * (2 * (5 * i % batches) + 1) // (2 * batches) for i in range(batches)]
    window = next((int(word.split("=")[1]) for word in form if word.startswith("window=")), None)
    if window is None:
        keys = sum(length * length for length in lengths) * (0.5 if mask == "causal" else 1)
    else:
        # Up to so many before a query's place and, if it sees later keys, all of them.
        keys = batches * sum(min(i, window) + (1 if mask == "causal" else tokens - i) for i in range(tokens))
    request = f"prepare attention {batches} {WIDTH // dim} {tokens} {dim} {mask} {' '.join(form)}"
    pairs = [("chosen", rival) for rival in rivals.split()]
    return Shape(named(dim, mask, tokens, *form), request, 4 * keys * WIDTH, pairs)


def product(m, n, k, form="bf16", epilogue="plain", count="1"):
    size = m if m == n == k else f"{m}x{n}x{k}"
    name = "-".join(["product", size] + [word for word in (form, epilogue) if word not in ("bf16", "plain")])
    operations = 2 * int(m) * int(n) * int(k) * int(count)
    pairs = [("chosen", "cublas")] + ([("chosen", "cublaslt")] if epilogue != "plain" and count == "1" else [])
    request = f"prepare product {m} {n} {k} {form} {epilogue} {count}"
    return Shape(name if count == "1" else f"{name}-{count}-times", request, operations, pairs)


def shapes(ladder):
    for dim in (128, 64, 256):
        for mask in ("full", "causal"):
            for tokens in (512, 1024, 2048, 4096, 8192, 16384):
                yield attention(dim, mask, tokens, ladder)
    for dim, mask, tokens, rivals, *form in FORMS:
        yield formed(dim, mask, tokens, rivals, *form)
    for words in PRODUCTS:
        yield product(*words.split())


class Side:
    """A process that answers each request with a line of JSON."""

    def __init__(self, *command, seconds=SECONDS):
        # CUDA then counts GPUs as nvidia-smi does.
        environment = {**os.environ, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
        self.seconds = seconds  # for one answer
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, request):
        self.send(request)
        return self.answer(request)

    def send(self, request):
        try:
            print(request, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # it has ended: there will be no answer either

    def answer(self, request):
        watchdog = threading.Timer(self.seconds, self.process.kill)
        watchdog.start()
        try:
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line:
            raise SystemExit(f"{self.process.args[0]} has ended, or took {self.seconds} s for: {request}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(self.seconds)


class Contest:
    def __init__(self, sides, state, file, options):
        self.sides, self.state, self.file, self.options = sides, state, file, options
        self.random = random.Random(options.seed)

    def write(self, **line):
        print(json.dumps(line), file=self.file, flush=True)

    def run(self, shape):
        # Ours writes the numbers that theirs reads.
        prepared = [side.ask(shape.request) for side in self.sides]
        self.write(bench=shape.name, operations=shape.operations, prepared=prepared)
        checked = {}
        for pair in shape.pairs:
            for side, kernel in zip(self.sides, pair):
                if kernel not in checked:
                    checked[kernel] = side.ask(f"error {kernel}")
                    self.write(bench=shape.name, kernel=kernel, **checked[kernel])
            if not any("failed" in checked[kernel] for kernel in pair):
                self.take_turns(shape, pair)

    def take_turns(self, shape, pair):
        # Warms up both processes, too.
        launches = FIRST_LAUNCHES
        for millis in (self.options.millis / 9, self.options.millis):
            answers = [side.ask(f"measure {kernel} {launches} {launches}") for side, kernel in zip(self.sides, pair)]
            for kernel, answer in zip(pair, answers):
                if "failed" in answer:
                    self.write(bench=shape.name, kernel=kernel, **answer)
                    return
            slower = max(answer["milliseconds"] for answer in answers)
            launches = min(MOST_LAUNCHES, max(FIRST_LAUNCHES, round(millis / slower)))
        orders = ([(0, 1), (1, 0)] * self.options.rounds)[: self.options.rounds]
        self.random.shuffle(orders)
        for round_, order in enumerate(orders, 1):
            for place, side in enumerate(order):
                where = {"pair": "/".join(pair), "kernel": pair[side], "side": side, "round": round_, "place": place}
                counts = {"warmUps": launches // 3, "launches": launches}
                begin = time.monotonic()
                figure = self.sides[side].ask(f"measure {pair[side]} {launches // 3} {launches}")
                # A rival that takes the host long tells how many launches it has measured instead.
                self.write(bench=shape.name, **{**where, **counts, **figure}, gpu=self.state.since(begin))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--millis", type=int, default=900)
    parser.add_argument("--rivals", default="cudnn,fa2,cublas,cublaslt,cudnn-jax,cudnn-bf16")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--file", type=pathlib.Path, default="attention.jsonl")
    parser.add_argument("shapes", nargs="*", default=["*"])
    options = parser.parse_args()
    kit = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder, open(options.file, "w", encoding="utf-8") as file:
        ours = Side(str(kit / "run"), "bench", "turns", "--inputs", folder)
        theirs = Side(sys.executable, str(kit / "bench/py/attention.py"), folder)
        state = GpuState()
        contest = Contest((ours, theirs), state, file, options)
        name, driver = ask("name", "driver_version") or ("no nvidia-smi", "unknown")
        machine = f"{name}, driver {driver}, {os.cpu_count()} cores"
        contest.write(machine=machine, rounds=options.rounds, seed=options.seed)
        for shape in shapes(options.ladder):
            shape.pairs = [pair for pair in shape.pairs if pair[1] in options.rivals.split(",")]
            if shape.pairs and any(fnmatch.fnmatch(shape.name, pattern) for pattern in options.shapes):
                contest.run(shape)
        ours.close()
        theirs.close()
        state.close()


if __name__ == "__main__":
    main()
