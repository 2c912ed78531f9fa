package dev.stretto.contract;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.PeerProperties;
import dev.stretto.driver.PointerProperties;
import dev.stretto.driver.PoolAttribute;
import dev.stretto.driver.TensorLayout;
import dev.stretto.driver.ValueCondition;
import dev.stretto.driver.Volume;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Passes every call on to another driver, and tells of each before that. What is to be done in
 * another way is overridden.
 */
abstract class DriverTap implements Driver {
  /** The calls that may fail. */
  enum Call {
    OPEN,
    ALLOCATE,
    ALLOCATE_UNPOOLED,
    ALLOCATE_SHARED,
    EXPORT_MEMORY,
    OPEN_MEMORY,
    CLOSE_MEMORY,
    CREATE_SHARED_POOL,
    EXPORT_POOL,
    OPEN_POOL,
    EXPORT_POOLED,
    OPEN_POOLED,
    CLOSE_POOLED,
    CREATE_PROCESS_EVENT,
    EXPORT_EVENT,
    OPEN_EVENT,
    REGISTER_SHARED,
    FREE,
    FREE_BYTES,
    ALLOCATE_ASYNC,
    FREE_ASYNC,
    POOL_GET,
    POOL_SET,
    POOL_TRIM,
    CREATE_POOL,
    DESTROY_POOL,
    ALLOCATE_PINNED,
    FREE_PINNED,
    REGISTER_HOST,
    REGISTER_READ_ONLY,
    UNREGISTER_HOST,
    CREATE_STREAM,
    DESTROY_STREAM,
    CREATE_EVENT,
    DESTROY_EVENT,
    RECORD_EVENT,
    IS_DONE,
    IS_IDLE,
    CHECK_STREAM,
    WAIT_EVENT,
    ELAPSED_NANOS,
    COPY,
    COPY_PAGEABLE,
    COPY_2D,
    COPY_3D,
    COPY_ALL,
    FILL,
    FILL_2D,
    WRITE_VALUE,
    WAIT_VALUE,
    LOAD_MODULE,
    UNLOAD_MODULE,
    FUNCTION,
    FUNCTION_PROPERTIES,
    RESIDENT_BLOCKS,
    LAUNCH,
    ENCODE,
    CAPTURE,
    DESTROY_CAPTURED,
    CREATE_GRAPH,
    DESTROY_GRAPH,
    UPDATE_GRAPH,
    UPLOAD_GRAPH,
    LAUNCH_GRAPH,
    PEER,
    ENABLE_PEER,
    DISABLE_PEER,
    COPY_PEER,
    COPY_PEER_3D,
    POINTER,
    CLOSE;

    /** {@return whether it gives something back} */
    boolean isRelease() {
      return switch (this) {
        case FREE,
            FREE_ASYNC,
            FREE_PINNED,
            DESTROY_POOL,
            UNREGISTER_HOST,
            DESTROY_STREAM,
            DESTROY_EVENT,
            UNLOAD_MODULE,
            DESTROY_GRAPH,
            DISABLE_PEER,
            CLOSE ->
            true;
        default -> false;
      };
    }
  }

  private final Driver driver;

  DriverTap(Driver driver) {
    this.driver = driver;
  }

  /** Is told of a call before it is made; may throw. */
  abstract void before(Call call);

  /** {@return the clock that is seen instead of the driver's} */
  HostClock clock(HostClock clock) {
    return clock;
  }

  /** {@return whether it is seen to know which launch has faulted} */
  boolean namesFaultingLaunch(DriverDevice device) {
    return device.namesFaultingLaunch();
  }

  /** Is told of a call and of the device that it is made of; may throw. */
  void before(Call call, DeviceTap device) {
    before(call);
  }

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public int deviceCount() {
    return driver.deviceCount();
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    return driver.properties(ordinal);
  }

  @Override
  public DriverDevice open(int ordinal) {
    before(Call.OPEN);
    return tap(driver.open(ordinal));
  }

  /** {@return what stands between Stretto and a device} */
  DeviceTap tap(DriverDevice device) {
    return new DeviceTap(device);
  }

  /** The same for one device. */
  class DeviceTap implements DriverDevice {
    final DriverDevice device;

    DeviceTap(DriverDevice device) {
      this.device = device;
    }

    @Override
    public DeviceProperties properties() {
      return device.properties();
    }

    @Override
    public void nameStream(long stream, String name) {
      device.nameStream(stream, name);
    }

    @Override
    public void nameDevice(String name) {
      device.nameDevice(name);
    }

    @Override
    public void inContext(Runnable work) {
      device.inContext(work);
    }

    @Override
    public void keepNear() {
      device.keepNear();
    }

    @Override
    public HostClock clock() {
      return DriverTap.this.clock(device.clock());
    }

    @Override
    public Optional<Cooperation> cooperation() {
      return device.cooperation();
    }

    @Override
    public boolean onProgress(Runnable listener) {
      return device.onProgress(listener);
    }

    @Override
    public long allocate(long bytes) {
      before(Call.ALLOCATE, this);
      return device.allocate(bytes);
    }

    @Override
    public long allocateUnpooled(long bytes) {
      before(Call.ALLOCATE_UNPOOLED, this);
      return device.allocateUnpooled(bytes);
    }

    @Override
    public long allocateShared(long bytes) {
      before(Call.ALLOCATE_SHARED, this);
      return device.allocateShared(bytes);
    }

    @Override
    public byte[] exportMemory(long address) {
      before(Call.EXPORT_MEMORY, this);
      return device.exportMemory(address);
    }

    @Override
    public long openMemory(byte[] handle) {
      before(Call.OPEN_MEMORY, this);
      return device.openMemory(handle);
    }

    @Override
    public void closeMemory(long address) {
      before(Call.CLOSE_MEMORY, this);
      device.closeMemory(address);
    }

    @Override
    public long createSharedPool(long maxBytes) {
      before(Call.CREATE_SHARED_POOL, this);
      return device.createSharedPool(maxBytes);
    }

    @Override
    public int exportPool(long pool) {
      before(Call.EXPORT_POOL, this);
      return device.exportPool(pool);
    }

    @Override
    public long openPool(int descriptor) {
      before(Call.OPEN_POOL, this);
      return device.openPool(descriptor);
    }

    @Override
    public byte[] exportPooled(long address) {
      before(Call.EXPORT_POOLED, this);
      return device.exportPooled(address);
    }

    @Override
    public long openPooled(long pool, byte[] handle) {
      before(Call.OPEN_POOLED, this);
      return device.openPooled(pool, handle);
    }

    @Override
    public void closePooled(long address) {
      before(Call.CLOSE_POOLED, this);
      device.closePooled(address);
    }

    @Override
    public long createProcessEvent() {
      before(Call.CREATE_PROCESS_EVENT, this);
      return device.createProcessEvent();
    }

    @Override
    public byte[] exportEvent(long event) {
      before(Call.EXPORT_EVENT, this);
      return device.exportEvent(event);
    }

    @Override
    public long openEvent(byte[] handle) {
      before(Call.OPEN_EVENT, this);
      return device.openEvent(handle);
    }

    @Override
    public void registerShared(long address, long bytes) {
      before(Call.REGISTER_SHARED, this);
      device.registerShared(address, bytes);
    }

    @Override
    public void free(long address) {
      before(Call.FREE, this);
      device.free(address);
    }

    @Override
    public long freeBytes() {
      before(Call.FREE_BYTES, this);
      return device.freeBytes();
    }

    @Override
    public boolean hasPool() {
      return device.hasPool();
    }

    @Override
    public long createPool(long maxBytes) {
      before(Call.CREATE_POOL, this);
      return device.createPool(maxBytes);
    }

    @Override
    public void destroyPool(long pool) {
      before(Call.DESTROY_POOL, this);
      device.destroyPool(pool);
    }

    @Override
    public long allocate(long bytes, long pool) {
      before(Call.ALLOCATE_ASYNC, this);
      return device.allocate(bytes, pool);
    }

    @Override
    public long allocateAsync(long bytes, long pool, long stream) {
      before(Call.ALLOCATE_ASYNC, this);
      return device.allocateAsync(bytes, pool, stream);
    }

    @Override
    public void freeAsync(long address, long stream) {
      before(Call.FREE_ASYNC, this);
      device.freeAsync(address, stream);
    }

    @Override
    public long poolAttribute(long pool, PoolAttribute attribute) {
      before(Call.POOL_GET, this);
      return device.poolAttribute(pool, attribute);
    }

    @Override
    public void poolAttribute(long pool, PoolAttribute attribute, long value) {
      before(Call.POOL_SET, this);
      device.poolAttribute(pool, attribute, value);
    }

    @Override
    public void trimPool(long pool, long keepBytes) {
      before(Call.POOL_TRIM, this);
      device.trimPool(pool, keepBytes);
    }

    @Override
    public long allocateWriteCombined(long bytes) {
      before(Call.ALLOCATE_PINNED, this);
      return device.allocateWriteCombined(bytes);
    }

    @Override
    public long allocatePinned(long bytes) {
      before(Call.ALLOCATE_PINNED, this);
      return device.allocatePinned(bytes);
    }

    @Override
    public void freePinned(long address) {
      before(Call.FREE_PINNED, this);
      device.freePinned(address);
    }

    @Override
    public void registerHost(long address, long bytes) {
      before(Call.REGISTER_HOST, this);
      device.registerHost(address, bytes);
    }

    @Override
    public void registerReadOnly(long address, long bytes) {
      before(Call.REGISTER_READ_ONLY, this);
      device.registerReadOnly(address, bytes);
    }

    @Override
    public void unregisterHost(long address) {
      before(Call.UNREGISTER_HOST, this);
      device.unregisterHost(address);
    }

    @Override
    public long createStream(int priority) {
      before(Call.CREATE_STREAM, this);
      return device.createStream(priority);
    }

    @Override
    public long createBlockingStream(int priority) {
      before(Call.CREATE_STREAM, this);
      return device.createBlockingStream(priority);
    }

    @Override
    public void destroyStream(long stream) {
      before(Call.DESTROY_STREAM, this);
      device.destroyStream(stream);
    }

    @Override
    public void checkStream(long stream) {
      before(Call.CHECK_STREAM, this);
      device.checkStream(stream);
    }

    @Override
    public boolean waitsForLegacyStream(long stream) {
      return device.waitsForLegacyStream(stream);
    }

    @Override
    public boolean isIdle(long stream) {
      before(Call.IS_IDLE, this);
      return device.isIdle(stream);
    }

    @Override
    public long createEvent(boolean timed) {
      before(Call.CREATE_EVENT, this);
      return device.createEvent(timed);
    }

    @Override
    public void destroyEvent(long event) {
      before(Call.DESTROY_EVENT, this);
      device.destroyEvent(event);
    }

    @Override
    public void recordEvent(long event, long stream) {
      before(Call.RECORD_EVENT, this);
      device.recordEvent(event, stream);
    }

    @Override
    public boolean isDone(long event) {
      before(Call.IS_DONE, this);
      return device.isDone(event);
    }

    @Override
    public void waitEvent(long stream, long event) {
      before(Call.WAIT_EVENT, this);
      device.waitEvent(stream, event);
    }

    @Override
    public double elapsedNanos(long start, long end) {
      before(Call.ELAPSED_NANOS, this);
      return device.elapsedNanos(start, end);
    }

    @Override
    public long eventNanos(long event) {
      return device.eventNanos(event);
    }

    @Override
    public void awaitEvent(long event) {
      device.awaitEvent(event);
    }

    @Override
    public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
      before(Call.COPY, this);
      device.copy(dst, src, bytes, kind, stream);
    }

    @Override
    public int bytesReadInCall() {
      return device.bytesReadInCall();
    }

    @Override
    public void copyPageable(long address, MemorySegment host, CopyKind kind, long stream) {
      before(Call.COPY_PAGEABLE, this);
      device.copyPageable(address, host, kind, stream);
    }

    @Override
    public void copy2D(
        long dst,
        long dstPitch,
        long src,
        long srcPitch,
        long width,
        long rows,
        CopyKind kind,
        long stream) {
      before(Call.COPY_2D, this);
      device.copy2D(dst, dstPitch, src, srcPitch, width, rows, kind, stream);
    }

    @Override
    public void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream) {
      before(Call.COPY_3D, this);
      device.copy3D(dst, src, shape, kind, stream);
    }

    @Override
    public void copyAll(CopyList copies, long stream) {
      before(Call.COPY_ALL, this);
      device.copyAll(copies, stream);
    }

    @Override
    public boolean copiesInBatches() {
      return device.copiesInBatches();
    }

    @Override
    public void fill(long dst, long value, int elementBytes, long count, long stream) {
      before(Call.FILL, this);
      device.fill(dst, value, elementBytes, count, stream);
    }

    @Override
    public void fill2D(
        long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {
      before(Call.FILL_2D, this);
      device.fill2D(dst, pitch, value, elementBytes, width, rows, stream);
    }

    @Override
    public void writeValue(long address, long value, int bytes, long stream) {
      before(Call.WRITE_VALUE, this);
      device.writeValue(address, value, bytes, stream);
    }

    @Override
    public void waitValue(
        long address, long value, int bytes, ValueCondition condition, long stream) {
      before(Call.WAIT_VALUE, this);
      device.waitValue(address, value, bytes, condition, stream);
    }

    @Override
    public long loadModule(byte[] image) {
      before(Call.LOAD_MODULE, this);
      return device.loadModule(image);
    }

    @Override
    public void unloadModule(long module) {
      before(Call.UNLOAD_MODULE, this);
      device.unloadModule(module);
    }

    @Override
    public long function(long module, String entry, KernelTwin twin) {
      before(Call.FUNCTION, this);
      return device.function(module, entry, twin);
    }

    @Override
    public FunctionProperties functionProperties(long function) {
      before(Call.FUNCTION_PROPERTIES, this);
      return device.functionProperties(function);
    }

    @Override
    public int residentBlocks(long function, int threads, int sharedBytes) {
      before(Call.RESIDENT_BLOCKS, this);
      return device.residentBlocks(function, threads, sharedBytes);
    }

    @Override
    public void launch(
        long function,
        LaunchShape shape,
        long stream,
        MemorySegment parameters,
        MemorySegment parameterPointers) {
      launch(function, shape, stream, parameters, parameterPointers, null);
    }

    @Override
    public double linkBytesPerSecond() {
      return device.linkBytesPerSecond();
    }

    @Override
    public boolean namesFaultingLaunch() {
      return DriverTap.this.namesFaultingLaunch(device);
    }

    @Override
    public void launch(
        long function,
        LaunchShape shape,
        long stream,
        MemorySegment parameters,
        MemorySegment parameterPointers,
        StackTraceElement place) {
      before(Call.LAUNCH, this);
      device.launch(function, shape, stream, parameters, parameterPointers, place);
    }

    @Override
    public long createGraph(GraphPlan plan) {
      before(Call.CREATE_GRAPH, this);
      return device.createGraph(
          plan.with(
              plan.steps().stream().map(step -> untapped(step.work())).toArray(GraphWork[]::new)));
    }

    @Override
    public GraphWork.Captured capture(LongConsumer work) {
      before(Call.CAPTURE, this);
      return device.capture(work);
    }

    @Override
    public void destroyCaptured(GraphWork.Captured captured) {
      before(Call.DESTROY_CAPTURED, this);
      device.destroyCaptured(captured);
    }

    @Override
    public void destroyGraph(long graph) {
      before(Call.DESTROY_GRAPH, this);
      device.destroyGraph(graph);
    }

    @Override
    public void updateGraph(long graph, int step, GraphWork work) {
      before(Call.UPDATE_GRAPH, this);
      device.updateGraph(graph, step, untapped(work));
    }

    @Override
    public void uploadGraph(long graph, long stream) {
      before(Call.UPLOAD_GRAPH, this);
      device.uploadGraph(graph, stream);
    }

    @Override
    public void launchGraph(long graph, long stream) {
      launchGraph(graph, stream, null);
    }

    @Override
    public void launchGraph(long graph, long stream, StackTraceElement place) {
      before(Call.LAUNCH_GRAPH, this);
      device.launchGraph(graph, stream, place);
    }

    @Override
    public PeerProperties peer(DriverDevice peer) {
      before(Call.PEER, this);
      return device.peer(untapped(peer));
    }

    @Override
    public void enablePeerAccess(DriverDevice peer) {
      before(Call.ENABLE_PEER, this);
      device.enablePeerAccess(untapped(peer));
    }

    @Override
    public void disablePeerAccess(DriverDevice peer) {
      before(Call.DISABLE_PEER, this);
      device.disablePeerAccess(untapped(peer));
    }

    @Override
    public void copyPeer(
        long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream) {
      before(Call.COPY_PEER, this);
      device.copyPeer(dst, untapped(to), src, untapped(from), bytes, stream);
    }

    @Override
    public void copyPeer3D(
        long dst, DriverDevice to, long src, DriverDevice from, Volume shape, long stream) {
      before(Call.COPY_PEER_3D, this);
      device.copyPeer3D(dst, untapped(to), src, untapped(from), shape, stream);
    }

    private GraphWork untapped(GraphWork work) {
      return switch (work) {
        case GraphWork.Elsewhere(DriverDevice peer, GraphWork its) ->
            new GraphWork.Elsewhere(untapped(peer), its);
        case GraphWork.Off(GraphWork its) -> new GraphWork.Off(untapped(its));
        default -> work;
      };
    }

    DriverDevice untapped(DriverDevice peer) {
      return peer instanceof DeviceTap tap ? tap.device : peer;
    }

    @Override
    public PointerProperties pointer(long address) {
      before(Call.POINTER, this);
      return device.pointer(address);
    }

    @Override
    public void encode(TensorLayout layout, MemorySegment into) {
      before(Call.ENCODE, this);
      device.encode(layout, into);
    }

    @Override
    public void close() {
      try {
        before(Call.CLOSE, this);
      } finally {
        device.close();
      }
    }
  }
}
