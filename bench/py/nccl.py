"""One rank of NCCL's collectives, measured on request through torch.distributed: for bench/py/collectives.py.

python3 bench/py/nccl.py RANK COUNT FOLDER: the ranks, a process for each GPU, meet in FOLDER, which is empty at
first. Each takes the same requests, one a line, and answers each with a JSON object a line:

  prepare OPERATION BYTES     allocates memory: all-reduce, broadcast, all-gather or all-to-all
  verify                      runs the operation once, and checks every word
  measure WARM-UPS OPERATIONS when the rank began and ended each operation alone, and the device time of operations
                              that follow each other in rows; every word is checked after them

Sizes are those of nccl-tests. A request that fails is answered with "failed".
"""

import json
import mmap
import os
import pathlib
import sys
import threading
import time

# Answers go to standard output. Whatever a library prints is none, and goes elsewhere.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
# NVLink multicast can put a shared host's GPUs out of service.
os.environ.update(NCCL_NVLS_ENABLE="0", TORCH_SYMM_MEM_DISABLE_MULTICAST="1", NVSHMEM_DISABLE_NVLS="1")

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

ROW = 20  # as nccl-tests times them
POISON = -1


class Ranks:
    """All ranks: they meet by numbers in a file that all of them map, which takes about a microsecond."""

    def __init__(self, rank, count, folder):
        self.rank, self.count = rank, count
        self.meetings = 0
        file = os.open(folder / "meetings", os.O_RDWR | os.O_CREAT)
        os.ftruncate(file, 8 * count)
        self.places = memoryview(mmap.mmap(file, 8 * count)).cast("q")

    def meet(self):
        self.meetings += 1
        self.places[self.rank] = self.meetings
        while min(self.places) < self.meetings:
            pass


class Job:
    """An operation of one size: its memory, with words that are known."""

    def __init__(self, ranks, operation, size):
        self.words = size // 8 // ranks.count * ranks.count
        self.ranks = ranks
        prepare = {
            "all-reduce": self.all_reduce,
            "broadcast": self.broadcast,
            "all-gather": self.all_gather,
            "all-to-all": self.all_to_all,
        }
        self.output = torch.empty(self.words, dtype=torch.int64, device="cuda")
        self.run, self.poison, self.is_right = prepare[operation]()

    def part(self, number):
        length = self.words // self.ranks.count
        return slice(number * length, (number + 1) * length)

    def numbers(self, part=None, of=0):
        """Words of a rank: every rank has others, and no word is there twice."""
        part = part or slice(0, self.words)
        return torch.arange(part.start + (of << 40), part.stop + (of << 40), device="cuda")

    def all_reduce(self):
        """Of 64-bit integers. PyTorch reduces in place, so the words are made anew before what is checked."""

        def poison():
            self.runs = 0
            self.output.copy_(self.numbers(of=self.ranks.rank))

        def run():
            self.runs += 1
            dist.all_reduce(self.output)

        def is_right():
            count = self.ranks.count
            first = self.numbers() * count + ((count * (count - 1) // 2) << 40)
            factor = (count ** (self.runs - 1) + (1 << 63)) % (1 << 64) - (1 << 63)  # sums wrap around
            return torch.equal(self.output, first * factor)

        return run, poison, is_right

    def broadcast(self):
        def poison():
            if self.ranks.rank == 0:
                self.output.copy_(self.numbers())
            else:
                self.output.fill_(POISON)

        return lambda: dist.broadcast(self.output, 0), poison, lambda: torch.equal(self.output, self.numbers())

    def all_gather(self):
        self.input = self.numbers(self.part(self.ranks.rank))
        return (
            lambda: dist.all_gather_into_tensor(self.output, self.input),
            lambda: self.output.fill_(POISON),
            lambda: torch.equal(self.output, self.numbers()),
        )

    def all_to_all(self):
        rank = self.ranks.rank
        self.input = self.numbers(of=rank)
        return (
            lambda: dist.all_to_all_single(self.output, self.input),
            lambda: self.output.fill_(POISON),
            lambda: all(
                torch.equal(self.output[self.part(sender)], self.numbers(self.part(rank), sender))
                for sender in range(self.ranks.count)
            ),
        )

    def check(self):
        torch.cuda.synchronize()
        if not self.is_right():
            raise ValueError(f"wrong words on rank {self.ranks.rank}")

    def verify(self):
        self.poison()
        self.run()
        self.check()
        return {"verified": True}

    def measure(self, warm_ups, operations):
        self.poison()
        torch.cuda.synchronize()
        alone = [self.alone() for _ in range(warm_ups + operations)][warm_ups:]
        rows = [self.row() for _ in range(max(1, operations // ROW))]
        self.check()
        begun, ended = zip(*alone)
        milliseconds, host_milliseconds = zip(*rows)
        return {"begun": begun, "ended": ended, "rows": milliseconds, "rowsByHost": host_milliseconds}

    def alone(self):
        """When it began and ended, in nanoseconds of a clock that all processes share."""
        self.ranks.meet()
        begun = time.monotonic_ns()
        self.run()
        torch.cuda.synchronize()
        return begun, time.monotonic_ns()

    def row(self):
        """The device's milliseconds for an operation, and the host's to enqueue one."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.ranks.meet()
        begun = time.monotonic_ns()
        begin.record()
        for _ in range(ROW):
            self.run()
        end.record()
        enqueued = time.monotonic_ns()
        end.synchronize()
        return begin.elapsed_time(end) / ROW, (enqueued - begun) * 1e-6 / ROW


class Turns:
    def __init__(self, ranks):
        self.ranks = ranks
        self.job = None

    def answer(self, request, *words):
        if request == "prepare":
            operation, size = words
            self.job = None  # frees its memory first
            torch.cuda.empty_cache()
            self.job = Job(self.ranks, operation, int(size))
            versions = f"PyTorch {torch.__version__}, NCCL {'.'.join(map(str, torch.cuda.nccl.version()))}"
            return {
                "operation": operation,
                "devices": self.ranks.count,
                "bytes": 8 * self.job.words,
                "versions": versions,
            }
        if request == "verify":
            return self.job.verify()
        if request == "measure":
            return self.job.measure(*map(int, words))
        raise ValueError(f"no such request: {request}")


def end_with(parent):
    """A rank that waits for another one must not outlive whoever asks."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main():
    rank, count, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    torch.cuda.set_device(rank)
    store = dist.FileStore(str(folder / "store"), count)
    dist.init_process_group(
        "nccl", store=store, rank=rank, world_size=count, device_id=torch.device("cuda", rank)
    )
    turns = Turns(Ranks(rank, count, folder))
    for line in sys.stdin:
        try:
            answer = turns.answer(*line.split())
        except Exception as failure:  # told to whoever asked
            answer = {"failed": f"{type(failure).__name__}: {failure}"[:400]}
        print(json.dumps(answer), file=ANSWERS, flush=True)
    turns.job = None
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
