package dev.stretto;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
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
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues a batch: first decides the way of every copy and refuses what cannot be, then enqueues
 * all of them in one go, those that the driver makes by itself together.
 */
final class BatchCopies {
  /** Operations that one copy is at most, the two events of each who may observe it included. */
  private static final int OPERATIONS = 6;

  private final Stream stream;
  private final StreamQueue queue;
  private final Copy[] copies;
  private final BatchOverlaps overlaps;
  private final List<Resource> used = new ArrayList<>();
  private final Set<DeviceRuntime> others = new LinkedHashSet<>();

  private final CopyList direct;
  private final int[] directCopies;

  /** What reads small sources, once nothing is refused any more. */
  private final List<Runnable> reads = new ArrayList<>();

  /** Small buffers that are filled and not used yet. */
  private final Set<SmallSlot> slots = new HashSet<>();

  /** Of each copy that goes a way of its own, what enqueues it. */
  private final @Nullable Supplier<Copy>[] single;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private BatchCopies(Stream stream, int count) {
    this.stream = stream;
    this.queue = stream.queue();
    this.copies = new Copy[count];
    this.overlaps = new BatchOverlaps(count);
    this.direct = new CopyList(count);
    this.directCopies = new int[count];
    this.single = new Supplier[count];
  }

  static Batch enqueue(Stream stream, List<CopyRequest> requests) {
    stream.requireUsable();
    for (CopyRequest request : requests) {
      Objects.requireNonNull(request, "an element of copies");
    }
    List<CopyRequest> all = List.copyOf(requests);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a batch of 0 copies: there is nothing to copy");
    }
    BatchCopies batch = new BatchCopies(stream, all.size());
    for (int i = 0; i < all.size(); i++) {
      batch.plan(i, all.get(i));
    }
    batch.overlaps.refuse();
    try {
      for (int i = 0; i < all.size(); i++) {
        batch.readNow(i, all.get(i));
      }
      batch.reads.forEach(Runnable::run);
      int most = OPERATIONS * all.size() + OPERATIONS;
      try (Reports _ = Reports.keep()) {
        long last = batch.queue.together(batch.used, most, batch::enqueueAll);
        return new Batch(stream, List.of(batch.copies), last);
      }
    } finally {
      batch.slots.forEach(slot -> OrdinaryCopies.giveBack(stream.device().engine(), slot));
    }
  }

  // --- what is to be done
  // -----------------------------------------------------------------------------------------------------

  private void plan(int copy, CopyRequest request) {
    switch (request) {
      case CopyRequest.ToDevice(var source, var destination, var access) ->
          plan(copy, Direction.TO_DEVICE, source, destination, access);
      case CopyRequest.ToHost(var source, var destination, var access) -> {
        SourceReads.requireDeviceSource(access, source);
        plan(copy, Direction.TO_HOST, destination, source, access);
      }
      case CopyRequest.OnDevices(var source, var destination, var access) -> {
        SourceReads.requireDeviceSource(access, source);
        plan(copy, source, destination, access);
      }
      case CopyRequest.OnHost(var source, var destination, var access) ->
          plan(copy, source, destination, access);
    }
  }

  /** Notes what a copy uses, which is as a rule what the one before it uses too. */
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
      int copy, Direction direction, MemorySegment host, GlobalArray array, SourceAccess access) {
    boolean toDevice = direction == Direction.TO_DEVICE;
    DeviceBlock block = stream.block(array);
    long address = array.address();
    long bytes = array.byteSize();
    PinnedBlock pinned = HostCopies.checked(direction, stream, host, bytes);
    uses(block);
    if (toDevice) {
      overlaps.reads(copy, host);
      overlaps.writes(copy, address, bytes);
    } else {
      overlaps.reads(copy, address, bytes);
      overlaps.writes(copy, host);
    }
    if (access == SourceAccess.DURING_CALL) {
      SourceReads.requireReadable(stream, host);
    } else if (pinned != null) {
      uses(pinned);
      boolean anyTime = access == SourceAccess.ANY;
      if (toDevice) {
        addDirect(copy, address, host.address(), bytes, direction.kind(), anyTime);
      } else {
        addDirect(copy, host.address(), address, bytes, direction.kind(), anyTime);
      }
    } else {
      Transfer.require(stream.device().engine(), queue);
      boolean small = toDevice && bytes <= StreamQueue.INLINE_BYTES;
      if (!small || OrdinaryCopies.mayStillBeWritten(stream.device().engine(), queue, host)) {
        HostEnd.requireShared(host);
      }
      if (small) {
        reads.add(
            () -> {
              Supplier<Copy> way = readSmall(host, block, address);
              single[copy] = () -> observed(direction, host, way);
            });
      } else {
        single[copy] =
            () ->
                observed(
                    direction,
                    host,
                    () -> HostCopies.go(direction, stream, host, block, address, null, null));
      }
    }
  }

  /**
   * Reads a small source, so that the program's memory is not touched with the lock held, and gives
   * what enqueues the copy.
   */
  private Supplier<Copy> readSmall(MemorySegment host, DeviceBlock block, long address) {
    SmallSlot slot = OrdinaryCopies.readIntoSlot(stream.device().engine(), queue, host);
    if (slot != null) {
      slots.add(slot);
      return () -> {
        slots.remove(slot);
        long sequence =
            OrdinaryCopies.enqueueInline(
                stream.device().engine(), queue, block, address, host, slot);
        return sequence >= 0
            ? new Copy(stream, Route.INLINE, sequence, null)
            : staged(host, slot, block, address);
      };
    }
    if (HostEnd.isShared(host)
        || OrdinaryCopies.mayStillBeWritten(stream.device().engine(), queue, host)) {
      return () -> staged(host, block, address, Route.STAGED);
    }
    MemorySegment aside = OrdinaryCopies.readNow(queue, host);
    return () -> staged(aside, block, address, Route.ASIDE);
  }

  /** After what others have enqueued meanwhile, or copies of the batch that hold the stream. */
  private Copy staged(MemorySegment host, SmallSlot read, DeviceBlock block, long address) {
    return HostEnd.isShared(host)
        ? staged(host, block, address, Route.STAGED)
        : staged(read.bytes(host.byteSize()), block, address, Route.ASIDE);
  }

  private Copy staged(MemorySegment host, DeviceBlock block, long address, Route route) {
    return HostCopies.staged(Direction.TO_DEVICE, stream, host, block, address, route);
  }

  private void plan(int copy, GlobalArray source, GlobalArray destination, SourceAccess access) {
    DeviceBlock from = Device.anyBlock(source);
    DeviceBlock to = Device.anyBlock(destination);
    long src = source.address();
    long dst = destination.address();
    long bytes = source.byteSize();
    HostEnd.checkSizes(bytes, destination.byteSize());
    uses(from);
    uses(to);
    overlaps.reads(copy, src, bytes);
    overlaps.writes(copy, dst, bytes);
    DeviceRuntime own = stream.device().engine();
    if (own.peers().isSame(from.engine()) && own.peers().isSame(to.engine())) {
      boolean anyTime = access == SourceAccess.ANY;
      addDirect(copy, dst, src, bytes, CopyKind.DEVICE_TO_DEVICE, anyTime);
      return;
    }
    BetweenDevices.requireEnd(stream, from, to, source, destination);
    if (!to.engine().peers().isKin(from.engine())) {
      throw new RouteException(
          "copy %d of a batch is between %s and %s, which belong to different drivers: enqueue it by"
                  .formatted(copy, from.engine().name(), to.engine().name())
              + " itself");
    }
    PeerCopies.require(queue);
    others.add((to.engine() == own ? from : to).engine());
    single[copy] =
        () -> observed(bytes, () -> BetweenDevices.go(stream, to, dst, from, src, source, null));
  }

  private void plan(
      int copy, MemorySegment source, MemorySegment destination, SourceAccess access) {
    HostCopies.checkOnHost(source, destination);
    queue.requireHostCopies();
    overlaps.reads(copy, source);
    overlaps.writes(copy, destination);
    if (access == SourceAccess.DURING_CALL) {
      SourceReads.requireReadable(stream, source);
    } else {
      single[copy] = () -> onHost(source, destination);
    }
  }

  private Copy observed(Direction direction, MemorySegment host, Supplier<Copy> way) {
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, direction.observed());
    Copy copy = way.get();
    if (begin != null) {
      observers.after(begin, stream, HostCopies.work(direction, copy, host, null));
    }
    return copy;
  }

  private Copy observed(long bytes, Supplier<Copy> way) {
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, Observer.Kind.DEVICE_TO_DEVICE);
    Copy copy = way.get();
    if (begin != null) {
      Work work = new Work(Observer.Kind.DEVICE_TO_DEVICE, BetweenDevices.NAME, copy, bytes);
      observers.after(begin, stream, work);
    }
    return copy;
  }

  private Copy onHost(MemorySegment source, MemorySegment destination) {
    return new Copy(
        stream, Route.HOST, OrdinaryCopies.enqueueOnHost(queue, destination, source), null);
  }

  private void addDirect(int copy, long dst, long src, long bytes, CopyKind kind, boolean anyTime) {
    directCopies[direct.count()] = copy;
    direct.add(dst, src, bytes, kind, anyTime);
  }

  /** Reads the sources that have to be read before this is over, now that nothing is refused. */
  private void readNow(int copy, CopyRequest request) {
    if (request.access() != SourceAccess.DURING_CALL) {
      return;
    }
    switch (request) {
      case CopyRequest.ToDevice(var source, var destination, _) -> {
        DeviceBlock block = stream.block(destination);
        long address = destination.address();
        MemorySegment aside = OrdinaryCopies.readNow(queue, source);
        single[copy] =
            () ->
                observed(
                    Direction.TO_DEVICE,
                    source,
                    () -> SourceReads.aside(stream, aside, block, address));
      }
      case CopyRequest.OnHost(var source, var destination, _) -> {
        MemorySegment aside = OrdinaryCopies.readNow(queue, source);
        single[copy] = () -> onHost(aside, destination);
      }
      case CopyRequest.ToHost _, CopyRequest.OnDevices _ ->
          throw new AssertionError("was refused: " + request);
    }
  }

  // --- doing it
  // ---------------------------------------------------------------------------------------------------------------

  private long enqueueAll() {
    others.forEach(DeviceRuntime::requireUsable);
    if (direct.count() > 0) {
      enqueueDirect();
    }
    for (int i = 0; i < single.length; i++) {
      Supplier<Copy> way = single[i];
      if (way != null) {
        copies[i] = way.get();
      }
    }
    return queue.lastIssued();
  }

  private void enqueueDirect() {
    Observers observers = stream.device().observers();
    if (!observers.areTold()) {
      long _ = enqueueDirect(direct, directCopies);
      return;
    }
    // Whoever looks wants to see each direction for itself.
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
        Observation begin = observers.before(stream, observed(kind));
        long last = enqueueDirect(list, indices);
        if (begin != null) {
          observers.after(begin, stream, work(kind, last, bytes));
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
      Route route =
          local
              ? together ? Route.LOCAL_IN_BATCH : Route.LOCAL
              : together ? Route.DIRECT_IN_BATCH : Route.DIRECT;
      copies[indices[i]] = new Copy(stream, route, last, null);
    }
    return last;
  }

  private static Work work(CopyKind kind, long last, long bytes) {
    boolean local = kind == CopyKind.DEVICE_TO_DEVICE;
    Route.Kind route = local ? Route.Kind.LOCAL : Route.Kind.DIRECT;
    return new Work(observed(kind), name(kind), last, bytes, route, null, !local);
  }

  private static Observer.Kind observed(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> Observer.Kind.HOST_TO_DEVICE;
      case DEVICE_TO_HOST -> Observer.Kind.DEVICE_TO_HOST;
      case DEVICE_TO_DEVICE -> Observer.Kind.DEVICE_TO_DEVICE;
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
