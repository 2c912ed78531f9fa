package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.PoolAttribute;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory from a pool that Stretto creates. Memory that is not requested in stream order is
 * allocated and freed on an internal stream on which nothing else runs. So these calls do not wait
 * for other work, as {@code cuMemAlloc} and {@code cuMemFree} do: the internal stream holds nothing
 * but this bookkeeping.
 *
 * <p>For this, the pool must not make one stream wait for a free on another one, which CUDA allows
 * by default. Otherwise the internal stream would wait for the program's streams, and the program's
 * streams for each other without the program's knowledge.
 */
final class PooledMemory implements DeviceMemory {
  private static final int NON_BLOCKING = 1;

  /** How many free bytes the pool keeps rather than returns to the device. */
  private static final long KEPT_BYTES = 256L << 20;

  /** {@code CUmemPoolProps}. */
  private static final StructLayout PROPERTIES =
      MemoryLayout.structLayout(
          JAVA_INT.withName("allocType"),
          JAVA_INT.withName("handleTypes"),
          JAVA_INT.withName("locationType"),
          JAVA_INT.withName("locationId"),
          JAVA_LONG.withName("win32SecurityAttributes"),
          JAVA_LONG.withName("maxSize"),
          JAVA_SHORT.withName("usage"),
          MemoryLayout.paddingLayout(54).withName("reserved"));

  /** The CUDA version that introduced {@code maxSize}. */
  private static final int LARGEST_SIZES = 12_020;

  /** In what the driver takes memory of the device. */
  private static final long PIECE_BYTES = 2L << 20;

  private static final int ALLOCATION_PINNED = 1;
  private static final int LOCATION_DEVICE = 1;
  private static final int NO_ACCESS = 0;
  private static final int READ_AND_WRITE = 3;

  private final int device;
  private final Context context;
  private final Health health;
  private final long stream;
  private final long pool;

  /** The other devices that may access the pool's memory, and the opening of each. */
  private final Map<Integer, WeakReference<Object>> allowed = new TreeMap<>();

  /** The program's own pools, and the largest size of each; guarded by {@link #allowed}. */
  private final Map<Long, Long> limits = new TreeMap<>();

  private PooledMemory(int device, Context context, Health health, long stream, long pool) {
    this.device = device;
    this.context = context;
    this.health = health;
    this.stream = stream;
    this.pool = pool;
  }

  /** Creates the pool and its stream. */
  static PooledMemory create(int device, Context context, Health health) {
    long stream =
        context.obtain(
            scratch -> StreamCalls.create(scratch.at(Scratch.OUT), NON_BLOCKING, 0),
            code -> health.failure(code, "cuStreamCreateWithPriority", "for allocations"));
    long pool = 0;
    try {
      pool = createPool(device, context, health, 0, 0);
      PooledMemory memory = new PooledMemory(device, context, health, stream, pool);
      memory.initialize(pool);
      return memory;
    } catch (DriverException e) {
      int _ = pool == 0 ? 0 : MemoryCalls.destroyPool(pool);
      int _ = StreamCalls.destroy(stream);
      throw e;
    }
  }

  private void initialize(long created) {
    attribute(created, PoolAttribute.RELEASE_THRESHOLD, KEPT_BYTES);
    attribute(created, PoolAttribute.INTERNAL_DEPENDENCIES, 0);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The devices that may access the memory of the other pools may access that of this one too.
   */
  @Override
  public long createPool(long maxBytes) {
    return createPool(maxBytes, 0);
  }

  @Override
  public long createSharedPool(long maxBytes) {
    return createPool(maxBytes, SharedHandles.FILE_DESCRIPTOR);
  }

  @Override
  public void adoptPool(long opened) {
    boolean complete = false;
    try {
      adopt(opened, Long.MAX_VALUE);
      complete = true;
    } finally {
      if (!complete) {
        int _ = MemoryCalls.destroyPool(opened);
      }
    }
  }

  private void adopt(long created, long limit) {
    synchronized (allowed) {
      for (int other : allowed.keySet()) {
        check(setAccess(created, other, READ_AND_WRITE), "cuMemPoolSetAccess");
      }
      limits.put(created, limit);
    }
  }

  private long createPool(long maxBytes, int handleTypes) {
    if (Binder.driverVersion() < LARGEST_SIZES) {
      throw health.invalid(
          "cuMemPoolCreate: pools with a largest size need a driver of CUDA 12.2, and this one is"
              + " of"
              + " CUDA %d.%d"
                  .formatted(Binder.driverVersion() / 1000, Binder.driverVersion() % 1000 / 10));
    }
    // Memory comes in whole pieces, and a pool that is smaller than one could have none.
    long whole = maxBytes > Long.MAX_VALUE - PIECE_BYTES ? maxBytes : roundedUp(maxBytes);
    long created = createPool(device, context, health, whole, handleTypes);
    boolean complete = false;
    try {
      initialize(created);
      adopt(created, whole);
      complete = true;
      return created;
    } finally {
      if (!complete) {
        int _ = MemoryCalls.destroyPool(created);
      }
    }
  }

  private static long roundedUp(long bytes) {
    return (bytes + PIECE_BYTES - 1) & -PIECE_BYTES;
  }

  @Override
  public void destroyPool(long created) {
    synchronized (allowed) {
      if (limits.remove(created) == null) {
        throw health.invalid("not a pool: 0x" + Long.toHexString(created));
      }
      for (int other : allowed.keySet()) {
        int _ = setAccess(created, other, NO_ACCESS);
      }
    }
    check(MemoryCalls.destroyPool(created), "cuMemPoolDestroy");
  }

  private long handle(long asked) {
    return asked == DriverDevice.DEFAULT_POOL ? pool : asked;
  }

  private static long createPool(
      int device, Context context, Health health, long maxBytes, int handleTypes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties = arena.allocate(PROPERTIES);
      set(properties, "allocType", ALLOCATION_PINNED);
      set(properties, "handleTypes", handleTypes);
      set(properties, "locationType", LOCATION_DEVICE);
      set(properties, "locationId", device);
      properties.set(
          JAVA_LONG,
          PROPERTIES.byteOffset(MemoryLayout.PathElement.groupElement("maxSize")),
          maxBytes);
      return context.obtain(
          scratch -> MemoryCalls.createPool(scratch.at(Scratch.OUT), properties.address()),
          code -> health.failure(code, "cuMemPoolCreate", ""));
    }
  }

  private static void set(MemorySegment struct, String field, int value) {
    struct.set(
        JAVA_INT, PROPERTIES.byteOffset(MemoryLayout.PathElement.groupElement(field)), value);
  }

  @Override
  public long allocate(long bytes) {
    return allocateFrom(DriverDevice.DEFAULT_POOL, bytes);
  }

  @Override
  public long allocateFrom(long from, long bytes) {
    Scratch scratch = Scratch.borrow();
    try {
      int result = enqueue(scratch, from, bytes, stream);
      if (result == CudaError.OUT_OF_MEMORY) {
        // The memory that the pool keeps may be in pieces that are too small, and other processes
        // may have taken the rest. Frees that are still on the stream may help too.
        check(StreamCalls.await(stream), "cuStreamSynchronize");
        trim(from, 0);
        result = enqueue(scratch, from, bytes, stream);
      }
      if (result != 0) {
        throw refused(result, from, bytes);
      }
      long address = scratch.read(Scratch.OUT);
      // Until the stream has reached this point, the address is valid only on this stream.
      int awaited = StreamCalls.await(stream);
      if (awaited != 0) {
        int _ = MemoryCalls.freeToPool(address, stream);
        check(awaited, "cuStreamSynchronize");
      }
      return address;
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public long allocateFrom(long from, long bytes, long on) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = isDefault(on) && context.enter(scratch);
      int result = enqueue(scratch, from, bytes, on);
      if (result == CudaError.OUT_OF_MEMORY) {
        trim(from, 0); // does not wait for frees on other streams
        result = enqueue(scratch, from, bytes, on);
      }
      if (result != 0) {
        throw refused(result, from, bytes);
      }
      return scratch.read(Scratch.OUT);
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  private int enqueue(Scratch scratch, long from, long bytes, long on) {
    return MemoryCalls.allocateFromPool(scratch.at(Scratch.OUT), bytes, handle(from), on);
  }

  private static boolean isDefault(long stream) {
    return stream == DriverDevice.LEGACY_STREAM || stream == DriverDevice.PER_THREAD_STREAM;
  }

  private DriverException refused(int code, long from, long bytes) {
    String values = bytes + " bytes";
    if (code == CudaError.OUT_OF_MEMORY) {
      values =
          new MemoryInfo(freeBytes(), MemoryInfo.of(context, health).totalBytes()).shortage(bytes);
      Long limit;
      synchronized (allowed) {
        limit = limits.get(from);
      }
      if (limit != null) {
        values += "; " + limit(from, limit);
      }
    }
    return health.failure(code, "cuMemAllocFromPoolAsync", values);
  }

  private String limit(long from, long limit) {
    return "the pool may have at most %d bytes, has %d, and %d of these are allocated: close arrays of it, await their frees, or make a larger pool"
        .formatted(
            limit, attribute(from, PoolAttribute.RESERVED), attribute(from, PoolAttribute.USED));
  }

  @Override
  public boolean isPooled() {
    return true;
  }

  @Override
  public void free(long address) {
    freed(MemoryCalls.freeToPool(address, stream), address);
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@code cuMemFree} would wait for all work of the device. A free in the order of a stream
   * does not, but the device has the memory back only when somebody waits for that stream, on which
   * there is nothing else.
   */
  @Override
  public void freeUnpooled(long address) {
    free(address);
    check(StreamCalls.await(stream), "cuStreamSynchronize");
  }

  @Override
  public void free(long address, long on) {
    if (isDefault(on)) {
      context.run(_ -> MemoryCalls.freeToPool(address, on), code -> notFreed(code, address));
    } else {
      freed(MemoryCalls.freeToPool(address, on), address);
    }
  }

  private void freed(int result, long address) {
    if (result != 0) {
      throw notFreed(result, address);
    }
  }

  private DriverException notFreed(int code, long address) {
    return health.failure(code, "cuMemFreeAsync", "0x" + Long.toHexString(address));
  }

  @Override
  public long freeBytes() {
    long unused = attribute(pool, PoolAttribute.RESERVED) - attribute(pool, PoolAttribute.USED);
    return MemoryInfo.of(context, health).freeBytes() + Math.max(unused, 0);
  }

  @Override
  public long attribute(long of, PoolAttribute attribute) {
    Scratch scratch = Scratch.borrow();
    try {
      check(
          MemoryCalls.poolAttribute(handle(of), attribute.code(), scratch.at(Scratch.OUT)),
          "cuMemPoolGetAttribute");
      long value = scratch.read(Scratch.OUT);
      return attribute.isWide() ? value : (int) value;
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public void attribute(long of, PoolAttribute attribute, long value) {
    Scratch scratch = Scratch.borrow();
    try {
      // For a 32-bit value, CUDA reads the lower half, because its hosts are little-endian.
      scratch.write(Scratch.OUT, value);
      check(
          MemoryCalls.setPoolAttribute(handle(of), attribute.code(), scratch.at(Scratch.OUT)),
          "cuMemPoolSetAttribute");
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public void trim(long of, long keepBytes) {
    check(MemoryCalls.trimPool(handle(of), keepBytes), "cuMemPoolTrimTo");
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the identity of the opening matters
  public void allow(int device, Object opening) {
    Context.assertMayBlock("opening a pool to another device");
    synchronized (allowed) {
      WeakReference<Object> last = allowed.get(device);
      if (last == null || last.get() != opening) {
        check(setAccess(pool, device, READ_AND_WRITE), "cuMemPoolSetAccess");
        for (long own : limits.keySet()) {
          check(setAccess(own, device, READ_AND_WRITE), "cuMemPoolSetAccess");
        }
        allowed.put(device, new WeakReference<>(opening));
      }
    }
  }

  /**
   * Revokes all access. Otherwise a pool that CUDA creates in place of this one would inherit it.
   * Failures because another device is lost are ignored.
   */
  private void disallowAll() {
    synchronized (allowed) {
      for (int device : allowed.keySet()) {
        int _ = setAccess(pool, device, NO_ACCESS);
      }
      allowed.clear();
    }
  }

  private int setAccess(long of, int device, int flags) {
    Scratch scratch = Scratch.borrow();
    try {
      scratch.writeInts(Scratch.STRUCTURE, LOCATION_DEVICE, device, flags, 0, 0, 0);
      return PeerCalls.allowPool(of, scratch.at(Scratch.STRUCTURE), 1);
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public void close() {
    int awaited = StreamCalls.await(stream);
    if (!health.isLost()) {
      disallowAll();
    }
    int destroyedPool = MemoryCalls.destroyPool(pool);
    int destroyedStream = StreamCalls.destroy(stream);
    if (!health.isLost()) {
      check(awaited, "cuStreamSynchronize");
      check(destroyedPool, "cuMemPoolDestroy");
      check(destroyedStream, "cuStreamDestroy");
    }
  }

  private void check(int result, String call) {
    if (result != 0) {
      throw health.failure(result, call, "");
    }
  }
}
