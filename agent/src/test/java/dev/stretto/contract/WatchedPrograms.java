package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.stretto.Copy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Each way in which Java code reads or writes host memory, with copies of which the memory is an
 * end. The copies are enqueued at the top of this file, so that each access lies below.
 */
final class WatchedPrograms {
  static final CheckedPrograms.Programs PROGRAMS = new CheckedPrograms.Programs();
  private static final int BYTES = 4 * CheckedPrograms.LENGTH;

  /** An access to some memory. */
  private interface Access<T> {
    void to(T memory) throws Exception;
  }

  /**
   * A kind of memory.
   *
   * @param make makes some
   * @param segment its bytes
   */
  private record Kind<T>(Supplier<T> make, Function<T, MemorySegment> segment) {
    Copy filled(CheckedPrograms.Hands with, T memory) {
      return with.first.copy(with.a, segment.apply(memory));
    }

    Copy read(CheckedPrograms.Hands with, T memory) {
      return with.first.copy(segment.apply(memory), with.b);
    }

    void reads(String what, Access<T> access) {
      PROGRAMS.bad(
          what + ", before a copy has filled it",
          with -> {
            T memory = make.get();
            Copy _ = filled(with, memory);
            access.to(memory);
          });
      good(what, access);
      PROGRAMS.good(
          what + ", while a copy reads it",
          with -> {
            T memory = make.get();
            Copy _ = read(with, memory);
            access.to(memory);
          });
    }

    void writes(String what, Access<T> access) {
      PROGRAMS.bad(
          what + ", before a copy has filled it",
          with -> {
            T memory = make.get();
            Copy _ = filled(with, memory);
            access.to(memory);
          });
      PROGRAMS.bad(
          what + ", before a copy has read it",
          with -> {
            T memory = make.get();
            Copy _ = read(with, memory);
            access.to(memory);
          });
      good(what, access);
    }

    private void good(String what, Access<T> access) {
      PROGRAMS.good(
          what + ", behind a wait",
          with -> {
            T memory = make.get();
            filled(with, memory).await();
            access.to(memory);
            read(with, memory).await();
            access.to(memory);
          });
    }
  }

  private static final Kind<byte[]> BYTE_ARRAY =
      new Kind<>(() -> new byte[BYTES], MemorySegment::ofArray);
  private static final Kind<char[]> CHAR_ARRAY =
      new Kind<>(() -> new char[BYTES / 2], MemorySegment::ofArray);
  private static final Kind<short[]> SHORT_ARRAY =
      new Kind<>(() -> new short[BYTES / 2], MemorySegment::ofArray);
  private static final Kind<int[]> INT_ARRAY =
      new Kind<>(() -> new int[BYTES / 4], MemorySegment::ofArray);
  private static final Kind<long[]> LONG_ARRAY =
      new Kind<>(() -> new long[BYTES / 8], MemorySegment::ofArray);
  private static final Kind<float[]> FLOAT_ARRAY =
      new Kind<>(() -> new float[BYTES / 4], MemorySegment::ofArray);
  private static final Kind<double[]> DOUBLE_ARRAY =
      new Kind<>(() -> new double[BYTES / 8], MemorySegment::ofArray);

  private static final Kind<MemorySegment> NATIVE =
      new Kind<>(() -> Arena.ofAuto().allocate(BYTES, 8), Function.identity());
  private static final Kind<MemorySegment> HEAP =
      new Kind<>(() -> MemorySegment.ofArray(new long[BYTES / 8]), Function.identity());

  private static final Kind<ByteBuffer> HEAP_BUFFER =
      new Kind<>(() -> ByteBuffer.allocate(BYTES), WatchedPrograms::whole);
  private static final Kind<ByteBuffer> DIRECT_BUFFER =
      new Kind<>(() -> ByteBuffer.allocateDirect(BYTES), WatchedPrograms::whole);
  private static final Kind<ByteBuffer> SEGMENT_BUFFER =
      new Kind<>(() -> Arena.ofAuto().allocate(BYTES).asByteBuffer(), WatchedPrograms::whole);
  private static final Kind<CharBuffer> CHARS =
      new Kind<>(() -> ByteBuffer.allocateDirect(BYTES).asCharBuffer(), WatchedPrograms::whole);
  private static final Kind<ShortBuffer> SHORTS =
      new Kind<>(() -> ByteBuffer.allocate(BYTES).asShortBuffer(), WatchedPrograms::whole);
  private static final Kind<IntBuffer> INTS =
      new Kind<>(() -> IntBuffer.allocate(BYTES / 4), WatchedPrograms::whole);
  private static final Kind<LongBuffer> LONGS =
      new Kind<>(() -> ByteBuffer.allocateDirect(BYTES).asLongBuffer(), WatchedPrograms::whole);
  private static final Kind<FloatBuffer> FLOATS =
      new Kind<>(() -> FloatBuffer.allocate(BYTES / 4), WatchedPrograms::whole);
  private static final Kind<DoubleBuffer> DOUBLES =
      new Kind<>(() -> ByteBuffer.allocateDirect(BYTES).asDoubleBuffer(), WatchedPrograms::whole);

  private static final VarHandle INT_ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONG_IN_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT_IN_BUFFER =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT_IN_SEGMENT = JAVA_INT.varHandle();
  private static final StructLayout POINT =
      MemoryLayout.structLayout(JAVA_INT.withName("x"), JAVA_INT.withName("y"));
  private static final VarHandle Y = POINT.varHandle(PathElement.groupElement("y"));
  private static final SequenceLayout POINTS = MemoryLayout.sequenceLayout(8, POINT);
  private static final VarHandle Y_OF =
      POINTS.varHandle(PathElement.sequenceElement(), PathElement.groupElement("y"));

  static {
    arrays();
    wholeArrays();
    segments();
    heapSegments();
    buffers();
    typedBuffers();
    handles();
    libraries();
  }

  private WatchedPrograms() {}

  private static MemorySegment whole(Buffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear());
  }

  private static void arrays() {
    BYTE_ARRAY.reads("a byte is read", array -> check(array[5]));
    BYTE_ARRAY.writes("a byte is written", array -> array[5] = 1);
    CHAR_ARRAY.reads("a char is read", array -> check(array[5]));
    CHAR_ARRAY.writes("a char is written", array -> array[5] = 1);
    SHORT_ARRAY.reads("a short is read", array -> check(array[5]));
    SHORT_ARRAY.writes("a short is written", array -> array[5] = 1);
    INT_ARRAY.reads("an int is read", array -> check(array[5]));
    INT_ARRAY.writes("an int is written", array -> array[5] = 1);
    LONG_ARRAY.reads("a long is read", array -> check(array[5]));
    LONG_ARRAY.writes("a long is written", array -> array[5] = 1);
    FLOAT_ARRAY.reads("a float is read", array -> check(array[5]));
    FLOAT_ARRAY.writes("a float is written", array -> array[5] = 1);
    DOUBLE_ARRAY.reads("a double is read", array -> check(array[5]));
    DOUBLE_ARRAY.writes("a double is written", array -> array[5] = 1);
    INT_ARRAY.writes("an int is counted up", array -> array[63]++);
    LONG_ARRAY.writes("a long is added to", array -> array[0] += 3);
    INT_ARRAY.reads(
        "ints are summed",
        array -> {
          int sum = 0;
          for (int each : array) {
            sum += each;
          }
          check(sum);
        });
  }

  private static void wholeArrays() {
    INT_ARRAY.reads("an array is cloned", array -> check(array.clone()[3]));
    INT_ARRAY.reads("an array is copied", array -> check(Arrays.copyOf(array, 7)[3]));
    INT_ARRAY.reads("a range is copied", array -> check(Arrays.copyOfRange(array, 3, 9)[3]));
    FLOAT_ARRAY.reads("arrays are compared", array -> check(Arrays.equals(array, new float[64])));
    FLOAT_ARRAY.reads("a hash is made", array -> check(Arrays.hashCode(array)));
    INT_ARRAY.reads("a stream of ints", array -> check(Arrays.stream(array).sum()));
    INT_ARRAY.reads("another stream of ints", array -> check(IntStream.of(array).sum()));
    INT_ARRAY.writes("an array is sorted", Sorting::sort);
    INT_ARRAY.writes("an array is filled", array -> Arrays.fill(array, 3));
    INT_ARRAY.writes("a range is filled", array -> Arrays.fill(array, 3, 5, 3));
    INT_ARRAY.writes("an array is computed", array -> Arrays.setAll(array, i -> i));
    INT_ARRAY.reads(
        "an array is copied to another", array -> System.arraycopy(array, 1, new int[4], 0, 4));
    INT_ARRAY.writes(
        "an array is copied from another", array -> System.arraycopy(new int[4], 0, array, 60, 4));
  }

  /** A method reference is no call of this class. */
  private static final class Sorting {
    static void sort(int[] array) {
      Arrays.sort(array);
    }
  }

  private static void segments() {
    NATIVE.reads("get a byte", segment -> check(segment.get(JAVA_BYTE, 255)));
    NATIVE.writes("set a byte", segment -> segment.set(JAVA_BYTE, 255, (byte) 1));
    NATIVE.reads("get an int", segment -> check(segment.get(JAVA_INT, 8)));
    NATIVE.writes("set an int", segment -> segment.set(JAVA_INT, 8, 1));
    NATIVE.reads("get a char", segment -> check(segment.get(JAVA_CHAR, 8)));
    NATIVE.writes("set a double", segment -> segment.set(JAVA_DOUBLE, 8, 1));
    NATIVE.reads("get a float by index", segment -> check(segment.getAtIndex(JAVA_FLOAT, 63)));
    NATIVE.writes("set a long by index", segment -> segment.setAtIndex(JAVA_LONG, 31, 1));
    NATIVE.writes("set a short by index", segment -> segment.setAtIndex(JAVA_SHORT, 31, (short) 1));
    NATIVE.writes("fill a segment", segment -> segment.fill((byte) 3));
    NATIVE.writes("fill a slice", segment -> segment.asSlice(17, 1).fill((byte) 3));
    NATIVE.reads("to an array", segment -> check(segment.toArray(JAVA_INT)[3]));
    NATIVE.reads("copy from it", segment -> MemorySegment.ofArray(new int[64]).copyFrom(segment));
    NATIVE.writes("copy to it", segment -> segment.copyFrom(MemorySegment.ofArray(new int[4])));
    NATIVE.reads(
        "copy from a part of it",
        segment -> MemorySegment.copy(segment, 9, MemorySegment.ofArray(new byte[3]), 0, 3));
    NATIVE.writes(
        "copy to a part of it",
        segment -> MemorySegment.copy(MemorySegment.ofArray(new byte[3]), 0, segment, 9, 3));
    NATIVE.reads(
        "copy to an array", segment -> MemorySegment.copy(segment, JAVA_INT, 16, new int[3], 0, 3));
    NATIVE.writes(
        "copy from an array",
        segment -> MemorySegment.copy(new int[3], 0, segment, JAVA_INT, 16, 3));
    NATIVE.reads(
        "look for a mismatch",
        segment -> check(segment.mismatch(MemorySegment.ofArray(new int[2]))));
    NATIVE.reads("get a text", segment -> check(segment.getString(3).length()));
    NATIVE.writes("set a text", segment -> segment.setString(3, "Ä text"));
    NATIVE.writes(
        "set a wide text", segment -> segment.setString(3, "text", StandardCharsets.UTF_16LE));
  }

  private static void heapSegments() {
    HEAP.reads("get a long of an array's segment", segment -> check(segment.get(JAVA_LONG, 8)));
    HEAP.writes("set a long of an array's segment", segment -> segment.set(JAVA_LONG, 8, 1));
    HEAP.reads(
        "get a long of a segment that may only be read",
        segment -> check(segment.asReadOnly().get(JAVA_LONG, 8)));
    LONG_ARRAY.reads(
        "get a long of the segment of an array",
        array -> check(MemorySegment.ofArray(array).get(JAVA_LONG, 8)));
  }

  private static void buffers() {
    buffers("heap", HEAP_BUFFER);
    buffers("direct", DIRECT_BUFFER);
    buffers("segment's", SEGMENT_BUFFER);
    HEAP_BUFFER.reads(
        "an array of a buffer", buffer -> check(buffer.array()[buffer.arrayOffset() + 3]));
    HEAP_BUFFER.writes(
        "an array of a buffer, written", buffer -> buffer.array()[buffer.arrayOffset() + 3] = 1);
    HEAP_BUFFER.reads(
        "a buffer that may only be read", buffer -> check(buffer.asReadOnlyBuffer().get(3)));
    DIRECT_BUFFER.reads(
        "buffers are equal", buffer -> check(buffer.equals(ByteBuffer.allocate(3))));
    DIRECT_BUFFER.writes("a buffer is compacted", buffer -> buffer.position(8).compact().clear());
  }

  private static void buffers(String name, Kind<ByteBuffer> kind) {
    String of = " of a " + name + " buffer";
    kind.reads("the next byte" + of, buffer -> check(buffer.clear().get()));
    kind.writes("the next byte, written," + of, buffer -> buffer.clear().put((byte) 1));
    kind.reads("a byte" + of, buffer -> check(buffer.get(200)));
    kind.writes("a byte, written," + of, buffer -> buffer.put(200, (byte) 1));
    kind.reads("an int" + of, buffer -> check(buffer.getInt(252)));
    kind.writes("a long, written," + of, buffer -> buffer.putLong(248, 1));
    kind.reads("the next double" + of, buffer -> check(buffer.clear().getDouble()));
    kind.reads("bytes" + of, buffer -> buffer.clear().get(new byte[7]));
    kind.writes("bytes, written," + of, buffer -> buffer.clear().put(new byte[7], 1, 3));
    kind.writes(
        "bytes of another buffer, written," + of,
        buffer -> buffer.clear().put(ByteBuffer.wrap(new byte[7])));
  }

  private static void typedBuffers() {
    CHARS.reads("a char of a buffer", buffer -> check(buffer.get(3)));
    CHARS.writes("a char of a buffer, written", buffer -> buffer.put(3, 'x'));
    SHORTS.reads("a short of a buffer", buffer -> check(buffer.get(3)));
    SHORTS.writes("a short of a buffer, written", buffer -> buffer.put(3, (short) 1));
    INTS.reads("an int of a buffer", buffer -> check(buffer.get(63)));
    INTS.writes("ints of a buffer, written", buffer -> buffer.put(61, new int[3]));
    LONGS.reads("longs of a buffer", buffer -> buffer.get(29, new long[3]));
    LONGS.writes("a long of a buffer, written", buffer -> buffer.put(31, 1));
    FLOATS.reads("the next float of a buffer", buffer -> check(buffer.clear().get()));
    FLOATS.writes("floats of a buffer, written", buffer -> buffer.clear().put(new float[64]));
    DOUBLES.reads("doubles of a buffer", buffer -> buffer.clear().get(new double[32]));
    DOUBLES.writes("a double of a buffer, written", buffer -> buffer.put(31, 1));
  }

  private static void handles() {
    INT_ARRAY.reads("a handle of ints", array -> check((int) INT_ELEMENT.getVolatile(array, 3)));
    INT_ARRAY.writes("a handle of ints, written", array -> INT_ELEMENT.set(array, 3, 4));
    INT_ARRAY.writes(
        "a handle of ints, exchanged", array -> check(INT_ELEMENT.compareAndSet(array, 3, 4, 5)));
    BYTE_ARRAY.reads(
        "a handle of longs in bytes", array -> check((long) LONG_IN_BYTES.get(array, 3)));
    DIRECT_BUFFER.writes(
        "a handle of ints in a buffer", buffer -> INT_IN_BUFFER.set(buffer, 252, 1));
    NATIVE.reads("a handle of a layout", segment -> check((int) INT_IN_SEGMENT.get(segment, 252L)));
    NATIVE.writes("a handle of a layout, written", segment -> INT_IN_SEGMENT.set(segment, 252L, 1));
    NATIVE.reads("a handle of a field", segment -> check((int) Y.get(segment, 248L)));
    NATIVE.writes("a handle of an element's field", segment -> Y_OF.set(segment, 0L, 7L, 1));
  }

  private static void libraries() {
    BYTE_ARRAY.reads("a text of bytes", array -> check(new String(array, StandardCharsets.UTF_8)));
    BYTE_ARRAY.reads(
        "a text of some bytes", array -> check(new String(array, 3, 4, StandardCharsets.UTF_8)));
    CHAR_ARRAY.reads("a text of chars", array -> check(String.valueOf(array)));
    CHAR_ARRAY.writes("chars of a text", array -> "text".getChars(0, 4, array, 3));
    BYTE_ARRAY.reads(
        "a sum of bytes",
        array -> {
          CRC32 sum = new CRC32();
          sum.update(array, 3, 9);
          check(sum.getValue());
        });
    DIRECT_BUFFER.reads(
        "a sum of a buffer",
        buffer -> {
          CRC32 sum = new CRC32();
          sum.update(buffer.clear());
          check(sum.getValue());
        });
    BYTE_ARRAY.reads(
        "a digest of bytes", array -> check(MessageDigest.getInstance("SHA-256").digest(array)));
    BYTE_ARRAY.reads("bytes as text", array -> check(Base64.getEncoder().encodeToString(array)));
    BYTE_ARRAY.writes("bytes by chance", array -> new Random(1).nextBytes(array));
    BYTE_ARRAY.writes(
        "bytes from a stream",
        array -> {
          InputStream in = new ByteArrayInputStream(new byte[9]);
          check(in.read(array, 3, 4));
        });
    BYTE_ARRAY.writes(
        "bytes from a stream of data",
        array -> new DataInputStream(new ByteArrayInputStream(new byte[9])).readFully(array, 1, 8));
    BYTE_ARRAY.reads(
        "bytes to a stream",
        array -> {
          OutputStream out = new ByteArrayOutputStream();
          out.write(array);
        });
    BYTE_ARRAY.reads(
        "bytes to a stream of data",
        array -> new DataOutputStream(new ByteArrayOutputStream()).write(array, 3, 4));
    DIRECT_BUFFER.writes(
        "bytes from a channel",
        buffer ->
            check(Channels.newChannel(new ByteArrayInputStream(new byte[9])).read(buffer.clear())));
    DIRECT_BUFFER.reads(
        "bytes to a channel",
        buffer -> check(Channels.newChannel(new ByteArrayOutputStream()).write(buffer.clear())));
  }

  private static void check(Object value) {
    if (value == null) {
      throw new AssertionError();
    }
  }
}
