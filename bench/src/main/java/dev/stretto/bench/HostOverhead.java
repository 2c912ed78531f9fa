package dev.stretto.bench;

import dev.stretto.Batch;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.bench.sweep.EmptyKernel;
import dev.stretto.contract.InstantDriver;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Stretto's overhead over a driver's calls: the same calls on a driver that does nothing. Run it
 * with {@code -prof gc} to see what is allocated.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class HostOverhead {
  private Device device = Device.openAll(new InstantDriver()).getFirst();
  private Stream stream = device.stream();
  private Stream other = device.stream();
  private PinnedArena arena = device.pinnedArena();
  private MemorySegment host = arena.allocate(4096);
  private GlobalBytes array = device.allocateBytes(4096);
  private DeviceKernel kernel =
      DeviceKernel.of(KernelImage.ofPtx(""), "empty", EmptyKernel.class, "empty");
  private Launch launch = device.prepare(Grid.of(1, 1), kernel, 1, array, 2f);
  private Graph graph =
      Graph.capture(stream, () -> IntStream.range(0, 64).forEach(_ -> stream.launch(launch)))
          .instantiate();
  private List<CopyRequest> requests =
      IntStream.range(0, 64)
          .mapToObj(i -> CopyRequest.of(host.asSlice(64L * i, 64), array.slice(64L * i, 64)))
          .toList();
  private byte[] heap = new byte[4096];
  private List<CopyRequest> slices =
      IntStream.range(0, 64)
          .mapToObj(
              i ->
                  CopyRequest.of(
                      MemorySegment.ofArray(heap).asSlice(64L * i, 64), array.slice(64L * i, 64)))
          .toList();
  private List<MemorySegment> hostSlices =
      IntStream.range(0, 64)
          .mapToObj(i -> MemorySegment.ofArray(heap).asSlice(64L * i, 64))
          .toList();
  private List<GlobalBytes> deviceSlices =
      IntStream.range(0, 64).mapToObj(i -> array.slice(64L * i, 64)).toList();

  private int number = 1000;

  /** A kernel that does nothing. */
  static void three(ThreadBlock block, int number, GlobalBytes pointer, float value) {}

  /** A kernel that does nothing with as many arguments as a launch by reference can have. */
  static void nine(
      ThreadBlock block,
      int a,
      long b,
      float c,
      double d,
      GlobalBytes e,
      GlobalBytes f,
      GlobalBytes g,
      int h,
      long i) {}

  /** A kernel that is compiled for each value of its constant. */
  static void constant(ThreadBlock block, @Const int value, GlobalBytes pointer) {}

  /** Closes everything. */
  @TearDown
  public void close() {
    device.close();
  }

  /**
   * Enqueues a direct copy.
   *
   * @return the copy
   */
  @Benchmark
  public Copy copy() {
    return stream.copy(host, array);
  }

  /** Enqueues a prepared launch. */
  @Benchmark
  public void launch() {
    stream.launch(launch);
  }

  /** Enqueues a launch that was not prepared. */
  @Benchmark
  public void launchUnprepared() {
    stream.launch(Grid.of(1, 1), kernel, 1, array, 2f);
  }

  /** Enqueues a launch by method reference. */
  @Benchmark
  public void launchByReference() {
    stream.launch(Grid.of(1, 1), HostOverhead::three, ++number, array, 2f);
  }

  /** Enqueues a launch by method reference with nine arguments. */
  @Benchmark
  public void launchByReferenceOfNine() {
    long many = ++number;
    stream.launch(
        Grid.of(1, 1), HostOverhead::nine, 1000, many, 3f, 4d, array, array, array, 1000, many);
  }

  /** Enqueues a launch by method reference with a constant. */
  @Benchmark
  public void launchByReferenceWithConstant() {
    stream.launch(Grid.of(1, 1), HostOverhead::constant, 1 + (++number & 1), array);
  }

  /** Enqueues a launch of a lambda that captures a number, evaluated each time. */
  @Benchmark
  public void launchLambdaThatCaptures() {
    int captured = 1 + (++number & 1);
    stream.launch(Grid.of(1, 1), (block, bytes) -> constant(block, captured, bytes), array);
  }

  /**
   * Launches, records an event and makes another stream wait for it.
   *
   * @return the event
   */
  @Benchmark
  public Event launchRecordAndWait() {
    stream.launch(launch);
    Event event = stream.record();
    other.waitFor(event);
    return event;
  }

  /**
   * Records an event and makes another stream wait for it.
   *
   * @return the event
   */
  @Benchmark
  public Event recordAndWait() {
    Event event = stream.record();
    other.waitFor(event);
    return event;
  }

  /** Allocates and frees memory in stream order. */
  @Benchmark
  public void allocateAndFree() {
    stream.allocateBytes(4096).close();
  }

  /**
   * Launches a graph of 64 nodes.
   *
   * @return its end
   */
  @Benchmark
  public Event launchGraph() {
    return graph.launch(stream);
  }

  /** Launches a kernel, records an event and awaits it; the event is done immediately. */
  @Benchmark
  public void launchRecordAndAwait() {
    stream.launch(launch);
    stream.record().await();
  }

  /**
   * Enqueues 64 copies as a batch.
   *
   * @return the batch
   */
  @Benchmark
  public Batch copyAll() {
    return stream.copyAll(requests);
  }

  /** Enqueues 64 copies of slices of an array on the heap as a batch, and awaits them. */
  @Benchmark
  public void copyAllOfHeap() {
    stream.copyAll(slices).await();
  }

  /** Enqueues the same copies one by one, and awaits them. */
  @Benchmark
  public void copyEachOfHeap() {
    for (int i = 0; i < 64; i++) {
      Copy _ = stream.copy(hostSlices.get(i), deviceSlices.get(i));
    }
    stream.await();
  }

  /**
   * Fills an array.
   *
   * @return the end of the fill
   */
  @Benchmark
  public Event fill() {
    return stream.fill(array, (byte) 1);
  }
}
