"""What nvidia-smi says of a GPU while figures are measured."""

import os
import subprocess
import threading
import time

# Programs use the first GPU that they may see.
GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
PERIOD_MILLIS = 40
# What a field is called here, and its names: older drivers know only the last one.
FIELDS = {
    "smMHz": ["clocks.sm"],
    "memoryMHz": ["clocks.mem"],
    "watts": ["power.draw.instant", "power.draw"],
    "celsius": ["temperature.gpu"],
    "reasons": ["clocks_event_reasons.active", "clocks_throttle_reasons.active"],
}
# The bits of the reasons for a lower clock, as nvml.h names them.
REASONS = ["idle", "application clocks", "power cap", "hardware slowdown", "sync boost", "software thermal"]
REASONS += ["hardware thermal", "power brake", "display clock"]


def query(fields, *options):
    return ["nvidia-smi", f"--id={GPU}", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", *options]


def ask(*fields):
    """The values of some fields now; None if nvidia-smi or a field is missing."""
    try:
        line = subprocess.run(query(fields), capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return line.strip().split(", ")


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


class GpuState:
    """Reads the state of the GPU all the time, by one process of nvidia-smi that runs along."""

    def __init__(self):
        self.samples = []  # of (when it came, values); nothing but the thread appends
        known = [next((name for name in names if ask(name)), None) for names in FIELDS.values()]
        self.process = None
        if all(known):
            command = query(known, f"--loop-ms={PERIOD_MILLIS}")
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.samples.append((time.monotonic(), dict(zip(FIELDS, line.strip().split(", ")))))

    def since(self, begin):
        """The least and the greatest of each field since a time; if there is no sample yet, of the next one."""
        limit = time.monotonic() + 1
        while self.process and (not self.samples or self.samples[-1][0] < begin) and time.monotonic() < limit:
            time.sleep(0.005)
        chosen = [values for when, values in self.samples if when >= begin]
        self.samples = self.samples[-1:]
        state = {"samples": len(chosen)}
        for field in list(FIELDS)[:-1]:
            found = [value for values in chosen if (value := number(values.get(field, ""))) is not None]
            if found:
                state[field] = [min(found), max(found)]
        bits = 0
        for values in chosen:
            bits |= int(values["reasons"], 16) if values.get("reasons", "").startswith("0x") else 0
        state["reasons"] = [name for bit, name in enumerate(REASONS) if bits >> bit & 1]
        return state

    def close(self):
        if self.process:
            self.process.terminate()
