package dev.stretto.order.program;

import static dev.stretto.order.Way.READS;

import dev.stretto.fault.RaceException;
import dev.stretto.order.Accesses;
import dev.stretto.order.Footprint;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Order;
import dev.stretto.order.Way;
import dev.stretto.order.Work;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Finds the bytes that an access is about, and has them checked if they were an end of a copy. */
final class Watch {
  private static final StackWalker STACK = StackWalker.getInstance();

  private Watch() {}

  /**
   * Elements of an array are accessed.
   *
   * @throws RaceException if that races with an operation
   */
  static void elements(@Nullable Object array, long from, long count, Way way) {
    Accesses memory = array == null ? null : HostMemories.find(array);
    if (memory != null && array != null) {
      elements(memory, array, from, count, way);
    }
  }

  private static void elements(Accesses memory, Object array, long from, long count, Way way) {
    long length = Array.getLength(array);
    long begin = Math.max(from, 0);
    long end = Math.min(Math.addExact(from, count), length);
    int size = elementBytes(array.getClass().componentType());
    check(memory, begin * size, (end - begin) * size, way);
  }

  static void all(@Nullable Object of, Way way) {
    switch (of) {
      case MemorySegment segment -> part(segment, 0, segment.byteSize(), way);
      case Buffer buffer -> part(buffer, buffer.position(), buffer.remaining(), way);
      case null, default -> elements(of, 0, Integer.MAX_VALUE, way);
    }
  }

  static void part(@Nullable Object of, long from, long count, Way way) {
    switch (of) {
      case MemorySegment segment -> bytes(segment, from, count, way);
      case Buffer buffer -> {
        int size = elementBytes(buffer);
        bytes(whole(buffer), from * size, count * size, way);
      }
      case null, default -> elements(of, from, count, way);
    }
  }

  private static void bytes(MemorySegment segment, long from, long count, Way way) {
    Object holder = segment.heapBase().orElse(segment.scope());
    Accesses memory = HostMemories.find(holder);
    if (memory != null && segment.scope().isAlive()) { // otherwise the access fails
      long begin = Math.max(from, 0);
      long end = Math.min(from + count, segment.byteSize());
      check(memory, segment.address() + begin, end - begin, way);
    }
  }

  private static void check(Accesses memory, long address, long bytes, Way way) {
    if (bytes > 0 && !memory.isMore(address, bytes, way)) {
      Work work = new Work("the program", Watch::line);
      Order.ofProcess().accesses(memory, Footprint.of(address, bytes), way, work);
    }
  }

  /** {@return the line of the program that accesses memory now} */
  private static @Nullable StackTraceElement line() {
    return STACK.walk(
        frames ->
            frames
                .filter(frame -> !isOwn(frame.getClassName()))
                .findFirst()
                .map(StackWalker.StackFrame::toStackTraceElement)
                .orElse(null));
  }

  private static boolean isOwn(String name) {
    return name.startsWith("dev.stretto.order.") || name.startsWith("java.");
  }

  // --- text and variables ----------------------------------------------------------------------

  static void text(MemorySegment segment, long at, Charset charset) {
    Object holder = segment.heapBase().orElse(segment.scope());
    if (HostMemories.find(holder) == null) {
      return;
    }
    long count;
    try {
      count = bytes(segment.getString(at, charset), charset);
    } catch (IndexOutOfBoundsException _) {
      count = segment.byteSize() - at; // no end was found
    } catch (IllegalArgumentException | IllegalStateException _) {
      return; // the program's own call fails in the same way
    }
    bytes(segment, at, count, READS);
  }

  /** {@return how many bytes a text and its end have} */
  static long bytes(String text, Charset charset) {
    int end = "\0".getBytes(charset).length;
    if (charset.name().equals("UTF-16") || charset.name().equals("UTF-32")) {
      end /= 2; // the first half is a byte order mark
    }
    return (long) text.getBytes(charset).length + end;
  }

  static void variable(VarHandle handle, Object of, Way way, long... coordinates) {
    if (of instanceof MemorySegment segment) {
      long bytes = Handles.bytes(handle);
      Handles.offset(handle, coordinates).ifPresent(from -> bytes(segment, from, bytes, way));
    } else if (coordinates.length == 1 && of instanceof ByteBuffer buffer) {
      part(buffer, coordinates[0], elementBytes(handle.varType()), way);
    } else if (coordinates.length == 1 && of.getClass().isArray()) {
      int size = elementBytes(of.getClass().componentType());
      elements(of, coordinates[0], elementBytes(handle.varType()) / size, way);
    }
  }

  // --- sizes -----------------------------------------------------------------------------------

  /** {@return how many elements an array has, or how many remain of a buffer} */
  static long length(@Nullable Object like) {
    return switch (like) {
      case null -> 0;
      case Buffer buffer -> buffer.remaining();
      default -> like.getClass().isArray() ? Array.getLength(like) : 0;
    };
  }

  private static int elementBytes(Class<?> type) {
    return type == byte.class || type == boolean.class
        ? 1
        : type == short.class || type == char.class
            ? 2
            : type == int.class || type == float.class ? 4 : 8;
  }

  private static int elementBytes(Buffer buffer) {
    return switch (buffer) {
      case ByteBuffer _ -> 1;
      case CharBuffer _, ShortBuffer _ -> 2;
      case IntBuffer _, FloatBuffer _ -> 4;
      case LongBuffer _, DoubleBuffer _ -> 8;
    };
  }

  /** {@return all that a buffer could be of, whatever its position and limit are} */
  private static MemorySegment whole(Buffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear());
  }
}
