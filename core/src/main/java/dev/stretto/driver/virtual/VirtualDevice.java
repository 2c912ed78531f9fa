package dev.stretto.driver.virtual;

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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One opening of a virtual device. It checks that it is open and the device is not lost, and
 * delegates the work.
 */
public final class VirtualDevice implements DriverDevice {
  private final VirtualDriver driver;
  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;
  private final Pool pool = new Pool();
  private final PoolCalls pooled;
  private final VirtualCopies copies;
  private final EventCalls events;
  private final LaunchCalls launches;
  private final VirtualGraphs graphs;
  private final VirtualPeers peers;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  VirtualDevice(VirtualDriver driver, PrimaryContext context) {
    this.driver = driver;
    this.context = context;
    this.platform = context.platform();
    this.submission = new Submission(context);
    this.pooled = new PoolCalls(context, submission, pool);
    this.copies = new VirtualCopies(context, submission);
    this.events = new EventCalls(context, submission);
    this.launches = new LaunchCalls(context, submission);
    this.graphs = new VirtualGraphs(context, submission, copies, events, launches);
    this.peers = new VirtualPeers(context, submission);
  }

  /** {@return the graphs' calls, which prepare this device's work for graphs of others} */
  VirtualGraphs graphs() {
    return graphs;
  }

  @Override
  public DeviceProperties properties() {
    return context.properties();
  }

  @Override
  public void nameDevice(String name) {
    open("nameDevice", () -> context.setName(name));
  }

  @Override
  public HostClock clock() {
    return platform.clock();
  }

  @Override
  public Optional<Cooperation> cooperation() {
    return Optional.ofNullable(platform.scheduler().cooperation());
  }

  @Override
  public boolean onProgress(Runnable listener) {
    checkOpen("onProgress");
    if (!platform.scheduler().tellsProgress()) {
      return false;
    }
    listeners.add(listener);
    context.listeners().add(listener);
    return true;
  }

  /** {@return counts of the device's resources that are held now} */
  public LiveCounts live() {
    return driver.live(context.ordinal());
  }

  @Override
  public long allocate(long bytes) {
    checkAlive("cuMemAlloc");
    return context.memory().allocate(bytes, pool);
  }

  @Override
  public long allocateUnpooled(long bytes) {
    checkAlive("cuMemAlloc");
    return context.memory().allocateUnpooled(bytes, pool);
  }

  @Override
  public long allocateShared(long bytes) {
    checkAlive("cuMemAlloc");
    return context.memory().allocateShared(bytes, pool);
  }

  @Override
  public byte[] exportMemory(long address) {
    checkAlive("cuIpcGetMemHandle");
    return context.memory().export(address);
  }

  @Override
  public long openMemory(byte[] handle) {
    checkAlive("cuIpcOpenMemHandle");
    return context.memory().open(handle, pool);
  }

  @Override
  public void closeMemory(long address) {
    checkOpen("cuIpcCloseMemHandle");
    context.memory().closeShared(address);
  }

  @Override
  public void free(long address) {
    checkOpen("cuMemFree");
    context.memory().free(address);
  }

  @Override
  public long freeBytes() {
    checkAlive("cuMemGetInfo");
    return context.memory().freeBytes();
  }

  @Override
  public boolean hasPool() {
    return true;
  }

  @Override
  public long createPool(long maxBytes) {
    checkAlive("cuMemPoolCreate");
    return pooled.create(maxBytes);
  }

  @Override
  public long createSharedPool(long maxBytes) {
    checkAlive("cuMemPoolCreate");
    return pooled.createShared(maxBytes);
  }

  @Override
  public int exportPool(long exported) {
    checkAlive("cuMemPoolExportToShareableHandle");
    return pooled.export(exported);
  }

  @Override
  public long openPool(int descriptor) {
    checkAlive("cuMemPoolImportFromShareableHandle");
    return pooled.open(descriptor);
  }

  @Override
  public byte[] exportPooled(long address) {
    checkAlive("cuMemPoolExportPointer");
    return context.memory().exportPooled(address);
  }

  @Override
  public long openPooled(long of, byte[] handle) {
    checkAlive("cuMemPoolImportPointer");
    return pooled.openPooled(of, handle);
  }

  @Override
  public void closePooled(long address) {
    checkOpen("cuMemFreeAsync");
    context.memory().closePooled(address);
  }

  @Override
  public long createProcessEvent() {
    checkAlive("cuEventCreate");
    throw noEvents("cuEventCreate");
  }

  @Override
  public byte[] exportEvent(long event) {
    checkAlive("cuIpcGetEventHandle");
    throw noEvents("cuIpcGetEventHandle");
  }

  @Override
  public long openEvent(byte[] handle) {
    checkAlive("cuIpcOpenEventHandle");
    throw noEvents("cuIpcOpenEventHandle");
  }

  private static DriverException noEvents(String call) {
    return CudaResult.NOT_SUPPORTED.of(call, "a virtual device has no events of several processes");
  }

  @Override
  public void destroyPool(long destroyed) {
    checkOpen("cuMemPoolDestroy");
    pooled.destroy(destroyed);
  }

  @Override
  public long allocate(long bytes, long from) {
    checkAlive("cuMemAllocFromPoolAsync");
    return pooled.allocate(bytes, from);
  }

  @Override
  public long allocateAsync(long bytes, long from, long stream) {
    checkAlive("cuMemAllocFromPoolAsync");
    return pooled.allocate(bytes, from, stream);
  }

  @Override
  public void freeAsync(long address, long stream) {
    checkAlive("cuMemFreeAsync");
    pooled.free(address, stream);
  }

  @Override
  public long poolAttribute(long of, PoolAttribute attribute) {
    checkAlive("cuMemPoolGetAttribute");
    return pooled.get("cuMemPoolGetAttribute", of).get(attribute);
  }

  @Override
  public void poolAttribute(long of, PoolAttribute attribute, long value) {
    checkAlive("cuMemPoolSetAttribute");
    pooled.get("cuMemPoolSetAttribute", of).set(attribute, value);
  }

  @Override
  public void trimPool(long of, long keepBytes) {
    checkAlive("cuMemPoolTrimTo");
    pooled.get("cuMemPoolTrimTo", of).trim(keepBytes);
  }

  @Override
  public long allocatePinned(long bytes) {
    checkAlive("cuMemHostAlloc");
    return platform.hostSpace().allocate(context, bytes);
  }

  /** Its speed on the host is that of other memory: only a diagnosis tells it from that. */
  @Override
  public long allocateWriteCombined(long bytes) {
    checkAlive("cuMemHostAlloc");
    return platform.hostSpace().allocate(context, bytes);
  }

  @Override
  public void freePinned(long address) {
    checkOpen("cuMemFreeHost");
    platform.hostSpace().free(address);
  }

  @Override
  public void registerHost(long address, long bytes) {
    checkAlive("cuMemHostRegister");
    platform.hostSpace().register(context, address, bytes);
  }

  @Override
  public void registerReadOnly(long address, long bytes) {
    checkAlive("cuMemHostRegister");
    platform.hostSpace().registerReadOnly(context, address, bytes);
  }

  @Override
  public void registerShared(long address, long bytes) {
    checkAlive("cuMemHostRegister");
    platform.hostSpace().registerShared(context, address, bytes);
  }

  @Override
  public void unregisterHost(long address) {
    checkOpen("cuMemHostUnregister");
    platform.hostSpace().unregister(address);
  }

  @Override
  public long createStream(int priority) {
    return alive(
        "cuStreamCreate", () -> context.streams().create(priority, OpQueue.Sort.NON_BLOCKING));
  }

  @Override
  public long createBlockingStream(int priority) {
    return alive("cuStreamCreate", () -> context.streams().create(priority, OpQueue.Sort.BLOCKING));
  }

  @Override
  public void nameStream(long stream, String name) {
    open("nameStream", () -> context.streams().get("nameStream", stream).setName(name));
  }

  @Override
  public void destroyStream(long stream) {
    open("cuStreamDestroy", () -> context.streams().destroy(stream));
  }

  @Override
  public void checkStream(long stream) {
    open("cuStreamGetCtx", () -> context.streams().checkCreated("cuStreamGetCtx", stream));
  }

  @Override
  public boolean waitsForLegacyStream(long stream) {
    return alive(
        "cuStreamGetFlags",
        () -> context.streams().get("cuStreamGetFlags", stream).waitsForLegacyStream());
  }

  @Override
  public boolean isIdle(long stream) {
    return alive(
        "cuStreamQuery",
        () -> {
          context.captures().requireNone("cuStreamQuery", stream);
          return context.streams().isIdle("cuStreamQuery", stream);
        });
  }

  @Override
  public long createEvent(boolean timed) {
    return alive("cuEventCreate", () -> events.create(timed));
  }

  @Override
  public void destroyEvent(long event) {
    open("cuEventDestroy", () -> events.destroy(event));
  }

  @Override
  public void recordEvent(long event, long stream) {
    checkAlive("cuEventRecord");
    events.record(event, stream);
  }

  @Override
  public boolean isDone(long event) {
    checkAlive("cuEventQuery");
    return events.isDone(event);
  }

  @Override
  public void waitEvent(long stream, long event) {
    checkAlive("cuStreamWaitEvent");
    events.makeWait(stream, event);
  }

  @Override
  public double elapsedNanos(long start, long end) {
    return alive("cuEventElapsedTime", () -> events.elapsedNanos(start, end));
  }

  @Override
  public long eventNanos(long event) {
    return alive("eventNanos", () -> events.nanos(event));
  }

  @Override
  public void awaitEvent(long event) {
    checkAlive("cuEventSynchronize");
    events.await(event);
  }

  @Override
  public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
    checkAlive("cuMemcpyAsync");
    copies.copy("cuMemcpyAsync", CopyShape.plain(dst, src, bytes, kind), stream);
  }

  @Override
  public void copyPageable(long device, MemorySegment host, CopyKind kind, long stream) {
    checkAlive("cuMemcpyAsync");
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
    checkAlive("cuMemcpy2DAsync");
    copies.copy(
        "cuMemcpy2DAsync", CopyShape.rows(dst, dstPitch, src, srcPitch, width, rows, kind), stream);
  }

  @Override
  public void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream) {
    checkAlive("cuMemcpy3DAsync");
    copies.copy("cuMemcpy3DAsync", new CopyShape(dst, src, shape, kind), stream);
  }

  @Override
  public void copyAll(CopyList list, long stream) {
    checkAlive("cuMemcpyBatchAsync");
    copies.copyAll(list, stream);
  }

  @Override
  public boolean copiesInBatches() {
    return true;
  }

  @Override
  public void fill(long dst, long value, int elementBytes, long count, long stream) {
    checkAlive("cuMemsetAsync");
    copies.fill(dst, value, elementBytes, count, stream);
  }

  @Override
  public void fill2D(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream) {
    checkAlive("cuMemsetD2DAsync");
    copies.fill(
        "cuMemsetD2DAsync",
        new GraphWork.Fill(dst, value, elementBytes, width, pitch, rows),
        stream);
  }

  @Override
  public void writeValue(long address, long value, int bytes, long stream) {
    checkAlive("cuStreamWriteValue");
    ValueOp.checkWritten(context, "cuStreamWriteValue", address, bytes);
    submission.submitOrCapture(
        "cuStreamWriteValue", stream, queue -> ValueOp.write(queue, address, value, bytes));
  }

  @Override
  public void waitValue(
      long address, long value, int bytes, ValueCondition condition, long stream) {
    checkAlive("cuStreamWaitValue");
    ValueOp.check(context, "cuStreamWaitValue", address, bytes);
    submission.submitOrCapture(
        "cuStreamWaitValue",
        stream,
        queue -> ValueOp.await(queue, address, value, bytes, condition));
  }

  @Override
  public long loadModule(byte[] image) {
    checkAlive("cuModuleLoadDataEx");
    ModuleImage loaded = ModuleImage.load(image);
    return alive("cuModuleLoadDataEx", () -> context.modules().add(loaded));
  }

  @Override
  public void unloadModule(long module) {
    open("cuModuleUnload", () -> context.modules().remove(module));
  }

  @Override
  public long function(long module, String entry, KernelTwin twin) {
    return alive("cuModuleGetFunction", () -> context.modules().function(module, entry, twin));
  }

  @Override
  public FunctionProperties functionProperties(long function) {
    return alive(
        "cuFuncGetAttribute",
        () -> context.modules().get("cuFuncGetAttribute", function).properties());
  }

  @Override
  public int residentBlocks(long function, int threads, int sharedBytes) {
    String call = "cuOccupancyMaxActiveBlocksPerMultiprocessor";
    return alive(
        call,
        () -> {
          LoadedFunction kernel = context.modules().get(call, function);
          LaunchShape block = LaunchShape.of(1, 1, 1, threads, 1, 1, sharedBytes);
          LaunchLimits.check(block, context.properties(), kernel);
          return Multiprocessor.blocks(kernel.properties(), block, context.properties());
        });
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
    return clock().isModelled() ? LaunchCalls.linkBytesPerSecond(context.platform().model()) : 0;
  }

  @Override
  public boolean namesFaultingLaunch() {
    return true;
  }

  @Override
  public void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place) {
    checkAlive("cuLaunchKernel");
    launches.launch(function, shape, stream, parameters, parameterPointers, place);
  }

  @Override
  public long createGraph(GraphPlan plan) {
    checkAlive("cuGraphInstantiate");
    return graphs.create(plan);
  }

  @Override
  public GraphWork.Captured capture(LongConsumer work) {
    checkAlive("cuStreamBeginCapture");
    long stream = createStream(0);
    try {
      return graphs.captured(stream, work);
    } finally {
      destroyStream(stream);
    }
  }

  @Override
  public void destroyCaptured(GraphWork.Captured captured) {
    open("cuGraphDestroy", () -> context.captures().destroy(captured.handle()));
  }

  @Override
  public void destroyGraph(long graph) {
    open("cuGraphExecDestroy", () -> graphs.destroy(graph));
  }

  @Override
  public void updateGraph(long graph, int step, GraphWork work) {
    checkAlive("cuGraphExecNodeSetParams");
    graphs.update(graph, step, work);
  }

  @Override
  public void uploadGraph(long graph, long stream) {
    checkAlive("cuGraphUpload");
    graphs.upload(graph, stream);
  }

  @Override
  public void launchGraph(long graph, long stream) {
    launchGraph(graph, stream, null);
  }

  @Override
  public void launchGraph(long graph, long stream, @Nullable StackTraceElement place) {
    checkAlive("cuGraphLaunch");
    graphs.launch(graph, stream, place);
  }

  @Override
  public PeerProperties peer(DriverDevice peer) {
    return alive("cuDeviceCanAccessPeer", () -> peers.of(context(peer)));
  }

  @Override
  public void enablePeerAccess(DriverDevice peer) {
    checkAlive("cuCtxEnablePeerAccess");
    open("cuCtxEnablePeerAccess", () -> peers.enable(context(peer)));
  }

  @Override
  public void disablePeerAccess(DriverDevice peer) {
    open("cuCtxDisablePeerAccess", () -> peers.disable(context(peer)));
  }

  @Override
  public void copyPeer(
      long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream) {
    checkAlive("cuMemcpyPeerAsync");
    CopyShape shape = CopyShape.plain(dst, src, bytes, CopyKind.DEVICE_TO_DEVICE);
    peers.copy("cuMemcpyPeerAsync", shape, context(to), context(from), stream);
  }

  @Override
  public void copyPeer3D(
      long dst, DriverDevice to, long src, DriverDevice from, Volume shape, long stream) {
    checkAlive("cuMemcpy3DPeerAsync");
    CopyShape planes = new CopyShape(dst, src, shape, CopyKind.DEVICE_TO_DEVICE);
    peers.copy("cuMemcpy3DPeerAsync", planes, context(to), context(from), stream);
  }

  private PrimaryContext context(DriverDevice peer) {
    if (peer instanceof VirtualDevice other && other.platform == platform) {
      return other.context;
    }
    throw CudaResult.INVALID_DEVICE.of(
        "cuDeviceCanAccessPeer", peer.properties().name() + " is a device of another driver");
  }

  @Override
  public PointerProperties pointer(long address) {
    return alive("cuPointerGetAttribute", () -> peers.pointer(address));
  }

  @Override
  public void encode(TensorLayout layout, MemorySegment into) {
    checkAlive(layout.call());
    if (context.properties().computeMajor() < 9) {
      throw CudaResult.NOT_SUPPORTED.of(layout.call(), "tensor maps need compute capability 9.0");
    }
    layout.write(into);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      // One by one, because another opening may have registered the same listener.
      listeners.forEach(context.listeners()::remove);
      driver.close(context);
    }
  }

  private <T> T alive(String call, Supplier<T> body) {
    checkOpen(call);
    platform.lock().lock();
    try {
      context.checkAlive(call);
      return body.get();
    } finally {
      platform.lock().unlock();
    }
  }

  private void open(String call, Runnable body) {
    checkOpen(call);
    platform.lock().lock();
    try {
      body.run();
    } finally {
      platform.lock().unlock();
    }
  }

  private void checkAlive(String call) {
    open(call, () -> context.checkAlive(call));
  }

  private void checkOpen(String call) {
    if (closed.get()) {
      throw CudaResult.CONTEXT_IS_DESTROYED.of(
          call, "this opening of virtual device %d was closed".formatted(context.ordinal()));
    }
  }
}
