package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.RouteException;
import org.jspecify.annotations.Nullable;

/**
 * Copies between two devices of one driver that are enqueued at once: over a link or by the driver,
 * and small ones through host memory. Larger ones that go through host memory are {@link
 * PeerTransfer}s.
 */
public final class PeerCopies {
  private PeerCopies() {}

  /**
   * Refuses copies between devices on a stream where they would wait for more than anybody asked
   * for.
   *
   * @param queue the stream
   */
  public static void require(StreamQueue queue) {
    if (!queue.deferrable) {
      throw new RouteException(
          "a copy between devices on "
              + queue.describeForeign()
              + " would wait for all work of both devices: use device.stream()");
    }
  }

  /**
   * Enqueues one copy of the driver's between two devices.
   *
   * @param queue a stream of either
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param bytes how many
   * @param link the right that the copy relies on; null if the driver is to stage it
   * @return the operation's sequence number
   */
  public static long enqueue(
      StreamQueue queue,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      long bytes,
      @Nullable PeerLink link) {
    require(queue);
    DriverDevice receiver = to.engine().driver();
    DriverDevice sender = from.engine().driver();
    Engine other = (to.engine() == queue.engine ? from : to).engine();
    synchronized (queue.engine.lock) {
      queue.requireOpen();
      other.requireUsable();
      if (link != null) {
        queue.noteUse(link, queue.issued + 1);
      }
      if (bytes > StreamQueue.SMALL_COPY || !queue.isDirect()) {
        return queue.enqueue(
            to, from, true, () -> submit(queue, receiver, dst, sender, src, bytes, other));
      }
      long sequence = queue.begin(to, from);
      try {
        queue.beforeCopy(true);
        submit(queue, receiver, dst, sender, src, bytes, other);
      } finally {
        queue.copied(sequence, true);
      }
      return sequence;
    }
  }

  private static void submit(
      StreamQueue queue,
      DriverDevice receiver,
      long dst,
      DriverDevice sender,
      long src,
      long bytes,
      Engine other) {
    try {
      queue.driver.copyPeer(dst, receiver, src, sender, bytes, queue.handle);
    } catch (DriverException e) {
      throw queue.engine.raised(e, other);
    }
  }

  /**
   * Enqueues a small copy between devices without access, if that can be done at once: through a
   * small pinned buffer, from one stream to the other.
   *
   * @param queue a stream of either
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param bytes at most {@link StreamQueue#INLINE_BYTES}
   * @return what comes of it, or null if it has to be staged as a large one
   */
  public static @Nullable SmallPeerCopy enqueueInline(
      StreamQueue queue, DeviceBlock to, long dst, DeviceBlock from, long src, long bytes) {
    require(queue);
    Engine engine = queue.engine;
    boolean sends = from.engine() == engine;
    DeviceBlock away = sends ? to : from;
    Engine other = away.engine();
    synchronized (engine.lock) {
      queue.requireOpen();
      other.requireUsable();
      if (!queue.isDirect()) {
        return null;
      }
      StreamQueue companion = queue.companion(other);
      SmallSlot slot = companion.isDirect() ? engine.smallSlots().take() : null;
      if (slot == null) {
        return null;
      }
      long sequence = 0;
      long theirs = 0;
      try {
        sequence = queue.begin(to, from);
        // Each block is noted where it is touched: the other device may outlive this one.
        theirs = companion.begin(away, null);
      } finally {
        if (theirs == 0) {
          engine.smallSlots().giveBack(slot);
          if (sequence > 0) {
            queue.handedOver(sequence, false); // the array was closed this very moment
          }
        }
      }
      engine.smallSlots().used(slot, queue, sequence, companion, theirs);
      PeerOutcome outcome = new PeerOutcome(engine, other);
      SmallPeerCopy copy =
          sends
              ? new SmallPeerCopy(sequence, companion, theirs, outcome)
              : new SmallPeerCopy(sequence, queue, sequence, outcome);
      try {
        if (sends) {
          queue.markCopies();
          copy.submit(queue, sequence, companion, dst, src, slot.address(), bytes);
        } else {
          StreamWaits.makeForAll(companion, queue);
          copy.submit(companion, theirs, queue, dst, src, slot.address(), bytes);
        }
      } finally {
        companion.handedOver(theirs, false);
        if (sends) {
          queue.endsOn(companion, theirs); // before a mark that may stand for this copy
        }
        queue.handedOver(sequence, false);
      }
      return copy;
    }
  }
}
