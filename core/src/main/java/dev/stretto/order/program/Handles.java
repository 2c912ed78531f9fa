package dev.stretto.order.program;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.WeakHashMap;

/**
 * The handles of variables in segments, as the program got them from layouts: a handle itself does
 * not say where its variable lies.
 */
final class Handles {
  /** Where a variable lies, by a base offset and an index for each open element of its path. */
  private record Variable(MethodHandle offset, long bytes) {}

  private static final Map<VarHandle, Variable> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Handles() {}

  /** Notes what a layout made a handle for; handles to which addresses lead are not known. */
  static void made(VarHandle handle, MemoryLayout layout, PathElement... path) {
    List<Class<?>> coordinates = handle.coordinateTypes();
    if (coordinates.isEmpty() || coordinates.getFirst() != MemorySegment.class) {
      return;
    }
    try {
      MethodHandle offset = layout.byteOffsetHandle(path);
      if (offset.type().parameterCount() == coordinates.size() - 1) {
        ALL.put(handle, new Variable(offset, layout.select(path).byteSize()));
      }
    } catch (IllegalArgumentException _) {
      // the path goes through an address, so the variable may lie anywhere
    }
  }

  /** {@return where a handle's variable begins; nothing if that is not known} */
  static OptionalLong offset(VarHandle handle, long... coordinates) {
    Variable variable = ALL.get(handle);
    if (variable == null || variable.offset.type().parameterCount() != coordinates.length) {
      return OptionalLong.empty();
    }
    try {
      Object offset =
          variable.offset.invokeWithArguments(Arrays.stream(coordinates).boxed().toList());
      return OptionalLong.of((long) offset);
    } catch (RuntimeException _) {
      return OptionalLong.empty(); // an index that is not there: the program's own call fails
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** {@return how many bytes a handle's variable has} */
  static long bytes(VarHandle handle) {
    Variable variable = ALL.get(handle);
    return variable == null ? 0 : variable.bytes;
  }
}
