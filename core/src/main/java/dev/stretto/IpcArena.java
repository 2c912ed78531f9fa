package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoSharingException;
import dev.stretto.fault.ProcessGoneException;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.BlockingCall;
import dev.stretto.observe.Observers;
import dev.stretto.process.Endpoint;
import dev.stretto.process.Peer;
import dev.stretto.process.ShareHandle;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import dev.stretto.route.ProcessEvent;
import dev.stretto.route.SharedEvent;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Device memory and events that processes of one machine use together. What one process allocates
 * here, another one opens by a handle: bytes that any channel carries, such as a pipe, a socket or
 * a message of MPI. CUDA Programming Guide, "Interprocess Communication".
 *
 * {@snippet :
 * // The process that fills
 * try (IpcArena arena = device.ipcArena()) {
 *   GlobalFloats frame = arena.allocate(4 * n, GlobalFloats::of);
 *   IpcEvent filled = arena.event();
 *   send(arena.handle(frame));
 *   send(arena.handle(filled));
 *   stream.copy(pinned, frame);
 *   stream.record(filled);
 * }
 *
 * // The process that sums
 * try (IpcArena arena = device.ipcArena()) {
 *   GlobalFloats frame = arena.open(receive(), GlobalFloats::of);
 *   IpcEvent filled = arena.openEvent(receive());
 *   stream.waitFor(filled, 1);
 *   stream.launch(grid, sum, frame, result);
 * }
 * }
 *
 * <p>Both processes have to open the same device of the machine, by whatever name. Either may close
 * first, or end in any way. Memory that is closed here is freed after the last process has closed
 * it, and what a dead process had opened is given back. If the process that allocated it ends,
 * others can still read what they have opened, and learn of the end at the next wait for an event
 * of that process ({@link ProcessGoneException}). Only a device that is closed while its process
 * lives takes its memory with it: await the others before.
 *
 * <p>Virtual devices do the same between JVMs: a mapped file stands for the memory.
 */
public final class IpcArena implements AutoCloseable {
  private final DeviceRuntime engine;
  private final Function<DeviceBlock, ArrayMemory> owned;
  private final Observers observers;

  /** What this process shares, by its memory. */
  private final Map<Allocation, ShareHandle> shared = new HashMap<>();

  private final IpcPools pools;
  private final CudaHandles cuda;

  private final Set<CudaIpcEvent> cudaEvents = new LinkedHashSet<>();
  private final Leaks leaks;
  private final Set<LimitedPool> ownPools = new LinkedHashSet<>();
  private final Set<GlobalArray> arrays = new LinkedHashSet<>();
  private final Set<IpcEvent> events = new LinkedHashSet<>();
  private boolean closed;

  IpcArena(
      DeviceRuntime engine,
      Function<DeviceBlock, ArrayMemory> owned,
      Observers observers,
      Leaks leaks) {
    this.engine = engine;
    this.owned = owned;
    this.observers = observers;
    this.leaks = leaks;
    this.pools = new IpcPools(engine);
    this.cuda = new CudaHandles(engine);
  }

  /**
   * {@return a new array in this device's memory, which other processes can open} Its contents are
   * undefined. It takes whole blocks of 2 MiB on a GPU, and comes out of no pool: allocating may
   * wait for enqueued work, so do it once and use it often. The array may be closed, sliced and
   * used like any other.
   *
   * @param <A> the type of the array
   * @param bytes how many, 1 or more
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @throws IllegalArgumentException if {@code bytes} is not positive, or not whole elements
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws NoSharingException if the driver does not let other processes open memory
   * @throws java.io.UncheckedIOException if this process can make no socket among the temporary
   *     files
   * @throws ClosedException if the arena or the device is closed
   */
  public <A extends GlobalArray> A allocate(long bytes, Function<? super Allocation, A> type) {
    Objects.requireNonNull(type, "type");
    if (bytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes of shared memory: at least 1 is needed");
    }
    requireOpen();
    Capture.requireNone(engine, "an allocation of device memory");
    Endpoint endpoint = Endpoint.ofProcess();
    DeviceBlock block;
    try (BlockingCall _ = observers.calling(Rule.ALLOCATION, bytes)) {
      block = DeviceBlock.allocateShared(engine, bytes);
    }
    byte[] opens = export(block);
    A array = array(block, type);
    ShareHandle handle =
        endpoint.share(
            new IpcUses(engine, block, opens), ShareHandle.Kind.MEMORY, bytes, deviceName());
    block.afterRelease(() -> endpoint.end(handle));
    keep(array, handle);
    return array;
  }

  /** {@return what opens memory in other processes; if nothing does, the memory is closed} */
  private byte[] export(DeviceBlock block) {
    boolean complete = false;
    try {
      byte[] opens =
          engine.call(
              () -> OwnPool.shared(engine, () -> engine.driver().exportMemory(block.address())));
      complete = true;
      return opens;
    } finally {
      if (!complete) {
        boolean _ = block.closeAfterLastUse();
      }
    }
  }

  /**
   * {@return a new memory pool with a largest size, whose arrays other processes can open} {@code
   * stream.allocateFloats(pool, length)} and its like allocate out of it, in the order of the
   * stream and without waiting, and {@link #handle(GlobalArray)} tells what opens such an array in
   * other processes. The pool itself goes over with the first of its arrays, as a file descriptor.
   *
   * <p>An array that is closed here is freed in the order of its stream, and, if other processes
   * have opened it, after the last of them has closed it. Others may use an array once the stream
   * has reached its allocation: let them wait for an event that is recorded behind it. On a GPU,
   * such a pool gives no memory back to the device until it is closed and its arrays are, here and
   * elsewhere: trimming it has no effect there, nor has its threshold. CUDA Programming Guide,
   * "Interprocess communication support" of the stream-ordered memory allocator.
   *
   * <p>Closing the arena closes the pool; its arrays stay until they are closed, but nobody else
   * can open them any more.
   *
   * @param maxBytes the most bytes of the device that the pool may have; 1 or more, and no more
   *     than the device has
   * @throws IllegalArgumentException if {@code maxBytes} is not positive, or more than the device
   *     has
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   * @throws NoSharingException if the driver has none for several processes
   * @throws java.io.UncheckedIOException if this process can make no socket among the temporary
   *     files
   * @throws ClosedException if the arena or the device is closed
   */
  public LimitedPool memoryPool(long maxBytes) {
    requireOpen();
    Capture.requireNone(engine, "a memory pool");
    LimitedPool.requirePossible(engine, maxBytes);
    LimitedPool pool = new LimitedPool(pools.create(maxBytes, deviceName()), leaks);
    synchronized (this) {
      if (!closed) {
        ownPools.removeIf(each -> !each.isOpen());
        ownPools.add(pool);
        return pool;
      }
    }
    pool.close();
    throw closedException();
  }

  /**
   * {@return a new event, which streams of this device record and streams of other processes wait
   * for}
   *
   * @throws ClosedException if the arena or the device is closed
   * @throws dev.stretto.fault.PinnedBudgetException if the driver cannot pin its page of 4 KiB
   * @throws java.io.UncheckedIOException if this process can make no socket among the temporary
   *     files, or no file for the page
   */
  public IpcEvent event() {
    requireOpen();
    Endpoint endpoint = Endpoint.ofProcess();
    SharedEvent event = SharedEvent.create(engine);
    IpcUses uses = new IpcUses(engine, event, event.recordings().opens());
    ShareHandle handle = endpoint.share(uses, ShareHandle.Kind.EVENT, 0, deviceName());
    event.afterRelease(() -> endpoint.end(handle));
    return keep(new IpcEvent(engine, event, handle, this::closed, event.describe()));
  }

  /**
   * {@return what opens an array in other processes} The bytes stay the same. They are good as long
   * as the array is open and this process lives, for any number of processes of this machine and
   * this user.
   *
   * @param array of {@link #allocate}, or out of a pool of {@link #memoryPool}
   * @throws IllegalArgumentException if neither this arena nor a pool of it has allocated it, or it
   *     is a slice
   * @throws NoSharingException if the driver does not let other processes open it
   * @throws ClosedException if it is closed
   */
  public synchronized byte[] handle(GlobalArray array) {
    ShareHandle handle = shared.get(Objects.requireNonNull(array, "array").allocation());
    if (!array.isOpen()) {
      throw new ClosedException(array + " is closed");
    }
    if (handle == null && array.allocation() instanceof ArrayMemory memory && !closed) {
      handle = pools.share(memory.block(), deviceName());
      if (handle != null) {
        shared.keySet().removeIf(each -> !each.isOpen());
        shared.put(memory, handle);
      }
    }
    if (handle == null) {
      throw new IllegalArgumentException(
          array
              + " is no memory that this arena shares: allocate it with arena.allocate, or out of"
              + " arena.memoryPool");
    }
    if (array.isSlice()) {
      throw new IllegalArgumentException(
          array + " is a slice: hand over the whole array, and slice it there");
    }
    return handle.encode();
  }

  /**
   * {@return what opens an event in other processes} As for an array.
   *
   * @param event of {@link #event}
   * @throws IllegalArgumentException if another arena, or another process, has made it
   * @throws ClosedException if it is closed
   */
  public byte[] handle(IpcEvent event) {
    ShareHandle handle = Objects.requireNonNull(event, "event").handle();
    if (handle == null || event.engine() != engine) {
      throw new IllegalArgumentException(
          event + " was not made by this arena: whoever made it hands it over");
    }
    if (!event.shared().isOpen()) {
      throw new ClosedException(event + " is closed");
    }
    return handle.encode();
  }

  /**
   * {@return memory of another process, as an array} It stays until the array is closed, here and
   * there. Opening asks the other process, which takes about a tenth of a millisecond.
   *
   * @param <A> the type of the array
   * @param handle what {@link #handle(GlobalArray)} returned there
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @throws IllegalArgumentException if the bytes are no handle of memory, the memory lies on
   *     another device or in this process, or is not whole elements
   * @throws ProcessGoneException if the other process has ended, has closed the memory, or does not
   *     answer within 10 seconds
   * @throws NoSharingException if the driver refuses the memory, or the system passes on no file
   *     descriptor of its pool
   * @throws ClosedException if the arena or the device is closed
   */
  public <A extends GlobalArray> A open(byte[] handle, Function<? super Allocation, A> type) {
    Objects.requireNonNull(type, "type");
    ShareHandle known = read(handle, ShareHandle.Kind.MEMORY);
    Peer.Opened opened = Peer.open(known);
    DeviceBlock block = null;
    try {
      block =
          known.kind() == ShareHandle.Kind.POOLED
              ? pools.open(opened, known)
              : DeviceBlock.open(
                  engine, opened.opens(), known.bytes(), () -> opened.peer().close(known));
      A array = array(block, type);
      block.keep();
      keep(array, null);
      return array;
    } catch (RuntimeException e) {
      if (block == null) {
        opened.peer().close(known);
      } else {
        boolean _ = block.closeAfterLastUse();
      }
      throw e;
    }
  }

  /**
   * {@return an event of another process} Streams of this device can wait for it.
   *
   * @param handle what {@link #handle(IpcEvent)} returned there
   * @throws IllegalArgumentException if the bytes are no handle of an event, or the event belongs
   *     to this process
   * @throws ProcessGoneException if the other process has ended, has closed the event, or does not
   *     answer within 10 seconds
   * @throws ClosedException if the arena or the device is closed
   */
  public IpcEvent openEvent(byte[] handle) {
    ShareHandle known = read(handle, ShareHandle.Kind.EVENT);
    Peer.Opened opened = Peer.open(known);
    SharedEvent event;
    try {
      event = SharedEvent.open(engine, opened.opens(), () -> gone(known));
    } catch (RuntimeException e) {
      opened.peer().close(known);
      throw e;
    }
    Runnable abandon = event.recordings()::abandon;
    opened.peer().whenGone(abandon);
    event.afterRelease(
        () -> {
          opened.peer().forget(abandon);
          opened.peer().close(known);
        });
    return keep(new IpcEvent(engine, event, null, this::closed, known.describe()));
  }

  /**
   * {@return CUDA's own handle of an array, for programs that know nothing of Stretto} These are
   * the 64 bytes that {@code cuIpcGetMemHandle} writes; {@code cudaIpcOpenMemHandle} opens them, as
   * does PyTorch. Nobody knows who uses the memory then: keep the array open until all of them are
   * done, which they have to tell in a way of their own. GPUs only.
   *
   * @param array of {@link #allocate}
   * @throws IllegalArgumentException if {@link #allocate} of this arena has not allocated it, or it
   *     is a slice
   * @throws NoSharingException if this is a virtual device
   * @throws ClosedException if the array, the arena or the device is closed
   */
  public synchronized byte[] cudaHandle(GlobalArray array) {
    requireOpen();
    ShareHandle known = shared.get(Objects.requireNonNull(array, "array").allocation());
    if (!array.isOpen()) {
      throw new ClosedException(array + " is closed");
    }
    if (known == null || known.kind() != ShareHandle.Kind.MEMORY || array.isSlice()) {
      throw new IllegalArgumentException(
          array + " is no whole array of arena.allocate, and CUDA has handles of those only");
    }
    return cuda.of(ArrayMemory.of(array).block());
  }

  /**
   * {@return memory of a program that knows nothing of Stretto, as an array} It begins where the
   * other program's allocation does; PyTorch, for one, cuts tensors out of larger allocations and
   * tells their offsets: slice the array. Closing it ends its use here, after the last operation
   * that uses it.
   *
   * <p>It has CUDA's limits. The other program has to keep the memory until this one has closed it,
   * and nobody checks that it does: what it frees earlier may be another program's when this one
   * writes. Nor does anybody learn of its end. GPUs only; the memory has to lie on this device.
   * CUDA Driver API, {@code cuIpcOpenMemHandle}.
   *
   * @param <A> the type of the array
   * @param handle the 64 bytes of a {@code CUipcMemHandle}, which is {@code cudaIpcMemHandle_t}
   * @param bytes how many, from the beginning of the allocation; 1 or more
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @throws IllegalArgumentException if the handle has not 64 bytes, or the memory fewer than
   *     {@code bytes}, or those are not whole elements
   * @throws NoSharingException if this is a virtual device, or the driver refuses the handle: it is
   *     of this process, of another device, of memory out of a pool, or of a program that has ended
   * @throws ClosedException if the arena or the device is closed
   */
  public <A extends GlobalArray> A openCuda(
      byte[] handle, long bytes, Function<? super Allocation, A> type) {
    Objects.requireNonNull(handle, "handle");
    Objects.requireNonNull(type, "type");
    requireOpen();
    A array = array(cuda.open(handle.clone(), bytes), type);
    keep(array, null);
    return array;
  }

  /**
   * {@return a new event for programs that know nothing of Stretto} {@code CU_EVENT_INTERPROCESS}.
   * GPUs only.
   *
   * @throws NoSharingException if this is a virtual device, or the driver has no such events
   * @throws ClosedException if the arena or the device is closed
   */
  public CudaIpcEvent cudaEvent() {
    requireOpen();
    ProcessEvent event = cuda.createEvent();
    boolean complete = false;
    try {
      CudaIpcEvent made = keep(event, cuda.of(event));
      complete = true;
      return made;
    } finally {
      if (!complete) {
        boolean _ = event.closeAfterLastUse();
      }
    }
  }

  /**
   * {@return an event of a program that knows nothing of Stretto} GPUs only.
   *
   * @param handle the 64 bytes of a {@code CUipcEventHandle}, which is {@code cudaIpcEventHandle_t}
   * @throws IllegalArgumentException if it has not 64 bytes
   * @throws NoSharingException if this is a virtual device, or the driver refuses the handle: it is
   *     of this process, of another device, or of a program that has ended
   * @throws ClosedException if the arena or the device is closed
   */
  public CudaIpcEvent openCudaEvent(byte[] handle) {
    Objects.requireNonNull(handle, "handle");
    requireOpen();
    byte[] same = handle.clone();
    return keep(cuda.openEvent(same), same);
  }

  private CudaIpcEvent keep(ProcessEvent event, byte[] handle) {
    CudaIpcEvent made = new CudaIpcEvent(event, handle, this::closed);
    synchronized (this) {
      if (!closed) {
        cudaEvents.add(made);
        return made;
      }
    }
    made.close();
    throw closedException();
  }

  private synchronized void closed(CudaIpcEvent event) {
    cudaEvents.remove(event);
  }

  private static ProcessGoneException gone(ShareHandle known) {
    return new ProcessGoneException(
        known.process(),
        ("process %d has ended, lost its device or closed the event before its work was done: what"
                + " was awaited comes after a wait for %s, and may use what was never brought")
            .formatted(known.process(), known.describe()));
  }

  private ShareHandle read(byte[] handle, ShareHandle.Kind kind) {
    requireOpen();
    ShareHandle known = ShareHandle.decode(Objects.requireNonNull(handle, "handle"));
    boolean isPooled = kind == ShareHandle.Kind.MEMORY && known.kind() == ShareHandle.Kind.POOLED;
    if (known.kind() != kind && !isPooled) {
      throw new IllegalArgumentException(
          "the handle is one of %s, and %s is to be opened"
              .formatted(known.kind().words(), kind.words()));
    }
    if (known.process() == ProcessHandle.current().pid()) {
      throw new IllegalArgumentException(
          known.describe() + ": that is this process, which can use it without opening it");
    }
    if (!known.device().equals(deviceName())) {
      throw new IllegalArgumentException(
          "%s cannot be opened on %s: open the same device here, and copy from there"
              .formatted(known.describe(), deviceName()));
    }
    return known;
  }

  /** What names the device among all of the machine, in every process. */
  private String deviceName() {
    DeviceProperties properties = engine.driver().properties();
    return engine.isVirtual()
        ? "virtual device %d, %s".formatted(properties.ordinal(), properties.name())
        : properties.name() + " " + properties.pciBusId();
  }

  private <A extends GlobalArray> A array(DeviceBlock block, Function<? super Allocation, A> type) {
    boolean isRight = false;
    try {
      ArrayMemory memory = owned.apply(block);
      Function<? super Allocation, ?> untyped = type; // the program's, which may be anything
      if (!(untyped.apply(memory) instanceof GlobalArray array)
          || !array.allocation().equals(memory)) {
        throw new IllegalArgumentException(
            "the type makes no array of the memory: it has to be GlobalFloats::of or the like");
      }
      if (array.byteSize() != block.byteSize()) {
        throw new IllegalArgumentException(
            "%d bytes are not whole elements of %d bytes"
                .formatted(block.byteSize(), array.elementBytes()));
      }
      isRight = true;
      @SuppressWarnings("unchecked") // the type has made it
      A made = (A) array;
      return made;
    } finally {
      if (!isRight) {
        boolean _ = block.closeAfterLastUse();
      }
    }
  }

  private void keep(GlobalArray array, @Nullable ShareHandle handle) {
    synchronized (this) {
      if (!closed) {
        arrays.removeIf(each -> !each.isOpen());
        shared.keySet().removeIf(each -> !each.isOpen());
        arrays.add(array);
        if (handle != null) {
          shared.put(array.allocation(), handle);
        }
        return;
      }
    }
    array.close();
    requireOpen();
  }

  private IpcEvent keep(IpcEvent event) {
    synchronized (this) {
      if (!closed) {
        events.add(event);
        return event;
      }
    }
    event.close();
    throw closedException();
  }

  private synchronized void closed(IpcEvent event) {
    events.remove(event);
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw closedException();
    }
    engine.requireUsable();
  }

  private static ClosedException closedException() {
    return new ClosedException("the arena for other processes is closed");
  }

  /**
   * Closes all arrays, events and pools of the arena: ends their use here at once, and gives each
   * back after the last operation that uses it, here and, for what this process shares, in the
   * processes that have opened it. Does not block. A second call has no further effect.
   */
  @Override
  public void close() {
    List<GlobalArray> openArrays;
    List<IpcEvent> openEvents;
    List<LimitedPool> openPools;
    List<CudaIpcEvent> openCudaEvents;
    synchronized (this) {
      closed = true;
      openArrays = List.copyOf(arrays);
      openEvents = List.copyOf(events);
      openPools = List.copyOf(ownPools);
      ownPools.clear();
      openCudaEvents = List.copyOf(cudaEvents);
      arrays.clear();
      shared.clear();
    }
    openArrays.forEach(GlobalArray::close);
    openEvents.forEach(IpcEvent::close);
    openPools.forEach(LimitedPool::close);
    openCudaEvents.forEach(CudaIpcEvent::close);
  }

  @Override
  public String toString() {
    return "the memory that " + engine.name() + " shares with other processes";
  }
}
