package dev.stretto.kernel;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The references of one class of lambdas. The class determines the method, so that lambdas of the
 * class differ by the values that they have captured, and by nothing else. Finding a reference
 * again allocates nothing.
 *
 * <p>The captured values are read from the lambda's fields if its module lets Stretto do so: always
 * on the class path, else if it opens the package. If not, only a lambda that is launched again is
 * found again.
 */
final class KnownReferences {
  /** How many references of a class are remembered; the latest comes first. */
  private static final int MOST = 8;

  private static final String FIELD = "arg$";

  private final Class<?> type;

  /** The fields of the captured values; null if they are not known, or cannot be read. */
  private volatile Field @Nullable [] fields;

  private volatile KernelReference[] latest = {};

  KnownReferences(Class<?> type) {
    this.type = type;
  }

  /** {@return the reference of a lambda of this class, or null if it has to be resolved} */
  @Nullable KernelReference find(KernelMethod kernel) {
    KernelReference[] known = latest;
    Field[] captures = fields;
    for (KernelReference reference : known) {
      if (reference.isOf(kernel)
          || reference.captured().isEmpty()
          || (captures != null && hasCaptured(captures, kernel, reference.captured()))) {
        return reference;
      }
    }
    if (captures == null || known.length == 0) {
      return null;
    }
    return remember(known[0].with(kernel, read(captures, kernel)));
  }

  /** Remembers the reference of a lambda that was resolved. */
  KernelReference add(KernelMethod kernel, KernelReference reference) {
    if (fields == null && !reference.captured().isEmpty()) {
      fields = fields(kernel, reference.captured());
    }
    return remember(reference);
  }

  /** Threads may overwrite each other's: then a reference is made once more. */
  private KernelReference remember(KernelReference reference) {
    if (reference.captured().stream().allMatch(KnownReferences::isSmall)) {
      KernelReference[] before = latest;
      KernelReference[] after = Arrays.copyOf(before, Math.min(before.length + 1, MOST));
      System.arraycopy(before, 0, after, 1, after.length - 1);
      after[0] = reference;
      latest = after;
    }
    return reference;
  }

  /** Whether a value may be remembered as long as the class exists. */
  private static boolean isSmall(Object value) {
    return value instanceof Number || value instanceof Boolean || value instanceof Character;
  }

  /**
   * The fields of the captured values in their order, or null. How the JDK lays out its lambdas is
   * not specified, so the fields have to agree with what the lambda says of itself.
   */
  private Field @Nullable [] fields(KernelMethod kernel, List<Object> captured) {
    Field[] found = new Field[captured.size()];
    for (int i = 0; i < found.length; i++) {
      try {
        found[i] = type.getDeclaredField(FIELD + (i + 1));
      } catch (NoSuchFieldException _) {
        return null;
      }
      if (!found[i].getType().isPrimitive() || !found[i].trySetAccessible()) {
        return null;
      }
    }
    return hasCaptured(found, kernel, captured) ? found : null;
  }

  private static List<Object> read(Field[] fields, KernelMethod kernel) {
    List<Object> values = new ArrayList<>(fields.length);
    try {
      for (Field field : fields) {
        values.add(field.get(kernel));
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError("the fields were made accessible", e);
    }
    return List.copyOf(values);
  }

  /** Whether a lambda has captured these values. Boxes nothing, and tells NaNs apart. */
  private static boolean hasCaptured(Field[] fields, KernelMethod kernel, List<Object> values) {
    try {
      for (int i = 0; i < fields.length; i++) {
        if (!holds(fields[i], kernel, values.get(i))) {
          return false;
        }
      }
      return true;
    } catch (IllegalAccessException e) {
      throw new AssertionError("the fields were made accessible", e);
    }
  }

  private static boolean holds(Field field, KernelMethod kernel, Object value)
      throws IllegalAccessException {
    Class<?> type = field.getType();
    return switch (value) {
      case Integer number -> type == int.class && field.getInt(kernel) == number;
      case Long number -> type == long.class && field.getLong(kernel) == number;
      case Float number ->
          type == float.class
              && Float.floatToRawIntBits(field.getFloat(kernel)) == Float.floatToRawIntBits(number);
      case Double number ->
          type == double.class
              && Double.doubleToRawLongBits(field.getDouble(kernel))
                  == Double.doubleToRawLongBits(number);
      default -> field.get(kernel).equals(value);
    };
  }
}
