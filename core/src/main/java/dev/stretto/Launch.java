package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.driver.TensorLayout;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.CallShape;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Parameter;
import dev.stretto.kernel.TensorParameters;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;
import dev.stretto.observe.Work;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PackedLaunch;
import dev.stretto.route.PeerLink;
import dev.stretto.route.Resource;
import dev.stretto.route.StreamQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A launch that was prepared once and can be enqueued many times: its arguments are packed, its
 * shape is checked, and enqueuing it allocates nothing. Single arguments can be exchanged between
 * launches. {@link Device#prepare} makes a launch, and {@link Stream#launch(Launch)} enqueues it.
 * Several threads may use it; each enqueued launch sees a consistent set of arguments.
 */
public final class Launch {
  /** The cluster size that every device with clusters supports. */
  private static final int MOST_BLOCKS_OF_A_CLUSTER = 8;

  private final DeviceRuntime engine;
  private final LoadedKernel loaded;
  private final Parameter[] parameters;
  private final PackedLaunch packed;

  /** Made when it is first needed: most devices do not check the order. */
  private volatile @Nullable LaunchOrder order;

  /** The index of each parameter's memory among the used resources. */
  private final int[] places;

  private final int arrays;
  private final @Nullable WeakReference<TensorMap>[] encoded;

  /** What the encoded tensor maps say: another map that says the same is not encoded again. */
  private final @Nullable TensorLayout[] layouts;

  /** Several threads may enqueue the launch at once, but none changes it meanwhile. */
  private final StampedLock changing = new StampedLock();

  private Grid grid;

  /** The module, the array of each parameter, and the access to it if it lies on a peer. */
  private Resource[] used;

  /**
   * Packs arguments.
   *
   * @param kept whether it may be enqueued more than once; if not, {@link #release} is called
   */
  Launch(DeviceRuntime engine, LoadedKernel loaded, Grid grid, boolean kept, Object[] arguments) {
    this(engine, loaded, grid, kept);
    requireCount(arguments.length);
    for (int i = 0; i < arguments.length; i++) {
      put(i, arguments[i]);
    }
  }

  /** Makes a launch whose arguments are all still to be set. */
  Launch(DeviceRuntime engine, LoadedKernel loaded, Grid grid, boolean kept) {
    this.engine = engine;
    this.loaded = loaded;
    this.grid = grid;
    this.parameters = loaded.kernel().parameters().toArray(Parameter[]::new);
    checkShape(engine, loaded, grid);
    CallShape shape = loaded.kernel().shape();
    this.packed =
        new PackedLaunch(
            kept,
            loaded.kernel().entry(),
            loaded.function(),
            shape(grid),
            offsets(shape),
            shape.packedBytes());
    if (shape.faultOffset() >= 0) {
      values().set(ValueLayout.JAVA_LONG_UNALIGNED, shape.faultOffset(), loaded.faultRecord());
    }
    this.places = new int[parameters.length];
    int next = 1;
    boolean maps = false;
    for (int i = 0; i < places.length; i++) {
      places[i] = next;
      next += parameters[i].hasMemory() ? 1 : 0;
      maps |= parameters[i].isTensorMap();
    }
    this.arrays = next - 1;
    this.used = new Resource[arrays + 1];
    this.encoded = maps(maps ? places.length : 0);
    this.layouts = new TensorLayout[encoded.length];
    Arrays.fill(used, loaded.module());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of a generic type
  private static @Nullable WeakReference<TensorMap>[] maps(int count) {
    return new WeakReference[count];
  }

  /**
   * Checks the number of a launch's arguments.
   *
   * @throws IllegalArgumentException if the kernel has more or fewer parameters
   */
  void requireCount(int given) {
    if (given != parameters.length) {
      throw ArgumentMisfits.ofCount(loaded.kernel(), given);
    }
  }

  /** Makes a launch with the current arguments of another. */
  private Launch(Launch other) {
    this.engine = other.engine;
    this.loaded = other.loaded;
    this.grid = other.grid;
    this.parameters = other.parameters;
    this.places = other.places;
    this.arrays = other.arrays;
    this.encoded = other.encoded.clone();
    this.layouts = other.layouts.clone();
    this.order = other.order;
    this.packed = other.packed.copy();
    this.used = other.used.clone();
  }

  private static long[] offsets(CallShape shape) {
    long[] offsets = new long[shape.offsets().size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = shape.offsets().get(i);
    }
    return offsets;
  }

  private static void checkShape(DeviceRuntime engine, LoadedKernel loaded, Grid grid) {
    DeviceProperties has = engine.driver().properties();
    DeviceKernel kernel = loaded.kernel();
    int most = Math.min(has.maxThreadsPerBlock(), loaded.properties().maxThreadsPerBlock());
    check(kernel, "threads per block", grid.threadsPerBlock(), most);
    check(kernel, "threads in x", grid.threadsX(), has.maxBlockX());
    check(kernel, "threads in y", grid.threadsY(), has.maxBlockY());
    check(kernel, "threads in z", grid.threadsZ(), has.maxBlockZ());
    check(kernel, "blocks in x", grid.blocksX(), has.maxGridX());
    check(kernel, "blocks in y", grid.blocksY(), has.maxGridY());
    check(kernel, "blocks in z", grid.blocksZ(), has.maxGridZ());
    int mostBlocks = has.computeMajor() >= 9 ? MOST_BLOCKS_OF_A_CLUSTER : 1;
    check(kernel, "blocks per cluster", grid.blocksPerCluster(), mostBlocks);
    check(
        kernel,
        "bytes of shared memory per block (static ones included)",
        (long) grid.sharedBytes()
            + loaded.kernel().shape().addedSharedBytes()
            + loaded.properties().sharedBytes(),
        has.sharedBytesPerBlockOptIn());
    checkCooperation(engine, loaded, grid);
  }

  /** Blocks that wait for each other all have to fit. */
  private static void checkCooperation(DeviceRuntime engine, LoadedKernel loaded, Grid grid) {
    DeviceKernel kernel = loaded.kernel();
    if (!grid.isCooperative()) {
      if (kernel.meetsGrid()) {
        throw new LaunchException(
            kernel
                + " waits for all blocks of its launch, which may not all be there: launch it with"
                + " Grid.cooperative()");
      }
      return;
    }
    int threads = Math.toIntExact(grid.threadsPerBlock());
    Occupancy room = Occupancy.of(engine, loaded, threads, grid.sharedBytes());
    long blocks = (long) grid.blocksX() * grid.blocksY() * grid.blocksZ();
    if (blocks > room.residentBlocks()) {
      throw new LaunchException(
          ("%s cannot be launched cooperatively with %d blocks of %d threads and %d bytes of"
                  + " dynamic shared memory: this device has room for %d of them at the same time,"
                  + " %d on each of %d multiprocessors")
              .formatted(
                  kernel,
                  blocks,
                  threads,
                  grid.sharedBytes(),
                  room.residentBlocks(),
                  room.blocksPerMultiprocessor(),
                  room.multiprocessors()));
    }
  }

  /**
   * The bytes of static arrays that were moved to dynamic shared memory; on a virtual device they
   * need no extra memory.
   */
  static int added(DeviceRuntime engine, LoadedKernel loaded) {
    return engine.isVirtual() ? 0 : loaded.kernel().shape().addedSharedBytes();
  }

  /** The shape as the driver takes it. */
  private LaunchShape shape(Grid of) {
    boolean overlaps =
        loaded.kernel().shape().awaitsGrids() && engine.overlapsLaunches() && !of.isCooperative();
    return of.shape(added(engine, loaded), overlaps);
  }

  private static void check(DeviceKernel kernel, String what, long asked, long most) {
    if (asked > most) {
      throw new LaunchException(
          kernel
              + " cannot be launched with "
              + asked
              + " "
              + what
              + ": it can have "
              + most
              + " on this device");
    }
  }

  /** {@return the shape} */
  public Grid grid() {
    return grid;
  }

  /** {@return the kernel} */
  public DeviceKernel kernel() {
    return loaded.kernel();
  }

  /** {@return the driver's properties of the kernel: its registers and the memory that it takes} */
  public FunctionProperties properties() {
    return loaded.properties();
  }

  /**
   * {@return how many blocks of this shape the device runs at the same time, if nothing else runs
   * there and blocks form no clusters}
   *
   * @throws ClosedException if the device is closed
   */
  public Occupancy occupancy() {
    engine.requireUsable();
    Grid shape = grid;
    return Occupancy.of(
        engine, loaded, Math.toIntExact(shape.threadsPerBlock()), shape.sharedBytes());
  }

  /**
   * {@return what the launch, with its current arguments, moves over the link because some of them
   * are views of host memory ({@link Device#view})} Timelines tell the same of launches that were
   * enqueued.
   */
  public LinkTraffic traffic() {
    long stamp = changing.readLock();
    try {
      return views().traffic();
    } finally {
      changing.unlockRead(stamp);
    }
  }

  /** {@return what observers hear of the launch, which was enqueued as this operation} */
  Work observed(long sequence) {
    return Work.launch(
        loaded.kernel().entry(), sequence, traffic(), packed.shape(), loaded.properties());
  }

  /**
   * {@return how many bytes of the device's memory the launch reads and writes with its current
   * arguments, as far as they follow from them, each byte once for each of both}
   */
  long memoryBytes() {
    long stamp = changing.readLock();
    try {
      return arrays(block -> !block.isView()).traffic().bytes();
    } finally {
      changing.unlockRead(stamp);
    }
  }

  /**
   * {@return how many blocks of this launch a multiprocessor holds, what limits them, and the
   * {@link #traffic()} in words, view by view, with what the compiler knows of it: how many bytes
   * each place of the kernel accesses at a time, and whether threads that follow each other access
   * elements that follow each other} Over the link as in the device's memory, a warp's accesses
   * become few requests only if they do. CUDA C++ Best Practices Guide, "Coalesced Access to Global
   * Memory". It has several lines, each with a line separator at its end.
   *
   * @throws ClosedException if the device is closed
   */
  public String explain() {
    String blocks = occupancy().sentence(engine, loaded);
    long stamp = changing.readLock();
    try {
      return views().explanation() + "  %s%n".formatted(blocks);
    } finally {
      changing.unlockRead(stamp);
    }
  }

  private LaunchViews views() {
    return arrays(DeviceBlock::isView);
  }

  private LaunchViews arrays(Predicate<DeviceBlock> which) {
    List<LaunchViews.View> views = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      // What was never set, or forgotten, is the module.
      if (parameters[i].hasMemory()
          && used[places[i]] instanceof DeviceBlock block
          && which.test(block)) {
        views.add(new LaunchViews.View(i, bytes(i, block)));
      }
    }
    return new LaunchViews(loaded.kernel(), packed, views, engine.driver().linkBytesPerSecond());
  }

  private long bytes(int index, DeviceBlock block) {
    Parameter parameter = parameters[index];
    if (parameter.isTensorMap()) {
      TensorMap map = mapOf(index);
      return map == null ? block.byteSize() : map.array().byteSize();
    }
    return values().get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset())
        * parameter.elementBytes();
  }

  /**
   * Exchanges an argument for later launches.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value a value of exactly the parameter's type
   * @return this
   * @throws IllegalArgumentException if the value is of another type or on another device
   * @throws NullPointerException if it is null, or a record with a component that is null
   * @throws ClosedException if the value is a closed array
   * @throws IndexOutOfBoundsException if there is no such parameter
   */
  public Launch set(int index, Object value) {
    Objects.requireNonNull(value, "value");
    long stamp = changing.writeLock();
    try {
      put(index, value);
    } finally {
      changing.unlockWrite(stamp);
    }
    return this;
  }

  /**
   * Sets an argument. Small enough, and with tests of classes only, so that a number that is boxed
   * for the call is never really made where this is inlined.
   */
  void put(int index, @Nullable Object value) {
    Parameter parameter = parameter(index);
    Class<?> type = parameter.type();
    if (value instanceof Integer number && type == int.class) {
      values().set(ValueLayout.JAVA_INT_UNALIGNED, parameter.offset(), number);
    } else if (value instanceof Float number && type == float.class) {
      values().set(ValueLayout.JAVA_FLOAT_UNALIGNED, parameter.offset(), number);
    } else if (value instanceof Long number && type == long.class) {
      values().set(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset(), number);
    } else if (value instanceof Double number && type == double.class) {
      values().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, parameter.offset(), number);
    } else if (value instanceof Short number && type == short.class) {
      values().set(ValueLayout.JAVA_SHORT_UNALIGNED, parameter.offset(), number);
    } else if (value instanceof Byte number && type == byte.class) {
      values().set(ValueLayout.JAVA_BYTE, parameter.offset(), number);
    } else if (value instanceof GlobalArray array && type == array.getClass()) {
      setArray(index, array);
    } else if (value instanceof TensorMap map && parameter.isTensorMap()) {
      setTensorMap(index, map);
    } else if (value instanceof Record record && type == record.getClass()) {
      parameter.put(record, values());
    } else if (value == null) {
      throw ArgumentMisfits.ofNull(loaded.kernel(), index);
    } else {
      throw ArgumentMisfits.ofType(loaded.kernel(), index, value.getClass());
    }
  }

  /** Whether the launch has this shape. */
  boolean hasShape(Grid other) {
    LaunchShape shape = packed.shape();
    return shape.gridX() == other.blocksX()
        && shape.blockX() == other.threadsX()
        && shape.gridY() == other.blocksY()
        && shape.gridZ() == other.blocksZ()
        && shape.blockY() == other.threadsY()
        && shape.blockZ() == other.threadsZ()
        && shape.clusterX() == other.clusterX()
        && shape.clusterY() == other.clusterY()
        && shape.clusterZ() == other.clusterZ()
        && shape.isCooperative() == other.isCooperative()
        && shape.sharedBytes() == other.sharedBytes() + added(engine, loaded);
  }

  /**
   * Changes the shape, of a launch that only one thread has.
   *
   * @throws LaunchException if the shape asks for more than the device or the kernel has
   */
  void reshape(Grid other) {
    checkShape(engine, loaded, other);
    packed.shape(shape(other));
    grid = other;
  }

  /** Forgets the memory that the arguments refer to, so that the launch does not keep it. */
  void forget() {
    Arrays.fill(used, loaded.module());
  }

  /**
   * Exchanges an {@code int} argument, without boxing it.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value the new value
   * @return this
   * @throws IndexOutOfBoundsException if there is no such parameter
   * @throws IllegalArgumentException if the parameter is of another type
   */
  public Launch set(int index, int value) {
    long stamp = changing.writeLock();
    try {
      values().set(ValueLayout.JAVA_INT_UNALIGNED, offset(index, int.class), value);
    } finally {
      changing.unlockWrite(stamp);
    }
    return this;
  }

  /**
   * Exchanges a {@code long} argument, without boxing it.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value the new value
   * @return this
   * @throws IndexOutOfBoundsException if there is no such parameter
   * @throws IllegalArgumentException if the parameter is of another type
   */
  public Launch set(int index, long value) {
    long stamp = changing.writeLock();
    try {
      values().set(ValueLayout.JAVA_LONG_UNALIGNED, offset(index, long.class), value);
    } finally {
      changing.unlockWrite(stamp);
    }
    return this;
  }

  /**
   * Exchanges a {@code float} argument, without boxing it.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value the new value
   * @return this
   * @throws IndexOutOfBoundsException if there is no such parameter
   * @throws IllegalArgumentException if the parameter is of another type
   */
  public Launch set(int index, float value) {
    long stamp = changing.writeLock();
    try {
      values().set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset(index, float.class), value);
    } finally {
      changing.unlockWrite(stamp);
    }
    return this;
  }

  /**
   * Exchanges a {@code double} argument, without boxing it.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value the new value
   * @return this
   * @throws IndexOutOfBoundsException if there is no such parameter
   * @throws IllegalArgumentException if the parameter is of another type
   */
  public Launch set(int index, double value) {
    long stamp = changing.writeLock();
    try {
      values().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset(index, double.class), value);
    } finally {
      changing.unlockWrite(stamp);
    }
    return this;
  }

  private void setTensorMap(int index, TensorMap map) {
    DeviceBlock block = block(index, map.array());
    Resource access = access(index, map.array(), block);
    WeakReference<TensorMap> before = encoded[index];
    if (before == null || !before.refersTo(map) || !map.array().isOpen()) {
      encoded[index] = null;
      encode(index, TensorParameters.layout(map));
      encoded[index] = new WeakReference<>(map);
    }
    uses(index, block, access);
  }

  private void encode(int index, TensorLayout layout) {
    TensorLayout before = layouts[index];
    if (before != null && before.isSame(layout)) {
      return;
    }
    layouts[index] = null;
    MemorySegment at = values().asSlice(parameters[index].offset(), TensorLayout.BYTES);
    engine.call(
        () -> {
          engine.driver().encode(layout, at);
          return at;
        });
    layouts[index] = layout;
  }

  /** Records an array's memory, and the access to it. */
  private void uses(int index, DeviceBlock block, Resource access) {
    int place = places[index];
    if (used.length == arrays + 1 && access instanceof PeerLink) {
      used = Arrays.copyOf(used, 2 * arrays + 1);
      Arrays.fill(used, arrays + 1, used.length, loaded.module());
    }
    used[place] = block;
    if (used.length > arrays + 1) {
      used[arrays + place] = access;
    }
  }

  /**
   * The resource that gives access to an array; for an array on this device the module, which every
   * launch needs anyway.
   */
  private Resource access(int index, GlobalArray array, DeviceBlock block) {
    DeviceRuntime peer = block.engine();
    if (engine.peers().isSame(peer)) {
      return loaded.module();
    }
    PeerLink link = engine.peers().isKin(peer) ? engine.peers().to(peer) : null;
    if (link == null) {
      throw new IllegalArgumentException(
          "argument %d of %s, %s, does not lie on %s, which has no access to it%s"
              .formatted(
                  index,
                  loaded.kernel(),
                  array,
                  engine.name(),
                  engine.peers().isKin(peer) ? ": call enablePeerAccess first" : ""));
    }
    return link;
  }

  private void setArray(int index, GlobalArray array) {
    Parameter parameter = parameter(index);
    DeviceBlock block = block(index, array);
    Resource access = access(index, array, block);
    values().set(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset(), array.address());
    values().set(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset(), array.length());
    uses(index, block, access);
  }

  private DeviceBlock block(int index, GlobalArray array) {
    if (!(array.allocation() instanceof ArrayMemory memory)) {
      throw new IllegalArgumentException(
          "argument "
              + index
              + " of "
              + loaded.kernel()
              + ", "
              + array
              + ", does not lie on "
              + engine.name());
    }
    return memory.block();
  }

  private Parameter parameter(int index) {
    if (index < 0 || index >= parameters.length) {
      throw ArgumentMisfits.ofIndex(loaded.kernel(), index);
    }
    return parameters[index];
  }

  private long offset(int index, Class<?> type) {
    Parameter parameter = parameter(index);
    if (parameter.type() != type) {
      throw ArgumentMisfits.ofType(loaded.kernel(), index, type);
    }
    return parameter.offset();
  }

  private MemorySegment values() {
    return packed.values();
  }

  DeviceRuntime engine() {
    return engine;
  }

  /**
   * Whether the kernel is still loaded. The kernel of a kept launch stays loaded as long as the
   * launch is reachable.
   */
  boolean isLoaded() {
    return loaded.module().isOpen();
  }

  /**
   * Returns the memory that was lent to a launch that is not kept; the launch may not be used
   * afterwards.
   */
  void release() {
    packed.release();
  }

  /** {@return another launch with the current arguments of this one} */
  Launch copy() {
    long stamp = changing.readLock();
    try {
      return new Launch(this);
    } finally {
      changing.unlockRead(stamp);
    }
  }

  /** {@return all resources that the launch uses with its current arguments} */
  List<Resource> used() {
    long stamp = changing.readLock();
    try {
      return List.copyOf(new LinkedHashSet<>(Arrays.asList(used)));
    } finally {
      changing.unlockRead(stamp);
    }
  }

  /** {@return the launch as a node of a graph; it may not be changed any more} */
  GraphWork.Kernel work() {
    return packed.work();
  }

  /**
   * Enqueues the launch with its current arguments and returns its number.
   *
   * @param place the line of the program, if it is to be recorded
   */
  long enqueue(StreamQueue queue, @Nullable StackTraceElement place) {
    return enqueue(queue, place, null);
  }

  /**
   * The same.
   *
   * @param begin called just before the driver gets the launch, behind the waits that its order has
   *     made; null for nothing
   */
  long enqueue(StreamQueue queue, @Nullable StackTraceElement place, @Nullable Runnable begin) {
    if (used.length > arrays + 1) {
      renewAccess();
    }
    long stamp = changing.readLock();
    try {
      if (queue.isOrdered()) {
        return enqueueOrdered(queue, place, begin);
      }
      if (begin != null) {
        begin.run();
      }
      return queue.launch(used, packed, place);
    } finally {
      changing.unlockRead(stamp);
    }
  }

  private long enqueueOrdered(
      StreamQueue queue, @Nullable StackTraceElement place, @Nullable Runnable begin) {
    Issue issue = order().begin(queue, packed, this::memoryOf, this::mapOf);
    long sequence = -1;
    try {
      if (begin != null) {
        begin.run();
      }
      sequence = queue.launch(used, packed, place);
      return sequence;
    } finally {
      Issue.end(issue, sequence);
    }
  }

  private DeviceBlock memoryOf(int argument) {
    return (DeviceBlock) used[places[argument]];
  }

  private @Nullable TensorMap mapOf(int argument) {
    WeakReference<TensorMap> map = encoded[argument];
    return map == null ? null : map.get();
  }

  /** {@return the memory that a launch accesses with the current arguments} */
  List<NodeUse> uses() {
    return order().uses(packed, this::memoryOf, this::mapOf);
  }

  /** Two threads may make one each; either will do. */
  private LaunchOrder order() {
    LaunchOrder known = order;
    if (known == null) {
      known = new LaunchOrder(loaded.kernel());
      order = known;
    }
    return known;
  }

  /** Access to a peer may have been enabled several times, and the handle used here closed. */
  private void renewAccess() {
    long stamp = changing.writeLock();
    try {
      for (int i = arrays + 1; i < used.length; i++) {
        if (used[i] instanceof PeerLink link && !link.isOpen()) {
          PeerLink other = engine.peers().to(link.to());
          used[i] = other == null ? link : other;
        }
      }
    } finally {
      changing.unlockWrite(stamp);
    }
  }

  @Override
  public String toString() {
    return "launch of " + loaded.kernel() + " with " + grid;
  }
}
