package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.ConstantArray;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of arrays that are compiled into kernels. It is copied when the first kernel is
 * compiled with it, and all later ones in this process are compiled with the same, so that all
 * devices see one content.
 */
public final class ConstantArrays {
  private static final ClassValue<Map<String, Object>> COPIES =
      new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private ConstantArrays() {}

  /**
   * {@return an array that a static field holds, with its content}
   *
   * @param loader finds the class, which is initialized
   * @param owner the internal name of the class
   * @param name the field's name
   * @param checked whether a kernel checks its indices
   * @throws ReflectiveOperationException if the field cannot be read
   * @throws IllegalArgumentException if it holds no array of numbers
   * @throws IllegalStateException if the content has changed since it was copied
   */
  public static ConstantArray of(
      @Nullable ClassLoader loader, String owner, String name, boolean checked)
      throws ReflectiveOperationException {
    Field field = Class.forName(owner.replace('/', '.'), true, loader).getDeclaredField(name);
    field.setAccessible(true);
    Object array = field.get(null);
    if (array == null
        || !array.getClass().isArray()
        || !array.getClass().componentType().isPrimitive()) {
      throw new IllegalArgumentException("it holds no array of numbers");
    }
    Object copy = COPIES.get(field.getDeclaringClass()).computeIfAbsent(name, _ -> copyOf(array));
    ConstantArray constant =
        new ConstantArray(
            owner,
            name,
            Site.element(array.getClass().componentType().descriptorString().charAt(0)),
            copy,
            array,
            checked);
    constant.requireUnchanged();
    return constant;
  }

  private static Object copyOf(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().componentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }
}
