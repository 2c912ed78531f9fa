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
import java.util.Objects;

/** The bits of a fill value, as the elements of an array store them. */
final class FillValue {
  private FillValue() {}

  /**
   * {@return the bits} Numbers are widened as javac widens an argument of {@code stream.fill}: an
   * {@link Integer} can fill doubles, but a {@link Double} cannot fill ints.
   *
   * @throws IllegalArgumentException if the number is neither of the type that fills the array nor
   *     one that Java widens to it
   */
  static long bits(GlobalArray array, Number value) {
    Objects.requireNonNull(value, "value");
    return switch (array) {
      case GlobalFloats _ when isWhole(value) || value instanceof Float ->
          Float.floatToRawIntBits(value.floatValue());
      case GlobalInts _ when isInt(value) -> value.intValue();
      case GlobalLongs _ when isWhole(value) -> value.longValue();
      case GlobalDoubles _ when isWhole(value) || isFloating(value) ->
          Double.doubleToRawLongBits(value.doubleValue());
      case GlobalShorts _ when value instanceof Byte || value instanceof Short ->
          value.shortValue();
      case GlobalBytes _ when value instanceof Byte -> value.byteValue();
      case GlobalHalfs _ when isWhole(value) || value instanceof Float ->
          Float.floatToFloat16(value.floatValue());
      case GlobalBfloats _ when isWhole(value) || value instanceof Float ->
          Bfloat.of(value.floatValue());
      default ->
          throw new IllegalArgumentException(
              "%s is filled with a %s, or with a number that Java widens to that, not with a %s"
                  .formatted(array, type(array), value.getClass().getSimpleName()));
    };
  }

  private static boolean isFloating(Number value) {
    return value instanceof Float || value instanceof Double;
  }

  private static boolean isWhole(Number value) {
    return value instanceof Long || isInt(value);
  }

  private static boolean isInt(Number value) {
    return value instanceof Integer || value instanceof Short || value instanceof Byte;
  }

  private static String type(GlobalArray array) {
    return switch (array) {
      case GlobalFloats _, GlobalHalfs _, GlobalBfloats _ -> "float";
      case GlobalInts _ -> "int";
      case GlobalLongs _ -> "long";
      case GlobalDoubles _ -> "double";
      case GlobalShorts _ -> "short";
      case GlobalBytes _ -> "byte";
    };
  }
}
