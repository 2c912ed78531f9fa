package dev.stretto;

import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;

/** The bits of a number as an array's elements have them. */
final class FillValue {
  private FillValue() {}

  /**
   * {@return the bits}
   *
   * @throws IllegalArgumentException if the number is not of the type by which the array is filled
   */
  static long bits(GlobalArray array, Number value) {
    return switch (array) {
      case GlobalFloats _ when value instanceof Float number -> Float.floatToRawIntBits(number);
      case GlobalInts _ when value instanceof Integer number -> number;
      case GlobalLongs _ when value instanceof Long number -> number;
      case GlobalDoubles _ when value instanceof Double number ->
          Double.doubleToRawLongBits(number);
      case GlobalShorts _ when value instanceof Short number -> number;
      case GlobalBytes _ when value instanceof Byte number -> number;
      case GlobalHalfs _ when value instanceof Float number -> Float.floatToFloat16(number);
      case GlobalBfloats _ when value instanceof Float number -> Bfloat.of(number);
      default ->
          throw new IllegalArgumentException(
              array + " is not filled with a " + value.getClass().getSimpleName());
    };
  }
}
