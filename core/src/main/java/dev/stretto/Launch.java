package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.GraphWork;
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
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PackedLaunch;
import dev.stretto.route.PeerLink;
import dev.stretto.route.Resource;
import dev.stretto.route.StreamQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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
  private final Grid grid;
  private final List<Parameter> parameters;
  private final PackedLaunch packed;
  private final int arrays;

  /** The module, the array of each parameter, and the access to it if it lies on a peer. */
  private Resource[] used;

  /**
   * Packs arguments.
   *
   * @param kept whether it may be enqueued more than once; if not, {@link #release} is called
   */
  Launch(DeviceRuntime engine, LoadedKernel loaded, Grid grid, boolean kept, Object[] arguments) {
    this.engine = engine;
    this.loaded = loaded;
    this.grid = grid;
    this.parameters = loaded.kernel().parameters();
    checkShape(engine, loaded, grid);
    if (arguments.length != parameters.size()) {
      throw new IllegalArgumentException(
          loaded.kernel() + " takes " + parameters.size() + " arguments, not " + arguments.length);
    }
    CallShape shape = loaded.kernel().shape();
    this.packed =
        new PackedLaunch(
            kept,
            loaded.kernel().entry(),
            loaded.function(),
            grid.shape(added(engine, loaded)),
            offsets(shape),
            shape.packedBytes());
    if (shape.faultOffset() >= 0) {
      values().set(ValueLayout.JAVA_LONG_UNALIGNED, shape.faultOffset(), loaded.faultRecord());
    }
    this.arrays = place(parameters.size()) - 1;
    this.used = new Resource[arrays + 1];
    Arrays.fill(used, loaded.module());
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] == null) {
        throw new NullPointerException("argument " + i + " of " + loaded.kernel());
      }
      set(i, arguments[i]);
    }
  }

  /** Makes a launch with the current arguments of another. */
  private Launch(Launch other) {
    this.engine = other.engine;
    this.loaded = other.loaded;
    this.grid = other.grid;
    this.parameters = other.parameters;
    this.arrays = other.arrays;
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
  }

  /**
   * The bytes of static arrays that were moved to dynamic shared memory; on a virtual device they
   * need no extra memory.
   */
  private static int added(DeviceRuntime engine, LoadedKernel loaded) {
    return engine.isVirtual() ? 0 : loaded.kernel().shape().addedSharedBytes();
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
   * Exchanges an argument for later launches.
   *
   * @param index the index of the parameter, not counting the thread block
   * @param value a value of exactly the parameter's type
   * @return this
   * @throws IllegalArgumentException if the value is of another type or on another device
   * @throws ClosedException if the value is a closed array
   * @throws IndexOutOfBoundsException if there is no such parameter
   */
  public synchronized Launch set(int index, Object value) {
    Objects.requireNonNull(value, "value");
    Parameter parameter = parameter(index);
    switch (value) {
      case TensorMap map when parameter.isTensorMap() -> setTensorMap(index, map);
      case GlobalArray array when parameter.type() == array.getClass() -> setArray(index, array);
      case Integer number when parameter.type() == int.class -> set(index, number.intValue());
      case Long number when parameter.type() == long.class -> set(index, number.longValue());
      case Float number when parameter.type() == float.class -> set(index, number.floatValue());
      case Double number when parameter.type() == double.class -> set(index, number.doubleValue());
      case Short number when parameter.type() == short.class ->
          values().set(ValueLayout.JAVA_SHORT_UNALIGNED, parameter.offset(), number);
      case Byte number when parameter.type() == byte.class ->
          values().set(ValueLayout.JAVA_BYTE, parameter.offset(), number);
      default -> throw mismatch(index, value.getClass());
    }
    return this;
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
  public synchronized Launch set(int index, int value) {
    values().set(ValueLayout.JAVA_INT_UNALIGNED, offset(index, int.class), value);
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
  public synchronized Launch set(int index, long value) {
    values().set(ValueLayout.JAVA_LONG_UNALIGNED, offset(index, long.class), value);
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
  public synchronized Launch set(int index, float value) {
    values().set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset(index, float.class), value);
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
  public synchronized Launch set(int index, double value) {
    values().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset(index, double.class), value);
    return this;
  }

  private void setTensorMap(int index, TensorMap map) {
    DeviceBlock block = block(index, map.array());
    Resource access = access(index, map.array(), block);
    MemorySegment at = values().asSlice(parameters.get(index).offset(), TensorLayout.BYTES);
    engine.call(
        () -> {
          engine.driver().encode(TensorParameters.layout(map), at);
          return at;
        });
    uses(index, block, access);
  }

  /** Records an array's memory, and the access to it. */
  private void uses(int index, DeviceBlock block, Resource access) {
    int place = place(index);
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

  /** The index of a parameter's memory among the resources that the launch uses. */
  private int place(int index) {
    int place = 1;
    for (int i = 0; i < index; i++) {
      place += parameters.get(i).hasMemory() ? 1 : 0;
    }
    return place;
  }

  private Parameter parameter(int index) {
    if (index < 0 || index >= parameters.size()) {
      throw new IndexOutOfBoundsException(
          "argument " + index + " of " + loaded.kernel() + ", which takes " + parameters.size());
    }
    return parameters.get(index);
  }

  private long offset(int index, Class<?> type) {
    Parameter parameter = parameter(index);
    if (parameter.type() != type) {
      throw mismatch(index, type);
    }
    return parameter.offset();
  }

  private IllegalArgumentException mismatch(int index, Class<?> given) {
    return new IllegalArgumentException(
        "argument "
            + index
            + " of "
            + loaded.kernel()
            + " is a "
            + parameters.get(index).type().getSimpleName()
            + ", not a "
            + given.getSimpleName());
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
  synchronized Launch copy() {
    return new Launch(this);
  }

  /** {@return all resources that the launch uses with its current arguments} */
  synchronized List<Resource> used() {
    return List.copyOf(new LinkedHashSet<>(Arrays.asList(used)));
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
  synchronized long enqueue(StreamQueue queue, @Nullable StackTraceElement place) {
    for (int i = arrays + 1; i < used.length; i++) {
      // Access may have been enabled several times, and this handle closed.
      if (used[i] instanceof PeerLink link && !link.isOpen()) {
        PeerLink other = engine.peers().to(link.to());
        used[i] = other == null ? link : other;
      }
    }
    return queue.launch(used, packed, place);
  }

  @Override
  public String toString() {
    return "launch of " + loaded.kernel() + " with " + grid;
  }
}
