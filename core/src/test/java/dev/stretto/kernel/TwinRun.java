package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs methods as a virtual device does, without a device. What kernels may say is tested with it;
 * how a launch reaches them is tested elsewhere.
 */
final class TwinRun implements KernelTwin.DeviceMemory {
  private final NavigableMap<Long, MemorySegment> memory = new TreeMap<>();
  private int[] grid = {1, 1, 1};
  private int[] block = {32, 1, 1};
  private int[] cluster = {1, 1, 1};
  private int sharedBytes;
  private int computeCapability = 90;
  private Optional<Long> seed = Optional.empty();

  /** Threads get their turns by rank. */
  static TwinRun byRank() {
    return new TwinRun();
  }

  /** Threads get their turns as a seed picks; 0 is by rank, so that a loop over seeds has both. */
  static TwinRun seeded(long seed) {
    TwinRun run = new TwinRun();
    run.seed = seed == 0 ? Optional.empty() : Optional.of(seed);
    return run;
  }

  TwinRun grid(int blocks, int threads) {
    return grid(new int[] {blocks, 1, 1}, new int[] {threads, 1, 1});
  }

  TwinRun grid(int[] blocks, int[] threads) {
    grid = blocks;
    block = threads;
    return this;
  }

  TwinRun cluster(int... blocks) {
    cluster = blocks;
    return this;
  }

  private LaunchShape shape() {
    return new LaunchShape(
        grid[0],
        grid[1],
        grid[2],
        block[0],
        block[1],
        block[2],
        cluster[0],
        cluster[1],
        cluster[2],
        sharedBytes);
  }

  TwinRun computeCapability(int number) {
    computeCapability = number;
    return this;
  }

  TwinRun withSharedBytes(int bytes) {
    sharedBytes = bytes;
    return this;
  }

  GlobalInts ints(int length) {
    return GlobalInts.of(allocate(4L * length));
  }

  GlobalLongs longs(int length) {
    return GlobalLongs.of(allocate(8L * length));
  }

  GlobalFloats floats(int length) {
    return GlobalFloats.of(allocate(4L * length));
  }

  GlobalDoubles doubles(int length) {
    return GlobalDoubles.of(allocate(8L * length));
  }

  private Resident allocate(long bytes) {
    MemorySegment segment = Arena.ofAuto().allocate(bytes, 256);
    memory.put(segment.address(), segment);
    return new Resident(segment.address(), segment);
  }

  static int[] values(GlobalInts array) {
    int[] values = new int[(int) array.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i);
    }
    return values;
  }

  @Override
  public MemorySegment at(long address) {
    var entry = memory.floorEntry(address);
    return entry.getValue().asSlice(address - entry.getKey());
  }

  void launch(KernelMethod.Of0 kernel) {
    launchAll(kernel);
  }

  <A> void launch(KernelMethod.Of1<A> kernel, A a) {
    launchAll(kernel, a);
  }

  <A, B> void launch(KernelMethod.Of2<A, B> kernel, A a, B b) {
    launchAll(kernel, a, b);
  }

  <A, B, C> void launch(KernelMethod.Of3<A, B, C> kernel, A a, B b, C c) {
    launchAll(kernel, a, b, c);
  }

  <A, B, C, D> void launch(KernelMethod.Of4<A, B, C, D> kernel, A a, B b, C c, D d) {
    launchAll(kernel, a, b, c, d);
  }

  private void launchAll(KernelMethod kernel, Object... arguments) {
    launchPart(0, shape().clusters(), kernel, arguments);
  }

  /** Launches some of the blocks; may be called by several threads at once. */
  void launchPart(long first, long last, KernelMethod kernel, Object... arguments) {
    KernelReference reference = KernelReference.of(kernel);
    KernelTwin twin =
        reference.twin(reference.name(), reference.constants(arguments), computeCapability);
    MemorySegment packed = pack(reference.parameters(), reference.values(arguments));
    seed.map(twin::seeded).orElse(twin).run(shape(), first, last, packed, this);
  }

  private static MemorySegment pack(List<Parameter> parameters, Object[] values) {
    MemorySegment packed =
        Arena.ofAuto().allocate(Math.max(16, Parameter.packedBytes(parameters)), 16);
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = parameters.get(i);
      switch (values[i]) {
        case Integer value -> packed.set(ValueLayout.JAVA_INT, parameter.offset(), value);
        case Long value -> packed.set(ValueLayout.JAVA_LONG, parameter.offset(), value);
        case Float value -> packed.set(ValueLayout.JAVA_FLOAT, parameter.offset(), value);
        case Double value -> packed.set(ValueLayout.JAVA_DOUBLE, parameter.offset(), value);
        case GlobalArray array -> {
          packed.set(ValueLayout.JAVA_LONG, parameter.offset(), array.address());
          packed.set(ValueLayout.JAVA_LONG, parameter.lengthOffset(), array.length());
        }
        default -> throw new IllegalArgumentException(values[i].toString());
      }
    }
    return packed;
  }
}
