package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's parameter: its Java type, and where its value lies among the packed parameters.
 *
 * @param type a primitive type or a global array type
 * @param offset of its value in bytes; an array's value is its device address
 * @param lengthOffset of an array's length in elements, behind all values, where the GPU does not
 *     look; -1 for others
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

  /**
   * The bytes that a value of a type takes among the parameters, or null if a kernel cannot take
   * it.
   */
  static @Nullable Integer valueBytes(Class<?> type) {
    return ARRAYS.containsKey(type) ? Integer.valueOf(8) : PRIMITIVES.get(type);
  }

  /** {@return whether the parameter is a global array} */
  public boolean isArray() {
    return lengthOffset >= 0;
  }

  int elementBytes() {
    Integer bytes = ELEMENT_BYTES.get(type);
    if (bytes == null) {
      throw new AssertionError(type + " is no array");
    }
    return bytes;
  }

  GlobalArray resident(Resident memory) {
    Function<Resident, GlobalArray> maker = ARRAYS.get(type);
    if (maker == null) {
      throw new AssertionError(type + " is no array");
    }
    return maker.apply(memory);
  }
}
