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
 * Memory from a pool of our own. What is not asked for in the order of a stream is allocated and
 * freed in the order of a stream of our own on which nothing else runs. So neither waits for
 * anyone's work, as {@code cuMemAlloc} and {@code cuMemFree} do: the stream is never behind by more
 * than the bookkeeping itself.
 *
 * <p>For that the pool may not make one stream wait for what another is to free, which CUDA lets it
 * do unless told otherwise: our own stream would wait for the program's, and streams of the program
 * for each other without anybody having said so.
 */
final class PooledMemory implements DeviceMemory {
  private static final int NON_BLOCKING = 1;

  /** Free memory that the pool keeps rather than gives back to the device. */
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

  private static final int ALLOCATION_PINNED = 1;
  private static final int LOCATION_DEVICE = 1;
  private static final int NO_ACCESS = 0;
  private static final int READ_AND_WRITE = 3;

  private final Context context;
  private final Health health;
  private final long stream;
  private final long pool;

  /** Which other devices were allowed to address the pool's memory, and which opening of them. */
  private final Map<Integer, WeakReference<Object>> allowed = new TreeMap<>();

  private PooledMemory(Context context, Health health, long stream, long pool) {
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
      pool = createPool(device, context, health);
      PooledMemory memory = new PooledMemory(context, health, stream, pool);
      memory.attribute(PoolAttribute.RELEASE_THRESHOLD, KEPT_BYTES);
      memory.attribute(PoolAttribute.INTERNAL_DEPENDENCIES, 0);
      return memory;
    } catch (DriverException e) {
      int _ = pool == 0 ? 0 : MemoryCalls.destroyPool(pool);
      int _ = StreamCalls.destroy(stream);
      throw e;
    }
  }

  private static long createPool(int device, Context context, Health health) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment properties = arena.allocate(PROPERTIES);
      set(properties, "allocType", ALLOCATION_PINNED);
      set(properties, "locationType", LOCATION_DEVICE);
      set(properties, "locationId", device);
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
    Scratch scratch = Scratch.borrow();
    try {
      int result = enqueue(scratch, bytes, stream);
      if (result == CudaError.OUT_OF_MEMORY) {
        // What the pool keeps may be in pieces that do not fit, and other processes may have taken
        // the rest; frees that are still on the stream count too.
        check(StreamCalls.await(stream), "cuStreamSynchronize");
        trim(0);
        result = enqueue(scratch, bytes, stream);
      }
      if (result != 0) {
        throw refused(result, bytes);
      }
      long address = scratch.read(Scratch.OUT);
      // Until the stream has come this far the address is valid on this stream alone.
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
  public long allocate(long bytes, long on) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = isDefault(on) && context.enter(scratch);
      int result = enqueue(scratch, bytes, on);
      if (result == CudaError.OUT_OF_MEMORY) {
        trim(0); // what is left to free on other streams is not waited for
        result = enqueue(scratch, bytes, on);
      }
      if (result != 0) {
        throw refused(result, bytes);
      }
      return scratch.read(Scratch.OUT);
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  private int enqueue(Scratch scratch, long bytes, long on) {
    return MemoryCalls.allocateFromPool(scratch.at(Scratch.OUT), bytes, pool, on);
  }

  private static boolean isDefault(long stream) {
    return stream == DriverDevice.LEGACY_STREAM || stream == DriverDevice.PER_THREAD_STREAM;
  }

  private DriverException refused(int code, long bytes) {
    String values =
        code == CudaError.OUT_OF_MEMORY
            ? new MemoryInfo(freeBytes(), MemoryInfo.of(context, health).totalBytes())
                .shortage(bytes)
            : bytes + " bytes";
    return health.failure(code, "cuMemAllocFromPoolAsync", values);
  }

  @Override
  public boolean isPooled() {
    return true;
  }

  @Override
  public void free(long address) {
    freed(MemoryCalls.freeToPool(address, stream), address);
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
    long unused = attribute(PoolAttribute.RESERVED) - attribute(PoolAttribute.USED);
    return MemoryInfo.of(context, health).freeBytes() + Math.max(unused, 0);
  }

  @Override
  public long attribute(PoolAttribute attribute) {
    Scratch scratch = Scratch.borrow();
    try {
      check(
          MemoryCalls.poolAttribute(pool, attribute.code(), scratch.at(Scratch.OUT)),
          "cuMemPoolGetAttribute");
      long value = scratch.read(Scratch.OUT);
      return attribute.isWide() ? value : (int) value;
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public void attribute(PoolAttribute attribute, long value) {
    Scratch scratch = Scratch.borrow();
    try {
      // Of a value of 32 bits CUDA reads the lower half, on the little-endian hosts that it runs
      // on.
      scratch.write(Scratch.OUT, value);
      check(
          MemoryCalls.setPoolAttribute(pool, attribute.code(), scratch.at(Scratch.OUT)),
          "cuMemPoolSetAttribute");
    } finally {
      scratch.giveBack();
    }
  }

  @Override
  public void trim(long keepBytes) {
    check(MemoryCalls.trimPool(pool, keepBytes), "cuMemPoolTrimTo");
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // this very opening
  public void allow(int device, Object opening) {
    Context.assertMayBlock("opening a pool to another device");
    synchronized (allowed) {
      WeakReference<Object> last = allowed.get(device);
      if (last == null || last.get() != opening) {
        check(setAccess(device, READ_AND_WRITE), "cuMemPoolSetAccess");
        allowed.put(device, new WeakReference<>(opening));
      }
    }
  }

  /**
   * A pool that CUDA makes in the place of this one would have the same access otherwise. That one
   * of those devices is lost is not this one's concern.
   */
  private void disallowAll() {
    synchronized (allowed) {
      for (int device : allowed.keySet()) {
        int _ = setAccess(device, NO_ACCESS);
      }
      allowed.clear();
    }
  }

  private int setAccess(int device, int flags) {
    Scratch scratch = Scratch.borrow();
    try {
      scratch.writeInts(Scratch.STRUCTURE, LOCATION_DEVICE, device, flags, 0, 0, 0);
      return PeerCalls.allowPool(pool, scratch.at(Scratch.STRUCTURE), 1);
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
