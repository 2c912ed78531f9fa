package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One opened device: the calls of the CUDA driver API that Stretto needs, with the same meaning.
 * Any thread may call, virtual ones too. Every method throws {@link DriverException} where CUDA
 * would return an error. Nothing here blocks on the device unless it says so.
 */
public interface DriverDevice extends AutoCloseable {
  /** The handle of CUDA's legacy default stream. */
  long LEGACY_STREAM = 1;

  /**
   * The handle of CUDA's per-thread default stream: another stream for each platform thread that
   * calls.
   */
  long PER_THREAD_STREAM = 2;

  /** {@return what the device is} */
  DeviceProperties properties();

  /**
   * Says what the program calls this device. CUDA has no names; a virtual device uses it in its
   * messages.
   *
   * @param name its own among the devices that are open
   */
  default void nameDevice(String name) {}

  /** {@return the host's clock as this device sees it} */
  HostClock clock();

  /** {@return how to advance this device, or nothing where it advances by itself} */
  Optional<Cooperation> cooperation();

  /**
   * Has {@code listener} called, on a thread of the device's, soon after any event completes or the
   * device is lost. A device that has to be polled returns false and never calls.
   *
   * @param listener must not call the driver and must not block
   * @return whether the device tells of its progress
   */
  boolean onProgress(Runnable listener);

  // --- memory
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * Allocates device memory, aligned to 256 bytes at least. Never waits for enqueued work.
   *
   * @param bytes at least 1
   * @return its device address
   */
  long allocate(long bytes);

  /**
   * Frees device memory that no enqueued work uses any more. Never waits for enqueued work.
   *
   * @param address from {@link #allocate}
   */
  void free(long address);

  /** {@return bytes of device memory that are free now} */
  long freeBytes();

  /**
   * {@return whether memory can be allocated and freed in the order of a stream} If not, the other
   * calls about the pool fail.
   */
  boolean hasPool();

  /**
   * Allocates device memory in the order of a stream, aligned to 256 bytes at least. The address is
   * known at once; the memory may be used by what the stream, or a stream that waits for it, is
   * given later. Never waits for enqueued work.
   *
   * @param bytes at least 1
   * @param stream where to enqueue it
   * @return its device address
   * @throws DriverException of kind OUT_OF_MEMORY if there is too little, what the stream itself is
   *     to free before being counted as free
   */
  long allocateAsync(long bytes, long stream);

  /**
   * Frees device memory in the order of a stream. What uses it has to be before that in the stream,
   * or be waited for by it. Never waits for enqueued work.
   *
   * @param address from {@link #allocateAsync} or, where there is a pool, from {@link #allocate}
   * @param stream where to enqueue it
   */
  void freeAsync(long address, long stream);

  /**
   * {@return what an attribute of the pool is now}
   *
   * @param attribute which
   */
  long poolAttribute(PoolAttribute attribute);

  /**
   * Sets an attribute of the pool.
   *
   * @param attribute which; of those that tell bytes in use, the highest ones only
   * @param value the highest ones are set to 0 only
   */
  void poolAttribute(PoolAttribute attribute, long value);

  /**
   * Gives memory that the pool keeps back to the device. Never waits for enqueued work.
   *
   * @param keepBytes how much the pool may keep, what is in use included
   */
  void trimPool(long keepBytes);

  /**
   * Allocates pinned host memory, aligned to 256 bytes at least, readable and writable by the host
   * at that very address. May wait for enqueued work (CUDA does).
   *
   * @param bytes at least 1
   * @return its host address
   */
  long allocatePinned(long bytes);

  /**
   * Frees pinned host memory that no enqueued work uses any more. May wait for enqueued work.
   *
   * @param address from {@link #allocatePinned}
   */
  void freePinned(long address);

  /**
   * Pins ordinary host memory where it lies.
   *
   * @param address host address
   * @param bytes at least 1
   */
  void registerHost(long address, long bytes);

  /**
   * Ends {@link #registerHost}.
   *
   * @param address as registered
   */
  void unregisterHost(long address);

  // --- streams and events
  // -----------------------------------------------------------------------------------------------------

  /**
   * {@return a new non-blocking stream}
   *
   * @param priority numerically lower is more urgent; clamped to the device's range
   */
  long createStream(int priority);

  /**
   * {@return a new blocking stream, as {@code cudaStreamCreate} makes them} It and the legacy
   * default stream wait for each other. Stretto makes none for itself.
   *
   * @param priority numerically lower is more urgent; clamped to the device's range
   */
  long createBlockingStream(int priority);

  /**
   * Says what the program calls a stream. CUDA has no names; a virtual device uses it in its
   * messages.
   *
   * @param stream any stream of this device, default streams too
   * @param name as the subject of a clause, such as {@code stream 'upload'}
   */
  default void nameStream(long stream, String name) {}

  /**
   * Destroys a stream. Work that it still holds runs to its end.
   *
   * @param stream from {@link #createStream} or {@link #createBlockingStream}
   */
  void destroyStream(long stream);

  /**
   * Checks that a handle is a stream of this device, which somebody else in the process has made.
   * CUDA takes on trust that it is a stream at all.
   *
   * @param stream the handle
   * @throws DriverException of kind INVALID if it is none of this device
   */
  void checkStream(long stream);

  /**
   * {@return whether a stream and the legacy default stream wait for each other} They do unless the
   * stream was made not to ({@code CU_STREAM_NON_BLOCKING}), as those of {@link #createStream} are.
   *
   * @param stream that passed {@link #checkStream}
   */
  boolean waitsForLegacyStream(long stream);

  /**
   * {@return whether a stream holds nothing that is still to be done} Needs no event, whose
   * recording takes longer than a small copy.
   *
   * @param stream from {@link #createStream}
   * @throws DriverException of kind LOST if the work failed
   */
  boolean isIdle(long stream);

  /**
   * {@return a new event}
   *
   * @param timed whether {@link #elapsedNanos} and {@link #eventNanos} may be asked of it
   */
  long createEvent(boolean timed);

  /**
   * Destroys an event; if it is recorded and still to happen, what waits for it is not affected.
   *
   * @param event from {@link #createEvent}
   */
  void destroyEvent(long event);

  /**
   * Makes {@code event} stand for all work that {@code stream} holds now. An earlier recording is
   * forgotten, but not by those who already wait for it.
   *
   * @param event from {@link #createEvent}
   * @param stream where to enqueue it
   */
  void recordEvent(long event, long stream);

  /**
   * {@return whether all work that the event stands for is done; true for an event that was never
   * recorded}
   *
   * <p>Never advances a seeded device: a thread that polls one calls {@link Cooperation#step()}
   * too.
   *
   * @param event from {@link #createEvent}
   * @throws DriverException of kind LOST if the work failed
   */
  boolean isDone(long event);

  /**
   * Makes all later work of {@code stream} wait for what {@code event} stands for now. If the
   * event's device is lost before that is done, the wait ends all the same, and the stream is told
   * nothing of it: the other device has to be asked.
   *
   * @param stream where to enqueue it
   * @param event from {@link #createEvent}
   * @throws DriverException of kind LOST if this device or the event's is lost
   */
  void waitEvent(long stream, long event);

  /**
   * {@return the time from one event to another, both timed and done, in nanoseconds}; CUDA's
   * resolution is about half a microsecond.
   *
   * @param start a timed event that is done
   * @param end a timed event that is done
   */
  double elapsedNanos(long start, long end);

  /**
   * {@return on a modelled device the time at which a recorded event (timed or not) happens, which
   * is known as soon as it is recorded; 0 on others}
   *
   * @param event from {@link #createEvent}
   */
  long eventNanos(long event);

  /**
   * Blocks the calling thread until the event is done. For use where blocking is asked for by name.
   *
   * @param event from {@link #createEvent}
   */
  void awaitEvent(long event);

  // --- copies
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * Enqueues a copy. Host memory has to be pinned or registered, unless the caller means to have
   * the driver's own pageable path, which may block.
   *
   * @param dst device or host address
   * @param src device or host address
   * @param bytes at least 1
   * @param kind which way
   * @param stream where to enqueue it
   */
  void copy(long dst, long src, long bytes, CopyKind kind, long stream);

  /**
   * Enqueues a copy between device memory and ordinary (pageable) memory on the driver's own path,
   * keeping the host segment's arena from closing for the length of the call. Blocks as long as the
   * driver does: always until a host source has been read.
   *
   * @param device device address
   * @param host native memory
   * @param kind HOST_TO_DEVICE or DEVICE_TO_HOST
   * @param stream where to enqueue it
   */
  void copyPageable(long device, MemorySegment host, CopyKind kind, long stream);

  /**
   * Enqueues a copy of {@code rows} rows of {@code width} bytes each, which lie {@code pitch} bytes
   * apart.
   *
   * @param dst device or host address
   * @param dstPitch at least {@code width}
   * @param src device or host address
   * @param srcPitch at least {@code width}
   * @param width bytes of a row
   * @param rows how many
   * @param kind which way
   * @param stream where to enqueue it
   */
  void copy2D(
      long dst,
      long dstPitch,
      long src,
      long srcPitch,
      long width,
      long rows,
      CopyKind kind,
      long stream);

  /**
   * Enqueues a copy of several planes of rows.
   *
   * @param dst device or host address
   * @param src device or host address
   * @param shape what is copied, and how it lies
   * @param kind which way
   * @param stream where to enqueue it
   */
  void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream);

  /**
   * Enqueues several copies, which as a whole are in the order of the stream, and among each other
   * in none.
   *
   * @param copies at least one
   * @param stream where to enqueue them
   */
  void copyAll(CopyList copies, long stream);

  /** {@return whether {@link #copyAll} is one call of the driver's, and not one for each copy} */
  boolean copiesInBatches();

  /**
   * Enqueues a fill of device memory.
   *
   * @param dst aligned to {@code elementBytes}
   * @param value its low {@code 8 * elementBytes} bits are repeated
   * @param elementBytes 1, 2, 4 or 8
   * @param count how many elements
   * @param stream where to enqueue it
   */
  void fill(long dst, long value, int elementBytes, long count, long stream);

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a module, loaded from PTX text (UTF-8, with or without a closing zero byte) or a
   * cubin} A virtual device checks that PTX has the entries that are asked for, and nothing else.
   *
   * @param image PTX text or a cubin
   * @throws DriverException of kind BAD_IMAGE, with the assembler's log, if it cannot be loaded
   */
  long loadModule(byte[] image);

  /**
   * Unloads a module whose kernels no enqueued work uses any more.
   *
   * @param module from {@link #loadModule}
   */
  void unloadModule(long module);

  /**
   * {@return the kernel of a module}
   *
   * @param module from {@link #loadModule}
   * @param entry its name in the image
   * @param twin what runs on a virtual device; CUDA does not look at it
   */
  long function(long module, String entry, KernelTwin twin);

  /**
   * {@return what the driver knows of a kernel}
   *
   * @param function from {@link #function}
   */
  FunctionProperties functionProperties(long function);

  /**
   * Enqueues a launch. The parameters are copied before this returns.
   *
   * @param function from {@link #function}
   * @param shape how many blocks of how many threads
   * @param stream where to enqueue it
   * @param parameters the parameters, packed with their natural alignment; native memory
   * @param parameterPointers for each parameter its address within {@code parameters}; native
   *     memory
   */
  void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers);

  /**
   * {@return whether this device knows which launch has faulted, and names it by the place that
   * came with it} CUDA does not: a fault is reported by whichever call comes next.
   */
  default boolean namesFaultingLaunch() {
    return false;
  }

  /**
   * Enqueues a launch as {@link #launch(long, LaunchShape, long, MemorySegment, MemorySegment)}
   * does.
   *
   * @param function from {@link #function}
   * @param shape how many blocks of how many threads
   * @param stream where to enqueue it
   * @param parameters the parameters, as there
   * @param parameterPointers for each parameter its address, as there
   * @param place the line of the program that launches, or null if that is not known; named by a
   *     device that {@linkplain #namesFaultingLaunch() names} the launch that has faulted
   */
  @SuppressWarnings("exports") // the annotation, which is there when this is compiled and no later
  default void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place) {
    launch(function, shape, stream, parameters, parameterPointers);
  }

  // --- graphs
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a graph that can be launched} Its launches never overlap: each comes after the one
   * before, on whatever stream that was.
   *
   * @param plan what it does; host memory in it has to be pinned or registered
   */
  long createGraph(GraphPlan plan);

  /**
   * Destroys a graph of which no launch is under way.
   *
   * @param graph from {@link #createGraph}
   */
  void destroyGraph(long graph);

  /**
   * Has the launches that follow do something else at one step. A kernel stays the same kernel in
   * clusters of the same size, copies and fills are of one dimension before and after, copies go
   * the same way and between the same devices, and fills have elements of 1, 2 or 4 bytes.
   *
   * @param graph from {@link #createGraph}
   * @param step its number in the plan
   * @param work of the same kind as before
   */
  void updateGraph(long graph, int step, GraphWork work);

  /**
   * Brings a graph to the device, so that its first launch need not.
   *
   * @param graph from {@link #createGraph}
   * @param stream where to enqueue it
   */
  void uploadGraph(long graph, long stream);

  /**
   * Enqueues a launch of all that a graph does.
   *
   * @param graph from {@link #createGraph}
   * @param stream where to enqueue it
   */
  void launchGraph(long graph, long stream);

  /**
   * Enqueues a launch of all that a graph does.
   *
   * @param graph from {@link #createGraph}
   * @param stream where to enqueue it
   * @param place the line of the program that launches, or null if that is not known; see {@link
   *     #namesFaultingLaunch()}
   */
  @SuppressWarnings("exports") // as above
  default void launchGraph(long graph, long stream, @Nullable StackTraceElement place) {
    launchGraph(graph, stream);
  }

  // --- peers
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@return how this device reaches the memory of another}
   *
   * @param peer another device of the same driver
   */
  PeerProperties peer(DriverDevice peer);

  /**
   * Lets copies and kernels of this device address the memory of another, whatever of it is
   * allocated and will be. As many {@link #disablePeerAccess} say that nobody relies on it any
   * more. May wait for work of either device.
   *
   * @param peer another device of the same driver
   * @throws DriverException of kind INVALID if the two do not reach each other
   */
  void enablePeerAccess(DriverDevice peer);

  /**
   * Ends one {@link #enablePeerAccess}; no enqueued work relies on it any more, and none will. May
   * wait for work of either device. A driver may leave it turned on for as long as both contexts
   * live.
   *
   * @param peer as given there
   */
  void disablePeerAccess(DriverDevice peer);

  /**
   * Enqueues a copy between two devices of the driver, of which this is one as a rule. Where access
   * is enabled, in either direction, it goes from device to device; otherwise the driver stages it
   * through host memory.
   *
   * @param dst device address
   * @param to the device that has it
   * @param src device address
   * @param from the device that has it
   * @param bytes at least 1
   * @param stream where to enqueue it
   */
  void copyPeer(long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream);

  /**
   * {@return what lies at an address, on any device of the driver or in host memory}
   *
   * @param address any
   */
  PointerProperties pointer(long address);

  // --- parameters
  // -------------------------------------------------------------------------------------------------------------

  /**
   * Makes the object by which kernels of this device know a tensor.
   *
   * @param layout says which
   * @param into gets {@link TensorLayout#BYTES} bytes, for kernels' parameters; native memory
   */
  void encode(TensorLayout layout, MemorySegment into);

  /**
   * Lets go of the device. All its streams are idle and all its memory is freed by then, or the
   * device is lost.
   */
  @Override
  void close();
}
