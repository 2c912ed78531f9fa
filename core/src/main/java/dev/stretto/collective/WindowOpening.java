package dev.stretto.collective;

import dev.stretto.Stream;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.fault.OutOfDeviceMemoryException;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All ranks open a window: each takes its memory, tells the others, and makes it known to them if
 * all have got theirs. Else a rank that waits would wait for one that has failed.
 */
final class WindowOpening {
  private final Communicator ranks;
  private final Mesh mesh;
  private final long bytes;
  private @Nullable WindowMemory memory;
  private @Nullable RuntimeException trouble;

  WindowOpening(Communicator ranks, Mesh mesh, long bytes) {
    this.ranks = ranks;
    this.mesh = mesh;
    this.bytes = bytes;
  }

  /** Takes this rank's memory. If there is too little, {@link #await} says so, on all ranks. */
  void take(LongFunction<WindowMemory> taking) {
    try {
      memory = taking.apply(bytes);
    } catch (RuntimeException e) {
      trouble = e;
    }
  }

  /** {@return the window, when all ranks have theirs} */
  Window await() {
    boolean done = false;
    try {
      requireAll();
      WindowMemory taken = Objects.requireNonNull(memory);
      boolean isKnown = isKnown(taken);
      Window window = new Window(ranks, taken.array(), isKnown);
      done = true;
      return window;
    } finally {
      if (!done && memory != null) {
        memory.giveBack();
      }
    }
  }

  private boolean isKnown(WindowMemory taken) {
    try {
      return taken.awaitKnown();
    } catch (RuntimeException e) {
      mesh.fail(e); // the others wait for this rank
      throw e;
    }
  }

  private void requireAll() {
    Agreement agreement = new Agreement(mesh, "awaitWindow of " + bytes + " bytes", memory != null);
    try (Stream stream = ranks.device().stream()) {
      ranks.step(stream, agreement).await();
    } catch (RuntimeException e) {
      mesh.fail(e);
      throw e;
    }
    if (trouble != null) {
      throw trouble;
    }
    if (agreement.lacking() >= 0) {
      throw new OutOfDeviceMemoryException(
          "rank %d has not got the %d bytes of its window, so no rank has one; its own exception says why"
              .formatted(agreement.lacking(), bytes));
    }
  }
}
