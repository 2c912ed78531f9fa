package dev.stretto.order.program;

import static dev.stretto.order.Way.READS;
import static dev.stretto.order.Way.WRITES;

import dev.stretto.order.HostMemories;
import dev.stretto.order.Way;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Called by the program's classes before they access memory, where an agent has added that. Each
 * method says which part of an object is accessed: of an array, a segment or a buffer; of other
 * objects, nothing. None of them fails if the access itself would: it fails right behind.
 *
 * <p>Numbers count an array's or a typed buffer's elements, and bytes of all else. What is not
 * there is not accessed.
 */
public final class ProgramAccesses {
  private ProgramAccesses() {}

  // --- one element, the call that loops are full of --------------------------------------------

  /** An element is about to be read. */
  public static void reads(@Nullable Object array, int index) {
    if (HostMemories.hasAny()) {
      Watch.elements(array, index, 1, READS);
    }
  }

  /** An element is about to be written. */
  public static void writes(@Nullable Object array, int index) {
    if (HostMemories.hasAny()) {
      Watch.elements(array, index, 1, WRITES);
    }
  }

  // --- all of it, or of a buffer what remains --------------------------------------------------

  /** All of it is about to be read. */
  public static void reads(@Nullable Object all) {
    if (HostMemories.hasAny()) {
      Watch.all(all, READS);
    }
  }

  /** All of it is about to be written. */
  public static void writes(@Nullable Object all) {
    if (HostMemories.hasAny()) {
      Watch.all(all, WRITES);
    }
  }

  // --- a part of it ----------------------------------------------------------------------------

  /** So many from there on are about to be read. */
  public static void reads(@Nullable Object of, long from, long count) {
    if (HostMemories.hasAny()) {
      Watch.part(of, from, count, READS);
    }
  }

  /** So many from there on are about to be written. */
  public static void writes(@Nullable Object of, long from, long count) {
    if (HostMemories.hasAny()) {
      Watch.part(of, from, count, WRITES);
    }
  }

  /** What lies between the two is about to be read. */
  public static void readsTo(@Nullable Object of, long from, long to) {
    reads(of, from, to - from);
  }

  /** What lies between the two is about to be written. */
  public static void writesTo(@Nullable Object of, long from, long to) {
    writes(of, from, to - from);
  }

  /** As many bytes from there on as a layout has are about to be read. */
  public static void reads(@Nullable Object of, long from, @Nullable Object layout) {
    reads(of, from, layout, 1);
  }

  /** As many bytes from there on as a layout has are about to be written. */
  public static void writes(@Nullable Object of, long from, @Nullable Object layout) {
    writes(of, from, layout, 1);
  }

  /** Values of a layout from there on are about to be read. */
  public static void reads(@Nullable Object of, long from, @Nullable Object layout, long count) {
    if (HostMemories.hasAny() && layout instanceof MemoryLayout its) {
      Watch.part(of, from, count * its.byteSize(), READS);
    }
  }

  /** Values of a layout from there on are about to be written. */
  public static void writes(@Nullable Object of, long from, @Nullable Object layout, long count) {
    if (HostMemories.hasAny() && layout instanceof MemoryLayout its) {
      Watch.part(of, from, count * its.byteSize(), WRITES);
    }
  }

  /** A value among those of a layout is about to be read. */
  public static void readsIndex(@Nullable Object of, long index, @Nullable Object layout) {
    if (HostMemories.hasAny() && layout instanceof MemoryLayout its) {
      Watch.part(of, index * its.byteSize(), its.byteSize(), READS);
    }
  }

  /** A value among those of a layout is about to be written. */
  public static void writesIndex(@Nullable Object of, long index, @Nullable Object layout) {
    if (HostMemories.hasAny() && layout instanceof MemoryLayout its) {
      Watch.part(of, index * its.byteSize(), its.byteSize(), WRITES);
    }
  }

  // --- as much as another object has -----------------------------------------------------------

  /** As many bytes as another segment has are about to be written at the beginning. */
  public static void writesLike(@Nullable Object segment, @Nullable Object other) {
    if (HostMemories.hasAny() && other instanceof MemorySegment its) {
      Watch.part(segment, 0, its.byteSize(), WRITES);
    }
  }

  /** As many elements from there on as an array has are about to be read. */
  public static void readsLike(@Nullable Object buffer, long from, @Nullable Object array) {
    if (HostMemories.hasAny()) {
      Watch.part(buffer, from, Watch.length(array), READS);
    }
  }

  /** As many elements from there on as an array has are about to be written. */
  public static void writesLike(@Nullable Object buffer, long from, @Nullable Object array) {
    if (HostMemories.hasAny()) {
      Watch.part(buffer, from, Watch.length(array), WRITES);
    }
  }

  // --- from a buffer's position on -------------------------------------------------------------

  /** So many from the position on are about to be read. */
  public static void readsNext(@Nullable Object buffer, long count) {
    if (HostMemories.hasAny() && buffer instanceof Buffer its) {
      Watch.part(its, its.position(), count, READS);
    }
  }

  /** So many from the position on are about to be written. */
  public static void writesNext(@Nullable Object buffer, long count) {
    if (HostMemories.hasAny() && buffer instanceof Buffer its) {
      Watch.part(its, its.position(), count, WRITES);
    }
  }

  /**
   * As many from the position on as an array has, or as remain of a buffer, are about to be read.
   */
  public static void readsNext(@Nullable Object buffer, @Nullable Object like) {
    if (HostMemories.hasAny()) {
      readsNext(buffer, Watch.length(like));
    }
  }

  /**
   * As many from the position on as an array has, or as remain of a buffer, are about to be
   * written.
   */
  public static void writesNext(@Nullable Object buffer, @Nullable Object like) {
    if (HostMemories.hasAny()) {
      writesNext(buffer, Watch.length(like));
    }
  }

  /** As many elements from there on as lie between two places are about to be written. */
  public static void writesBetween(@Nullable Object array, long from, long begin, long end) {
    writes(array, from, end - begin);
  }

  /** All that remains of some buffers is about to be read. */
  public static void readsEach(@Nullable Object buffers) {
    if (HostMemories.hasAny() && buffers instanceof Object[] all) {
      for (Object each : all) {
        Watch.all(each, READS);
      }
    }
  }

  /** All that remains of some buffers is about to be written. */
  public static void writesEach(@Nullable Object buffers) {
    if (HostMemories.hasAny() && buffers instanceof Object[] all) {
      for (Object each : all) {
        Watch.all(each, WRITES);
      }
    }
  }

  // --- text ------------------------------------------------------------------------------------

  /** A text and its end are about to be read. */
  public static void readsText(@Nullable Object segment, long at, @Nullable Object charset) {
    if (HostMemories.hasAny()
        && segment instanceof MemorySegment its
        && charset instanceof Charset known) {
      Watch.text(its, at, known);
    }
  }

  /** A text and its end are about to be written. */
  public static void writesText(
      @Nullable Object segment, long at, @Nullable Object text, @Nullable Object charset) {
    if (HostMemories.hasAny() && text instanceof String known && charset instanceof Charset its) {
      Watch.part(segment, at, Watch.bytes(known, its), WRITES);
    }
  }

  // --- a variable of which a handle says what it is --------------------------------------------

  /** A layout has made a handle. */
  public static void made(@Nullable Object handle, @Nullable Object layout, @Nullable Object path) {
    if (handle instanceof VarHandle its
        && layout instanceof MemoryLayout known
        && path instanceof PathElement[] way) {
      Handles.made(its, known, way);
    }
  }

  /** A layout of a value has made a handle. */
  public static void made(@Nullable Object handle, @Nullable Object layout) {
    if (handle instanceof VarHandle its && layout instanceof MemoryLayout known) {
      Handles.made(its, known);
    }
  }

  /** A handle's variable at these coordinates is about to be read. */
  public static void reads(@Nullable Object handle, @Nullable Object of, long at) {
    variable(handle, of, READS, at);
  }

  /** A handle's variable at these coordinates is about to be written. */
  public static void writes(@Nullable Object handle, @Nullable Object of, long at) {
    variable(handle, of, WRITES, at);
  }

  /** A handle's variable at these coordinates is about to be read. */
  public static void reads(@Nullable Object handle, @Nullable Object of, long at, long index) {
    variable(handle, of, READS, at, index);
  }

  /** A handle's variable at these coordinates is about to be written. */
  public static void writes(@Nullable Object handle, @Nullable Object of, long at, long index) {
    variable(handle, of, WRITES, at, index);
  }

  private static void variable(
      @Nullable Object handle, @Nullable Object of, Way way, long... coordinates) {
    if (HostMemories.hasAny() && handle instanceof VarHandle its && of != null) {
      Watch.variable(its, of, way, coordinates);
    }
  }
}
