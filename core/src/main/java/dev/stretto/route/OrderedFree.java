package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;

/**
 * The free of a block in the order of a stream. The stream waits for the last use of the block on
 * every other stream, with one event for each. The host does not wait. Guarded by the driver's
 * lock.
 */
final class OrderedFree {
  private final DeviceBlock block;
  private final StreamQueue stream;
  private final List<Resource.Use> uses;
  private boolean over;

  private OrderedFree(DeviceBlock block, StreamQueue stream, List<Resource.Use> uses) {
    this.block = block;
    this.stream = stream;
    this.uses = uses;
  }

  /**
   * {@return the number of the free on its stream; -1 if the stream does not free the block} It
   * cannot if it is closed, or if one of the uses is on a stream of another driver. Nor can a
   * default stream, which cannot hold operations back, if one of the uses is still held back.
   *
   * @param block the block, which no further operation will use
   * @param stream the stream in whose order it is freed
   */
  static long enqueue(DeviceBlock block, StreamQueue stream) {
    synchronized (stream.device.lock) {
      if (!stream.handover.accepts()) {
        return -1;
      }
      return (block.isUsedOnlyOn(stream.completion) && stream.handover.isDirectUncounted())
          ? enqueueAtOnce(block, stream)
          : new OrderedFree(block, stream, block.lastUses()).enqueue();
    }
  }

  /** The usual case: the stream that frees the block is the only one that used it. */
  private static long enqueueAtOnce(DeviceBlock block, StreamQueue stream) {
    long sequence = stream.handover.begin(null, null);
    stream.handover.changesNoOtherMemory(sequence);
    boolean reached = false;
    try {
      stream.handover.markCopies();
      reached = true;
      block.freeIn(stream, sequence);
    } catch (RuntimeException e) {
      // Closing the block must not throw; threads that await the stream get the failure.
      stream.failures.add(sequence, e);
    }
    stream.handover.handedOverUncountedLater(sequence);
    return reached ? sequence : -1;
  }

  private long enqueue() {
    synchronized (stream.device.lock) {
      forgetRefused();
      if (!isOrderable()) {
        return -1;
      }
      long sequence = stream.handover.begin(null, null);
      stream.handover.changesNoOtherMemory(sequence);
      try {
        stream.handover.submitOrDefer(sequence, false, () -> submit(sequence));
      } catch (RuntimeException e) {
        // Closing the block must not throw; threads that await the stream get the failure.
        stream.failures.add(sequence, e);
        return over || stream.handover.isPending(sequence) ? sequence : -1;
      }
      return sequence;
    }
  }

  /**
   * Forgets uses by refused operations. A number beyond the last one belonged to an operation that
   * was refused after its use was noted; the free must not wait for later operations.
   */
  private void forgetRefused() {
    for (Resource.Use use : uses) {
      if (use.stream.device().lock == stream.device.lock) {
        use.sequence = Math.min(use.sequence, use.stream.issued());
      }
    }
  }

  private boolean isOrderable() {
    for (Resource.Use use : uses) {
      if (use.stream.device().lock != stream.device.lock
          || (!stream.deferrable && !use.stream.isHandedOver(use.sequence))) {
        return false;
      }
    }
    return true;
  }

  /** Frees the block when the stream's turn comes, if the driver has all uses by then. */
  private void submit(long sequence) {
    List<Resource.Use> heldBack = heldBack();
    if (heldBack.isEmpty()) {
      free(sequence);
      return;
    }
    stream.handover.hold(
        "the free of an array whose last use on another stream is itself held back");
    Countdown handedOver = new Countdown(heldBack.size(), () -> goOn(sequence));
    heldBack.forEach(use -> use.stream.whenHandedOver(use.sequence, handedOver));
  }

  private List<Resource.Use> heldBack() {
    List<Resource.Use> heldBack = List.of();
    for (Resource.Use use : uses) {
      if (use.stream != stream.completion && !use.stream.isHandedOver(use.sequence)) {
        heldBack = heldBack.isEmpty() ? new ArrayList<>(1) : heldBack;
        heldBack.add(use);
      }
    }
    return heldBack;
  }

  private void goOn(long sequence) {
    synchronized (stream.device.lock) {
      try {
        if (stream.device.isUsable()) {
          free(sequence);
        }
      } finally {
        stream.handover.resume(sequence, false);
      }
    }
  }

  private void free(long sequence) {
    over = true;
    try {
      for (Resource.Use use : uses) {
        if (use.stream != stream.completion) {
          StreamWaits.make(stream, use.stream, use.sequence);
        }
      }
    } catch (RuntimeException e) {
      stream.failures.add(stream.completion.issued(), e);
      block.releaseLater();
      return;
    }
    block.freeIn(stream, sequence);
  }
}
