package dev.stretto.enqueue;

import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.observe.WorkKind;
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
            ? Ends.copies(
                on, "a copy between devices", Ends.End.of(source), Ends.End.of(destination))
            : null;
    Observation begin = on.before(WorkKind.PEER, issue);
    C copy =
        issue == null
            ? go(on, to, destination.address(), from, source.address(), source, way)
            : on.enqueue(
                issue,
                () -> go(on, to, destination.address(), from, source.address(), source, way));
    return on.reportedBetween(begin, copy, from, to, source.byteSize());
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
      GlobalArray source,
      @Nullable Way way) {
    long bytes = source.byteSize();
    DeviceRuntime other = (to.engine() == on.engine() ? from : to).engine();
    if (!to.engine().peers().isKin(from.engine())) {
      if (way != null && way != Way.STRANGER_STAGED) {
        throw new RouteException(
            "a copy between %s and %s cannot go %s: they belong to different drivers"
                .formatted(from.engine().name(), to.engine().name(), way));
      }
      OtherDriverTransfer transfer =
          OtherDriverTransfer.enqueue(on.queue(), to, dst, from, src, bytes);
      return on.copied(Way.STRANGER_STAGED, transfer.sequence(), transfer);
    }
    if (way == null || way == Way.PEER) {
      C copy = direct(on, to, dst, from, src, bytes, other);
      if (copy != null) {
        return copy;
      }
      requireNot(way, from, to);
    }
    if (way == Way.PEER_BY_DRIVER) {
      requireNoLink(from, to);
      long sequence = PeerCopies.enqueue(on.queue(), to, dst, from, src, bytes, null);
      return on.copied(
          Way.PEER_BY_DRIVER, sequence, new PeerOutcome(on.queue().device(), other.device()));
    }
    if (way != null && way != Way.PEER_STAGED) {
      throw RouteChecks.impossible(way, "between two devices");
    }
    if (bytes <= PeerCopies.SMALL_BYTES) {
      SmallPeerCopy copy = PeerCopies.enqueueInline(on.queue(), to, dst, from, src, bytes);
      if (copy != null) {
        return on.copied(Way.PEER_STAGED, copy.sequence(), copy);
      }
    }
    PeerTransfer transfer = PeerTransfer.enqueue(on.queue(), to, dst, from, src, bytes);
    return on.copied(Way.PEER_STAGED, transfer.sequence(), transfer);
  }

  /** {@return a copy from device to device, or null if neither has access to the other} */
  private static <C> @Nullable C direct(
      Enqueuer<C> on,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      long bytes,
      DeviceRuntime other) {
    PeerLink link = from.engine().peers().between(to.engine());
    while (link != null) {
      try {
        long sequence = PeerCopies.enqueue(on.queue(), to, dst, from, src, bytes, link);
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
