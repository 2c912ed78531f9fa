"""PyTorch's two attentions, and its product of matrices (cuBLAS), for bench/attention.sh: a JSON line for each shape and implementation.

python3 bench/py/attention.py [--errors] FOLDER: FlashAttention-2 and cuDNN through
scaled_dot_product_attention, 16,384 tokens in a call, heads times head dimension 2,048, medians by CUDA
events. The numbers are the bfloat16 ones that `bench attention --inputs FOLDER` has written. With
--errors the greatest difference to attention in float64, too, of some rows of each head.
"""

import argparse
import json
import math
import pathlib
import statistics

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

TOKENS = 16384
WIDTH = 2048
IMPLEMENTATIONS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}


def milliseconds(call, rounds=7, calls=4):
    """The median of a call's device time."""
    times = []
    for round_ in range(rounds + 2):
        call()
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        if round_ >= 2:
            times.append(begin.elapsed_time(end) / calls)
    return statistics.median(times)


def exact(q, k, v, causal, rows):
    """Some rows of each head in float64."""
    out = []
    for row in rows:
        scores = k.double() @ q[:, :, row].double().unsqueeze(-1) / math.sqrt(q.shape[-1])
        if causal:
            scores[:, :, row + 1 :] = -math.inf
        out.append((scores.softmax(dim=2).transpose(2, 3) @ v.double()).squeeze(2))
    return torch.stack(out, dim=2)


def run(dim, length, causal, kind, inputs, errors):
    shape = (TOKENS // length, WIDTH // dim, length, dim)
    q, k, v = (
        torch.frombuffer(bytearray(numbers), dtype=kind).cuda().view(shape) for numbers in inputs
    )
    rows = [0, 1, 7, length // 3, length // 2 + 5, length - 2, length - 1]
    for name, backend in IMPLEMENTATIONS.items():
        with sdpa_kernel(backend):
            call = lambda: torch.nn.functional.scaled_dot_product_attention(
                q, k, v, is_causal=causal
            )
            time = milliseconds(call)
            work = 4 * TOKENS * length * WIDTH * (0.5 if causal else 1)
            line = {
                "bench": f"attention-d{dim}{'-causal' if causal else ''}-{length // 1024}k",
                "implementation": name,
                "milliseconds": round(time, 6),
                "gigaflopsPerSecond": round(work / time * 1e-6, 1),
            }
            if errors:
                difference = call()[:, :, rows].double() - exact(q, k, v, causal, rows)
                line["error"] = difference.abs().max().item()
            print(json.dumps(line), flush=True)


def product(size):
    a, b = (torch.randn(size, size, device="cuda").bfloat16() for _ in range(2))
    c = torch.empty_like(a)
    time = milliseconds(lambda: torch.matmul(a, b, out=c), calls=8)
    line = {
        "bench": f"product-{size}",
        "implementation": "cublas",
        "milliseconds": round(time, 6),
        "gigaflopsPerSecond": round(2 * size**3 / time * 1e-6, 1),
    }
    print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    inputs = [(arguments.folder / name).read_bytes() for name in "qkv"]
    for dim in (128, 64):
        for causal in (False, True):
            for length in (4096, 8192, 16384):
                run(dim, length, causal, torch.bfloat16, inputs, arguments.errors)
    for size in (4096, 8192):
        product(size)


if __name__ == "__main__":
    main()
