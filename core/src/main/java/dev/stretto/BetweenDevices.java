package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OtherDriverTransfer;
import dev.stretto.route.Outcome;
import dev.stretto.route.PeerCopies;
import dev.stretto.route.PeerLink;
import dev.stretto.route.PeerOutcome;
import dev.stretto.route.PeerTransfer;
import dev.stretto.route.SmallPeerCopy;
import dev.stretto.route.StreamQueue;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies between two devices. */
final class BetweenDevices {
  static final String NAME = "Memcpy PtoP (Device -> Device)";

  private BetweenDevices() {}

  static Copy copy(
      Stream stream, GlobalArray source, GlobalArray destination, Route.@Nullable Kind way) {
    DeviceBlock from = Device.anyBlock(source);
    DeviceBlock to = Device.anyBlock(destination);
    requireEnd(stream, from, to, source, destination);
    HostEnd.checkSizes(source.byteSize(), destination.byteSize());
    Observers observers = stream.device().observers();
    if (!stream.queue().isDeferrable()) {
      observers.refusedBetweenDevices(stream);
    }
    Observation begin = observers.before(stream, Kind.DEVICE_TO_DEVICE);
    Copy copy = go(stream, to, destination.address(), from, source.address(), source, way);
    if (begin != null) {
      observers.after(
          begin, stream, new Work(Kind.DEVICE_TO_DEVICE, NAME, copy, source.byteSize()));
    }
    return copy;
  }

  static void requireEnd(
      Stream stream,
      DeviceBlock from,
      DeviceBlock to,
      GlobalArray source,
      GlobalArray destination) {
    DeviceRuntime own = stream.device().engine();
    if (from.engine() != own && to.engine() != own) {
      throw new IllegalArgumentException(
          "a copy from %s to %s on %s: use a stream of %s or of %s"
              .formatted(source, destination, stream, from.engine().name(), to.engine().name()));
    }
  }

  static Copy go(
      Stream stream,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      GlobalArray source,
      Route.@Nullable Kind way) {
    long bytes = source.byteSize();
    DeviceRuntime other = (to.engine() == stream.device().engine() ? from : to).engine();
    if (!to.engine().peers().isKin(from.engine())) {
      if (way != null && way != Route.Kind.STRANGER_STAGED) {
        throw new RouteException(
            "a copy between %s and %s cannot go %s: they belong to different drivers"
                .formatted(from.engine().name(), to.engine().name(), way));
      }
      OtherDriverTransfer transfer =
          OtherDriverTransfer.enqueue(stream.queue(), to, dst, from, src, bytes);
      return new Copy(stream, Route.STRANGER_STAGED, transfer.sequence(), transfer);
    }
    if (way == null || way == Route.Kind.PEER) {
      Copy copy = direct(stream, to, dst, from, src, bytes, other);
      if (copy != null) {
        return copy;
      }
      requireNot(way, from, to);
    }
    if (way == Route.Kind.PEER_BY_DRIVER) {
      requireNoLink(from, to);
      long sequence = PeerCopies.enqueue(stream.queue(), to, dst, from, src, bytes, null);
      return new Copy(
          stream,
          Route.PEER_BY_DRIVER,
          sequence,
          new PeerOutcome(stream.queue().device(), other.device()));
    }
    if (way != null && way != Route.Kind.PEER_STAGED) {
      throw RouteChecks.impossible(way, "between two devices");
    }
    if (bytes <= StreamQueue.INLINE_BYTES) {
      SmallPeerCopy copy = PeerCopies.enqueueInline(stream.queue(), to, dst, from, src, bytes);
      if (copy != null) {
        return new Copy(stream, Route.PEER_STAGED, copy.sequence(), copy);
      }
    }
    PeerTransfer transfer = PeerTransfer.enqueue(stream.queue(), to, dst, from, src, bytes);
    return new Copy(stream, Route.PEER_STAGED, transfer.sequence(), transfer);
  }

  /** {@return a copy from device to device, or null if neither has access to the other} */
  private static @Nullable Copy direct(
      Stream stream,
      DeviceBlock to,
      long dst,
      DeviceBlock from,
      long src,
      long bytes,
      DeviceRuntime other) {
    PeerLink link = from.engine().peers().between(to.engine());
    while (link != null) {
      try {
        long sequence = PeerCopies.enqueue(stream.queue(), to, dst, from, src, bytes, link);
        return new Copy(
            stream, Route.PEER, sequence, new PeerOutcome(stream.queue().device(), other.device()));
      } catch (ClosedException e) {
        if (link.isOpen()) {
          throw e; // something else was closed
        }
        // Access was ended this very moment; it may have been enabled several times.
        link = from.engine().peers().between(to.engine());
      }
    }
    return null;
  }

  private static void requireNot(Route.@Nullable Kind way, DeviceBlock from, DeviceBlock to) {
    if (way == Route.Kind.PEER) {
      throw new PeerAccessException(
          "a PEER copy between %s and %s needs access of one to the other: call enablePeerAccess"
              .formatted(from.engine().name(), to.engine().name()));
    }
  }

  private static void requireNoLink(DeviceBlock from, DeviceBlock to) {
    if (from.engine().peers().between(to.engine()) != null) {
      throw new RouteException(
          "the driver does not stage a copy between %s and %s, for one has access to the other: it"
                  .formatted(from.engine().name(), to.engine().name())
              + " would go PEER");
    }
  }

  /** The way that a copy would take now, from one device to another or the same. */
  static Route between(DeviceRuntime from, DeviceRuntime to) {
    if (from.peers().isSame(to)) {
      return Route.LOCAL;
    }
    if (!from.peers().isKin(to)) {
      return Route.STRANGER_STAGED;
    }
    return from.peers().between(to) == null ? Route.PEER_STAGED : Route.PEER;
  }

  /** What a program is told that takes the way of a failed copy for another. */
  static Route route(Route planned, @Nullable Outcome outcome) {
    return outcome instanceof PeerTransfer transfer && transfer.isByDriver()
        ? Route.PEER_WITHOUT_SLOTS
        : planned;
  }
}
