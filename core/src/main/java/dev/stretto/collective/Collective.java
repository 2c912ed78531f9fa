package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Route;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.Reports;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Several devices that share arrays: one device sends an array to all, each gets its part, or each
 * sends to each. Everything is done by copies and events; nothing is computed. For sums over
 * devices, use NCCL.
 *
 * <pre>{@code
 * List<Device> devices = Device.openAll("virtual:h200x4");
 * try (Collective all = Collective.of(devices)) {
 *   CollectiveCopy weights = all.broadcast(onTheFirst, onTheOthers);
 *   weights.before(stream);
 *   stream.launch(grid, kernel, onTheFirst);
 * }
 * }</pre>
 *
 * <p>Pass arrays in the order of the devices. They may be slices of larger arrays; the arrays of
 * one call must have elements of the same size. Invalid arguments are reported at the call, before
 * anything is enqueued. If another thread closes an array during the call, the call may throw after
 * some copies were enqueued; those run to their end. Nothing here blocks.
 *
 * <p><em>Order.</em> The copies run on the collective's own streams, one for each ordered pair of
 * devices, on the sender. They wait for the events that are passed to the call, and for nothing
 * else: pass events of the work that wrote the sources or used the destinations before. Later work
 * must wait for the {@link CollectiveCopy}. Calls of one collective are not ordered with each other
 * unless the events of one are passed to another, but they share streams, so a later call may wait
 * for an earlier one.
 *
 * <p><em>Routes.</em> Each copy takes the route that {@link Device#routeTo} reports. To copy
 * directly between devices, enable access first, with {@link Device#enablePeerAccess}; without it
 * copies go through the host, with the same result.
 *
 * <p>Any thread may call. While a {@link CollectiveCopy} is in flight, its arrays, the devices and
 * the collective may be closed.
 */
public final class Collective implements AutoCloseable {
  private static final int WORD = 8;

  private final List<Device> devices;
  private final long chunkBytes;
  private final Arguments arguments;
  private final Lanes lanes;
  private boolean closed;

  private Collective(List<Device> devices, long chunkBytes) {
    this.devices = devices;
    this.chunkBytes = chunkBytes;
    this.arguments = new Arguments(devices);
    arguments.requireUsable();
    this.lanes = new Lanes(devices);
  }

  /**
   * {@return a collective of devices that chooses chunk sizes itself}
   *
   * <p>It opens as many streams on each device as there are devices, and allocates nothing.
   *
   * @param devices one or more; of one driver or of several
   * @throws IllegalArgumentException if there is none, or one is listed twice
   * @throws ClosedException if one is closed
   * @throws dev.stretto.fault.DeviceLostException if one is lost
   */
  public static Collective of(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    return make(devices, 0);
  }

  /**
   * {@return a collective of devices that passes arrays on in chunks of a given size}
   *
   * <p>Only operations whose arrays cross several links, one after the other, use chunks: {@link
   * #broadcast}, {@link #broadcastByTree} and {@link #allGather}.
   *
   * @param devices one or more; of one driver or of several
   * @param chunkBytes of each chunk but the last; a positive multiple of 8
   * @throws IllegalArgumentException if there is no device, one is listed twice, or the size is not
   *     a positive multiple of 8
   * @throws ClosedException if one is closed
   * @throws dev.stretto.fault.DeviceLostException if one is lost
   */
  public static Collective of(List<Device> devices, long chunkBytes) {
    Objects.requireNonNull(devices, "devices");
    if (chunkBytes <= 0 || chunkBytes % WORD != 0) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes: use a positive multiple of " + WORD);
    }
    return make(devices, chunkBytes);
  }

  private static Collective make(List<Device> devices, long chunkBytes) {
    for (Device device : devices) {
      Objects.requireNonNull(device, "an element of devices");
    }
    List<Device> copy = List.copyOf(devices);
    Arguments.requireDistinct(copy);
    return new Collective(copy, chunkBytes);
  }

  /** {@return the devices, in their order} */
  public List<Device> devices() {
    return devices;
  }

  // --- one to all
  // -----------------------------------------------------------------------------------------------------------

  /**
   * Copies an array to all other devices at the rate of one link: each device passes a chunk on to
   * the next device while it receives the chunk that follows. The chain begins at the array's
   * device and follows the order of the devices, continuing from the last to the first.
   *
   * @param root on one of the devices
   * @param others of the same size, one on each other device, in the order of the devices
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes differ or are 0, or an array lies on another
   *     device than it should
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy broadcast(
      GlobalArray root, List<? extends GlobalArray> others, Event... after) {
    Objects.requireNonNull(root, "root");
    Objects.requireNonNull(others, "others");
    Objects.requireNonNull(after, "after");
    return broadcast("broadcast", root, others, devices.size() - 1, p -> p - 1, after);
  }

  /**
   * Copies an array to all other devices in as few steps as possible: in each step, all devices
   * that have it send it to as many others, so eight devices have it after three steps. This suits
   * small arrays: with a chain, the last device would wait for the start of each copy before it. A
   * large array leaves the root several times here, and {@link #broadcast} is faster.
   *
   * @param root on one of the devices
   * @param others of the same size, one on each other device, in the order of the devices
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes differ or are 0, or an array lies on another
   *     device than it should
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy broadcastByTree(
      GlobalArray root, List<? extends GlobalArray> others, Event... after) {
    Objects.requireNonNull(root, "root");
    Objects.requireNonNull(others, "others");
    Objects.requireNonNull(after, "after");
    int steps = Integer.SIZE - Integer.numberOfLeadingZeros(devices.size() - 1);
    return broadcast(
        "broadcast by tree", root, others, steps, p -> p - Integer.highestOneBit(p), after);
  }

  /**
   * A device's place is its distance after the root; {@code parent} gives the place that sends to
   * it.
   */
  private CollectiveCopy broadcast(
      String name,
      GlobalArray root,
      List<? extends GlobalArray> others,
      int links,
      IntUnaryOperator parent,
      Event... after) {
    return enqueue(() -> broadcastLocked(name, root, others, links, parent, after));
  }

  private CollectiveCopy broadcastLocked(
      String name,
      GlobalArray root,
      List<? extends GlobalArray> others,
      int links,
      IntUnaryOperator parent,
      Event[] after) {
    requireUsable();
    int first = arguments.owner("root", root);
    for (GlobalArray other : others) {
      Objects.requireNonNull(other, "an element of others");
    }
    List<GlobalArray> rest = List.copyOf(others);
    arguments.requireOthers("other", rest, first);
    Arguments.requireSame("root", root, "other", rest);
    Chunks chunks = Chunks.over(links, root.byteSize(), chunkBytes);
    int count = devices.size();
    List<GlobalArray> arrays = new ArrayList<>(rest);
    arrays.add(first, root);
    CollectiveRun submission = new CollectiveRun(lanes, Arguments.events(after));
    // Chunk by chunk, so that all links are busy while the host still enqueues the last chunks.
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      Event[] arrived = new Event[count];
      for (int place = 1; place < count; place++) {
        int senderPlace = parent.applyAsInt(place);
        int sender = (first + senderPlace) % count;
        int receiver = (first + place) % count;
        if (senderPlace > 0) {
          submission.waitFor(arrived[senderPlace], sender, receiver);
        }
        submission.copy(
            sender,
            chunks.of(arrays.get(sender), chunk),
            receiver,
            chunks.of(arrays.get(receiver), chunk));
        arrived[place] = submission.arrival(sender, receiver);
      }
    }
    String what =
        "%s of %d bytes from %s to %d others, in chunks of %d"
            .formatted(
                name, root.byteSize(), devices.get(first).name(), count - 1, chunks.chunkBytes());
    return submission.end(devices, what);
  }

  /**
   * Sends each device its part of an array: the first device gets the first part, and so on. All
   * parts are sent at the same time.
   *
   * @param whole on one of the devices: as many consecutive parts as there are devices
   * @param parts equal in size, one on each device, in the order of the devices. The part on the
   *     whole's own device may be the corresponding slice of the whole; then nothing is copied
   *     there
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes do not match or are 0, an array lies on another
   *     device than it should, or a part overlaps the whole elsewhere
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy scatter(
      GlobalArray whole, List<? extends GlobalArray> parts, Event... after) {
    Objects.requireNonNull(whole, "whole");
    Objects.requireNonNull(parts, "parts");
    Objects.requireNonNull(after, "after");
    return enqueue(() -> scatterLocked(whole, parts, after));
  }

  private CollectiveCopy scatterLocked(
      GlobalArray whole, List<? extends GlobalArray> parts, Event[] after) {
    int root = requireWholeAndParts(whole, parts);
    GlobalArray own = parts.get(root);
    boolean inPlace = Arguments.isInPlace("part", own, "whole", whole, part(whole, root));
    CollectiveRun submission = new CollectiveRun(lanes, Arguments.events(after));
    for (int i = 1; i <= devices.size(); i++) {
      int receiver = (root + i) % devices.size();
      if (receiver != root || !inPlace) {
        submission.copy(root, part(whole, receiver), receiver, parts.get(receiver));
      }
    }
    return submission.end(
        devices,
        "scatter of %d bytes from %s to %d devices"
            .formatted(whole.byteSize(), devices.get(root).name(), devices.size()));
  }

  // --- all to one
  // -----------------------------------------------------------------------------------------------------------

  /**
   * Collects a part from each device on one device: first the first device's part, and so on. All
   * parts are sent at the same time.
   *
   * @param parts equal in size, one on each device, in the order of the devices. The part on the
   *     whole's own device may be the corresponding slice of the whole; then nothing is copied
   *     there
   * @param whole on one of the devices: as many consecutive parts as there are devices
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes do not match or are 0, an array lies on another
   *     device than it should, or a part overlaps the whole elsewhere
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy gather(
      List<? extends GlobalArray> parts, GlobalArray whole, Event... after) {
    Objects.requireNonNull(parts, "parts");
    Objects.requireNonNull(whole, "whole");
    Objects.requireNonNull(after, "after");
    return enqueue(() -> gatherLocked(parts, whole, after));
  }

  private CollectiveCopy gatherLocked(
      List<? extends GlobalArray> parts, GlobalArray whole, Event[] after) {
    int root = requireWholeAndParts(whole, parts);
    GlobalArray own = parts.get(root);
    boolean inPlace = Arguments.isInPlace("part", own, "whole", whole, part(whole, root));
    CollectiveRun submission = new CollectiveRun(lanes, Arguments.events(after));
    for (int i = 1; i <= devices.size(); i++) {
      int sender = (root + i) % devices.size();
      if (sender != root || !inPlace) {
        submission.copy(sender, parts.get(sender), root, part(whole, sender));
      }
    }
    return submission.end(
        devices,
        "gather of %d bytes from %d devices to %s"
            .formatted(whole.byteSize(), devices.size(), devices.get(root).name()));
  }

  private int requireWholeAndParts(GlobalArray whole, List<? extends GlobalArray> parts) {
    requireUsable();
    int root = arguments.owner("whole", whole);
    arguments.requireOneEach("part", parts);
    Arguments.requireSame("part 0", parts.getFirst(), "part", parts);
    arguments.requireWhole("part", parts.getFirst(), "whole", whole);
    return root;
  }

  // --- all to all
  // -----------------------------------------------------------------------------------------------------------

  /**
   * Collects the parts of all devices on every device: each device sends its part to the next one
   * round the ring, and then passes on what it receives, until every device has every part. All
   * links of the ring transfer the same amount at the same time, and a chunk is passed on while the
   * next one arrives.
   *
   * @param parts equal in size, one on each device, in the order of the devices. Each may be the
   *     corresponding slice of its device's whole; then nothing is copied there
   * @param wholes one on each device: as many consecutive parts as there are devices
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes do not match or are 0, an array lies on another
   *     device than it should, or a part overlaps its device's whole elsewhere
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy allGather(
      List<? extends GlobalArray> parts, List<? extends GlobalArray> wholes, Event... after) {
    Objects.requireNonNull(parts, "parts");
    Objects.requireNonNull(wholes, "wholes");
    Objects.requireNonNull(after, "after");
    return enqueue(() -> allGatherLocked(parts, wholes, after));
  }

  private CollectiveCopy allGatherLocked(
      List<? extends GlobalArray> parts, List<? extends GlobalArray> wholes, Event[] after) {
    boolean[] inPlace = requirePartsOfWholes(parts, wholes);
    int count = devices.size();
    long bytes = parts.getFirst().byteSize();
    Chunks chunks = Chunks.round(count, bytes, chunkBytes);
    CollectiveRun submission = new CollectiveRun(lanes, Arguments.events(after));
    Event[][] arrived = new Event[count][chunks.count()];
    for (int step = 0; step < count - 1; step++) {
      Event[][] arriving = new Event[count][chunks.count()];
      for (int chunk = 0; chunk < chunks.count(); chunk++) {
        for (int sender = 0; sender < count; sender++) {
          int receiver = (sender + 1) % count;
          int part = (sender - step + count) % count;
          if (step > 0) {
            submission.waitFor(arrived[sender][chunk], sender, receiver);
          }
          GlobalArray source = step == 0 ? parts.get(sender) : part(wholes.get(sender), part);
          GlobalArray destination = part(wholes.get(receiver), part);
          submission.copy(
              sender, chunks.of(source, chunk), receiver, chunks.of(destination, chunk));
          arriving[receiver][chunk] = submission.arrival(sender, receiver);
        }
      }
      arrived = arriving;
    }
    for (int i = 0; i < count; i++) {
      if (!inPlace[i]) {
        submission.copy(i, parts.get(i), i, part(wholes.get(i), i));
      }
    }
    return submission.end(
        devices,
        "all-gather of %d bytes of each of %d devices, in chunks of %d"
            .formatted(bytes, count, chunks.chunkBytes()));
  }

  private boolean[] requirePartsOfWholes(
      List<? extends GlobalArray> parts, List<? extends GlobalArray> wholes) {
    requireUsable();
    arguments.requireOneEach("part", parts);
    arguments.requireOneEach("whole", wholes);
    Arguments.requireSame("part 0", parts.getFirst(), "part", parts);
    boolean[] inPlace = new boolean[devices.size()];
    for (int i = 0; i < inPlace.length; i++) {
      GlobalArray whole = wholes.get(i);
      arguments.requireWhole("part", parts.get(i), "whole " + i, whole);
      inPlace[i] =
          Arguments.isInPlace("part " + i, parts.get(i), "whole " + i, whole, part(whole, i));
    }
    return inPlace;
  }

  /**
   * Sends a part of each device's array to each: part <i>j</i> of device <i>i</i> becomes part
   * <i>i</i> of device <i>j</i>, a transpose. All parts are sent at the same time, each directly
   * from its device to the other.
   *
   * @param sources equal in size, one on each device, in the order of the devices: as many
   *     consecutive parts as there are devices
   * @param destinations of the same size, one on each device; none overlaps the source of its
   *     device
   * @param after the events that the copies wait for
   * @return the copies
   * @throws IllegalArgumentException if the sizes differ, are 0 or cannot be divided by the number
   *     of devices, an array lies on another device than it should, or two overlap
   * @throws ClosedException if the collective, a device or an array is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public CollectiveCopy allToAll(
      List<? extends GlobalArray> sources,
      List<? extends GlobalArray> destinations,
      Event... after) {
    Objects.requireNonNull(sources, "sources");
    Objects.requireNonNull(destinations, "destinations");
    Objects.requireNonNull(after, "after");
    return enqueue(() -> allToAllLocked(sources, destinations, after));
  }

  private CollectiveCopy allToAllLocked(
      List<? extends GlobalArray> sources,
      List<? extends GlobalArray> destinations,
      Event[] after) {
    requireUsable();
    arguments.requireOneEach("source", sources);
    arguments.requireOneEach("destination", destinations);
    GlobalArray first = sources.getFirst();
    Arguments.requireSame("source 0", first, "source", sources);
    Arguments.requireSame("source 0", first, "destination", destinations);
    arguments.requireParts("source 0", first);
    int count = devices.size();
    for (int i = 0; i < count; i++) {
      Arguments.requireApart("source", sources.get(i), "destination", destinations.get(i));
    }
    CollectiveRun submission = new CollectiveRun(lanes, Arguments.events(after));
    // In each round, every device sends one part and receives one.
    for (int round = 1; round <= count; round++) {
      for (int sender = 0; sender < count; sender++) {
        int receiver = (sender + round) % count;
        submission.copy(
            sender,
            part(sources.get(sender), receiver),
            receiver,
            part(destinations.get(receiver), sender));
      }
    }
    return submission.end(
        devices, "all-to-all of %d bytes of each of %d devices".formatted(first.byteSize(), count));
  }

  private GlobalArray part(GlobalArray whole, int number) {
    long length = whole.length() / devices.size();
    return whole.slice(number * length, length);
  }

  // --- the end
  // --------------------------------------------------------------------------------------------------------------

  private void requireUsable() {
    if (closed) {
      throw new ClosedException("the collective is closed: nothing more can be enqueued on it");
    }
    arguments.requireUsable();
  }

  /** Enqueues one collective operation at a time; observers are called with no lock held. */
  private CollectiveCopy enqueue(Supplier<CollectiveCopy> operation) {
    try (Reports _ = Reports.keep()) {
      synchronized (this) {
        return operation.get();
      }
    }
  }

  /** {@return whether the collective is open} */
  public synchronized boolean isOpen() {
    return !closed && devices.stream().allMatch(Device::isOpen);
  }

  /**
   * Closes the collective immediately. Operations in flight run to their end, and can be awaited;
   * its streams are released after that. Does not block, and closes none of the devices. Closing it
   * again has no further effect.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      lanes.close();
    }
  }

  /** {@return the devices, and how many of their ordered pairs would currently take which route} */
  @Override
  public String toString() {
    List<String> names = devices.stream().map(Device::name).toList();
    String all = "collective of " + String.join(", ", names);
    if (!isOpen() || devices.stream().anyMatch(Device::isLost)) {
      return all;
    }
    Map<Route.Kind, Integer> pairs = new EnumMap<>(Route.Kind.class);
    for (Device from : devices) {
      for (Device to : devices) {
        if (!from.equals(to)) {
          pairs.merge(from.routeTo(to).kind(), 1, Integer::sum);
        }
      }
    }
    List<String> ways = new ArrayList<>();
    pairs.forEach((way, count) -> ways.add(count + (count == 1 ? " pair " : " pairs ") + way));
    return ways.isEmpty() ? all : all + "; " + String.join(", ", ways);
  }
}
