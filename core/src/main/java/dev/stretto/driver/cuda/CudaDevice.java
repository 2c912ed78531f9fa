package dev.stretto.driver.cuda;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** One opening of one GPU: refuses calls once it is lost or closed, and delegates the others. */
final class CudaDevice implements DriverDevice {
  private final Health health;
  private final Context context;
  private final DeviceProperties properties;
  private final DeviceMemory memory;
  private final PlainMemory unpooled;
  private final SharedHandles shared;
  private final Set<Long> outsideOfPools = ConcurrentHashMap.newKeySet();
  private final PinnedMemory pinned;
  private final Streams streams;
  private final Copies copies;
  private final RowCopies rowCopies;
  private final PlaneCopies planeCopies;
  private final Batches batches;
  private final Fills fills;
  private final Values values;
  private final Modules modules;
  private final Launches launches;
  private final Conditions conditions;
  private final Graphs graphs;
  private final Captures captures;
  private final PeerDevices peers;
  private final PeerPlaneCopies peerPlanes;
  private final NearCores cores;
  private final AtomicBoolean closed = new AtomicBoolean();

  private CudaDevice(
      DeviceAttributes attributes,
      Health health,
      Context context,
      DeviceProperties properties,
      Priorities priorities,
      DeviceMemory memory,
      long maxPitch) {
    this.health = health;
    this.context = context;
    this.properties = properties;
    this.memory = memory;
    this.unpooled = new PlainMemory(context, health);
    this.shared = new SharedHandles(context, health, unpooled);
    this.pinned = new PinnedMemory(context, health, attributes);
    this.streams = new Streams(context, health, priorities);
    this.copies = new Copies(context, health);
    this.rowCopies = new RowCopies(context, health, copies, maxPitch);
    this.planeCopies = new PlaneCopies(context, health, rowCopies, maxPitch);
    this.batches = new Batches(context, health, copies);
    this.fills = new Fills(context, health);
    this.values = new Values(context, health);
    SharedLimits limits = new SharedLimits(context, health, properties.sharedBytesPerBlockOptIn());
    this.modules = new Modules(context, health, limits);
    this.launches = new Launches(context, health, limits);
    this.conditions = new Conditions(modules);
    this.graphs = new Graphs(context, health, limits, conditions, maxPitch);
    this.captures = new Captures(context, health, streams);
    this.peers = new PeerDevices(attributes.device(), context, health, memory);
    this.peerPlanes = new PeerPlaneCopies(context, health, peers, maxPitch);
    this.cores = NearCores.of(properties.pciBusId());
  }

  /** Retains the device's primary context and prepares its memory. */
  static CudaDevice open(int ordinal, int driverVersion) {
    Health health = new Health(ordinal);
    DeviceAttributes attributes = new DeviceAttributes(ordinal, health);
    int device = attributes.device();
    Context context = Context.retain(ordinal, device, health);
    try {
      Priorities priorities = Priorities.of(context, health);
      DeviceProperties properties = attributes.properties(driverVersion, priorities);
      long maxPitch = attributes.read(DeviceAttributes.MAX_PITCH);
      DeviceMemory memory =
          attributes.read(DeviceAttributes.MEMORY_POOLS_SUPPORTED) == 0
              ? new PlainMemory(context, health)
              : PooledMemory.create(device, context, health);
      return new CudaDevice(attributes, health, context, properties, priorities, memory, maxPitch);
    } catch (DriverException e) {
      try {
        context.release();
      } catch (DriverException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  @Override
  public HostClock clock() {
    return HostClock.REAL;
  }

  @Override
  public void inContext(Runnable work) {
    context.run(work);
  }

  @Override
  public void keepNear() {
    cores.keepThread();
  }

  @Override
  public Optional<Cooperation> cooperation() {
    return Optional.empty();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A GPU has to be polled: a callback would run on a thread of the driver that holds the
   * driver's locks.
   */
  @Override
  public boolean onProgress(Runnable listener) {
    return false;
  }

  @Override
  public long allocate(long bytes) {
    health.require();
    if (bytes <= 0) {
      throw health.invalid(bytes + " bytes of device memory; at least 1 is needed");
    }
    return memory.allocate(bytes);
  }

  @Override
  public long allocateUnpooled(long bytes) {
    health.require();
    if (bytes <= 0) {
      throw health.invalid(bytes + " bytes of device memory; at least 1 is needed");
    }
    return keep(unpooled.allocate(bytes));
  }

  @Override
  public void free(long address) {
    health.require(address, "device address");
    if (outsideOfPools.remove(address)) {
      memory.freeUnpooled(address);
    } else {
      memory.free(address);
    }
  }

  private long keep(long address) {
    outsideOfPools.add(address);
    return address;
  }

  @Override
  public long allocateShared(long bytes) {
    health.require();
    return keep(shared.allocate(bytes));
  }

  @Override
  public byte[] exportMemory(long address) {
    health.require(address, "device address");
    return shared.exportMemory(address);
  }

  @Override
  public long openMemory(byte[] handle) {
    health.require();
    return shared.openMemory(handle);
  }

  @Override
  public void closeMemory(long address) {
    health.require(address, "device address");
    shared.closeMemory(address);
  }

  @Override
  public long freeBytes() {
    health.require();
    return memory.freeBytes();
  }

  @Override
  public boolean hasPool() {
    return memory.isPooled();
  }

  @Override
  public long createPool(long maxBytes) {
    health.require();
    if (maxBytes <= 0) {
      throw health.invalid("a pool of at most " + maxBytes + " bytes; at least 1 is needed");
    }
    return memory.createPool(maxBytes);
  }

  @Override
  public long createSharedPool(long maxBytes) {
    health.require();
    if (maxBytes <= 0) {
      throw health.invalid("a pool of at most " + maxBytes + " bytes; at least 1 is needed");
    }
    return memory.createSharedPool(maxBytes);
  }

  @Override
  public int exportPool(long pool) {
    health.require(pool, "pool");
    return shared.exportPool(pool);
  }

  @Override
  public long openPool(int descriptor) {
    health.require();
    long opened = shared.openPool(descriptor);
    memory.adoptPool(opened);
    return opened;
  }

  @Override
  public byte[] exportPooled(long address) {
    health.require(address, "device address");
    return shared.exportPooled(address);
  }

  @Override
  public long openPooled(long pool, byte[] handle) {
    health.require(pool, "pool");
    return shared.openPooled(pool, handle);
  }

  @Override
  public void closePooled(long address) {
    health.require(address, "device address");
    memory.freeUnpooled(address);
  }

  @Override
  public long createProcessEvent() {
    health.require();
    return shared.createEvent();
  }

  @Override
  public byte[] exportEvent(long event) {
    health.require(event, "event");
    return shared.exportEvent(event);
  }

  @Override
  public long openEvent(byte[] handle) {
    health.require();
    return shared.openEvent(handle);
  }

  @Override
  public void destroyPool(long pool) {
    health.require(pool, "pool");
    memory.destroyPool(pool);
  }

  @Override
  public long allocate(long bytes, long pool) {
    health.require();
    if (bytes <= 0) {
      throw health.invalid(bytes + " bytes of device memory; at least 1 is needed");
    }
    return memory.allocateFrom(pool, bytes);
  }

  @Override
  public long allocateAsync(long bytes, long pool, long stream) {
    health.require(stream, "stream");
    if (bytes <= 0) {
      throw health.invalid(bytes + " bytes of device memory; at least 1 is needed");
    }
    return memory.allocateFrom(pool, bytes, stream);
  }

  @Override
  public void freeAsync(long address, long stream) {
    health.require(address, "device address");
    health.require(stream, "stream");
    memory.free(address, stream);
  }

  @Override
  public long poolAttribute(long pool, PoolAttribute attribute) {
    health.require();
    return memory.attribute(pool, attribute);
  }

  @Override
  public void poolAttribute(long pool, PoolAttribute attribute, long value) {
    health.require();
    memory.attribute(pool, attribute, value);
  }

  @Override
  public void trimPool(long pool, long keepBytes) {
    health.require();
    memory.trim(pool, keepBytes);
  }

  @Override
  public long allocateWriteCombined(long bytes) {
    return pinned.allocateWriteCombined(bytes);
  }

  @Override
  public long allocatePinned(long bytes) {
    return pinned.allocate(bytes);
  }

  @Override
  public void freePinned(long address) {
    pinned.free(address);
  }

  @Override
  public void registerHost(long address, long bytes) {
    pinned.register(address, bytes);
  }

  @Override
  public void registerReadOnly(long address, long bytes) {
    pinned.registerReadOnly(address, bytes);
  }

  @Override
  public void registerShared(long address, long bytes) {
    registerHost(address, bytes);
  }

  @Override
  public void unregisterHost(long address) {
    pinned.unregister(address);
  }

  @Override
  public long createStream(int priority) {
    return streams.create(priority);
  }

  @Override
  public long createBlockingStream(int priority) {
    return streams.createBlocking(priority);
  }

  @Override
  public void destroyStream(long stream) {
    streams.destroy(stream);
  }

  @Override
  public void checkStream(long stream) {
    streams.checkForeign(stream);
  }

  @Override
  public boolean waitsForLegacyStream(long stream) {
    return streams.waitsForLegacyStream(stream);
  }

  @Override
  public boolean isIdle(long stream) {
    return streams.isIdle(stream);
  }

  @Override
  public long createEvent(boolean timed) {
    return streams.createEvent(timed);
  }

  @Override
  public void destroyEvent(long event) {
    streams.destroyEvent(event);
  }

  @Override
  public void recordEvent(long event, long stream) {
    streams.record(event, stream);
  }

  @Override
  public boolean isDone(long event) {
    return streams.isDone(event);
  }

  @Override
  public void waitEvent(long stream, long event) {
    streams.waitEvent(stream, event);
  }

  @Override
  public double elapsedNanos(long start, long end) {
    return streams.elapsedNanos(start, end);
  }

  @Override
  public long eventNanos(long event) {
    return 0;
  }

  @Override
  public void awaitEvent(long event) {
    streams.awaitEvent(event);
  }

  @Override
  public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
    copies.copy(dst, src, bytes, kind, stream);
  }

  @Override
  public int bytesReadInCall() {
    return Copies.BYTES_READ_IN_CALL;
  }

  @Override
  public void copyPageable(long device, MemorySegment host, CopyKind kind, long stream) {
    copies.copyPageable(device, host, kind, stream);
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
    rowCopies.copy(dst, dstPitch, src, srcPitch, width, rows, kind, stream);
  }

  @Override
  public void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream) {
    planeCopies.copy(dst, src, shape, kind, stream);
  }

  @Override
  public void copyAll(CopyList list, long stream) {
    batches.copy(list, stream);
  }

  @Override
  public boolean copiesInBatches() {
    return batches.inOneCall();
  }

  @Override
  public void fill(long dst, long value, int elementBytes, long count, long stream) {
    fills.fill(dst, value, elementBytes, count, stream);
  }

  @Override
  public void fill2D(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {
    fills.fill2D(dst, pitch, value, elementBytes, width, rows, stream);
  }

  @Override
  public void writeValue(long address, long value, int bytes, long stream) {
    values.write(address, value, bytes, stream);
  }

  @Override
  public void waitValue(
      long address, long value, int bytes, ValueCondition condition, long stream) {
    values.await(address, value, bytes, condition, stream);
  }

  @Override
  public long loadModule(byte[] image) {
    return modules.load(image);
  }

  @Override
  public void unloadModule(long module) {
    modules.unload(module);
  }

  @Override
  public long function(long module, String entry, KernelTwin twin) {
    return modules.function(module, entry);
  }

  @Override
  public FunctionProperties functionProperties(long function) {
    return modules.properties(function);
  }

  @Override
  public int residentBlocks(long function, int threads, int sharedBytes) {
    return modules.residentBlocks(function, threads, sharedBytes);
  }

  @Override
  public void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers) {
    launches.launch(function, shape, stream, parameters, parameterPointers);
  }

  @Override
  public long createGraph(GraphPlan plan) {
    return graphs.create(plan);
  }

  @Override
  public GraphWork.Captured capture(LongConsumer work) {
    return captures.capture(work);
  }

  @Override
  public void destroyCaptured(GraphWork.Captured captured) {
    captures.destroy(captured);
  }

  @Override
  public void destroyGraph(long graph) {
    graphs.destroy(graph);
  }

  @Override
  public void updateGraph(long graph, int step, GraphWork work) {
    graphs.update(graph, step, work);
  }

  @Override
  public void uploadGraph(long graph, long stream) {
    graphs.upload(graph, stream);
  }

  @Override
  public void launchGraph(long graph, long stream) {
    graphs.launch(graph, stream);
  }

  @Override
  public PeerProperties peer(DriverDevice peer) {
    return peers.of(peers(peer));
  }

  @Override
  public void enablePeerAccess(DriverDevice peer) {
    peers.enable(peers(peer));
  }

  @Override
  public void disablePeerAccess(DriverDevice peer) {
    PeerDevices _ = peers(peer); // access stays enabled, as PeerDevices.enable explains
  }

  @Override
  public void copyPeer(
      long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream) {
    peers.copy(dst, peers(to), src, peers(from), bytes, stream);
  }

  @Override
  public void copyPeer3D(
      long dst, DriverDevice to, long src, DriverDevice from, Volume shape, long stream) {
    peerPlanes.copy(dst, peers(to), src, peers(from), shape, stream);
  }

  /** {@return the graphs of this device, which add its work to those of other devices} */
  Graphs graphs() {
    return graphs;
  }

  private PeerDevices peers(DriverDevice peer) {
    if (peer instanceof CudaDevice other) {
      return other.peers;
    }
    throw health.invalid("a device of another driver: " + peer.properties().name());
  }

  @Override
  public PointerProperties pointer(long address) {
    return peers.pointer(address);
  }

  @Override
  public void encode(TensorLayout layout, MemorySegment into) {
    // It writes to the host's memory alone, and yet refuses a thread without a context.
    context.run(
        _ -> TensorCalls.encode(layout, into),
        code -> health.failure(code, layout.call(), layout.toString()));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        if (!health.isLost()) {
          conditions.close();
        }
      } finally {
        closeMemory();
      }
    }
  }

  private void closeMemory() {
    try {
      memory.close();
    } finally {
      context.release();
      health.close();
    }
  }
}
