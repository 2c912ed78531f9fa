package dev.stretto.enqueue;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
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
import dev.stretto.route.SmallSlot;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
  private final List<@Nullable C> copies;
  private final BatchOverlaps overlaps;
  private final List<Resource> used = new ArrayList<>();
  private final Set<DeviceRuntime> others = new LinkedHashSet<>();

  private final CopyList direct;
  private final int[] directCopies;

  /** Reads sources during the call, after all checks have passed. */
  private final List<Runnable> firstReads = new ArrayList<>();

  /** Then reads small sources. */
  private final List<Runnable> reads = new ArrayList<>();

  /** Small buffers that are filled but not used yet. */
  private final Set<SmallSlot> slots = new HashSet<>();

  /**
   * The action that enqueues a copy alone, for each copy that does not go to the driver with
   * others.
   */
  private final @Nullable Supplier<C>[] single;

  /**
   * Begins a batch.
   *
   * @param count how many copies it will have
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public BatchCopies(Enqueuer<C> on, int count) {
    this.on = on;
    this.queue = on.queue();
    this.copies = new ArrayList<>(Collections.nCopies(count, null));
    this.overlaps = new BatchOverlaps(count);
    this.direct = new CopyList(count);
    this.directCopies = new int[count];
    this.single = new Supplier[count];
  }

  /**
   * A batch that was enqueued.
   *
   * @param copies in the order of the batch
   * @param last the number of its last operation
   */
  public record Enqueued<C>(List<C> copies, long last) {}

  /** Enqueues all planned copies. */
  public Enqueued<C> enqueue() {
    overlaps.refuse();
    try {
      firstReads.forEach(Runnable::run);
      reads.forEach(Runnable::run);
      int most = OPERATIONS * single.length + OPERATIONS;
      try (Reports _ = Reports.keep()) {
        long last = queue.together(used, most, this::enqueueAll);
        return new Enqueued<>(List.copyOf(copies), last);
      }
    } finally {
      slots.forEach(slot -> OrdinaryCopies.giveBack(on.engine(), slot));
    }
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
        reads.add(
            () -> {
              Supplier<C> way = readSmall(host, block, address);
              single[copy] = () -> observed(direction, host, way);
            });
      } else {
        single[copy] =
            () ->
                observed(
                    direction,
                    host,
                    () -> HostCopies.go(direction, on, host, block, address, null, null));
      }
    }
  }

  /**
   * Reads a small source now, so that the program's memory is not accessed with the lock held, and
   * returns the action that enqueues the copy.
   */
  private Supplier<C> readSmall(MemorySegment host, DeviceBlock block, long address) {
    SmallSlot slot = OrdinaryCopies.readIntoSlot(on.engine(), queue, host);
    if (slot != null) {
      slots.add(slot);
      return () -> {
        slots.remove(slot);
        long sequence =
            OrdinaryCopies.enqueueInline(on.engine(), queue, block, address, host, slot);
        return sequence >= 0
            ? on.copied(Way.INLINE, sequence, null)
            : staged(host, slot, block, address);
      };
    }
    if (HostEnd.isShared(host) || OrdinaryCopies.mayStillBeWritten(on.engine(), queue, host)) {
      return () -> staged(host, block, address, Way.STAGED);
    }
    MemorySegment aside = OrdinaryCopies.readNow(queue, host);
    return () -> staged(aside, block, address, Way.ASIDE);
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
    others.add((to.engine() == own ? from : to).engine());
    single[copy] =
        () -> observed(bytes, () -> BetweenDevices.go(on, to, dst, from, src, source, null));
  }

  /** Plans copy {@code copy}: host memory to host memory. */
  public void onHost(
      int copy, MemorySegment source, MemorySegment destination, SourceReading reading) {
    HostCopies.checkOnHost(source, destination);
    queue.requireHostCopies();
    overlaps.reads(copy, source);
    overlaps.writes(copy, destination);
    if (reading == SourceReading.DURING_CALL) {
      SourceReads.requireReadable(on, source);
      firstReads.add(
          () -> {
            MemorySegment aside = OrdinaryCopies.readNow(queue, source);
            single[copy] = () -> onHost(aside, destination);
          });
    } else {
      single[copy] = () -> onHost(source, destination);
    }
  }

  private C observed(Direction direction, MemorySegment host, Supplier<C> way) {
    Observation begin = on.before(direction.observed());
    return on.reported(begin, way.get(), direction, host.byteSize(), host, false);
  }

  private C observed(long bytes, Supplier<C> way) {
    Observation begin = on.before(WorkKind.DEVICE_TO_DEVICE);
    return on.reported(begin, way.get(), BetweenDevices.NAME, bytes);
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
    MemorySegment aside = OrdinaryCopies.readNow(queue, source);
    single[copy] =
        () ->
            observed(
                Direction.TO_DEVICE, source, () -> SourceReads.aside(on, aside, block, address));
  }

  // --- enqueuing
  // ---------------------------------------------------------------------------------------------------------------

  private long enqueueAll() {
    others.forEach(DeviceRuntime::requireUsable);
    if (direct.count() > 0) {
      enqueueDirect();
    }
    for (int i = 0; i < single.length; i++) {
      Supplier<C> way = single[i];
      if (way != null) {
        copies.set(i, way.get());
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
    for (int i = 0; i < list.count(); i++) {
      boolean local = list.kind(i) == CopyKind.DEVICE_TO_DEVICE;
      Way way =
          local
              ? together ? Way.LOCAL_IN_BATCH : Way.LOCAL
              : together ? Way.DIRECT_IN_BATCH : Way.DIRECT;
      copies.set(indices[i], on.copied(way, last, null));
    }
    return last;
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
