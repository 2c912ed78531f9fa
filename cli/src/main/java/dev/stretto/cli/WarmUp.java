package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.timeline.Timeline;
import java.util.List;

/**
 * Lets each mode encrypt small chunks before it is measured. What a process needs once is loaded
 * and measured then, and most of the code compiled: otherwise the first mode would pay for all of
 * them, and pictures would show the JVM instead of the copies.
 */
final class WarmUp {
  private static final long CHUNK_BYTES = 64 << 10;

  /** Fewer chunks leave much of the code to the interpreter, which takes a millisecond a chunk. */
  private static final int CHUNKS = 256;

  /** The flow has the most code. */
  private static final int FLOWS = 8;

  private WarmUp() {}

  static void run(Device device, Encryption encryption, List<Mode> modes) {
    // Virtual devices model their time, in which the JVM takes none.
    long chunks = device.isVirtual() ? 1 : CHUNKS;
    try (Work work = new MemoryWork(device, chunks * CHUNK_BYTES, null)) {
      for (Mode mode : modes) {
        int times = mode == Mode.OVERLAP && !device.isVirtual() ? FLOWS : 1;
        for (int i = 0; i < times; i++) {
          work.begin(mode, false);
          run(mode, device, encryption, work);
        }
      }
    }
    encryption.forget();
  }

  private static void run(Mode mode, Device device, Encryption encryption, Work work) {
    ModeRun run =
        mode == Mode.OVERLAP
            ? new Overlapped(device, encryption, CHUNK_BYTES, 0)
            : new StepByStep(device, encryption, mode, CHUNK_BYTES);
    recorded(device, run, work);
    if (mode == Mode.OVERLAP) {
      // The size of chunks is chosen by a measurement, which is kept.
      ModeRun.Shape _ = new Overlapped(device, encryption, 0, 0).run(work, _ -> {});
    }
  }

  /** Does all of the work once, as it is done when it is measured. */
  static void recorded(Device device, ModeRun run, Work work) {
    try (Timeline timeline = Timeline.record(device)) {
      ModeRun.Shape _ = run.run(work, _ -> {});
      int _ = timeline.spans().size();
    }
  }
}
