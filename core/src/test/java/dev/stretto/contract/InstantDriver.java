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
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A driver on which everything is done at once, and none of whose calls allocates: what is measured
 * on it is what Stretto itself costs. It moves no bytes. The benchmarks of the host use it too.
 */
public final class InstantDriver implements Driver, DriverDevice {
  private static final DeviceProperties PROPERTIES =
      new VirtualDriver(VirtualConfig.DEFAULT).properties(0);

  /** As of {@code cudaMalloc}. */
  private static final long ALIGNMENT = 256;

  private final Arena arena = Arena.ofShared();
  private long last = 1 << 20;
  private volatile boolean busy;

  /** Makes nothing be done from now on, or everything. */
  void setBusy(boolean busy) {
    this.busy = busy;
  }

  @Override
  public String name() {
    return "instant";
  }

  @Override
  public int deviceCount() {
    return 1;
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    return PROPERTIES;
  }

  @Override
  public DriverDevice open(int ordinal) {
    return this;
  }

  @Override
  public DeviceProperties properties() {
    return PROPERTIES;
  }

  @Override
  public HostClock clock() {
    return HostClock.REAL;
  }

  @Override
  public Optional<Cooperation> cooperation() {
    return Optional.empty();
  }

  @Override
  public boolean onProgress(Runnable listener) {
    return false;
  }

  private long next(long step) {
    last += step;
    return last - step;
  }

  @Override
  public long allocate(long bytes) {
    last = (last + ALIGNMENT - 1) & -ALIGNMENT;
    return next(bytes);
  }

  @Override
  public void free(long address) {}

  @Override
  public long freeBytes() {
    return 1L << 40;
  }

  @Override
  public boolean hasPool() {
    return true;
  }

  @Override
  public long allocateAsync(long bytes, long pool, long stream) {
    return allocate(bytes);
  }

  @Override
  public long createPool(long maxBytes) {
    return 1;
  }

  @Override
  public void destroyPool(long pool) {}

  @Override
  public long allocate(long bytes, long pool) {
    return allocate(bytes);
  }

  @Override
  public void freeAsync(long address, long stream) {}

  @Override
  public long poolAttribute(long pool, PoolAttribute attribute) {
    return 0;
  }

  @Override
  public void poolAttribute(long pool, PoolAttribute attribute, long value) {}

  @Override
  public void trimPool(long pool, long keepBytes) {}

  @Override
  public long allocateWriteCombined(long bytes) {
    return allocatePinned(bytes);
  }

  @Override
  public long allocatePinned(long bytes) {
    return arena.allocate(bytes, 4096).address();
  }

  @Override
  public void freePinned(long address) {}

  @Override
  public void registerHost(long address, long bytes) {}

  @Override
  public void unregisterHost(long address) {}

  @Override
  public long createStream(int priority) {
    return next(1);
  }

  @Override
  public long createBlockingStream(int priority) {
    return next(1);
  }

  @Override
  public void destroyStream(long stream) {}

  @Override
  public void checkStream(long stream) {}

  @Override
  public boolean waitsForLegacyStream(long stream) {
    return false;
  }

  @Override
  public boolean isIdle(long stream) {
    return !busy;
  }

  @Override
  public long createEvent(boolean timed) {
    return next(1);
  }

  @Override
  public void destroyEvent(long event) {}

  @Override
  public void recordEvent(long event, long stream) {}

  @Override
  public boolean isDone(long event) {
    return !busy;
  }

  @Override
  public void waitEvent(long stream, long event) {}

  @Override
  public double elapsedNanos(long start, long end) {
    return 0;
  }

  @Override
  public long eventNanos(long event) {
    return 0;
  }

  @Override
  public void awaitEvent(long event) {}

  @Override
  public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {}

  @Override
  public void copyPageable(long device, MemorySegment host, CopyKind kind, long stream) {}

  @Override
  public void copy2D(
      long dst,
      long dstPitch,
      long src,
      long srcPitch,
      long width,
      long rows,
      CopyKind kind,
      long stream) {}

  @Override
  public void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream) {}

  @Override
  public void copyAll(CopyList copies, long stream) {}

  @Override
  public boolean copiesInBatches() {
    return true;
  }

  @Override
  public void fill(long dst, long value, int elementBytes, long count, long stream) {}

  @Override
  public long allocateUnpooled(long bytes) {
    return allocate(bytes);
  }

  @Override
  public long allocateShared(long bytes) {
    return allocate(bytes);
  }

  @Override
  public byte[] exportMemory(long address) {
    return new byte[64];
  }

  @Override
  public long openMemory(byte[] handle) {
    return next(1);
  }

  @Override
  public void closeMemory(long address) {}

  @Override
  public long createSharedPool(long maxBytes) {
    return 1;
  }

  @Override
  public int exportPool(long pool) {
    return NO_DESCRIPTOR;
  }

  @Override
  public long openPool(int descriptor) {
    return 1;
  }

  @Override
  public byte[] exportPooled(long address) {
    return new byte[64];
  }

  @Override
  public long openPooled(long pool, byte[] handle) {
    return next(1);
  }

  @Override
  public void closePooled(long address) {}

  @Override
  public long createProcessEvent() {
    return 1;
  }

  @Override
  public byte[] exportEvent(long event) {
    return new byte[64];
  }

  @Override
  public long openEvent(byte[] handle) {
    return 1;
  }

  @Override
  public void registerReadOnly(long address, long bytes) {}

  @Override
  public void registerShared(long address, long bytes) {}

  @Override
  public void fill2D(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {}

  @Override
  public void writeValue(long address, long value, int bytes, long stream) {}

  @Override
  public void waitValue(
      long address, long value, int bytes, ValueCondition condition, long stream) {}

  @Override
  public long loadModule(byte[] image) {
    return next(1);
  }

  @Override
  public void unloadModule(long module) {}

  @Override
  public long function(long module, String entry, KernelTwin twin) {
    return next(1);
  }

  @Override
  public FunctionProperties functionProperties(long function) {
    return new FunctionProperties(1024, 32, 0, 0);
  }

  @Override
  public int residentBlocks(long function, int threads, int sharedBytes) {
    return 1;
  }

  @Override
  public void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers) {}

  @Override
  public long createGraph(GraphPlan plan) {
    return next(1);
  }

  @Override
  public GraphWork.Captured capture(LongConsumer work) {
    work.accept(next(1));
    return new GraphWork.Captured(next(1), 0);
  }

  @Override
  public void destroyCaptured(GraphWork.Captured captured) {}

  @Override
  public void destroyGraph(long graph) {}

  @Override
  public void updateGraph(long graph, int step, GraphWork work) {}

  @Override
  public void uploadGraph(long graph, long stream) {}

  @Override
  public void launchGraph(long graph, long stream) {}

  @Override
  public PeerProperties peer(DriverDevice peer) {
    return new PeerProperties(false, PeerProperties.Link.HOST, false, 0);
  }

  @Override
  public void enablePeerAccess(DriverDevice peer) {}

  @Override
  public void disablePeerAccess(DriverDevice peer) {}

  @Override
  public void copyPeer(
      long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream) {}

  @Override
  public void copyPeer3D(
      long dst, DriverDevice to, long src, DriverDevice from, Volume shape, long stream) {}

  @Override
  public PointerProperties pointer(long address) {
    return PointerProperties.ORDINARY;
  }

  @Override
  public void encode(TensorLayout layout, MemorySegment into) {}

  @Override
  public void close() {
    arena.close();
  }
}
