package dev.stretto.enqueue;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.Volume;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Counts;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.DirectBatch;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PeerCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.Reports;
import dev.stretto.route.Resource;
import dev.stretto.route.SmallCopies;
import dev.stretto.route.SmallSlot;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues a batch: first decides the way of every copy and refuses invalid ones, then enqueues all
 * copies in one go. Copies that need no staging go to the driver together.
 */
public final class BatchCopies<C> {
  /**
   * The most operations that one copy takes, including the two events for each possible observer.
   */
  private static final int OPERATIONS = 6;

  private final Enqueuer<C> on;
  private final StreamQueue queue;
  private final int count;

  /** The copies that are enqueued, unless all are alike. */
  private @Nullable List<@Nullable C> copies;

  /** The copies if all go to the driver together and take the same way. */
  private @Nullable List<C> alike;

  private final BatchOverlaps overlaps;
  private final List<Resource> used = new ArrayList<>();
  private final Set<DeviceRuntime> others = new LinkedHashSet<>();

  private final @Nullable BatchOrder order;
  private final BatchTables tables;
  private final CopyList direct;
  private final int[] directCopies;

  /** Reads sources during the call, after all checks have passed. */
  private final List<Runnable> firstReads = new ArrayList<>();

  /** Whether there are small sources, which are read then. */
  private boolean hasSmall;

  /**
   * The action that enqueues a copy alone, for each copy that does not go to the driver with
   * others; null if all do.
   */
  private @Nullable Supplier<C> @Nullable [] single;

  /**
   * Begins a batch.
   *
   * @param count how many copies it will have
   */
  public BatchCopies(Enqueuer<C> on, int count) {
    this.on = on;
    this.queue = on.queue();
    this.count = count;
    this.order = on.isOrdered() ? new BatchOrder(count) : null;
    this.tables = BatchTables.take(count);
    this.overlaps = new BatchOverlaps(tables.flat);
    this.direct = tables.direct;
    this.directCopies = tables.directCopies;
  }

  /** The action that enqueues a copy alone. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of a generic type
  private void single(int copy, Supplier<C> way) {
    if (single == null) {
      single = new Supplier[count];
    }
    single[copy] = way;
  }

  /**
   * A batch that was enqueued.
   *
   * @param copies in the order of the batch
   * @param areOne whether they are one operation, so that they fail together
   * @param last the number of its last operation
   */
  public record Enqueued<C>(List<C> copies, boolean areOne, long last) {}

  /** Enqueues all planned copies. */
  public Enqueued<C> enqueue() {
    overlaps.refuse();
    if (order != null) {
      order.begin(on, direct, directCopies);
    }
    try {
      firstReads.forEach(Runnable::run);
      forSmall(Small::read);
      int most = OPERATIONS * count + OPERATIONS;
      try (Reports _ = Reports.keep()) {
        long last = queue.together(used, most, this::enqueueAll);
        tables.giveBack();
        Enqueued<C> enqueued =
            alike == null
                ? new Enqueued<>(List.copyOf(all()), false, last)
                : new Enqueued<>(alike, true, last);
        if (order != null) {
          order.enqueued(on.form(), enqueued.copies);
        }
        return enqueued;
      }
    } finally {
      if (order != null) {
        order.end();
      }
      forSmall(Small::giveBack);
    }
  }

  private void forSmall(Consumer<Small> action) {
    @Nullable Supplier<C>[] alone = single;
    if (!hasSmall || alone == null) {
      return;
    }
    for (Supplier<C> each : alone) {
      if (each instanceof BatchCopies<C>.Small small) {
        action.accept(small);
      }
    }
  }

  private List<@Nullable C> all() {
    if (copies == null) {
      copies = new ArrayList<>(Collections.nCopies(count, null));
    }
    return copies;
  }

  // --- planning
  // -----------------------------------------------------------------------------------------------------

  /** Plans copy {@code copy}: host memory to the stream's device. */
  public void toDevice(
      int copy, MemorySegment source, GlobalArray destination, SourceReading reading) {
    plan(copy, Direction.TO_DEVICE, source, destination, reading);
  }

  /** Plans copy {@code copy}: the stream's device to host memory. */
  public void toHost(
      int copy, GlobalArray source, MemorySegment destination, SourceReading reading) {
    plan(copy, Direction.TO_HOST, destination, source, reading);
  }

  /** Notes a resource that a copy uses; usually the copy before it uses the same. */
  private void uses(Resource resource) {
    int count = used.size();
    boolean noted =
        (count > 0 && resource.equals(used.get(count - 1)))
            || (count > 1 && resource.equals(used.get(count - 2)));
    if (!noted) {
      used.add(resource);
    }
  }

  private void plan(
      int copy, Direction direction, MemorySegment host, GlobalArray array, SourceReading reading) {
    boolean toDevice = direction == Direction.TO_DEVICE;
    DeviceBlock block = on.block(array);
    long address = array.address();
    long bytes = array.byteSize();
    PinnedBlock pinned = HostCopies.checked(direction, on, host, bytes);
    uses(block);
    if (order != null) {
      Ends.End hostEnd = Ends.End.of(host);
      Ends.End arrayEnd = Ends.End.of(array);
      order.copies(copy, toDevice ? hostEnd : arrayEnd, toDevice ? arrayEnd : hostEnd);
    }
    if (toDevice) {
      overlaps.reads(copy, host);
      overlaps.writes(copy, address, bytes);
    } else {
      overlaps.reads(copy, address, bytes);
      overlaps.writes(copy, host);
    }
    if (reading == SourceReading.DURING_CALL) {
      SourceReads.requireReadable(on, host);
      firstReads.add(() -> readNow(copy, host, block, address));
    } else if (pinned != null) {
      uses(pinned);
      boolean anyTime = reading == SourceReading.ANY;
      if (toDevice) {
        addDirect(copy, address, host.address(), bytes, direction.kind(), anyTime);
      } else {
        addDirect(copy, host.address(), address, bytes, direction.kind(), anyTime);
      }
    } else {
      Transfer.require(on.engine(), queue);
      boolean small = toDevice && bytes <= StreamQueue.INLINE_BYTES;
      if (!small || OrdinaryCopies.mayStillBeWritten(on.engine(), queue, host)) {
        HostEnd.requireShared(host);
      }
      if (small) {
        single(copy, new Small(host, block, address));
        hasSmall = true;
      } else {
        single(
            copy,
            () ->
                observed(
                    direction,
                    host,
                    () -> HostCopies.go(direction, on, host, block, address, null, null)));
      }
    }
  }

  /**
   * A copy of a small source, which is read before anything is enqueued, so that the program's
   * memory is not accessed with the lock held.
   */
  private final class Small implements Supplier<C> {
    private final MemorySegment host;
    private final DeviceBlock block;
    private final long address;

    /** The small buffer that was filled but is not used yet. */
    private @Nullable SmallSlot slot;

    /** The source's bytes, if there was no small buffer and other threads cannot read them. */
    private @Nullable MemorySegment aside;

    Small(MemorySegment host, DeviceBlock block, long address) {
      this.host = host;
      this.block = block;
      this.address = address;
    }

    void read() {
      slot = SmallCopies.readIntoSlot(on.engine(), queue, host);
      if (slot == null
          && !HostEnd.isShared(host)
          && !OrdinaryCopies.mayStillBeWritten(on.engine(), queue, host)) {
        aside = SmallCopies.readNow(queue, host);
      }
    }

    @Override
    public C get() {
      Observation begin = on.before(Direction.TO_DEVICE.observed());
      return on.reported(begin, enqueue(), Direction.TO_DEVICE, host.byteSize(), host, false);
    }

    private C enqueue() {
      SmallSlot filled = slot;
      if (filled != null) {
        slot = null;
        long sequence = SmallCopies.enqueueInline(on.engine(), queue, block, address, host, filled);
        return sequence >= 0
            ? on.copied(Way.INLINE, sequence, null)
            : staged(host, filled, block, address);
      }
      MemorySegment read = aside;
      return read == null
          ? staged(host, block, address, Way.STAGED)
          : staged(read, block, address, Way.ASIDE);
    }

    void giveBack() {
      SmallSlot unused = slot;
      if (unused != null) {
        slot = null;
        SmallCopies.giveBack(on.engine(), unused);
      }
    }
  }

  /**
   * Stages a copy instead, if others have enqueued meanwhile, or if copies of the batch hold the
   * stream back.
   */
  private C staged(MemorySegment host, SmallSlot read, DeviceBlock block, long address) {
    return HostEnd.isShared(host)
        ? staged(host, block, address, Way.STAGED)
        : staged(read.bytes(host.byteSize()), block, address, Way.ASIDE);
  }

  private C staged(MemorySegment host, DeviceBlock block, long address, Way way) {
    return HostCopies.staged(Direction.TO_DEVICE, on, host, block, address, way);
  }

  /** Plans copy {@code copy}: within a device, or between two. */
  public void onDevices(
      int copy, GlobalArray source, GlobalArray destination, SourceReading reading) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    long src = source.address();
    long dst = destination.address();
    long bytes = source.byteSize();
    HostEnd.checkSizes(bytes, destination.byteSize());
    uses(from);
    uses(to);
    if (order != null) {
      order.copies(copy, Ends.End.of(source), Ends.End.of(destination));
    }
    overlaps.reads(copy, src, bytes);
    overlaps.writes(copy, dst, bytes);
    DeviceRuntime own = on.engine();
    if (own.peers().isSame(from.engine()) && own.peers().isSame(to.engine())) {
      boolean anyTime = reading == SourceReading.ANY;
      addDirect(copy, dst, src, bytes, CopyKind.DEVICE_TO_DEVICE, anyTime);
      return;
    }
    BetweenDevices.requireEnd(on, from, to, source, destination);
    if (!to.engine().peers().isKin(from.engine())) {
      throw new RouteException(
          "copy %d of a batch is between %s and %s, which belong to different drivers: enqueue it"
                  .formatted(copy, from.engine().name(), to.engine().name())
              + " alone");
    }
    PeerCopies.require(queue);
    Volume shape = Volume.run(bytes);
    others.add((to.engine() == own ? from : to).engine());
    single(
        copy,
        () ->
            observed(
                from, to, bytes, () -> BetweenDevices.go(on, to, dst, from, src, shape, null)));
  }

  /** Plans copy {@code copy}: host memory to host memory. */
  public void onHost(
      int copy, MemorySegment source, MemorySegment destination, SourceReading reading) {
    HostCopies.checkOnHost(source, destination);
    queue.requireHostCopies();
    if (order != null) {
      order.copies(copy, Ends.End.of(source), Ends.End.of(destination));
    }
    overlaps.reads(copy, source);
    overlaps.writes(copy, destination);
    if (reading == SourceReading.DURING_CALL) {
      SourceReads.requireReadable(on, source);
      firstReads.add(
          () -> {
            MemorySegment aside = SmallCopies.readNow(queue, source);
            single(copy, () -> onHost(aside, destination));
          });
    } else {
      single(copy, () -> onHost(source, destination));
    }
  }

  private C observed(Direction direction, MemorySegment host, Supplier<C> way) {
    Observation begin = on.before(direction.observed());
    return on.reported(begin, way.get(), direction, host.byteSize(), host, false);
  }

  private C observed(DeviceBlock from, DeviceBlock to, long bytes, Supplier<C> way) {
    Observation begin = on.before(WorkKind.PEER);
    return on.reportedBetween(begin, way.get(), from, to, bytes);
  }

  private C onHost(MemorySegment source, MemorySegment destination) {
    return on.copied(Way.HOST, OrdinaryCopies.enqueueOnHost(queue, destination, source), null);
  }

  private void addDirect(int copy, long dst, long src, long bytes, CopyKind kind, boolean anyTime) {
    directCopies[direct.count()] = copy;
    direct.add(dst, src, bytes, kind, anyTime);
  }

  /** Reads the sources that have to be read during the call, after all checks have passed. */
  private void readNow(int copy, MemorySegment source, DeviceBlock block, long address) {
    MemorySegment aside = SmallCopies.readNow(queue, source);
    single(
        copy,
        () ->
            observed(
                Direction.TO_DEVICE, source, () -> SourceReads.aside(on, aside, block, address)));
  }

  // --- enqueuing
  // ---------------------------------------------------------------------------------------------------------------

  private long enqueueAll() {
    others.forEach(DeviceRuntime::requireUsable);
    if (direct.count() > 0) {
      enqueueDirect();
    }
    @Nullable Supplier<C>[] alone = single;
    for (int i = 0; alone != null && i < count; i++) {
      Supplier<C> way = alone[i];
      if (way != null) {
        all().set(i, way.get());
      }
    }
    return queue.lastIssued();
  }

  private void enqueueDirect() {
    Observers observers = on.observers();
    if (!observers.isReporting()) {
      long _ = enqueueDirect(direct, directCopies);
      return;
    }
    // An observer sees each direction as a separate operation.
    for (CopyKind kind : CopyKind.values()) {
      CopyList list = new CopyList();
      int[] indices = new int[direct.count()];
      long bytes = 0;
      for (int i = 0; i < direct.count(); i++) {
        if (direct.kind(i) == kind) {
          indices[list.count()] = directCopies[i];
          list.add(direct.dst(i), direct.src(i), direct.bytes(i), kind, direct.mayReadAnyTime(i));
          bytes += direct.bytes(i);
        }
      }
      if (list.count() > 0) {
        Observation begin = on.before(observed(kind));
        long last = enqueueDirect(list, indices);
        if (begin != null) {
          observers.after(begin, on.stream(), work(kind, last, bytes));
        }
      }
    }
  }

  private long enqueueDirect(CopyList list, int[] indices) {
    long last = DirectBatch.enqueue(queue, list);
    boolean together =
        list.count() > 1
            && queue.device().driver().copiesInBatches()
            && queue.handle() != DriverDevice.LEGACY_STREAM;
    Counts counts = on.observers().counts();
    for (int i = 0; counts != null && i < list.count(); i++) {
      counts.copied(observed(list.kind(i)), way(list.kind(i), together), list.bytes(i));
    }
    if (list.count() == count && isOfOneSort(list)) {
      alike = new AlikeCopies<>(on.form(), way(list.kind(0), together), last, count);
      return last;
    }
    for (int i = 0; i < list.count(); i++) {
      all().set(indices[i], on.copied(way(list.kind(i), together), last, null));
    }
    return last;
  }

  private static Way way(CopyKind kind, boolean together) {
    return kind == CopyKind.DEVICE_TO_DEVICE
        ? together ? Way.LOCAL_IN_BATCH : Way.LOCAL
        : together ? Way.DIRECT_IN_BATCH : Way.DIRECT;
  }

  /** Whether all copies are within the device, or none is. */
  private static boolean isOfOneSort(CopyList list) {
    boolean local = list.kind(0) == CopyKind.DEVICE_TO_DEVICE;
    for (int i = 1; i < list.count(); i++) {
      if ((list.kind(i) == CopyKind.DEVICE_TO_DEVICE) != local) {
        return false;
      }
    }
    return true;
  }

  private static Work work(CopyKind kind, long last, long bytes) {
    boolean local = kind == CopyKind.DEVICE_TO_DEVICE;
    Way way = local ? Way.LOCAL : Way.DIRECT;
    return new Work(observed(kind), name(kind), last, bytes, way, null, !local);
  }

  private static WorkKind observed(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> WorkKind.HOST_TO_DEVICE;
      case DEVICE_TO_HOST -> WorkKind.DEVICE_TO_HOST;
      case DEVICE_TO_DEVICE -> WorkKind.DEVICE_TO_DEVICE;
    };
  }

  private static String name(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> Direction.TO_DEVICE.name(true);
      case DEVICE_TO_HOST -> Direction.TO_HOST.name(true);
      case DEVICE_TO_DEVICE -> OnDevice.NAME;
    };
  }
}
