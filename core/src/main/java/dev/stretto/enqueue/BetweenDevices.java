package dev.stretto.enqueue;

import dev.stretto.driver.Volume;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OtherDriverTransfer;
import dev.stretto.route.Outcome;
import dev.stretto.route.PeerCopies;
import dev.stretto.route.PeerLink;
import dev.stretto.route.PeerOutcome;
import dev.stretto.route.PeerTransfer;
import dev.stretto.route.SmallPeerCopy;
import dev.stretto.route.Way;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies between two devices. */
public final class BetweenDevices {
  /** The name of a copy between devices in a timeline: the one that profilers use. */
  public static final String NAME = "Memcpy PtoP (Device -> Device)";

  private static final String WORDS = "a copy between devices";

  private BetweenDevices() {}

  static <C> C copy(
      Enqueuer<C> on, GlobalArray source, GlobalArray destination, @Nullable Way way) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    requireEnd(on, from, to, source, destination);
    HostEnd.checkSizes(source.byteSize(), destination.byteSize());
    if (!on.queue().isDeferrable()) {
      on.observers().refusedBetweenDevices(on.stream());
    }
    Issue issue =
        on.isOrdered()
            ? Ends.copies(on, WORDS, Ends.End.of(source), Ends.End.of(destination))
            : null;
    return copy(on, issue, source, destination, Volume.run(source.byteSize()), way);
  }

  /** Copies the rows of boxes that have the same extent and lie within their arrays. */
  static <C> C copy(
      Enqueuer<C> on,
      GlobalArray source,
      Footprint read,
      GlobalArray destination,
      Footprint written,
      Volume shape) {
    if (!on.queue().isDeferrable()) {
      on.observers().refusedBetweenDevices(on.stream());
    }
    Issue issue =
        on.isOrdered()
            ? Ends.copies(on, WORDS, Ends.End.of(source, read), Ends.End.of(destination, written))
            : null;
    return copy(on, issue, source, destination, shape, null);
  }

  private static <C> C copy(
      Enqueuer<C> on,
      @Nullable Issue issue,
      GlobalArray source,
      GlobalArray destination,
      Volume shape,
      @Nullable Way way) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    long src = source.address();
    long dst = destination.address();
    Observation begin = on.before(WorkKind.PEER, issue);
    C copy =
        issue == null
            ? go(on, to, dst, from, src, shape, way)
            : on.enqueue(issue, () -> go(on, to, dst, from, src, shape, way));
    return on.reportedBetween(begin, copy, from, to, shape.bytes());
  }

  /**
   * {@return whether a copy is between two devices, one of which is the stream's}
   *
   * @throws IllegalArgumentException if an end lies on another device, and none on the stream's
   */
  static boolean isBetween(Enqueuer<?> on, GlobalArray source, GlobalArray destination) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    if (on.engine().peers().isSame(from.engine()) && on.engine().peers().isSame(to.engine())) {
      return false;
    }
    requireEnd(on, from, to, source, destination);
    return true;
  }

  static void requireEnd(
      Enqueuer<?> on,
      DeviceBlock from,
      DeviceBlock to,
      GlobalArray source,
      GlobalArray destination) {
    DeviceRuntime own = on.engine();
    if (from.engine() != own && to.engine() != own) {
      throw new IllegalArgumentException(
          "a copy from %s to %s on %s: use a stream of %s or of %s"
              .formatted(source, destination, on, from.engine().name(), to.engine().name()));
    }
  }

  static <C> C go(
      Enqueuer<C> on,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      Volume shape,
      @Nullable Way way) {
    DeviceRuntime other = (to.engine() == on.engine() ? from : to).engine();
    if (!to.engine().peers().isKin(from.engine())) {
      if (way != null && way != Way.STRANGER_STAGED) {
        throw new RouteException(
            "a copy between %s and %s cannot go %s: they belong to different drivers"
                .formatted(from.engine().name(), to.engine().name(), way));
      }
      OtherDriverTransfer transfer =
          OtherDriverTransfer.enqueue(on.queue(), to, dst, from, src, shape);
      return on.copied(Way.STRANGER_STAGED, transfer.sequence(), transfer);
    }
    if (way == null || way == Way.PEER) {
      C copy = direct(on, to, dst, from, src, shape, other);
      if (copy != null) {
        return copy;
      }
      requireNot(way, from, to);
    }
    if (way == Way.PEER_BY_DRIVER) {
      requireNoLink(from, to);
      long sequence = PeerCopies.enqueue(on.queue(), to, dst, from, src, shape, null);
      return on.copied(
          Way.PEER_BY_DRIVER, sequence, new PeerOutcome(on.queue().device(), other.device()));
    }
    if (way != null && way != Way.PEER_STAGED) {
      throw RouteChecks.impossible(way, "between two devices");
    }
    if (PeerCopies.isSmall(shape)) {
      SmallPeerCopy copy = PeerCopies.enqueueInline(on.queue(), to, dst, from, src, shape);
      if (copy != null) {
        return on.copied(Way.PEER_STAGED, copy.sequence(), copy);
      }
    }
    PeerTransfer transfer = PeerTransfer.enqueue(on.queue(), to, dst, from, src, shape);
    return on.copied(Way.PEER_STAGED, transfer.sequence(), transfer);
  }

  /** {@return a copy from device to device, or null if neither has access to the other} */
  private static <C> @Nullable C direct(
      Enqueuer<C> on,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      Volume shape,
      DeviceRuntime other) {
    PeerLink link = from.engine().peers().between(to.engine());
    while (link != null) {
      try {
        long sequence = PeerCopies.enqueue(on.queue(), to, dst, from, src, shape, link);
        return on.copied(Way.PEER, sequence, new PeerOutcome(on.queue().device(), other.device()));
      } catch (ClosedException e) {
        if (link.isOpen()) {
          throw e; // another resource was closed
        }
        // Access was ended just now, but it may have been enabled several times.
        link = from.engine().peers().between(to.engine());
      }
    }
    return null;
  }

  private static void requireNot(@Nullable Way way, DeviceBlock from, DeviceBlock to) {
    if (way == Way.PEER) {
      throw new PeerAccessException(
          "a PEER copy between %s and %s needs access from one to the other: call enablePeerAccess"
              .formatted(from.engine().name(), to.engine().name()));
    }
  }

  private static void requireNoLink(DeviceBlock from, DeviceBlock to) {
    if (from.engine().peers().between(to.engine()) != null) {
      throw new RouteException(
          "the driver does not stage a copy between %s and %s, because one has access to the other: it"
                  .formatted(from.engine().name(), to.engine().name())
              + " would go PEER");
    }
  }

  /** The way that a copy would take now, from one device to another or the same. */
  public static Way between(DeviceRuntime from, DeviceRuntime to) {
    if (from.peers().isSame(to)) {
      return Way.LOCAL;
    }
    if (!from.peers().isKin(to)) {
      return Way.STRANGER_STAGED;
    }
    return from.peers().between(to) == null ? Way.PEER_STAGED : Way.PEER;
  }

  /** The way to report for a copy: the planned way, unless the driver staged the copy instead. */
  public static Way way(Way planned, @Nullable Outcome outcome) {
    return outcome instanceof PeerTransfer transfer && transfer.isByDriver()
        ? Way.PEER_WITHOUT_SLOTS
        : planned;
  }
}
