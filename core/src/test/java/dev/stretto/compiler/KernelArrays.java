package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.Space;
import dev.stretto.kernel.KernelThreads;
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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The arrays that a generated kernel is given: what they hold at first, and what it has made. */
final class KernelArrays {
  private static final int COUNTERS = Space.values().length;

  private final int threads;
  private final long[][] initial = new long[COUNTERS + 1][];
  private final long[][] data = new long[COUNTERS + 1][];
  private final long[][] expected = new long[COUNTERS + 1][];
  private final MemorySegment[] segments = new MemorySegment[COUNTERS + 1];

  /** Fills the arrays of so many threads with numbers that a seed picks. */
  KernelArrays(int threads, long seed) {
    this.threads = threads;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i <= COUNTERS; i++) {
      int bytes = elements(i) * bytes(i);
      data[i] = new long[(bytes + 7) / 8];
      segments[i] = MemorySegment.ofArray(data[i]).asSlice(0, bytes);
      fill(i, random);
      initial[i] = data[i].clone();
    }
  }

  private static int bytes(int array) {
    return array == COUNTERS ? 4 : Space.values()[array].bytes();
  }

  private int elements(int array) {
    return array == COUNTERS ? 6 * KernelTree.COUNTERS : threads * KernelTree.ELEMENTS;
  }

  private void fill(int array, SplittableRandom random) {
    MemorySegment segment = segments[array];
    KernelTree.Kind kind = array == COUNTERS ? KernelTree.Kind.INT : Space.values()[array].kind();
    for (int i = 0; i < elements(array); i++) {
      Number value = (Number) KernelGenerator.Numbers.any(random, kind);
      switch (bytes(array)) {
        case 1 -> segment.set(ValueLayout.JAVA_BYTE, i, value.byteValue());
        case 2 ->
            segment.setAtIndex(
                ValueLayout.JAVA_SHORT,
                i,
                kind == KernelTree.Kind.FLOAT
                    ? Float.floatToFloat16(value.floatValue())
                    : value.shortValue());
        case 4 ->
            segment.setAtIndex(
                ValueLayout.JAVA_INT,
                i,
                kind == KernelTree.Kind.FLOAT
                    ? Float.floatToIntBits(value.floatValue())
                    : value.intValue());
        default ->
            segment.setAtIndex(
                ValueLayout.JAVA_LONG,
                i,
                kind == KernelTree.Kind.DOUBLE
                    ? Double.doubleToLongBits(value.doubleValue())
                    : value.longValue());
      }
    }
  }

  /** Goes back to what the arrays held at first. */
  void reset() {
    for (int i = 0; i <= COUNTERS; i++) {
      System.arraycopy(initial[i], 0, data[i], 0, data[i].length);
    }
  }

  /** What the arrays hold now is what they have to hold after every run. */
  void expectThis() {
    for (int i = 0; i <= COUNTERS; i++) {
      expected[i] = data[i].clone();
    }
  }

  /** {@return the first difference to what is expected; every NaN is as good as another one} */
  Optional<String> difference() {
    for (int i = 0; i <= COUNTERS; i++) {
      if (!Arrays.equals(data[i], expected[i])) {
        MemorySegment wanted = MemorySegment.ofArray(expected[i]);
        for (int at = 0; at < elements(i); at++) {
          if (!same(i, wanted, at)) {
            String name = i == COUNTERS ? "counters" : Space.values()[i].java();
            return Optional.of(
                "%s[%d] is %s and has to be %s"
                    .formatted(name, at, show(i, segments[i], at), show(i, wanted, at)));
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean same(int array, MemorySegment wanted, int at) {
    Object a = number(array, segments[array], at);
    Object b = number(array, wanted, at);
    // Boxed: -0.0 is another number than 0.0, and NaN is one number.
    return a.equals(b);
  }

  private static String show(int array, MemorySegment segment, int at) {
    return String.valueOf(number(array, segment, at));
  }

  private static Object number(int array, MemorySegment segment, int at) {
    if (array == COUNTERS) {
      return segment.getAtIndex(ValueLayout.JAVA_INT, at);
    }
    return switch (Space.values()[array]) {
      case BYTES -> segment.get(ValueLayout.JAVA_BYTE, at);
      case SHORTS -> segment.getAtIndex(ValueLayout.JAVA_SHORT, at);
      case INTS -> segment.getAtIndex(ValueLayout.JAVA_INT, at);
      case LONGS -> segment.getAtIndex(ValueLayout.JAVA_LONG, at);
      case FLOATS -> segment.getAtIndex(ValueLayout.JAVA_FLOAT, at);
      case DOUBLES -> segment.getAtIndex(ValueLayout.JAVA_DOUBLE, at);
      case HALFS -> Float.float16ToFloat(segment.getAtIndex(ValueLayout.JAVA_SHORT, at));
      case BFLOATS -> Float.intBitsToFloat(segment.getAtIndex(ValueLayout.JAVA_SHORT, at) << 16);
    };
  }

  /** {@return every number that is expected} */
  List<String> expected() {
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i <= COUNTERS; i++) {
      MemorySegment wanted = MemorySegment.ofArray(expected[i]);
      for (int at = 0; at < elements(i); at++) {
        numbers.add(show(i, wanted, at));
      }
    }
    return numbers;
  }

  /** {@return the arrays for the interpreter, in the order of a kernel's parameters} */
  Object[] in(DeviceMemory memory) {
    Object[] arrays = new Object[COUNTERS + 1];
    for (int i = 0; i <= COUNTERS; i++) {
      arrays[i] = memory.array(segments[i], bytes(i));
    }
    return arrays;
  }

  /** {@return the memory of the arrays, in the order of a kernel's parameters} */
  List<MemorySegment> segments() {
    return List.of(segments);
  }

  /** {@return the arrays for Java, in the order of a kernel's parameters} */
  GlobalArray[] forJava() {
    GlobalArray[] arrays = new GlobalArray[COUNTERS + 1];
    for (int i = 0; i <= COUNTERS; i++) {
      Allocation allocation = KernelThreads.memory((i + 1L) << 24, segments[i]);
      arrays[i] =
          switch (i == COUNTERS ? Space.INTS : Space.values()[i]) {
            case BYTES -> GlobalBytes.of(allocation);
            case SHORTS -> GlobalShorts.of(allocation);
            case INTS -> GlobalInts.of(allocation);
            case LONGS -> GlobalLongs.of(allocation);
            case FLOATS -> GlobalFloats.of(allocation);
            case DOUBLES -> GlobalDoubles.of(allocation);
            case HALFS -> GlobalHalfs.of(allocation);
            case BFLOATS -> GlobalBfloats.of(allocation);
          };
    }
    return arrays;
  }
}
