"""PyTorch's two attentions, and its product of matrices (cuBLAS), measured on request: for bench/py/turns.py.

python3 bench/py/attention.py FOLDER: takes the requests of `./run bench turns`, one a line, and answers each
with a JSON object a line. The numbers are the bfloat16 ones that `./run bench turns --inputs FOLDER` has
written, or binary16 ones. FlashAttention-2 (fa2) and cuDNN are called by scaled_dot_product_attention, or by PyTorch's
operators below it for windows and packed sequences. PyTorch's call of cuDNN for packed sequences plans anew each
time, for tens of milliseconds, so that only what its kernels take counts there, as CUPTI says. cudnn-jax is cuDNN called by JAX, cudnn-bf16 is cuDNN for the same
numbers as bfloat16, where ours have eight bits. cublas is torch.matmul, torch.bmm or F.linear with gelu behind it,
cublaslt is one call of cuBLASLt with bias and GELU inside.
"""

import contextlib
import json
import math
import os
import pathlib
import sys
import time

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory
BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
# As LaunchRow.java and ProductJob.java have them.
BATCH = 100
ELEMENTS = 1000


def numbers(file, shape, dtype=torch.bfloat16):
    return torch.frombuffer(bytearray(file.read_bytes()), dtype=dtype).cuda().view(shape)


class Attention:
    """BATCHES HEADS TOKENS DIM full|causal [bf16|fp16|fp8] [group=N] [window=N] [packed], as AttentionForm.java has it."""

    def __init__(self, folder, batches, heads, tokens, dim, mask, *form):
        self.batches, self.heads, self.tokens, dim = map(int, (batches, heads, tokens, dim))
        self.causal, self.packed = mask == "causal", "packed" in form
        given = dict(word.split("=") for word in form if "=" in word)
        self.group = int(given.get("group", 1))
        self.window = int(given["window"]) if "window" in given else None
        dtype = torch.float16 if "fp16" in form else torch.bfloat16
        key_heads = self.heads // self.group
        lengths = [self.tokens] * self.batches
        if self.packed:
            lengths = [self.tokens * (2 * (5 * i % self.batches) + 1) // (2 * self.batches) for i in range(self.batches)]
        self.starts = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        for name, of_heads in (("q", self.heads), ("k", key_heads), ("v", key_heads)):
            shape = (self.batches, of_heads, self.tokens, dim)
            setattr(self, name, numbers(folder / name, (self.starts[-1], of_heads, dim) if self.packed else shape, dtype))

    @contextlib.contextmanager
    def calling(self, kernel):
        if kernel == "cudnn-jax":
            yield self.by_jax()
        elif self.packed or (self.window is not None and kernel == "fa2"):
            yield self.below(kernel)
        elif self.window is not None:
            raise ValueError(f"{kernel} has no windows here")
        else:
            with sdpa_kernel(BACKENDS[kernel.removesuffix("-bf16")]):
                more = {"enable_gqa": True} if self.group > 1 else {}
                yield lambda: torch.nn.functional.scaled_dot_product_attention(
                    self.q, self.k, self.v, is_causal=self.causal, **more
                )

    def below(self, kernel):
        """PyTorch's operators for what scaled_dot_product_attention does not take."""
        scale = 1 / math.sqrt(self.q.shape[-1])
        if self.packed:
            starts = torch.tensor(self.starts, dtype=torch.int32, device="cuda")
            longest = max(b - a for a, b in zip(self.starts, self.starts[1:]))
            if kernel == "cudnn":
                operator = torch.ops.aten._cudnn_attention_forward
                return PlannedCall(
                    lambda: operator(
                        self.q, self.k, self.v, None, starts, starts, longest, longest, False, 0.0, self.causal, False,
                        scale=scale,
                    )[0]
                )
            operator = torch.ops.aten._flash_attention_forward
            return lambda: operator(
                self.q, self.k, self.v, starts, starts, longest, longest, 0.0, self.causal, False, scale=scale
            )[0]
        q, k, v = (each.transpose(1, 2) for each in (self.q, self.k, self.v))
        left, right = self.window, 0 if self.causal else -1
        return lambda: torch.ops.aten._flash_attention_forward(
            q, k, v, None, None, self.tokens, self.tokens, 0.0, False, False,
            scale=scale, window_size_left=left, window_size_right=right,
        )[0].transpose(1, 2)

    def by_jax(self):
        import jax  # only where it is asked for: it takes seconds to load

        q, k, v = (jax.dlpack.from_dlpack(each.transpose(1, 2).contiguous()) for each in (self.q, self.k, self.v))
        window = None if self.window is None else (self.window, 0 if self.causal else self.tokens)
        function = jax.jit(
            lambda q, k, v: jax.nn.dot_product_attention(
                q, k, v, is_causal=self.causal, local_window_size=window, implementation="cudnn"
            )
        )
        return JaxCall(lambda: function(q, k, v))

    def rows(self, sequence):
        length = self.starts[sequence + 1] - self.starts[sequence]
        return [0, 1, 7, length // 3, length // 2 + 5, length - 2, length - 1]

    def deviation(self, out):
        if isinstance(out, torch.Tensor) and not self.packed:
            rows = self.rows(0)
            return out[:, :, rows].double() - torch.stack([self.exact(row) for row in rows], dim=2)
        if not self.packed:
            out = torch.from_dlpack(out).transpose(1, 2)
            return self.deviation(out)
        found, exact = [], []
        for sequence in range(self.batches):
            one = Sequence(self, sequence)
            for row in self.rows(sequence):
                found.append(out[self.starts[sequence] + row])
                exact.append(one.exact(row)[0])
        return torch.stack(found).double() - torch.stack(exact)

    def exact(self, row):
        """A row of each head in float64."""
        k, v = (each.repeat_interleave(self.group, dim=1).double() for each in (self.k, self.v))
        scores = k @ self.q[:, :, row].double().unsqueeze(-1) / math.sqrt(self.q.shape[-1])
        if self.causal:
            scores[:, :, row + 1 :] = -math.inf
        if self.window is not None:
            scores[:, :, : max(0, row - self.window)] = -math.inf
        return (scores.softmax(dim=2).transpose(2, 3) @ v).squeeze(2)


class Sequence(Attention):
    """One of several sequences, by itself."""

    def __init__(self, packed, number):
        tokens = slice(packed.starts[number], packed.starts[number + 1])
        self.q, self.k, self.v = (each[tokens].transpose(0, 1).unsqueeze(0) for each in (packed.q, packed.k, packed.v))
        self.causal, self.group, self.window = packed.causal, packed.group, packed.window


class JaxCall:
    """Calls a function of JAX's, which has a stream of its own."""

    def __init__(self, function):
        self.function = function

    def __call__(self):
        return self.function()

    def measure(self, warm_ups, launches):
        """By the host's clock: JAX has no events, and these launches are long enough for it to stay ahead."""
        for _ in range(warm_ups + 1):
            last = self()
        last.block_until_ready()
        begun = time.perf_counter()
        for _ in range(launches):
            last = self()
        enqueued = time.perf_counter()
        last.block_until_ready()
        ended = time.perf_counter()
        return {
            "milliseconds": round(1000 * (ended - begun) / launches, 6),
            "hostMilliseconds": round(1000 * (enqueued - begun) / launches, 6),
        }


class PlannedCall:
    """A call that takes the host longer than the GPU: only its kernels are timed."""

    MOST = 30  # launches of a figure

    def __init__(self, function):
        self.function = function

    def __call__(self):
        return self.function()

    def measure(self, warm_ups, launches):
        launches = min(launches, self.MOST)
        for _ in range(min(warm_ups, self.MOST // 3)):
            self()
        torch.cuda.synchronize()
        begun = time.perf_counter()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
            for _ in range(launches):
                self()
            enqueued = time.perf_counter()
            torch.cuda.synchronize()
        micros = sum(event.device_time for event in profile.events() if event.device_type.name == "CUDA")
        return {
            "milliseconds": round(micros / 1000 / launches, 6),
            "hostMilliseconds": round(1000 * (enqueued - begun) / launches, 6),
            "launches": launches,
        }


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
        if isinstance(call, (JaxCall, PlannedCall)):
            return call.measure(warm_ups, launches)
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
