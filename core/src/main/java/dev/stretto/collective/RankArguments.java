package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Checks what a program passes to a communicator, before anything is enqueued. */
final class RankArguments {
  private final Device device;
  private final int rank;
  private final int size;
  private final boolean isNccl;

  /** The memory of windows, which only their own operations use. */
  private final List<GlobalBytes> windows = new CopyOnWriteArrayList<>();

  RankArguments(Device device, int rank, int size, boolean isNccl) {
    this.device = device;
    this.rank = rank;
    this.size = size;
    this.isNccl = isNccl;
  }

  Part send(GlobalArray array, int peer) {
    requireRank(peer);
    return new Part.Send(usable("array to be sent", array), peer);
  }

  Part receive(GlobalArray array, int peer) {
    requireRank(peer);
    return new Part.Receive(usable("array to be received", array), peer);
  }

  Part allReduce(GlobalArray source, GlobalArray destination, Reduction reduction) {
    requireAlike(source, destination);
    requireTimes(source, 1, destination, 1);
    requireSameOrApart(source, destination, 0);
    requireAdded(source);
    return new Part.All(Part.Kind.ALL_REDUCE, source, destination, reduction, 0);
  }

  Part allGather(GlobalArray source, GlobalArray destination) {
    requireAlike(source, destination);
    requireTimes(source, size, destination, 1);
    requireSameOrApart(source, destination, rank * source.byteSize());
    return new Part.All(Part.Kind.ALL_GATHER, source, destination, Reduction.SUM, 0);
  }

  Part reduceScatter(GlobalArray source, GlobalArray destination, Reduction reduction) {
    requireAlike(source, destination);
    requireTimes(source, 1, destination, size);
    requireSameOrApart(destination, source, rank * destination.byteSize());
    requireAdded(source);
    return new Part.All(Part.Kind.REDUCE_SCATTER, source, destination, reduction, 0);
  }

  Part broadcast(GlobalArray array, int root) {
    requireRank(root);
    GlobalArray usable = usable("array", array);
    return new Part.All(Part.Kind.BROADCAST, usable, usable, Reduction.SUM, root);
  }

  Part allToAll(GlobalArray source, GlobalArray destination) {
    requireAlike(source, destination);
    requireTimes(source, 1, destination, 1);
    if (source.length() % size != 0) {
      throw new IllegalArgumentException(
          "%s has no %d equal parts, one for each rank: its length must be a multiple of %d"
              .formatted(source, size, size));
    }
    if (overlap(source, destination)) {
      throw new IllegalArgumentException(
          "%s and %s overlap: an all-to-all needs two arrays".formatted(source, destination));
    }
    return new Part.All(Part.Kind.ALL_TO_ALL, source, destination, Reduction.SUM, 0);
  }

  // --- windows
  // --------------------------------------------------------------------------------------------------

  void keepApart(GlobalBytes window) {
    windows.add(window);
  }

  void forget(GlobalBytes window) {
    windows.removeIf(each -> each == window);
  }

  /** {@return an all-gather within a window} */
  Part gatherWithin(GlobalBytes window, long bytesEach, boolean isRegistered) {
    requireParts(window, bytesEach);
    return new Part.All(
        Part.Kind.ALL_GATHER,
        window.slice(rank * bytesEach, bytesEach),
        window.slice(0, size * bytesEach),
        Reduction.SUM,
        0,
        isRegistered);
  }

  /** {@return an all-to-all from one window to another} */
  Part exchange(GlobalBytes from, GlobalBytes to, long bytesEach, boolean areRegistered) {
    if (from == to) {
      throw new IllegalArgumentException("an all-to-all needs two windows");
    }
    requireParts(from, bytesEach);
    requireParts(to, bytesEach);
    return new Part.All(
        Part.Kind.ALL_TO_ALL,
        from.slice(0, size * bytesEach),
        to.slice(0, size * bytesEach),
        Reduction.SUM,
        0,
        areRegistered);
  }

  private void requireParts(GlobalBytes window, long bytesEach) {
    if (!window.isOpen()) {
      throw new ClosedException("the window of %d bytes is closed".formatted(window.byteSize()));
    }
    if (bytesEach < 1 || bytesEach > window.byteSize() / size) {
      throw new IllegalArgumentException(
          "%d bytes for each of %d ranks: a window of %d bytes has room for 1 to %d each"
              .formatted(bytesEach, size, window.byteSize(), window.byteSize() / size));
    }
  }

  private void requireNoWindow(GlobalArray array) {
    for (GlobalBytes window : windows) {
      if (overlap(window, array)) {
        throw new IllegalArgumentException(
            "%s lies in a window: use the window's own operations, or copy it into another array"
                .formatted(array));
      }
    }
  }

  /** Requires that a rank receives in a group what it sends to itself there. */
  void requirePaired(List<Part> parts) {
    if (parts.size() == 1 && parts.getFirst() instanceof Part.All) {
      return; // the usual case
    }
    List<String> sends = new ArrayList<>();
    List<String> receives = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Send send && send.peer() == rank) {
        sends.add(send.words());
      } else if (part instanceof Part.Receive receive && receive.peer() == rank) {
        receives.add(receive.words());
      }
    }
    if (!sends.equals(receives)) {
      throw new IllegalArgumentException(
          "rank %d sends %s to itself, and receives %s of itself: put both into one group(…)"
              .formatted(rank, sends, receives));
    }
  }

  private void requireRank(int other) {
    if (other < 0 || other >= size) {
      throw new IndexOutOfBoundsException(
          "there is no rank %d: they are 0 to %d".formatted(other, size - 1));
    }
  }

  private GlobalArray usable(String name, GlobalArray array) {
    if (!array.isOpen()) {
      throw new ClosedException("the %s, %s, is closed".formatted(name, array));
    }
    if (!Device.of(array).equals(device)) {
      throw new IllegalArgumentException(
          "the %s, %s, is not on %s, the communicator's device"
              .formatted(name, array, device.name()));
    }
    if (!windows.isEmpty()) {
      requireNoWindow(array);
    }
    return array;
  }

  private void requireAlike(GlobalArray source, GlobalArray destination) {
    if (Element.of(usable("source", source)) != Element.of(usable("destination", destination))) {
      throw new IllegalArgumentException(
          "%s and %s have elements of different types".formatted(source, destination));
    }
  }

  private static void requireTimes(
      GlobalArray source, long timesSource, GlobalArray destination, long timesDestination) {
    if (Math.multiplyExact(source.length(), timesSource)
        != Math.multiplyExact(destination.length(), timesDestination)) {
      throw new IllegalArgumentException(
          "%s and %s do not match: %s times the source must be %s times the destination"
              .formatted(source, destination, timesSource, timesDestination));
    }
  }

  /** Requires that one is the part of the other at an offset, or that they share no byte. */
  private static void requireSameOrApart(GlobalArray part, GlobalArray whole, long offset) {
    if (overlap(part, whole) && part.address() != whole.address() + offset) {
      throw new IllegalArgumentException(
          "%s and %s overlap, and the one does not begin at byte %d of the other"
              .formatted(part, whole, offset));
    }
  }

  private static boolean overlap(GlobalArray a, GlobalArray b) {
    return a.byteSize() > 0
        && b.byteSize() > 0
        && a.address() < b.address() + b.byteSize()
        && b.address() < a.address() + a.byteSize();
  }

  private void requireAdded(GlobalArray array) {
    if (isNccl && !Element.of(array).isAddedByNccl()) {
      throw new IllegalArgumentException(
          "NCCL does not combine %s: use ints, or make the communicator with Transport.TCP"
              .formatted(array));
    }
  }
}
