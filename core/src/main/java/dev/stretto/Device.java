package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.PointerProperties;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.enqueue.BetweenDevices;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoMemoryPoolException;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.fault.PeerAccessException;
import dev.stretto.fault.SettingException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.KernelReference;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.observe.BlockingCall;
import dev.stretto.observe.Bracketing;
import dev.stretto.observe.DeviceWatch;
import dev.stretto.observe.HostTask;
import dev.stretto.observe.NeverAwaited;
import dev.stretto.observe.NodeMarks;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Recording;
import dev.stretto.observe.Wait;
import dev.stretto.observe.Work;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import dev.stretto.route.OwnPool;
import dev.stretto.route.PeerLink;
import dev.stretto.route.StartedWork;
import dev.stretto.route.StreamName;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.TimedMark;
import dev.stretto.settings.OrderMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A device that is open: a GPU, or a virtual device that keeps the same promises in software.
 *
 * <p>Close a device when the program is done with it. {@link #close()} does not block: it ends all
 * use at once, lets work in progress run to its end, and then releases the device's streams, memory
 * and pinned memory. Any number of threads, platform or virtual, may use a device.
 *
 * <pre>{@code
 * try (Device device = Device.open();
 *     Stream stream = device.stream();
 *     PinnedArena pinned = device.pinnedArena()) {
 *   GlobalFloats x = device.allocateFloats(1 << 20);
 *   MemorySegment host = pinned.allocate(ValueLayout.JAVA_FLOAT, 1 << 20);
 *   stream.copy(host, x);
 *   stream.copy(x, host).await();
 * }
 * }</pre>
 */
public final class Device extends MethodPreparations implements AutoCloseable {
  private final DeviceRuntime engine;
  private final Driver driver;
  private final String reason;
  private final LoadedKernels kernels;
  private final MethodKernels methods;
  private final Leaks leaks = new Leaks();
  private final Observers observers;
  private final AtomicReference<@Nullable DeviceMetrics> metrics = new AtomicReference<>();
  private final AtomicBoolean registered = new AtomicBoolean();

  static {
    Devices.beforeStart(Rehearsal::begin);
  }

  Device(DeviceOpening opening) {
    this.engine = opening.engine();
    this.driver = opening.driver();
    this.reason = opening.reason();
    this.observers = new Observers(engine, opening.keepsPlaces());
    this.kernels = new LoadedKernels(engine);
    this.methods = new MethodKernels(engine.driver().properties(), kernels);
    StartedWork.opened(this, new NeverAwaited(engine, observers));
    Point.load();
    ProcessDiagnosis.opened(observers);
    DeviceWatch.opened(engine, observers);
    boolean ofProgram = !reason.equals(engine.name()); // others are called after their purpose
    if (ofProgram && DeviceMetrics.isAskedFor()) {
      registerMetrics();
    }
  }

  private static List<Device> ofAll(List<DeviceOpening> openings) {
    return openings.stream().map(Device::new).toList();
  }

  // --- opening
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return the devices of this machine: its GPUs, then one virtual device}
   *
   * @throws SettingException if the system property {@code dev.stretto.libcuda} has an invalid
   *     value
   */
  public static List<DeviceProperties> all() {
    return Devices.all();
  }

  /**
   * {@return the first GPU, or a virtual device if none can be used}
   *
   * <p>{@link #reason()} says which device it is and why. A virtual device that stands in for a GPU
   * is logged once per process, as a warning of the logger {@code dev.stretto}.
   *
   * <p>A deployment can choose otherwise with the system property {@code dev.stretto.device}:
   * {@code gpu} for the first GPU and nothing else, or a name as for {@link #open(String)}, such as
   * {@code cuda:1} or {@code virtual:h200,seed=7}. A device that was requested by name is not
   * logged.
   *
   * @throws NoSuchDeviceException if the device cannot be opened, or the device that the property
   *     names does not exist
   * @throws SettingException if the property names no device, or several; or another system
   *     property of Stretto has an invalid value
   */
  public static Device open() {
    return new Device(Devices.openAny());
  }

  /**
   * {@return the first GPU} For a program that must not run on a virtual device. The system
   * property that {@link #open()} reads has no effect here.
   *
   * @throws NoSuchDeviceException if no GPU can be used, with the reason, or the first GPU cannot
   *     be opened
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static Device openGpu() {
    return new Device(Devices.openGpu());
  }

  /**
   * {@return a device of {@link #all()}}
   *
   * <p>If no GPU can be used, number 0 is a virtual device that stands in for one; this is logged
   * as for {@link #open()}.
   *
   * @param index its position in that list
   * @throws NoSuchDeviceException if there is no such device, or it cannot be opened
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static Device open(int index) {
    return new Device(Devices.openNumber(index));
  }

  /**
   * {@return the device with a name}
   *
   * <p>{@code cuda:0} is the first GPU. {@code virtual} is a virtual H200, and {@code virtual:} may
   * be followed by words separated by commas:
   *
   * <ul>
   *   <li>a profile: {@code t4}, {@code a100}, {@code l4}, {@code rtx4090}, {@code h100}, {@code
   *       h200}, {@code b200} or {@code rtx5090};
   *   <li>{@code seed=N}: work advances while the program waits, in an order that the seed picks;
   *   <li>{@code schedule=X}: the family of orders from which the seed picks: {@code uniform},
   *       {@code pct1} to {@code pct5}, {@code pos}, {@code quiet}, or {@code rotate}, which is the
   *       default: each of the first seven in turn; only with a seed. With one of these seven and
   *       an even seed, work may also advance within the calls that enqueue;
   *   <li>{@code memory=BYTES}: the size of its memory; by default that of the product;
   *   <li>{@code pinned=BYTES}: how much host memory may be pinned, 0 or more; no limit by default;
   *   <li>{@code queue=N}: how many operations a stream of the driver holds; when it is full, a
   *       call that enqueues another blocks; 1,024 by default;
   *   <li>{@code engines=N}: copy engines, up to 16; those of the product by default, or if 0;
   *   <li>{@code threads=N}: how many kernels run at once, and beside them fills and local copies,
   *       up to 1,024; 4 by default; not allowed with a seed;
   *   <li>{@code file-read=X}, {@code file-write=X}, {@code file-writes=X}, {@code host-copy=X}:
   *       gigabytes (10<sup>9</sup> bytes) per second of one host thread that reads a page-cached
   *       file, of one that writes one, of all that write one together, and of one that copies
   *       memory; those of the profile by default;
   *   <li>{@code host-cores=N}: cores of the host; those of the profile by default, or if 0;
   *   <li>{@code order=X}: what is done about operations that race: nothing if {@code off}; {@code
   *       checked} refuses them with a {@link dev.stretto.fault.RaceException}, and watches kernels
   *       for races; {@code automatic} lets them wait for each other. By default what the system
   *       property {@code dev.stretto.order} says. A GPU's name may have this word too: {@code
   *       cuda:0,order=checked}.
   * </ul>
   *
   * <p>Each choice may be made only once: {@code h200,a100} and {@code seed=1,seed=2} are refused.
   *
   * <p>Every opening of a virtual device by name is a separate machine, with a {@linkplain #name()
   * name} of its own while it is open.
   *
   * @param name as above
   * @throws NoSuchDeviceException if there is no such device, or it cannot be opened
   * @throws IllegalArgumentException if the name is not of this form, or names several devices
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static Device open(String name) {
    Objects.requireNonNull(name, "name");
    List<Device> devices = openAll(name);
    if (devices.size() != 1) {
      devices.forEach(Device::close);
      throw new IllegalArgumentException(
          "'" + name + "' names " + devices.size() + " devices: open them with Device.openAll");
    }
    return devices.getFirst();
  }

  /**
   * {@return all devices that a name stands for, such as the eight of {@code virtual:h200x8}}
   *
   * @param name as for {@link #open(String)}, or a profile with a number of devices
   * @throws NoSuchDeviceException if there is no such device, or it cannot be opened
   * @throws IllegalArgumentException if the name is not of this form
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static List<Device> openAll(String name) {
    return ofAll(Devices.openNamed(Objects.requireNonNull(name, "name")));
  }

  /**
   * {@return all devices that a name stands for, with a layer between Stretto and their driver}
   *
   * <p>For tests that make driver calls fail, or count them. Whatever the layer does not do itself,
   * it passes on to the driver that it was given.
   *
   * @param name as for {@link #openAll(String)}
   * @param layer takes the driver of these devices and returns the one that Stretto calls
   * @throws NoSuchDeviceException if there is no such device, or it cannot be opened
   * @throws IllegalArgumentException if the name is not of this form
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static List<Device> openAll(String name, UnaryOperator<Driver> layer) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(layer, "layer");
    return ofAll(
        Devices.openNamed(
            name,
            name + " was asked for",
            driver -> Objects.requireNonNull(layer.apply(driver), "what the layer returns")));
  }

  /**
   * {@return all devices of a driver}
   *
   * <p>For tests that put a layer between Stretto and its driver, to make driver calls fail.
   *
   * @param driver the driver
   * @throws SettingException if a system property of Stretto has an invalid value
   */
  public static List<Device> openAll(Driver driver) {
    Objects.requireNonNull(driver, "driver");
    return ofAll(Devices.openAll(driver, "the driver " + driver.name() + " was given"));
  }

  // --- what it is
  // -------------------------------------------------------------------------------------------------------------

  /** {@return the properties of the device: its name, its limits and its resources} */
  public DeviceProperties properties() {
    return engine.driver().properties();
  }

  /**
   * {@return the name that messages use for this device: {@code cuda:0}, {@code virtual:0} and so
   * on}
   *
   * <p>A GPU has the same name every time it is opened. The name of a virtual device is unique
   * among those that are open in this process: the first is {@code virtual:0}, the next one that is
   * opened while the first is open is {@code virtual:0#2}, and so on. The devices of one opening,
   * such as {@code virtual:h200x8}, have the same number. The lowest free number is taken, so a
   * program that closes a device before it opens the next one sees {@code virtual:0} each time.
   */
  public String name() {
    return engine.name();
  }

  /** {@return one clause that says why this device was opened} */
  public String reason() {
    return reason;
  }

  /** {@return whether this is a virtual device} */
  public boolean isVirtual() {
    return properties().driver().equals("virtual");
  }

  /**
   * {@return whether this is a virtual device whose work advances only while the program waits, in
   * an order that a seed picks}
   */
  public boolean isSeeded() {
    return engine.driver().cooperation().isPresent();
  }

  /**
   * {@return the host's clock as this device sees it}
   *
   * <p>For code that does work on the host next to a virtual device, and wants that work to count
   * in modelled time. On a GPU it does nothing.
   */
  public HostClock hostClock() {
    return engine.driver().clock();
  }

  /** {@return whether the device was lost, after which everything on it fails} */
  public boolean isLost() {
    return engine.isLost();
  }

  /** {@return whether the device is open} */
  public boolean isOpen() {
    return !engine.isClosed();
  }

  // --- streams
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return a new stream of normal priority; it never synchronizes with the default streams} */
  public Stream stream() {
    return stream(0);
  }

  /**
   * {@return a new stream}
   *
   * @param priority lower is more urgent; the device's range is in its properties, and values
   *     outside it are clamped
   * @throws ClosedException if the device is closed
   */
  public Stream stream(int priority) {
    return opened(new Stream(this, engine.streams().open(priority, null), priority));
  }

  /**
   * {@return a new stream of normal priority with a name}
   *
   * <p>Messages, timelines, the Flight Recorder and diagnoses use this name for the stream. The
   * name says what the stream is for; several streams may have the same name.
   *
   * {@snippet :
   * Stream upload = device.stream("upload");
   * }
   *
   * @param name at most 128 characters that say what the stream is for
   * @throws IllegalArgumentException if the name is blank or longer, or has control characters or
   *     line breaks
   * @throws ClosedException if the device is closed
   */
  public Stream stream(String name) {
    return stream(name, 0);
  }

  /**
   * {@return a new stream with a name}
   *
   * @param name as for {@link #stream(String)}
   * @param priority as for {@link #stream(int)}
   * @throws IllegalArgumentException if the name is blank or longer, or has control characters or
   *     line breaks
   * @throws ClosedException if the device is closed
   */
  public Stream stream(String name, int priority) {
    return opened(new Stream(this, engine.streams().open(priority, StreamName.of(name)), priority));
  }

  /**
   * {@return tasks: operations without streams, ordered by the bytes that they use} As {@link
   * #tasks(int)} with 8 lanes.
   *
   * @throws ClosedException if the device is closed
   */
  public Tasks tasks() {
    return tasks(Tasks.LANES);
  }

  /**
   * {@return tasks: operations without streams, ordered by the bytes that they use}
   *
   * @param lanes how many streams they run on, 1 to 64: the most that can run at the same time
   * @throws IllegalArgumentException if that is not 1 to 64
   * @throws ClosedException if the device is closed
   */
  public Tasks tasks(int lanes) {
    if (lanes < 1 || lanes > Tasks.MOST_LANES) {
      throw new IllegalArgumentException(
          "%d lanes: there have to be 1 to %d".formatted(lanes, Tasks.MOST_LANES));
    }
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      StreamName name = StreamName.of("lane " + i);
      streams.add(opened(new Stream(this, engine.streams().open(0, name, OrderMode.AUTOMATIC), 0)));
    }
    return new Tasks(this, streams);
  }

  private Stream opened(Stream stream) {
    stream.watch(leaks);
    return stream;
  }

  /**
   * {@return CUDA's legacy default stream, for code that shares the device with other CUDA
   * libraries}
   *
   * <p>Its work waits for all work of every <em>blocking</em> stream, and their work waits for it.
   * Streams made by {@link #stream()} are not blocking and not affected. Staged copies and
   * callbacks are refused on it, because this stream cannot be held back.
   *
   * @throws ClosedException if the device is closed
   */
  public Stream legacyStream() {
    return new Stream(this, engine.streams().adopt(DriverDevice.LEGACY_STREAM), 0);
  }

  /**
   * {@return the calling thread's own default stream, for code that shares the device with other
   * CUDA libraries}
   *
   * <p>It is a blocking stream: it synchronizes with the legacy default stream. Only the calling
   * platform thread may use it, and staged copies and callbacks are refused on it.
   *
   * @throws ClosedException if the device is closed
   * @throws IllegalStateException on a virtual thread, which may change its carrier at any time
   */
  public Stream perThreadStream() {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "a virtual thread has no default stream of its own: it may change its carrier at any"
              + " time; use device.stream()");
    }
    StreamQueue queue = engine.streams().adopt(DriverDevice.PER_THREAD_STREAM);
    return new Stream(this, queue, 0);
  }

  /**
   * Runs code of another CUDA library that uses the calling thread's current device, such as {@code
   * cublasCreate} or {@code ncclCommInitRank}: this device is current meanwhile, and afterwards the
   * one that was before. For a virtual thread a platform thread runs the code, and this method
   * waits for it.
   *
   * @param work the code
   * @throws RuntimeException of the code
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void inContext(Runnable work) {
    Objects.requireNonNull(work, "work");
    engine.requireUsable();
    if (!Thread.currentThread().isVirtual()) {
      engine.driver().inContext(work);
      return;
    }
    FutureTask<Boolean> task = new FutureTask<>(() -> engine.driver().inContext(work), true);
    Thread _ = Thread.ofPlatform().daemon().name("stretto-in-context").start(task);
    try {
      boolean _ = task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitInterruptedException(
          "the thread was interrupted while code ran on " + name(), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException own
          ? own
          : new IllegalStateException(e.getCause());
    }
  }

  /**
   * {@return a stream that another CUDA library of the process has made, to enqueue on} Operations
   * run in the order of that stream: after the work that the library has enqueued, and before the
   * work that it will enqueue.
   *
   * <p>The library keeps the stream: closing the returned {@code Stream} only ends its use here.
   * After that the handle is not used again, though our work may still be in progress on the
   * stream. The library must not destroy the stream before it is closed here. Operations that would
   * have to be held back are refused, as on the default streams, because the library's work would
   * overtake them: staged copies, callbacks, copies between devices, and waits for an event that is
   * itself held back. It may be a blocking stream, which synchronizes with the legacy default
   * stream.
   *
   * @param handle a {@code CUstream} or {@code cudaStream_t}. On a GPU, CUDA trusts the handle: a
   *     wrong number may end the process. The stream is checked to belong to the device's primary
   *     context ({@code cuStreamGetCtx})
   * @throws IllegalArgumentException if it belongs to another context or device, or is the handle
   *     of a default stream or of a stream that this device made itself
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Stream adoptStream(long handle) {
    return new Stream(this, Adoption.stream(engine, handle), 0);
  }

  /**
   * {@return the current meaning of an event that another CUDA library of the process has made}
   * This is everything that was enqueued before the event was last recorded, or nothing if it was
   * never recorded. A later recording has no effect on the result: adopt the event again.
   *
   * <p>The handle is not used after this method has returned, so the library may then record or
   * destroy the event. Streams can wait for the result, and it can be queried and awaited like any
   * other event. It takes a stream of its own until it has happened; if a stream of the library is
   * available, {@link #adoptStream} and {@link Stream#record()} cost less.
   *
   * @param handle a {@code CUevent} or {@code cudaEvent_t}, of any device. On a GPU, CUDA trusts
   *     the handle: a wrong number may end the process
   * @throws IllegalArgumentException if the driver knows no such event
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event adoptEvent(long handle) {
    Adoption.AdoptedEvent event = Adoption.event(engine, handle);
    return new Event(new Stream(this, event.queue(), 0), event.sequence());
  }

  /**
   * {@return a new scope for work that begins and ends together} It has no deadline. The calling
   * thread has to close it.
   *
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public WorkScope scope() {
    engine.requireUsable();
    return new WorkScope(this, null);
  }

  /**
   * {@return a new scope for work that begins and ends together, within a time limit} When the time
   * is over, the scope's forks are interrupted and its streams accept no more operations; {@link
   * WorkScope#awaitAll()} reports what was in flight.
   *
   * @param limit the time from now on; if it is not positive, the deadline is now
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public WorkScope scope(Duration limit) {
    engine.requireUsable();
    return new WorkScope(this, Objects.requireNonNull(limit, "limit"));
  }

  /**
   * Waits until all operations are done that were enqueued so far on any stream of this device.
   *
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void await() {
    engine.requireUsable();
    Capture.requireNone(engine, "awaiting the device");
    boolean _ = await(Long.MAX_VALUE);
  }

  /**
   * Waits until all operations are done that were enqueued so far on any stream of this device, but
   * no longer than the given time.
   *
   * @param atMost the longest time to wait
   * @return whether everything is done
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public boolean await(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
    engine.requireUsable();
    Capture.requireNone(engine, "awaiting the device");
    return await(Point.deadline(atMost));
  }

  private boolean await(long deadline) {
    engine.streams().heardOfAll();
    Wait wait = Wait.begin(observers);
    boolean done = awaitAll(deadline);
    Wait.end(wait, done);
    return done;
  }

  private boolean awaitAll(long deadline) {
    for (StreamQueue queue : engine.streams().queues()) {
      if (!Point.await(queue, queue.end(), deadline)) {
        return false;
      }
    }
    engine.streams().learnedAll();
    return true;
  }

  // --- memory
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a new array of floats in this device's memory, 4 bytes each} Its contents are
   * undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalFloats allocateFloats(long length) {
    return GlobalFloats.of(memory(length, GlobalFloats.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of ints in this device's memory, 4 bytes each} Its contents are undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalInts allocateInts(long length) {
    return GlobalInts.of(memory(length, GlobalInts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of longs in this device's memory, 8 bytes each} Its contents are
   * undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalLongs allocateLongs(long length) {
    return GlobalLongs.of(memory(length, GlobalLongs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of doubles in this device's memory, 8 bytes each} Its contents are
   * undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalDoubles allocateDoubles(long length) {
    return GlobalDoubles.of(memory(length, GlobalDoubles.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of shorts in this device's memory, 2 bytes each} Its contents are
   * undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalShorts allocateShorts(long length) {
    return GlobalShorts.of(memory(length, GlobalShorts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of bytes in this device's memory, 1 byte each} Its contents are undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalBytes allocateBytes(long length) {
    return GlobalBytes.of(memory(length, GlobalBytes.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of binary16 numbers in this device's memory, 2 bytes each} Its contents
   * are undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalHalfs allocateHalfs(long length) {
    return GlobalHalfs.of(memory(length, GlobalHalfs.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of bfloat16 numbers in this device's memory, 2 bytes each} Its contents
   * are undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalBfloats allocateBfloats(long length) {
    return GlobalBfloats.of(memory(length, GlobalBfloats.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of ints for which streams can wait, and which they write: {@link
   * Stream#writeValue} and {@link Stream#waitValue}} CUDA allows that only outside of the pools
   * from which other arrays come. Allocating it may wait for work that is enqueued. Its contents
   * are undefined.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalInts allocateSignals(long length) {
    return GlobalInts.of(unpooled(length, GlobalInts.ELEMENT_BYTES));
  }

  /**
   * {@return a new array of longs for which streams can wait} Like {@link #allocateSignals}.
   *
   * @param length how many; 1 or more
   * @throws IllegalArgumentException if {@code length} is not positive, or so large that the bytes
   *     cannot be counted
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws ClosedException if the device is closed
   */
  public GlobalLongs allocateLongSignals(long length) {
    return GlobalLongs.of(unpooled(length, GlobalLongs.ELEMENT_BYTES));
  }

  private ArrayMemory unpooled(long length, int elementBytes) {
    long bytes = bytes(length, elementBytes);
    Capture.requireNone(engine, "an allocation of device memory");
    try (BlockingCall _ = observers.calling(Rule.ALLOCATION, bytes)) {
      return own(DeviceBlock.allocateUnpooled(engine, bytes));
    }
  }

  private ArrayMemory memory(long length, int elementBytes) {
    long bytes = bytes(length, elementBytes);
    Capture.requireNone(engine, "an allocation of device memory");
    try (BlockingCall _ = observers.calling(Rule.ALLOCATION, bytes)) {
      return own(DeviceBlock.allocate(engine, bytes));
    }
  }

  /** The size of an array, checked. */
  static long bytes(long length, int elementBytes) {
    if (length < 1) {
      throw new IllegalArgumentException(
          "an array of "
              + length
              + " elements of "
              + elementBytes
              + " bytes: its length has to be 1 or more");
    }
    if (length > Long.MAX_VALUE / elementBytes) {
      throw new IllegalArgumentException(
          "an array of %d elements of %d bytes each has more bytes than any device: at most %d elements can be asked for"
              .formatted(length, elementBytes, Long.MAX_VALUE / elementBytes));
    }
    return length * elementBytes;
  }

  /** The program's handle to a block of device memory. */
  ArrayMemory own(DeviceBlock block) {
    return new Memory(block, leaks);
  }

  /** The same for memory that others release. */
  ArrayMemory ownedElsewhere(DeviceBlock block) {
    return new Memory(block);
  }

  /** Memory that knows which opening of the device it was allocated through. */
  private final class Memory extends ArrayMemory {
    private final Leaks.Watched watched;

    Memory(DeviceBlock block, Leaks leaks) {
      super(block);
      this.watched = leaks.watch(this, ArrayMemory::describe);
    }

    /** For memory of another library, which frees it. */
    Memory(DeviceBlock block) {
      super(block);
      this.watched = Leaks.unwatched();
    }

    Device device() {
      return Device.this;
    }

    @Override
    protected void released() {
      Capture.closing(block());
    }

    @Override
    protected void closed() {
      watched.closed();
    }
  }

  void requirePool() {
    MemoryPool.require(engine);
  }

  /**
   * {@return the pool from which this device's memory comes}
   *
   * @throws NoMemoryPoolException if the device has none
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public MemoryPool memoryPool() {
    requirePool();
    return new MemoryPool(engine);
  }

  /**
   * {@return a new memory pool with a largest size, from which {@code stream.allocateFloats(pool,
   * length)} and its like allocate} Does not wait for enqueued work, and takes no memory yet.
   *
   * @param maxBytes the most bytes of the device that the pool may have; 1 or more, and no more
   *     than the device has
   * @throws IllegalArgumentException if {@code maxBytes} is not positive, or more than the device
   *     has
   * @throws NoMemoryPoolException if the device has no memory pools, or its driver is older than
   *     CUDA 12.2
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public LimitedPool memoryPool(long maxBytes) {
    requirePool();
    Capture.requireNone(engine, "a memory pool");
    LimitedPool.requirePossible(engine, maxBytes);
    return new LimitedPool(OwnPool.create(engine, maxBytes), leaks);
  }

  /**
   * {@return device memory of another CUDA library of the process, as an array} As {@link
   * #adopt(long, long, Function, Runnable)}, for a library that needs no notification.
   *
   * @param <A> the type of the array
   * @param address the address of the first byte: one that {@code cuMemAlloc}, {@code
   *     cuMemAllocAsync}, {@code cudaMalloc} or the like returned, or one further into that memory
   * @param bytes 1 or more
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @throws IllegalArgumentException as there
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public <A extends GlobalArray> A adopt(
      long address, long bytes, Function<? super Allocation, A> type) {
    Objects.requireNonNull(type, "type");
    return adopt(address, bytes, type, () -> {});
  }

  /**
   * {@return device memory of another CUDA library of the process, as an array}
   *
   * <p>The library keeps the memory: Stretto never frees it. The library must not free it before
   * the array is closed and the last operation that uses it is done; {@code released} reports that
   * moment. Closing the array, or the device, ends its use at once and does not block, as with any
   * array.
   *
   * @param <A> the type of the array
   * @param address the address of the first byte: one that {@code cuMemAlloc}, {@code
   *     cuMemAllocAsync}, {@code cudaMalloc} or the like returned, or one further into that memory
   * @param bytes 1 or more
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @param released is run on a virtual thread once the array is closed and no operation uses it
   *     any more, also after the device was lost; an exception that it throws is logged
   * @throws IllegalArgumentException if it is not device memory, lies on another device, goes
   *     beyond the allocation, or is not a whole number of aligned elements ({@link #pointer}
   *     returns what the driver knows)
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public <A extends GlobalArray> A adopt(
      long address, long bytes, Function<? super Allocation, A> type, Runnable released) {
    Objects.requireNonNull(type, "type");
    return Adoption.memory(
        engine, Memory::new, address, bytes, type, Objects.requireNonNull(released, "released"));
  }

  /**
   * {@return pinned host memory as kernels of this device address it} Each access of a kernel goes
   * over the link: about 25 to 55 GB/s for accesses that are next to each other, and 1 to 2
   * microseconds until a single one is back. That is worth it for what is read or written once, and
   * for what a running kernel and the host tell each other; everything else is better copied. CUDA
   * Programming Guide, "Mapped Memory".
   *
   * <p>What the host wrote before a launch was enqueued, the kernel sees. What a kernel wrote, the
   * host sees once it knows that the launch is done. While the kernel runs, either sees what the
   * other one wrote if it was released and acquired in the scope of the system: {@link
   * dev.stretto.kernel.Atomics} with {@link dev.stretto.kernel.Scope#SYSTEM} in the kernel, and
   * {@code setRelease} and {@code getAcquire} of a {@link java.lang.invoke.VarHandle} on the host.
   * {@link Stream#awaitUntil} waits for what a kernel writes.
   *
   * <p>Closing the array does not close the memory; closing the memory closes the array. Only
   * kernels take it: copies and fills are made with the segment itself.
   *
   * @param <A> the type of the array
   * @param pinned a part of what a {@link PinnedArena} or a {@link PinnedBuffers} of any device of
   *     this driver allocated, of whole elements and aligned to them
   * @param type {@code GlobalFloats::of}, {@code GlobalBytes::of} and so on
   * @throws IllegalArgumentException if the memory is not pinned, was registered rather than
   *     allocated, or is not a whole number of aligned elements
   * @throws ClosedException if the memory or the device is closed
   */
  public <A extends GlobalArray> A view(
      MemorySegment pinned, Function<? super Allocation, A> type) {
    Objects.requireNonNull(pinned, "pinned");
    Objects.requireNonNull(type, "type");
    return Views.of(engine, this::own, pinned, type);
  }

  /** {@return how many bytes of the device's memory are free} */
  public long freeBytes() {
    engine.requireUsable();
    return engine.call(() -> engine.driver().freeBytes());
  }

  /**
   * {@return a new arena of pinned host memory, which copies to and from this device reach
   * directly}
   *
   * @throws ClosedException if the device is closed
   */
  public PinnedArena pinnedArena() {
    engine.requireUsable();
    return new PinnedArena(engine, false, observers, leaks);
  }

  /**
   * {@return a new arena of pinned host memory that is write-combined} The host writes such memory
   * past its caches, in whole lines if it writes in sequence, and devices read it without asking
   * these caches. But the host reads it without them too, which is very slow. So it is for what the
   * host fills from the first byte to the last, and only devices read: {@code
   * CU_MEMHOSTALLOC_WRITECOMBINED}. In all else it is like {@link #pinnedArena()}, except that its
   * memory is not kept for reuse.
   *
   * <p>A diagnosis reports copies that bring bytes there, or read it on the host; it does not see
   * the program's own reads. A virtual device is as fast with it as with other memory.
   *
   * @throws ClosedException if the device is closed
   */
  public PinnedArena writeCombinedArena() {
    engine.requireUsable();
    return new PinnedArena(engine, true, observers, leaks);
  }

  /**
   * {@return a new arena of memory and events that other processes of this machine can open, and
   * into which theirs are opened}
   *
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public IpcArena ipcArena() {
    engine.requireUsable();
    return new IpcArena(engine, this::own, observers, leaks);
  }

  /**
   * {@return pinned buffers that are lent again and again} All of them are pinned at once, which
   * takes about 0.3 milliseconds per mebibyte on the calling thread. Each takes whole pages of 4
   * KiB, which count towards the budget of pinned memory until the buffers are closed.
   *
   * @param bytesEach how many bytes each has; 1 or more
   * @param count how many there are; 1 or more
   * @throws IllegalArgumentException if either is not positive
   * @throws dev.stretto.fault.PinnedBudgetException if the budget of pinned memory would be
   *     exceeded, or the driver has no more; then no buffer is pinned
   * @throws ClosedException if the device is closed
   */
  public PinnedBuffers pinnedBuffers(long bytesEach, int count) {
    engine.requireUsable();
    Capture.requireNone(engine, "pinning of host memory");
    return new PinnedBuffers(engine, bytesEach, count, leaks, observers);
  }

  /**
   * Pins host memory where it lies, so that copies reach it directly. Pinning takes about 40
   * milliseconds per gibibyte on the host of an H200. Unpinning waits until the device has finished
   * all its work, and so happens in the background.
   *
   * <p>Closing {@code arena} first ends the registration, which awaits the copies that use the
   * memory.
   *
   * <p>A read-only segment, such as a file that was mapped with {@code READ_ONLY}, is pinned for
   * devices to read only. All its pages are read into memory, and stay there. Copies to the device
   * are then direct, and no thread of the host moves a byte. A copy to such memory is refused, even
   * by another segment that can be written.
   *
   * <p>Memory may be registered again as soon as its registration is closed: it then stays pinned,
   * even if copies are still in progress. If the new range has other bounds than the old one, is
   * read-only where that was not, or the other way round, or was registered by another device, this
   * method waits until the old registration has ended, and therefore for the last copy that uses
   * it.
   *
   * @param segment native memory, mapped files included where the driver can pin them; the file
   *     must not be truncated meanwhile
   * @param arena the arena that the segment belongs to
   * @return the registration; closing it unpins the memory and does not free it
   * @throws IllegalArgumentException if the segment is empty, not native, or not from that arena,
   *     or part of it is registered or was allocated pinned
   * @throws dev.stretto.fault.PinnedBudgetException if the budget of pinned memory would be
   *     exceeded (whole pages count), or the driver cannot pin the memory, as a GPU that cannot pin
   *     read-only memory: copy that without registering it, which stages it, or map the file with
   *     {@code READ_WRITE}
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted while it waits
   *     for an earlier registration to end
   * @throws ClosedException if the device or the segment's arena is closed
   */
  public Registration register(MemorySegment segment, Arena arena) {
    Objects.requireNonNull(segment, "segment");
    Objects.requireNonNull(arena, "arena");
    engine.requireUsable();
    Capture.requireNone(engine, "pinning of host memory");
    return Registration.of(engine, segment, arena, observers);
  }

  /** {@return how much host memory is pinned through this device, and the limit} */
  public PinnedUse pinned() {
    return new PinnedUse(engine.pinned().used(), engine.pinned().peak(), engine.pinned().budget());
  }

  /**
   * Sets how much host memory may be pinned through this device; whole pages count. The default is
   * a quarter of the memory of the machine, or of the container if that has less (the limits of the
   * process's control groups). Memory that is already pinned stays pinned.
   *
   * @param bytes 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  public void pinnedBudget(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a budget of " + bytes + " bytes: has to be 0 or more");
    }
    engine.pinned().setBudget(bytes);
  }

  /**
   * {@return what is open of this device, with the stack trace of its opening: arrays, pinned
   * arenas and buffers, graphs, and streams} Contains what was opened after {@link #watchLeaks()},
   * or everything if the program was started with {@code -Ddev.stretto.leaks=true}.
   */
  public List<Leak> leaks() {
    return leaks.report();
  }

  /**
   * Makes this device keep the stack trace of everything that is opened from now on, for {@link
   * #leaks()}, as the system property {@code dev.stretto.leaks} does for all devices. For tests:
   * each allocation then takes some microseconds longer.
   */
  public void watchLeaks() {
    leaks.watch();
  }

  // --- peers
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@return whether this device can be given access to the memory of another} False for the device
   * itself and for devices of other drivers.
   *
   * @param peer the other device
   * @throws ClosedException if either device is closed
   */
  public boolean canAccess(Device peer) {
    Objects.requireNonNull(peer, "peer");
    return !engine.peers().isSame(peer.engine)
        && engine.peers().isKin(peer.engine)
        && engine.peers().of(peer.engine).access();
  }

  /**
   * Gives this device access to the memory of another until the returned handle is closed.
   * Meanwhile, copies between the two go directly from device to device, and kernels of this device
   * may use arrays of the other. May be called several times. In CUDA this call may wait for work
   * of either device, and it makes later allocations slower; so enable access before a pipeline
   * starts.
   *
   * @param peer the other device
   * @return a handle; closing it ends the access
   * @throws dev.stretto.fault.PeerAccessException if this device cannot reach the other
   * @throws IllegalArgumentException if both are the same device
   * @throws ClosedException if either device is closed
   * @throws dev.stretto.fault.DeviceLostException if either device is lost
   */
  public PeerAccess enablePeerAccess(Device peer) {
    Objects.requireNonNull(peer, "peer");
    if (engine.peers().isSame(peer.engine)) {
      throw new IllegalArgumentException(
          name() + " needs no access to itself: its kernels and copies use all of its memory");
    }
    if (!engine.peers().isKin(peer.engine)) {
      throw new PeerAccessException(
          name()
              + " cannot reach the memory of "
              + peer.name()
              + ", which belongs to another driver: copies between them go through the host");
    }
    try (BlockingCall _ = observers.calling(Rule.PEER_ACCESS, 0, peer.engine)) {
      return new PeerAccess(this, peer, PeerLink.open(engine, peer.engine));
    }
  }

  /**
   * {@return the route that a copy to another device would take now, and the reason} The route may
   * change when access between the two is enabled or ended.
   *
   * @param peer the other device, or this one
   * @throws ClosedException if either device is closed
   * @throws dev.stretto.fault.DeviceLostException if either device is lost
   */
  public Route routeTo(Device peer) {
    Objects.requireNonNull(peer, "peer");
    engine.requireUsable();
    peer.engine.requireUsable();
    return Route.of(BetweenDevices.between(engine, peer.engine));
  }

  /**
   * {@return the device whose memory an array lies in}
   *
   * @param array an array in a device's memory
   * @throws IllegalArgumentException if the array exists only inside a kernel
   */
  public static Device of(GlobalArray array) {
    Objects.requireNonNull(array, "array");
    return ((Memory) ArrayMemory.of(array)).device();
  }

  /**
   * {@return the driver's knowledge of an address} Devices and the host share one address space, so
   * an address alone identifies the memory, wherever it came from. CUDA C++ Programming Guide,
   * "Unified Virtual Address Space".
   *
   * @param address of device or host memory
   * @throws ClosedException if this device is closed
   */
  public PointerProperties pointer(long address) {
    engine.requireUsable();
    return engine.call(() -> engine.driver().pointer(address));
  }

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a launch that can be enqueued many times without packing its arguments again}
   *
   * @param grid its shape
   * @param kernel the kernel to run; it is loaded on this device if it is not loaded yet
   * @param arguments one for each parameter of the kernel; numbers are not converted
   * @throws dev.stretto.fault.KernelImageException if the image cannot be loaded, with the
   *     assembler's log
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the arguments do not match the parameters, or memory of
   *     another device is among them
   * @throws ClosedException if the device or an argument is closed
   */
  public Launch prepare(Grid grid, DeviceKernel kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(arguments, "arguments");
    engine.requireUsable();
    return launch(grid, kernel, true, arguments);
  }

  /**
   * {@return how many blocks of a kernel this device runs at the same time} Loads the kernel if it
   * is not loaded yet. {@link Launch#kernel()} is the kernel of a method.
   *
   * @param kernel of any image
   * @param threads the threads of a block
   * @param sharedBytes the dynamic shared memory of a block
   * @throws dev.stretto.fault.KernelImageException if the image cannot be loaded, with the
   *     assembler's log
   * @throws dev.stretto.fault.LaunchException if a block cannot have so many threads, or so much
   *     memory
   * @throws ClosedException if this device is closed
   */
  public Occupancy occupancy(DeviceKernel kernel, int threads, int sharedBytes) {
    Objects.requireNonNull(kernel, "kernel");
    engine.requireUsable();
    return Occupancy.of(engine, load(() -> kernel, true), threads, sharedBytes);
  }

  /**
   * {@return the occupancy with which this device holds the most threads} Of equal ones it is that
   * of the largest block. All multiples of a warp are tried, and the most threads that a block of
   * this kernel can have.
   *
   * @param kernel as for {@link #occupancy}
   * @param sharedBytes gives the dynamic shared memory of a block for its number of threads
   * @throws dev.stretto.fault.KernelImageException if the image cannot be loaded, with the
   *     assembler's log
   * @throws dev.stretto.fault.LaunchException if a block cannot have so much memory
   * @throws ClosedException if this device is closed
   */
  public Occupancy bestOccupancy(DeviceKernel kernel, IntUnaryOperator sharedBytes) {
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(sharedBytes, "sharedBytes");
    engine.requireUsable();
    return Occupancy.best(engine, load(() -> kernel, true), sharedBytes);
  }

  @Override
  Launch prepareMethod(Grid grid, KernelMethod kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    return launch(grid, kernel, true, arguments);
  }

  /** Makes a launch that the program may keep, or one that is enqueued at once and dropped. */
  Launch launch(Grid grid, DeviceKernel kernel, boolean kept, Object... arguments) {
    engine.requireUsable();
    return new Launch(engine, load(() -> kernel, kept), grid, kept, arguments);
  }

  /** The same for a method. */
  Launch launch(Grid grid, KernelMethod kernel, boolean kept, Object... arguments) {
    engine.requireUsable();
    KernelReference reference = KernelReference.of(kernel);
    LoadedKernel loaded =
        load(() -> methods.kernel(reference, reference.constants(arguments)).kernel(), kept);
    return new Launch(engine, loaded, grid, kept, reference.values(arguments));
  }

  /**
   * {@return a launch of the kernel that a method stood for last, to be put back; null if it is not
   * loaded} Its arguments decide whether it is for them.
   */
  @Nullable RepeatedLaunch repeated(Grid grid, KernelMethod kernel) {
    engine.requireUsable();
    MethodKernels.Compiled compiled = methods.latest(KernelReference.of(kernel));
    return compiled == null ? null : compiled.take(grid);
  }

  /** {@return a launch with these arguments, to be put back} */
  RepeatedLaunch repeated(Grid grid, KernelMethod kernel, Object[] arguments) {
    engine.requireUsable();
    KernelReference reference = KernelReference.of(kernel);
    MethodKernels.Compiled known = methods.latest(reference, arguments);
    RepeatedLaunch launch = known == null ? null : known.take(grid);
    if (launch == null) {
      List<Object> constants = reference.constants(arguments);
      LoadedKernel loaded = load(() -> methods.kernel(reference, constants).kernel(), false);
      MethodKernels.Compiled compiled = methods.kernel(reference, constants);
      methods.loaded(compiled, loaded);
      launch = compiled.take(loaded, grid);
    }
    setAll(launch, arguments);
    return launch;
  }

  /** The same for a kernel that the program has made. */
  RepeatedLaunch repeated(Grid grid, DeviceKernel kernel, Object[] arguments) {
    engine.requireUsable();
    LoadedKernel loaded = load(() -> kernel, false);
    RepeatedLaunch launch = loaded.idle().take(loaded, grid, null, List.of());
    launch.requireCount(arguments.length);
    setAll(launch, arguments);
    return launch;
  }

  private static void setAll(RepeatedLaunch launch, Object[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      launch.set(i, arguments[i]);
    }
  }

  private LoadedKernel load(Supplier<DeviceKernel> kernel, boolean kept) {
    try (BlockingCall call = observers.calling(Rule.KERNEL_LOADING, 0)) {
      long before = call == null ? 0 : kernels.loads();
      LoadedKernel loaded = kernels.load(kernel.get(), kept);
      if (call != null && kernels.loads() == before) {
        call.harmless();
      } else if (call != null) {
        call.about(loaded.kernel().entry());
      }
      return loaded;
    }
  }

  /**
   * Reports every operation of this device's streams to an observer, with device times, until the
   * returned handle is closed. Meant for timelines: it brackets each operation with timed events,
   * which costs about five microseconds per operation on an H200.
   *
   * @param observer receives the operations as they are enqueued
   * @return a handle; closing it ends the observation, and closing it again has no further effect
   * @throws IllegalStateException if the device is being observed already
   */
  public AutoCloseable observe(Observer observer) {
    Objects.requireNonNull(observer, "observer");
    return observers.add(
        observer instanceof Recording recording
            ? recording.listener(engine)
            : new ObserverListener(observer));
  }

  /**
   * Reports work of the host to the device's observer, such as a {@link
   * dev.stretto.timeline.Timeline}, as if Stretto had done it: for a program that reads what it
   * copies, or writes it, by itself. Without an observer it has no effect.
   *
   * @param work what was done
   */
  public void report(Observer.HostWork work) {
    Objects.requireNonNull(work, "work");
    observers.worked(
        new HostTask(
            work.kind() == Observer.Kind.WRITE,
            work.name(),
            work.bytes(),
            work.beginNanos(),
            work.endNanos()));
  }

  /** Passes reports on to an observer of the program. */
  private record ObserverListener(Observer observer) implements Bracketing {
    @Override
    public void enqueued(
        OpenStream stream, Work work, TimedMark begin, TimedMark end, long hostNanos) {
      Stream on = Stream.of(stream);
      observer.enqueued(
          new Observer.Observed(
              Observer.Kind.of(work.kind()),
              work.name(),
              on,
              work.bytes(),
              work.pinned(),
              new TimedEvent(on, begin),
              new TimedEvent(on, end),
              hostNanos,
              work.from(),
              work.to(),
              nodes(on, work.nodes()),
              work.traffic()));
    }

    /** The nodes of a launch; marks that several have in common become one event. */
    private static List<Observer.ObservedNode> nodes(Stream on, List<NodeMarks> marks) {
      Map<TimedMark, TimedEvent> events = new HashMap<>();
      Function<TimedMark, TimedEvent> event =
          mark -> events.computeIfAbsent(mark, key -> new TimedEvent(on, key));
      return marks.stream()
          .map(
              node ->
                  new Observer.ObservedNode(
                      Observer.Kind.of(node.kind()),
                      node.name(),
                      node.index(),
                      node.bytes(),
                      node.from(),
                      node.to(),
                      node.after().stream().map(event).toList(),
                      event.apply(node.end())))
          .toList();
    }

    @Override
    public boolean looksInsideGraphs() {
      return observer.looksInsideGraphs();
    }

    @Override
    public void missed(OpenStream stream, Work work, RuntimeException cause) {
      observer.missed(Stream.of(stream), Observer.Kind.of(work.kind()), cause);
    }

    @Override
    public void worked(HostTask task) {
      observer.worked(
          new Observer.HostWork(
              task.isWrite() ? Observer.Kind.WRITE : Observer.Kind.READ,
              task.name(),
              task.bytes(),
              task.beginNanos(),
              task.endNanos()));
    }

    @Override
    public String toString() {
      return observer.toString();
    }
  }

  Observers observers() {
    return observers;
  }

  DeviceRuntime engine() {
    return engine;
  }

  /** {@return the device opened once more, as another library of the process would open it} */
  DriverDevice reopen() {
    return driver.open(engine.driver().properties().ordinal());
  }

  Leaks watchedLeaks() {
    return leaks;
  }

  // --- metrics
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return the device's numbers: copies, bytes by direction and route, waits, memory, what is
   * held back and what is open}
   *
   * <p>Copies and waits are counted from the first call on; until then, none of it costs anything.
   * All calls return the same object.
   */
  public DeviceMetricsMXBean metrics() {
    return ownMetrics();
  }

  private DeviceMetrics ownMetrics() {
    DeviceMetrics known = metrics.get();
    if (known != null) {
      return known;
    }
    DeviceMetrics made = new DeviceMetrics(engine, observers.count());
    return metrics.compareAndSet(null, made) ? made : Objects.requireNonNull(metrics.get());
  }

  /**
   * Lets JMX read {@link #metrics()} until the device is closed: as the bean {@code
   * dev.stretto:type=Device,name="NAME"} of the platform's server, with the device's {@linkplain
   * #name() name}. Again, it has no effect. The system property {@code dev.stretto.metrics} does
   * the same for every device that is opened.
   *
   * @throws IllegalStateException if the module {@code java.management} is absent
   * @throws ClosedException if the device is closed
   */
  public void registerMetrics() {
    engine.requireUsable();
    ownMetrics().register();
    registered.set(true);
    if (engine.isClosed()) { // meanwhile
      removeMetrics();
    }
  }

  private void removeMetrics() {
    DeviceMetrics known = metrics.get();
    if (known != null && registered.getAndSet(false)) {
      known.remove();
    }
  }

  /**
   * Ends all use of the device at once. Work in progress runs to its end; then streams, memory and
   * pinned memory are released. Does not block. Closing it again has no further effect.
   *
   * <p>It does not throw failures of the device. A failure that no exception has reported to the
   * program, now or later, is logged once, as a warning of the logger {@code dev.stretto}; so is a
   * copy to host memory that was never awaited.
   */
  @Override
  public void close() {
    if (isOpen()) {
      StartedWork.closing(this);
      observers.deviceCloses();
    }
    if (engine.close()) {
      removeMetrics();
      DeviceNames.giveBack(name());
      StartedWork.closed(this);
      leaks.closedWithTheDevice();
    }
  }

  @Override
  public String toString() {
    return name() + " (" + properties().name() + ")";
  }
}
