package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.Volume;
import dev.stretto.fault.RouteException;
import org.jspecify.annotations.Nullable;

/**
 * Copies between two devices of one driver that are enqueued at once: copies over a link or by the
 * driver, and small copies through host memory. Larger copies through host memory are {@link
 * PeerTransfer}s.
 */
public final class PeerCopies {
  /** The largest copy that goes through a small buffer. */
  public static final int SMALL_BYTES = 32 << 10;

  private PeerCopies() {}

  /**
   * {@return whether a copy may go through a small buffer} Short rows count for more than their
   * bytes.
   *
   * @param shape the shape of the copy
   */
  public static boolean isSmall(Volume shape) {
    return cost(shape) <= SMALL_BYTES;
  }

  private static long cost(Volume shape) {
    return shape.isRun()
        ? shape.bytes()
        : shape.rows() * shape.planes() * Math.max(shape.width(), StreamQueue.LEAST_ROW);
  }

  /**
   * Refuses copies between devices on a default stream, where they would wait for unrelated work.
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
   * Enqueues one driver copy between two devices.
   *
   * @param queue a stream of either
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param shape the shape of the copy
   * @param link the access that the copy relies on; null if the driver is to stage it
   * @return the operation's sequence number
   */
  public static long enqueue(
      StreamQueue queue,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      Volume shape,
      @Nullable PeerLink link) {
    require(queue);
    DriverDevice receiver = to.engine().driver();
    DriverDevice sender = from.engine().driver();
    DeviceRuntime other = (to.engine().device() == queue.device ? from : to).engine();
    synchronized (queue.device.lock) {
      queue.handover.requireOpen();
      other.requireUsable();
      if (link != null) {
        queue.handover.noteUse(link, queue.completion.issued() + 1);
      }
      long cost = cost(shape);
      if (cost > StreamQueue.SMALL_COPY || !queue.handover.isDirect()) {
        return queue.handover.enqueue(
            to, from, true, () -> submit(queue, receiver, dst, sender, src, shape, other.device()));
      }
      long sequence = queue.handover.begin(to, from);
      try {
        queue.handover.beforeCopy(true);
        submit(queue, receiver, dst, sender, src, shape, other.device());
      } finally {
        queue.handover.copied(sequence, true, cost);
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
      Volume shape,
      DeviceState other) {
    try {
      submit(queue, receiver, dst, sender, src, shape);
    } catch (DriverException e) {
      throw queue.device.raised(e, other);
    }
  }

  /** Hands a copy between two devices to the driver, which decides its way. */
  static void submit(
      StreamQueue queue,
      DriverDevice receiver,
      long dst,
      DriverDevice sender,
      long src,
      Volume shape) {
    if (shape.isRun()) {
      queue.driver.copyPeer(dst, receiver, src, sender, shape.bytes(), queue.handle);
    } else {
      queue.driver.copyPeer3D(dst, receiver, src, sender, shape, queue.handle);
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
   * @param shape the shape of the copy, which {@link #isSmall}
   * @return the copy, or null if it has to be staged like a large one
   */
  public static @Nullable SmallPeerCopy enqueueInline(
      StreamQueue queue, DeviceBlock to, long dst, DeviceBlock from, long src, Volume shape) {
    require(queue);
    boolean sends = from.engine().device() == queue.device;
    DeviceRuntime engine = (sends ? from : to).engine();
    DeviceBlock away = sends ? to : from;
    DeviceRuntime other = away.engine();
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      other.requireUsable();
      if (!queue.handover.isDirect()) {
        return null;
      }
      StreamQueue companion =
          queue.companion(
              other.device(),
              () ->
                  other
                      .streams()
                      .open(0, StreamName.ofStretto("companion of " + queue.fullTitle())));
      SmallSlot slot =
          companion.handover.isDirect() ? engine.smallSlots().takePinned(shape.bytes()) : null;
      if (slot == null) {
        return null;
      }
      long sequence = 0;
      long theirs = 0;
      try {
        sequence = queue.handover.begin(to, from);
        // Each block is noted on the stream that accesses it: the other device may outlive this
        // one.
        theirs = companion.handover.begin(away, null);
      } finally {
        if (theirs == 0) {
          engine.smallSlots().giveBack(slot);
          if (sequence > 0) {
            queue.handover.handedOver(sequence, false); // the array was closed at this very moment
          }
        }
      }
      engine.smallSlots().used(slot, queue.completion, sequence, companion.completion, theirs);
      Layout rows = Layout.between(shape, SMALL_BYTES);
      PeerOutcome outcome = new PeerOutcome(engine.device(), other.device());
      SmallPeerCopy copy =
          sends
              ? new SmallPeerCopy(sequence, companion, theirs, outcome)
              : new SmallPeerCopy(sequence, queue, sequence, outcome);
      try {
        if (sends) {
          queue.handover.markCopies();
          copy.submit(queue, sequence, companion, dst, src, slot.address(), rows);
        } else {
          StreamWaits.makeForAll(companion, queue);
          copy.submit(companion, theirs, queue, dst, src, slot.address(), rows);
        }
      } finally {
        companion.handover.handedOver(theirs, false);
        if (sends) {
          queue.completion.endsOn(
              companion.completion, theirs); // before a mark that may stand for this copy
        }
        queue.handover.handedOver(sequence, false);
      }
      return copy;
    }
  }
}
