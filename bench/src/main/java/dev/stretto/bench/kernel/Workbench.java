package dev.stretto.bench.kernel;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * A device, and the memory that one job uses on the device and the host; closing it releases the
 * memory.
 */
final class Workbench implements AutoCloseable {
  private final Device device;
  private final Size size;
  private final Stream stream;
  private final Arena host = Arena.ofShared();
  private final Deque<GlobalArray> arrays = new ArrayDeque<>();

  Workbench(Device device, Size size) {
    this.device = device;
    this.size = size;
    this.stream = device.stream();
  }

  Device device() {
    return device;
  }

  Size size() {
    return size;
  }

  /** A two-dimensional grid. */
  static Grid grid(int blocksX, int blocksY, int threadsX, int threadsY) {
    return new Grid(blocksX, blocksY, 1, threadsX, threadsY, 1, 0);
  }

  /** An array of zeros. */
  GlobalFloats floats(int length) {
    GlobalFloats array = device.allocateFloats(length);
    arrays.push(array);
    stream.fill(array, 0).await();
    return array;
  }

  GlobalFloats floats(int length, Chunks.Floats element) {
    GlobalFloats array = device.allocateFloats(length);
    arrays.push(array);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment values = arena.allocate(array.byteSize(), 4096);
      Chunks.fillFloats(values, length, element);
      stream.copy(values, array).await();
    }
    return array;
  }

  /** An array of zeros. */
  GlobalInts ints(int length) {
    GlobalInts array = device.allocateInts(length);
    arrays.push(array);
    stream.fill(array, 0).await();
    return array;
  }

  GlobalInts ints(int length, Chunks.Ints element) {
    GlobalInts array = device.allocateInts(length);
    arrays.push(array);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment values = arena.allocate(array.byteSize(), 4096);
      Chunks.fillInts(values, length, element);
      stream.copy(values, array).await();
    }
    return array;
  }

  /** An array of zeros. */
  GlobalBytes bytes(int length) {
    GlobalBytes array = device.allocateBytes(length);
    arrays.push(array);
    stream.fill(array, (byte) 0).await();
    return array;
  }

  /** The lowest byte of each element. */
  GlobalBytes bytes(int length, Chunks.Ints element) {
    GlobalBytes array = device.allocateBytes(length);
    arrays.push(array);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment values = arena.allocate(array.byteSize(), 4096);
      Chunks.fillBytes(values, length, element);
      stream.copy(values, array).await();
    }
    return array;
  }

  /** An array of zeros. */
  GlobalLongs longs(int length) {
    GlobalLongs array = device.allocateLongs(length);
    arrays.push(array);
    stream.fill(array, 0).await();
    return array;
  }

  /** An array of zeros. */
  GlobalDoubles doubles(int length) {
    GlobalDoubles array = device.allocateDoubles(length);
    arrays.push(array);
    stream.fill(array, 0).await();
    return array;
  }

  GlobalDoubles doubles(int length, Chunks.Doubles element) {
    GlobalDoubles array = device.allocateDoubles(length);
    arrays.push(array);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment values = arena.allocate(array.byteSize(), 4096);
      Chunks.fillDoubles(values, length, element);
      stream.copy(values, array).await();
    }
    return array;
  }

  /** A copy, valid until this is closed. */
  MemorySegment toHost(GlobalArray array) {
    MemorySegment values = host.allocate(array.byteSize(), 4096);
    stream.copy(array, values).await();
    return values;
  }

  /**
   * The median of a run's device time, in milliseconds. A run before the timed ones keeps the
   * device busy while those are enqueued.
   */
  double milliseconds(Job job) {
    double[] samples = new double[size.samples()];
    for (int sample = -size.warmUps(); sample < samples.length; sample++) {
      enqueue(job);
      try (TimedEvent begin = stream.recordTimed()) {
        for (int i = 0; i < size.launches(); i++) {
          enqueue(job);
        }
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          if (sample >= 0) {
            samples[sample] = begin.nanosTo(end) / size.launches() * 1e-6;
          }
        }
      }
    }
    Arrays.sort(samples);
    int half = samples.length / 2;
    return samples.length % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
  }

  private void enqueue(Job job) {
    job.launches().forEach(stream::launch);
  }

  @Override
  public void close() {
    arrays.forEach(GlobalArray::close);
    stream.close();
    host.close();
  }
}
