package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One opened device: the calls of the CUDA driver API that Stretto needs, with the same meaning.
 * Any thread may call, virtual ones too. Every method throws {@link DriverException} if CUDA would
 * return an error. No method waits for the device unless it says so.
 */
public interface DriverDevice extends AutoCloseable {
  /** The handle of CUDA's legacy default stream. */
  long LEGACY_STREAM = 1;

  /**
   * The handle of CUDA's per-thread default stream: a different stream for each platform thread
   * that uses it.
   */
  long PER_THREAD_STREAM = 2;

  /** The pool that the device has of its own, where it has one. */
  long DEFAULT_POOL = 0;

  /** What {@link #exportPool} returns on devices that need no file descriptor. */
  int NO_DESCRIPTOR = -1;

  /** {@return the properties of the device} */
  DeviceProperties properties();

  /**
   * Sets the program's name for this device. CUDA has no such names; a virtual device uses the name
   * in its messages.
   *
   * @param name a name that no other open device has
   */
  default void nameDevice(String name) {}

  /**
   * Makes the calling platform thread run near the device from now on, because most of its work is
   * to move the device's bytes, where a host has cores that are nearer than others.
   */
  default void keepNear() {}

  /**
   * Runs code of another CUDA library with this device as the calling thread's current one. On a
   * virtual thread the code must not block.
   *
   * @param work the code
   */
  default void inContext(Runnable work) {
    work.run();
  }

  /** {@return the host's clock as this device sees it} */
  HostClock clock();

  /** {@return how to advance this device, or nothing if it advances by itself} */
  Optional<Cooperation> cooperation();

  /**
   * Registers a listener that a thread of the device calls soon after any event completes or the
   * device is lost. A device that has to be polled returns false and never calls it.
   *
   * @param listener must not call the driver and must not block
   * @return whether the device reports its progress
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
   * Allocates device memory out of no pool, aligned to 256 bytes at least. May wait for enqueued
   * work. {@link #free} frees it.
   *
   * @param bytes at least 1
   * @return its device address
   */
  long allocateUnpooled(long bytes);

  /**
   * Frees device memory that no enqueued work still uses. Never waits for enqueued work.
   *
   * @param address from {@link #allocate}
   */
  void free(long address);

  /** {@return how many bytes of device memory are free now} */
  long freeBytes();

  /**
   * {@return whether memory can be allocated and freed in stream order} If not, the other calls
   * about the pool fail.
   */
  boolean hasPool();

  /**
   * {@return a new pool with a largest size} {@code cuMemPoolCreate} with {@code
   * CUmemPoolProps::maxSize}. Its threshold and its ways of reuse are those of the device's own
   * pool at first.
   *
   * @param maxBytes the most bytes of the device that the pool ever has, at least 1; a driver may
   *     round this up to the size of the pieces that it takes
   * @throws DriverException of kind INVALID if the driver has no such pools
   */
  long createPool(long maxBytes);

  /**
   * Destroys a pool, all of whose memory was freed and is used by no work any more.
   *
   * @param pool from {@link #createPool}
   */
  void destroyPool(long pool);

  /**
   * Allocates device memory out of a pool, for all streams. Never waits for enqueued work.
   *
   * @param bytes at least 1
   * @param pool from {@link #createPool}, or {@link #DEFAULT_POOL}
   * @return its device address
   * @throws DriverException of kind OUT_OF_MEMORY if the device or the pool has too little memory
   */
  long allocate(long bytes, long pool);

  /**
   * Allocates device memory in the order of a stream, aligned to 256 bytes at least. The address is
   * known at once. Operations that are enqueued later on the stream, or on a stream that waits for
   * it, may use the memory. Never waits for enqueued work.
   *
   * @param bytes at least 1
   * @param pool from {@link #createPool}, or {@link #DEFAULT_POOL}
   * @param stream where to enqueue it
   * @return its device address
   * @throws DriverException of kind OUT_OF_MEMORY if the device or the pool has too little memory,
   *     counting as free what the stream itself frees to the pool before the allocation
   */
  long allocateAsync(long bytes, long pool, long stream);

  /**
   * Frees device memory in the order of a stream. Operations that use the memory have to come
   * earlier in the stream, or the stream has to wait for them. Never waits for enqueued work.
   *
   * @param address from {@link #allocateAsync} or, where there is a pool, from {@link #allocate}
   * @param stream where to enqueue it
   */
  void freeAsync(long address, long stream);

  /**
   * {@return the current value of an attribute of a pool}
   *
   * @param pool from {@link #createPool}, or {@link #DEFAULT_POOL}
   * @param attribute which
   */
  long poolAttribute(long pool, PoolAttribute attribute);

  /**
   * Sets an attribute of a pool.
   *
   * @param pool from {@link #createPool}, or {@link #DEFAULT_POOL}
   * @param attribute which; of those that count bytes reserved or in use, only the peaks
   * @param value the new value; a peak can be set only to 0
   */
  void poolAttribute(long pool, PoolAttribute attribute, long value);

  /**
   * Returns memory that a pool keeps to the device. Never waits for enqueued work.
   *
   * @param pool from {@link #createPool}, or {@link #DEFAULT_POOL}
   * @param keepBytes how much the pool may keep, including the memory in use
   */
  void trimPool(long pool, long keepBytes);

  /**
   * Allocates pinned host memory, all zero and aligned to 256 bytes at least, which the host reads
   * and writes at the returned address. May wait for enqueued work (CUDA does).
   *
   * @param bytes at least 1
   * @return its host address
   */
  long allocatePinned(long bytes);

  /**
   * Allocates the same, write-combined: the host writes it past its caches, and reads it very
   * slowly. {@code CU_MEMHOSTALLOC_WRITECOMBINED}.
   *
   * @param bytes at least 1
   * @return its host address
   */
  long allocateWriteCombined(long bytes);

  /**
   * Frees pinned host memory that no enqueued work still uses. May wait for enqueued work.
   *
   * @param address from {@link #allocatePinned} or {@link #allocateWriteCombined}
   */
  void freePinned(long address);

  /**
   * Pins ordinary host memory in place.
   *
   * @param address host address
   * @param bytes at least 1
   */
  void registerHost(long address, long bytes);

  /**
   * Pins host memory in place of which the device only reads, as a mapping of a file that cannot be
   * written. {@link #unregisterHost} ends it. {@code CU_MEMHOSTREGISTER_READ_ONLY}.
   *
   * @param address host address
   * @param bytes at least 1
   * @throws DriverException of kind INVALID also if the device cannot pin such memory
   */
  void registerReadOnly(long address, long bytes);

  /**
   * Ends {@link #registerHost} or {@link #registerReadOnly}.
   *
   * @param address the address that was registered
   */
  void unregisterHost(long address);

  /**
   * Pins memory that other processes also map, and in which they write. {@link #unregisterHost}
   * ends it.
   *
   * @param address of the first byte, at the beginning of a page
   * @param bytes whole pages
   */
  void registerShared(long address, long bytes);

  // --- streams and events
  // -----------------------------------------------------------------------------------------------------

  /**
   * {@return a new non-blocking stream}
   *
   * @param priority numerically lower is more urgent; clamped to the device's range
   */
  long createStream(int priority);

  /**
   * {@return a new blocking stream, as {@code cudaStreamCreate} creates it} It and the legacy
   * default stream wait for each other. Stretto creates none for itself.
   *
   * @param priority numerically lower is more urgent; clamped to the device's range
   */
  long createBlockingStream(int priority);

  /**
   * Sets the program's name for a stream. CUDA has no such names; a virtual device uses the name in
   * its messages.
   *
   * @param stream any stream of this device, including default streams
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
   * Checks that a handle is a stream of this device that other code in the process has created.
   * CUDA does not check that the handle is a stream at all.
   *
   * @param stream the handle
   * @throws DriverException of kind INVALID if it is not a stream of this device
   */
  void checkStream(long stream);

  /**
   * {@return whether a stream and the legacy default stream wait for each other} They do unless the
   * stream was created with {@code CU_STREAM_NON_BLOCKING}, as {@link #createStream} does.
   *
   * @param stream that passed {@link #checkStream}
   */
  boolean waitsForLegacyStream(long stream);

  /**
   * {@return whether all work of a stream is done} Needs no event; recording one takes longer than
   * a small copy.
   *
   * @param stream from {@link #createStream}
   * @throws DriverException of kind LOST if the work failed
   */
  boolean isIdle(long stream);

  /**
   * {@return a new event}
   *
   * @param timed whether {@link #elapsedNanos} and {@link #eventNanos} may be called for it
   */
  long createEvent(boolean timed);

  /**
   * Destroys an event. Streams that wait for its last recording still wait for it.
   *
   * @param event from {@link #createEvent}
   */
  void destroyEvent(long event);

  /**
   * Makes {@code event} stand for all work that {@code stream} holds now. This replaces an earlier
   * recording, except for streams that already wait for that one.
   *
   * @param event from {@link #createEvent}
   * @param stream where to enqueue it
   */
  void recordEvent(long event, long stream);

  /**
   * {@return whether all work that the event stands for is done; true if the event was never
   * recorded}
   *
   * <p>Never advances a seeded device; a thread that polls an event also has to call {@link
   * Cooperation#step()}.
   *
   * @param event from {@link #createEvent}
   * @throws DriverException of kind LOST if the work failed
   */
  boolean isDone(long event);

  /**
   * Makes all later work of {@code stream} wait for the work that {@code event} stands for now. If
   * the event's device is lost before that work is done, the wait still ends, and the stream
   * reports no error: the caller has to ask the other device.
   *
   * @param stream where to enqueue it
   * @param event from {@link #createEvent}
   * @throws DriverException of kind LOST if this device or the event's is lost
   */
  void waitEvent(long stream, long event);

  /**
   * {@return the time from one event to another in nanoseconds} CUDA's resolution is about half a
   * microsecond.
   *
   * @param start a timed event that is done
   * @param end a timed event that is done
   */
  double elapsedNanos(long start, long end);

  /**
   * {@return the time at which a recorded event happens on a modelled device; 0 on other devices}
   * The time is known as soon as the event is recorded, whether it is timed or not.
   *
   * @param event from {@link #createEvent}
   */
  long eventNanos(long event);

  /**
   * Blocks the calling thread until the event is done. Only for calls whose names say that they
   * block.
   *
   * @param event from {@link #createEvent}
   */
  void awaitEvent(long event);

  // --- other processes
  // --------------------------------------------------------------------------------------------------------

  /**
   * Allocates memory that other processes of the machine can open, out of no pool and with nothing
   * else beside it. May wait for enqueued work. {@link #free} frees it.
   *
   * @param bytes at least 1
   * @return the device address
   */
  long allocateShared(long bytes);

  /**
   * {@return what opens memory in other processes} {@code cuIpcGetMemHandle}.
   *
   * @param address of {@link #allocateShared}
   */
  byte[] exportMemory(long address);

  /**
   * Opens memory of another process. {@code cuIpcOpenMemHandle}; this process is refused.
   *
   * @param handle of {@link #exportMemory} for the same device
   * @return its address here
   */
  long openMemory(byte[] handle);

  /**
   * Ends the use of memory of {@link #openMemory}, which no work may use any more.
   *
   * @param address of {@link #openMemory}
   */
  void closeMemory(long address);

  /**
   * {@return a new pool with a largest size, whose memory other processes can open} As {@link
   * #createPool}, with {@code CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}.
   *
   * @param maxBytes the most bytes of the device that the pool ever has, at least 1
   * @throws DriverException of kind INVALID or OTHER if the driver has no such pools
   */
  long createSharedPool(long maxBytes);

  /**
   * {@return a new file descriptor that opens a pool in other processes, which the caller has to
   * close; or {@link #NO_DESCRIPTOR} if they need none} {@code cuMemPoolExportToShareableHandle}.
   *
   * @param pool from {@link #createSharedPool}
   */
  int exportPool(long pool);

  /**
   * {@return a pool of another process} Nothing can be allocated there. {@link #destroyPool} ends
   * its use. {@code cuMemPoolImportFromShareableHandle}.
   *
   * @param descriptor of {@link #exportPool}, as it has come over; it may be closed afterwards
   */
  long openPool(int descriptor);

  /**
   * {@return what opens memory of a pool in other processes} {@code cuMemPoolExportPointer}.
   *
   * @param address of memory out of a pool of {@link #createSharedPool}
   */
  byte[] exportPooled(long address);

  /**
   * Opens memory of another process's pool. {@code cuMemPoolImportPointer}.
   *
   * @param pool of {@link #openPool}
   * @param handle of {@link #exportPooled} for memory of that pool
   * @return its address here
   */
  long openPooled(long pool, byte[] handle);

  /**
   * Ends the use of memory of {@link #openPooled}, which no work may use any more. When this
   * returns, the other process may free it. Never waits for enqueued work.
   *
   * @param address of {@link #openPooled}
   */
  void closePooled(long address);

  /**
   * {@return a new event that other programs can open} {@code CU_EVENT_INTERPROCESS}. {@link
   * #destroyEvent} destroys it.
   *
   * @throws DriverException of kind INVALID or OTHER if the driver has none
   */
  long createProcessEvent();

  /**
   * {@return what opens an event in other programs} {@code cuIpcGetEventHandle}.
   *
   * @param event of {@link #createProcessEvent}
   */
  byte[] exportEvent(long event);

  /**
   * {@return an event of another program} {@code cuIpcOpenEventHandle}. {@link #destroyEvent} ends
   * its use.
   *
   * @param handle of {@link #exportEvent} for the same device
   */
  long openEvent(byte[] handle);

  // --- copies
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * Enqueues a copy. Host memory has to be pinned or registered, unless the caller wants the
   * driver's own pageable path, which may block.
   *
   * @param dst device or host address
   * @param src device or host address
   * @param bytes at least 1
   * @param kind the direction
   * @param stream where to enqueue it
   */
  void copy(long dst, long src, long bytes, CopyKind kind, long stream);

  /**
   * Enqueues a copy between device memory and ordinary (pageable) memory on the driver's own path,
   * and keeps the host segment's arena open during the call. Blocks as long as the driver does; a
   * host source has always been read when this returns.
   *
   * @param device device address
   * @param host native memory
   * @param kind HOST_TO_DEVICE or DEVICE_TO_HOST
   * @param stream where to enqueue it
   */
  void copyPageable(long device, MemorySegment host, CopyKind kind, long stream);

  /**
   * {@return up to how many bytes of ordinary memory {@link #copy} to the device has read when it
   * returns, without waiting for anything before it on the stream} The driver may still block its
   * caller if it has to keep megabytes of such bytes; 0 if it takes no ordinary memory.
   */
  default int bytesReadInCall() {
    return 0;
  }

  /**
   * Enqueues a copy of {@code rows} rows of {@code width} bytes each. The pitch is the distance
   * from row to row in bytes.
   *
   * @param dst device or host address
   * @param dstPitch at least {@code width}
   * @param src device or host address
   * @param srcPitch at least {@code width}
   * @param width bytes of a row
   * @param rows how many
   * @param kind the direction
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
   * @param shape the shape of the copy and the layout at both ends
   * @param kind the direction
   * @param stream where to enqueue it
   */
  void copy3D(long dst, long src, Volume shape, CopyKind kind, long stream);

  /**
   * Enqueues several copies. As a whole they follow the order of the stream; among themselves they
   * have no order.
   *
   * @param copies at least one
   * @param stream where to enqueue them
   */
  void copyAll(CopyList copies, long stream);

  /** {@return whether {@link #copyAll} is a single driver call rather than one for each copy} */
  boolean copiesInBatches();

  /**
   * Enqueues a fill of device memory.
   *
   * @param dst aligned to {@code elementBytes}
   * @param value the value, of which the low {@code 8 * elementBytes} bits are repeated
   * @param elementBytes 1, 2, 4 or 8
   * @param count how many elements
   * @param stream where to enqueue it
   */
  void fill(long dst, long value, int elementBytes, long count, long stream);

  /**
   * Enqueues a fill of rows in device memory.
   *
   * @param dst aligned to {@code elementBytes}
   * @param pitch from the beginning of a row to the next, in bytes, a multiple of {@code
   *     elementBytes}
   * @param value the value, of which the low {@code 8 * elementBytes} bits are repeated
   * @param elementBytes 1, 2, 4 or 8
   * @param width how many elements a row has
   * @param rows how many rows
   * @param stream where to enqueue it
   */
  void fill2D(
      long dst, long pitch, long value, int elementBytes, long width, long rows, long stream);

  /**
   * Enqueues that the stream writes a number, behind which all its earlier work is visible.
   *
   * @param address in device memory or pinned memory, aligned to {@code bytes}
   * @param value the number, of which the low bits count
   * @param bytes 4 or 8
   * @param stream where to enqueue it
   */
  void writeValue(long address, long value, int bytes, long stream);

  /**
   * Enqueues that the stream waits for a number.
   *
   * @param address in device memory or pinned memory, aligned to {@code bytes}
   * @param value what the number is compared with
   * @param bytes 4 or 8
   * @param condition how
   * @param stream where to enqueue it
   */
  void waitValue(long address, long value, int bytes, ValueCondition condition, long stream);

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a module, loaded from PTX text (UTF-8, with or without a closing zero byte) or a
   * cubin} A virtual device checks only that PTX has the entries that are requested.
   *
   * @param image PTX text or a cubin
   * @throws DriverException of kind BAD_IMAGE, with the assembler's log, if it cannot be loaded
   */
  long loadModule(byte[] image);

  /**
   * Unloads a module whose kernels no enqueued work still uses.
   *
   * @param module from {@link #loadModule}
   */
  void unloadModule(long module);

  /**
   * {@return the kernel of a module}
   *
   * @param module from {@link #loadModule}
   * @param entry its name in the image
   * @param twin what runs on a virtual device; CUDA ignores it
   */
  long function(long module, String entry, KernelTwin twin);

  /**
   * {@return the properties of a kernel}
   *
   * @param function from {@link #function}
   */
  FunctionProperties functionProperties(long function);

  /**
   * {@return how many blocks of a kernel a multiprocessor holds at the same time}
   *
   * @param function from {@link #function}
   * @param threads of a block
   * @param sharedBytes dynamic shared memory of a block
   */
  int residentBlocks(long function, int threads, int sharedBytes);

  /**
   * Enqueues a launch. The parameters are copied before this returns.
   *
   * @param function from {@link #function}
   * @param shape the shape of the launch
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
   * {@return how many bytes kernels read or write per second of the host's memory, over the link; 0
   * if that is unknown} CUDA does not tell.
   */
  default double linkBytesPerSecond() {
    return 0;
  }

  /**
   * {@return whether this device knows which launch has faulted, and names it by the place given
   * with it} CUDA does not: the next call, whichever it is, reports the fault.
   */
  default boolean namesFaultingLaunch() {
    return false;
  }

  /**
   * Enqueues a launch as {@link #launch(long, LaunchShape, long, MemorySegment, MemorySegment)}
   * does.
   *
   * @param function from {@link #function}
   * @param shape the shape of the launch
   * @param stream where to enqueue it
   * @param parameters the parameters, as for the other method
   * @param parameterPointers for each parameter its address, as for the other method
   * @param place the line of the program that launches, or null if it is not known; a device that
   *     {@linkplain #namesFaultingLaunch() names faulting launches} puts it into its message
   */
  @SuppressWarnings("exports") // the annotation is needed only at compile time
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
   * {@return a graph that can be launched} Its launches never overlap: each comes after the
   * previous one, even on different streams.
   *
   * @param plan the work of the graph; host memory in it has to be pinned or registered
   */
  long createGraph(GraphPlan plan);

  /**
   * {@return what other libraries enqueue on a stream, as work for nodes of this device} None of it
   * is done.
   *
   * @param work is called once, before this method returns, with the handle of a stream that is
   *     captured meanwhile; other threads may enqueue on it too until it returns. What it throws,
   *     this method throws
   * @throws DriverException also if what it does cannot be captured, or be part of a graph
   */
  GraphWork.Captured capture(LongConsumer work);

  /**
   * Destroys captured work. Graphs that were made with it stay as they are.
   *
   * @param captured from {@link #capture}
   */
  void destroyCaptured(GraphWork.Captured captured);

  /**
   * Destroys a graph that has no launch in flight.
   *
   * @param graph from {@link #createGraph}
   */
  void destroyGraph(long graph);

  /**
   * Changes one step of a graph for the launches that follow. A kernel has to stay the same kernel
   * with the same cluster size. Copies and fills have to be one-dimensional before and after the
   * change. Copies have to keep their direction and their devices, and fills have elements of 1, 2
   * or 4 bytes.
   *
   * @param graph from {@link #createGraph}
   * @param step its number in the plan
   * @param work the new work, of the same kind as before
   */
  void updateGraph(long graph, int step, GraphWork work);

  /**
   * Uploads a graph to the device, so that its first launch need not do so.
   *
   * @param graph from {@link #createGraph}
   * @param stream where to enqueue it
   */
  void uploadGraph(long graph, long stream);

  /**
   * Enqueues a launch of a graph.
   *
   * @param graph from {@link #createGraph}
   * @param stream where to enqueue it
   */
  void launchGraph(long graph, long stream);

  /**
   * Enqueues a launch of a graph.
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
   * Lets copies and kernels of this device access the memory of another device, including memory
   * that is allocated later. Each call needs one {@link #disablePeerAccess} that ends it. May wait
   * for work of either device.
   *
   * @param peer another device of the same driver
   * @throws DriverException of kind INVALID if this device cannot access the other one
   */
  void enablePeerAccess(DriverDevice peer);

  /**
   * Ends one {@link #enablePeerAccess}. No enqueued work may still rely on it. May wait for work of
   * either device. A driver may leave access enabled as long as both contexts live.
   *
   * @param peer the device given to {@link #enablePeerAccess}
   */
  void disablePeerAccess(DriverDevice peer);

  /**
   * Enqueues a copy between two devices of the driver; usually one of them is this device. If
   * access is enabled in either direction, the copy goes from device to device. Otherwise the
   * driver stages it through host memory.
   *
   * @param dst device address
   * @param to the device that holds the destination
   * @param src device address
   * @param from the device that holds the source
   * @param bytes at least 1
   * @param stream where to enqueue it
   */
  void copyPeer(long dst, DriverDevice to, long src, DriverDevice from, long bytes, long stream);

  /**
   * Enqueues a copy of planes of rows between two devices of the driver, as {@link #copyPeer} does
   * for one run of bytes. {@code cuMemcpy3DPeerAsync}.
   *
   * @param dst device address
   * @param to the device that holds the destination
   * @param src device address
   * @param from the device that holds the source
   * @param shape the shape of the copy and the layout at both ends
   * @param stream where to enqueue it
   */
  void copyPeer3D(
      long dst, DriverDevice to, long src, DriverDevice from, Volume shape, long stream);

  /**
   * {@return what the driver knows about an address, on any of its devices or in host memory}
   *
   * @param address any
   */
  PointerProperties pointer(long address);

  // --- parameters
  // -------------------------------------------------------------------------------------------------------------

  /**
   * Encodes a tensor map for kernels of this device.
   *
   * @param layout describes the tensor map
   * @param into gets {@link TensorLayout#BYTES} bytes, for kernels' parameters; native memory
   */
  void encode(TensorLayout layout, MemorySegment into);

  /**
   * Closes the device. All its streams have to be idle and all its memory freed, unless the device
   * is lost.
   */
  @Override
  void close();
}
