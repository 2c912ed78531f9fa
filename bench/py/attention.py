"""PyTorch's two attentions, and its product of matrices (cuBLAS), measured on request: for bench/py/turns.py.

python3 bench/py/attention.py FOLDER: takes the requests of `./run bench turns`, one a line, and answers each
with a JSON object a line. The numbers are the bfloat16 ones that `./run bench turns --inputs FOLDER` has
written, or binary16 ones. FlashAttention-2 (fa2) and cuDNN are called by scaled_dot_product_attention; cublas is
torch.matmul, torch.bmm or F.linear with gelu behind it, cublaslt is one call of cuBLASLt with bias and GELU inside.
"""

import contextlib
import json
import math
import pathlib
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
# As LaunchRow.java and ProductJob.java have them.
BATCH = 100
ELEMENTS = 1000


def numbers(file, shape, dtype=torch.bfloat16):
    return torch.frombuffer(bytearray(file.read_bytes()), dtype=dtype).cuda().view(shape)


class Attention:
    def __init__(self, folder, batches, heads, tokens, dim, mask):
        shape = tuple(map(int, (batches, heads, tokens, dim)))
        self.q, self.k, self.v = (numbers(folder / name, shape) for name in "qkv")
        self.causal = mask == "causal"

    @contextlib.contextmanager
    def calling(self, kernel):
        with sdpa_kernel(BACKENDS[kernel]):
            yield lambda: torch.nn.functional.scaled_dot_product_attention(
                self.q, self.k, self.v, is_causal=self.causal
            )

    def deviation(self, out):
        length = out.shape[2]
        rows = [0, 1, 7, length // 3, length // 2 + 5, length - 2, length - 1]
        return out[:, :, rows].double() - torch.stack([self.exact(row) for row in rows], dim=2)

    def exact(self, row):
        """A row of each head in float64."""
        scores = self.k.double() @ self.q[:, :, row].double().unsqueeze(-1) / math.sqrt(self.q.shape[-1])
        if self.causal:
            scores[:, :, row + 1 :] = -math.inf
        return (scores.softmax(dim=2).transpose(2, 3) @ self.v.double()).squeeze(2)


class Product:
    """C = A B, or with bias-gelu a layer: gelu(A W^T + bias), with W as n rows of k."""

    def __init__(self, folder, m, n, k, form="bf16", epilogue="plain", count="1"):
        m, n, k, self.count = map(int, (m, n, k, count))
        dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}[form]
        self.layer = {"plain": False, "bias-gelu": True}[epilogue]
        self.a = numbers(folder / "a", (self.count, m, k), dtype)
        self.b = numbers(folder / "b", (self.count, n, k) if self.layer else (self.count, k, n), dtype)
        self.bias = numbers(folder / "bias", (n,), dtype)
        self.c = torch.empty((self.count, m, n), dtype=dtype, device="cuda")

    @contextlib.contextmanager
    def calling(self, kernel):
        if kernel == "cublas":
            yield self.cublas()
        elif kernel == "cublaslt" and self.layer and self.count == 1:
            a, w, bias = self.a[0], self.b[0].T, self.bias
            yield lambda: torch._addmm_activation(bias, a, w, use_gelu=True)  # the only way to its epilogue
        else:
            raise ValueError(f"no such kernel of the product: {kernel}")

    def cublas(self):
        if self.count > 1 and self.layer:
            w, bias = self.b.transpose(1, 2), self.bias
            return lambda: torch.nn.functional.gelu(torch.bmm(self.a, w) + bias, approximate="tanh")
        if self.count > 1:
            return lambda: torch.bmm(self.a, self.b, out=self.c)
        a, b, c = self.a[0], self.b[0], self.c[0]
        if self.layer:
            linear, gelu = torch.nn.functional.linear, torch.nn.functional.gelu
            return lambda: gelu(linear(a, b, self.bias), approximate="tanh")
        return lambda: torch.matmul(a, b, out=c)

    def deviation(self, out):
        out = out.view(self.c.shape)
        places = torch.arange(ELEMENTS, device="cuda")
        matrices, rows, columns = places % self.count, places * 37 % out.shape[1], places * 101 % out.shape[2]
        right = self.b[matrices, columns] if self.layer else self.b[matrices, :, columns]
        exact = (self.a[matrices, rows].double() * right.double()).sum(dim=1)
        if self.layer:
            exact = torch.nn.functional.gelu(exact + self.bias[columns].double(), approximate="tanh")
        return out[matrices, rows, columns].double() - exact


class LaunchRow:
    """Launches that follow each other without a gap; the host is never more than two batches ahead."""

    def __init__(self, call):
        self.call = call
        self.host_seconds = 0
        self.batch_before = torch.cuda.Event()

    def enqueue(self, count):
        for first in range(0, count, BATCH):
            begun = time.perf_counter()
            for _ in range(first, min(count, first + BATCH)):
                self.call()
            batch = torch.cuda.Event()
            batch.record()
            self.host_seconds += time.perf_counter() - begun
            self.batch_before.synchronize()
            self.batch_before = batch


def measure(job, kernel, warm_ups, launches):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with job.calling(kernel) as call:
        row = LaunchRow(call)
        row.enqueue(warm_ups)
        begin.record()
        row.enqueue(launches)
        end.record()
        end.synchronize()
    return {
        "milliseconds": round(begin.elapsed_time(end) / launches, 6),
        "hostMilliseconds": round(1000 * row.host_seconds / (warm_ups + launches), 6),
    }


class Turns:
    def __init__(self, folder):
        self.folder = folder
        self.job = None

    def answer(self, request, *words):
        if request == "prepare":
            kind, *sizes = words
            self.job = None  # frees its memory first
            self.job = {"attention": Attention, "product": Product}[kind](self.folder, *sizes)
            versions = f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}"
            return {"prepared": " ".join((request, *words)), "versions": versions}
        if request == "error":
            with self.job.calling(words[0]) as call:
                return {"error": self.job.deviation(call()).abs().max().item()}
        if request == "measure":
            return measure(self.job, words[0], int(words[1]), int(words[2]))
        raise ValueError(f"no such request: {request}")


def main():
    turns = Turns(pathlib.Path(sys.argv[1]))
    for line in sys.stdin:
        try:
            answer = turns.answer(*line.split())
        except Exception as failure:  # told to whoever asked
            answer = {"failed": f"{type(failure).__name__}: {failure}"[:400]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
