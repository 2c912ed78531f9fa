package dev.stretto.timeline;

import java.util.Objects;

/**
 * Names what the program does, in the traces and timelines that are being recorded.
 *
 * <pre>{@code
 * try (Trace.Range range = Trace.range("epoch 3")) {
 *   train();
 * }
 * }</pre>
 *
 * <p>Ranges appear in the row of their thread, with the waits and other calls inside. A profiler
 * that listens to NVTX, such as Nsight Systems, gets them too: one that has set {@code
 * NVTX_INJECTION64_PATH}. If nobody listens, a range costs nothing but a look at a variable.
 */
public final class Trace {
  private Trace() {}

  /** A range of the program's time, which ends when it is closed. */
  @FunctionalInterface
  public interface Range extends AutoCloseable {
    /** Ends the range. Closing it again has no further effect. */
    @Override
    void close();
  }

  private static final Range UNHEARD = () -> {};

  /**
   * {@return a range of the calling thread, from now until it is closed} It is meant to be closed
   * by the same thread, before a range that was begun earlier.
   *
   * @param name what the program does in it
   */
  public static Range range(String name) {
    Objects.requireNonNull(name, "name");
    boolean isRecorded = OpenRecordings.any();
    Nvtx profiler = Nvtx.listening();
    return isRecorded || profiler != null
        ? new OpenRange(name, OpenRecordings.all(), profiler)
        : UNHEARD;
  }
}
