package dev.stretto.kernel;

import dev.stretto.driver.TensorLayout;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A kernel's parameter: its Java type, and the place of its value among the packed parameters.
 *
 * @param type a primitive type, a record of numbers, a global array type or a tensor map
 * @param offset of its value in bytes; an array's value is its device address
 * @param lengthOffset of an array's length in elements, after all values, where the GPU does not
 *     read; -1 for others
 */
public record Parameter(Class<?> type, long offset, long lengthOffset) {
  private static final Map<Class<?>, Integer> PRIMITIVES =
      Map.of(
          byte.class,
          1,
          short.class,
          2,
          int.class,
          4,
          long.class,
          8,
          float.class,
          4,
          double.class,
          8);

  private static final Map<Class<?>, Function<Resident, GlobalArray>> ARRAYS =
      Map.of(
          GlobalBytes.class, GlobalBytes::of,
          GlobalShorts.class, GlobalShorts::of,
          GlobalInts.class, GlobalInts::of,
          GlobalLongs.class, GlobalLongs::of,
          GlobalFloats.class, GlobalFloats::of,
          GlobalDoubles.class, GlobalDoubles::of,
          GlobalHalfs.class, GlobalHalfs::of,
          GlobalBfloats.class, GlobalBfloats::of);

  private static final Map<Class<?>, Integer> ELEMENT_BYTES =
      Map.of(
          GlobalBytes.class, 1,
          GlobalShorts.class, 2,
          GlobalInts.class, 4,
          GlobalLongs.class, 8,
          GlobalFloats.class, 4,
          GlobalDoubles.class, 8,
          GlobalHalfs.class, 2,
          GlobalBfloats.class, 2);

  /** What a kernel takes, for messages. */
  static final String TAKEN =
      ": a kernel takes byte, short, int, long, float, double, records of them, global arrays and"
          + " tensor maps";

  private static final int MOST_BYTES = 32_764;

  /** Whether a kernel can take a value of a type, if it is a record one that can be laid out. */
  static boolean takes(Class<?> type) {
    return ARRAYS.containsKey(type)
        || PRIMITIVES.containsKey(type)
        || type == TensorMap.class
        || type.isRecord();
  }

  /**
   * {@return the parameters of these types as the driver packs them: the values in order, each at a
   * multiple of its alignment, followed by the arrays' lengths} A record lies there as a struct of
   * its components does in C.
   *
   * @param types primitive types except {@code boolean} and {@code char}, records of numbers,
   *     global array types and tensor maps
   * @throws IllegalArgumentException if a kernel cannot take one of them, or they take more bytes
   *     than a kernel has: 32764
   */
  public static List<Parameter> pack(List<Class<?>> types) {
    for (Class<?> type : Objects.requireNonNull(types, "types")) {
      Objects.requireNonNull(type, "an element of types");
    }
    long[] offsets = new long[types.size()];
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      long bytes = valueBytes(types.get(i));
      long alignment = types.get(i).isRecord() ? RecordLayout.of(types.get(i)).alignment() : bytes;
      offsets[i] = (end + alignment - 1) / alignment * alignment;
      end = offsets[i] + bytes;
    }
    if (end > MOST_BYTES) {
      throw new IllegalArgumentException(
          "parameters of %d bytes: a kernel takes at most %d; pass an array of the device"
              .formatted(end, MOST_BYTES));
    }
    long lengths = (end + 7) / 8 * 8;
    List<Parameter> parameters = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      boolean array = ARRAYS.containsKey(types.get(i));
      parameters.add(new Parameter(types.get(i), offsets[i], array ? lengths : -1));
      lengths += array ? 8 : 0;
    }
    return List.copyOf(parameters);
  }

  private static long valueBytes(Class<?> type) {
    if (type.isRecord()) {
      return RecordLayout.of(type).bytes();
    }
    if (type == TensorMap.class) {
      return TensorLayout.BYTES;
    }
    Integer bytes = ARRAYS.containsKey(type) ? Integer.valueOf(8) : PRIMITIVES.get(type);
    if (bytes == null) {
      throw new IllegalArgumentException("a parameter of type " + type.getTypeName() + TAKEN);
    }
    return bytes;
  }

  /** The bytes of packed parameters, the arrays' lengths included. */
  static long packedBytes(List<Parameter> parameters) {
    long end = 0;
    for (Parameter parameter : parameters) {
      end =
          Math.max(
              end,
              parameter.isArray()
                  ? parameter.lengthOffset() + 8
                  : parameter.offset() + valueBytes(parameter.type()));
    }
    return (end + 7) / 8 * 8;
  }

  /** {@return whether the parameter is a global array} */
  public boolean isArray() {
    return lengthOffset >= 0;
  }

  /** {@return whether the parameter is a record of numbers} */
  public boolean isRecord() {
    return type.isRecord();
  }

  /** {@return the bytes of its value among the packed parameters; an array's is its address} */
  public long bytes() {
    return valueBytes(type);
  }

  /**
   * Packs a record. Allocates nothing.
   *
   * @param value a value of exactly this parameter's type
   * @param packed the packed parameters
   * @throws IllegalStateException if the parameter is of another type
   * @throws NullPointerException if a record within the value is null
   */
  public void put(Record value, MemorySegment packed) {
    Objects.requireNonNull(packed, "packed");
    if (Objects.requireNonNull(value, "value").getClass() != type) {
      throw new IllegalStateException(type + " is not the type of " + value);
    }
    RecordLayout.of(type).write(value, packed, offset);
  }

  /** {@return whether the parameter is a tensor map} */
  public boolean isTensorMap() {
    return type == TensorMap.class;
  }

  /** {@return whether a launch accesses device memory through it} */
  public boolean hasMemory() {
    return isArray() || isTensorMap();
  }

  /**
   * {@return the bytes of an element of a global array}
   *
   * @throws IllegalStateException if the parameter is not a global array
   */
  public int elementBytes() {
    Integer bytes = ELEMENT_BYTES.get(type);
    if (bytes == null) {
      throw new IllegalStateException(type + " is not an array");
    }
    return bytes;
  }

  GlobalArray resident(Resident memory) {
    Function<Resident, GlobalArray> maker = ARRAYS.get(type);
    if (maker == null) {
      throw new AssertionError(type + " is not an array");
    }
    return maker.apply(memory);
  }
}
