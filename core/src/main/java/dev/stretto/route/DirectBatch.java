package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DriverException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The copies of a batch that the driver makes by itself: those whose host end, if any, is pinned.
 * They go to the driver in parts, so that its launch queue, which holds a limited number per
 * stream, never blocks the caller. Each copy counts as an operation.
 */
public final class DirectBatch {
  private static final int MOST = 64;

  private DirectBatch() {}

  /**
   * Enqueues copies whose resources have been noted by {@link StreamQueue#together}. The list may
   * be changed afterwards.
   *
   * @return the last operation's sequence number
   */
  public static long enqueue(StreamQueue queue, CopyList copies) {
    synchronized (queue.device.lock) {
      List<Arrival> arriving = arriving(queue, copies);
      if (!arriving.isEmpty()) {
        long _ = queue.copyAfter(arriving, null, null, () -> {});
      }
      int most = Math.clamp(queue.handover.backlog() / 4, 2, MOST);
      int parts = (copies.count() + most - 1) / most;
      long sequence = 0;
      for (int i = 0; i < parts; i++) {
        int from = (int) ((long) copies.count() * i / parts);
        int to = (int) ((long) copies.count() * (i + 1) / parts);
        sequence = enqueuePart(queue, parts == 1 ? copies : copies.part(from, to));
      }
      if (bringsToHost(copies)) {
        queue.toHost.brings(sequence);
      }
      return sequence;
    }
  }

  private static boolean bringsToHost(CopyList copies) {
    for (int i = 0; i < copies.count(); i++) {
      if (copies.kind(i) == CopyKind.DEVICE_TO_HOST) {
        return true;
      }
    }
    return false;
  }

  /** The earlier staged copies that have not yet arrived at one of the host ends. */
  private static List<Arrival> arriving(StreamQueue queue, CopyList copies) {
    if (queue.arrivals.isEmpty()) {
      return List.of();
    }
    Set<Arrival> arriving = new LinkedHashSet<>();
    for (int i = 0; i < copies.count(); i++) {
      if (copies.kind(i) != CopyKind.DEVICE_TO_DEVICE) {
        boolean in = copies.kind(i) == CopyKind.HOST_TO_DEVICE;
        arriving.addAll(queue.arrivals.at(in ? copies.src(i) : copies.dst(i), copies.bytes(i)));
      }
    }
    return List.copyOf(arriving);
  }

  private static long enqueuePart(StreamQueue queue, CopyList copies) {
    queue.handover.count(copies.count() - 1);
    if (!queue.handover.isDirect()) {
      long last = queue.handover.begin(null, null);
      CopyList later = copies.part(0, copies.count()); // the caller uses its list for others
      queue.handover.defer(last, true, () -> queue.driver.copyAll(later, queue.handle));
      return last;
    }
    long last = queue.handover.begin(null, null);
    try {
      queue.handover.markCopies();
      queue.driver.copyAll(copies, queue.handle);
    } catch (DriverException e) {
      throw queue.device.raised(e);
    } finally {
      queue.handover.handedOver(last, true);
    }
    return last;
  }
}
