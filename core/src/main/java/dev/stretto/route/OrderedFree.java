package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;

/**
 * The free of a block in the order of a stream. The stream waits for the last use of the block on
 * every other stream, for each by an event of its own; the host waits for none of them. Guarded by
 * the driver's lock.
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
   * {@return whether the stream frees the block} It cannot if it is closed, if one of the uses is
   * on a stream of another driver, or if it is a default stream, which cannot be held back, and a
   * use is.
   *
   * @param block nothing uses it any more but what did already
   * @param stream in whose order it is freed
   */
  static boolean enqueue(DeviceBlock block, StreamQueue stream) {
    synchronized (stream.device.lock) {
      if (!stream.handover.accepts()) {
        return false;
      }
      return (block.isUsedOnlyOn(stream.completion) && stream.handover.isDirect())
          ? enqueueAtOnce(block, stream)
          : new OrderedFree(block, stream, block.lastUses()).enqueue();
    }
  }

  /** As a rule: the stream that frees is the only one that used the block. */
  private static boolean enqueueAtOnce(DeviceBlock block, StreamQueue stream) {
    long sequence = stream.handover.begin(null, null);
    boolean reached = false;
    try {
      stream.handover.markCopies();
      reached = true;
      block.freeIn(stream);
    } catch (RuntimeException e) {
      // Of closing the block nothing may be thrown: who awaits the stream is told.
      stream.failures.add(sequence, e);
    }
    stream.handover.handedOverLater(sequence, false);
    return reached;
  }

  private boolean enqueue() {
    synchronized (stream.device.lock) {
      forgetRefused();
      if (!isOrderable()) {
        return false;
      }
      long sequence = stream.handover.begin(null, null);
      try {
        stream.handover.submitOrDefer(sequence, false, () -> submit(sequence));
      } catch (RuntimeException e) {
        // Of closing the block nothing may be thrown: who awaits the stream is told.
        stream.failures.add(sequence, e);
        return over || stream.handover.isPending(sequence);
      }
      return true;
    }
  }

  /**
   * A number that is still to be given out was that of an operation that was refused after its use
   * had been noted: nothing is to be waited for that comes later.
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

  /** It is the stream's turn: now all uses have to be in the driver's hands, too. */
  private void submit(long sequence) {
    List<Resource.Use> heldBack = heldBack();
    if (heldBack.isEmpty()) {
      free();
      return;
    }
    stream.handover.hold(
        "the free of an array whose last use on another stream is held back itself");
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
          free();
        }
      } finally {
        stream.handover.resume(sequence, false);
      }
    }
  }

  private void free() {
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
    block.freeIn(stream);
  }
}
