package dev.stretto.compiler;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.stretto.compiler.ir.Element;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The memory that interpreted kernels see: arrays at addresses that are made up, far from each
 * other, and a block's shared memory. An access outside of them, or one at an address that is not a
 * multiple of its size, is a mistake.
 */
final class DeviceMemory {
  /** What fresh memory holds. */
  static final byte POISON = (byte) 0xA5;

  /** Where shared memory begins: an address near 0 belongs to nobody. */
  private static final int SHARED_FROM = 0x400;

  private static final int REGION_BITS = 36;

  private final List<MemorySegment> regions = new ArrayList<>();
  private final List<BitSet> read = new ArrayList<>();
  private final List<BitSet> written = new ArrayList<>();
  private MemorySegment shared = MemorySegment.NULL;

  /** An array as a kernel is given it. */
  record Array(long address, long length) {}

  /** An access that a GPU would refuse, or that would hit what belongs to somebody else. */
  static final class MemoryFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    MemoryFault(String message) {
      super(message);
    }
  }

  /** {@return a segment as an array of elements of this size; the kernel writes into it} */
  Array array(MemorySegment data, int elementBytes) {
    regions.add(data);
    read.add(new BitSet());
    written.add(new BitSet());
    return new Array((long) regions.size() << REGION_BITS, data.byteSize() / elementBytes);
  }

  /** Forgets which bytes were read and written. */
  void forgetAccesses() {
    read.forEach(BitSet::clear);
    written.forEach(BitSet::clear);
  }

  /** {@return the bytes of an array that were read} */
  BitSet read(int array) {
    return read.get(array);
  }

  /** {@return the bytes of an array that were written} */
  BitSet written(int array) {
    return written.get(array);
  }

  private static void note(List<BitSet> bytes, long address, int count) {
    int offset = (int) offset(address);
    bytes.get((int) ((address >>> REGION_BITS) - 1)).set(offset, offset + count);
  }

  /** Gives the block that runs next its own shared memory. */
  void freshShared(int bytes) {
    if (shared.byteSize() != bytes) {
      shared = MemorySegment.ofArray(new byte[bytes]);
    }
    shared.fill(POISON);
  }

  /** {@return where the byte of shared memory with this number is} */
  static int sharedAddress(int offset) {
    return SHARED_FROM + offset;
  }

  private MemorySegment global(long address, int bytes) {
    long region = (address >>> REGION_BITS) - 1;
    if (region < 0 || region >= regions.size()) {
      throw new MemoryFault("address 0x" + Long.toHexString(address) + " is in no array");
    }
    MemorySegment data = regions.get((int) region);
    long offset = offset(address);
    if (offset > data.byteSize() - bytes) {
      throw new MemoryFault(
          bytes + " bytes at byte " + offset + " of array " + region + " of " + data.byteSize());
    }
    aligned(address, bytes);
    return data;
  }

  private static long offset(long address) {
    return address & (1L << REGION_BITS) - 1;
  }

  private int shared(long address, int bytes) {
    long offset = address - SHARED_FROM;
    if (offset < 0 || offset > shared.byteSize() - bytes) {
      throw new MemoryFault(
          bytes + " bytes at byte " + offset + " of shared memory of " + shared.byteSize());
    }
    aligned(address, bytes);
    return (int) offset;
  }

  private static void aligned(long address, int bytes) {
    if ((address & bytes - 1) != 0) {
      throw new MemoryFault(bytes + " bytes at address 0x" + Long.toHexString(address));
    }
  }

  /** Checks an access to several elements at once. */
  void checkVector(boolean toShared, long address, int bytes) {
    if (toShared) {
      shared(address, bytes);
    } else {
      global(address, bytes);
    }
  }

  /** {@return the register that a load gives} */
  long load(boolean fromShared, Element element, long address) {
    int bytes = element.bytes();
    if (fromShared) {
      return load(shared, element, shared(address, bytes));
    }
    MemorySegment data = global(address, bytes);
    note(read, address, bytes);
    return load(data, element, offset(address));
  }

  void store(boolean toShared, Element element, long address, long value) {
    int bytes = element.bytes();
    if (toShared) {
      store(shared, element, shared(address, bytes), value);
    } else {
      MemorySegment data = global(address, bytes);
      note(written, address, bytes);
      store(data, element, offset(address), value);
    }
  }

  private static long load(MemorySegment data, Element element, long at) {
    return switch (element) {
      case I8 -> data.get(JAVA_BYTE, at);
      case U8 -> data.get(JAVA_BYTE, at) & 0xff;
      case I16 -> data.get(JAVA_SHORT_UNALIGNED, at);
      case U16 -> data.get(JAVA_CHAR_UNALIGNED, at);
      case I32, F32 -> data.get(JAVA_INT_UNALIGNED, at);
      case I64, F64 -> data.get(JAVA_LONG_UNALIGNED, at);
      case F16, BF16 ->
          Arithmetic.of(Arithmetic.fromHalf(element, data.get(JAVA_SHORT_UNALIGNED, at)));
    };
  }

  private static void store(MemorySegment data, Element element, long at, long value) {
    switch (element) {
      case I8, U8 -> data.set(JAVA_BYTE, at, (byte) value);
      case I16, U16 -> data.set(JAVA_SHORT_UNALIGNED, at, (short) value);
      case I32, F32 -> data.set(JAVA_INT_UNALIGNED, at, (int) value);
      case I64, F64 -> data.set(JAVA_LONG_UNALIGNED, at, value);
      case F16, BF16 ->
          data.set(JAVA_SHORT_UNALIGNED, at, Arithmetic.toHalf(element, Arithmetic.asFloat(value)));
    }
  }

  /** The objects, local arrays and views that a thread has made; 0 is null. */
  static final class Heap {
    private long[][] objects = new long[16][];
    private int size = 1;

    int add(long... object) {
      if (size == objects.length) {
        objects = Arrays.copyOf(objects, size * 2);
      }
      objects[size] = object;
      return size++;
    }

    long[] get(long reference) {
      if (reference <= 0 || reference >= size) {
        throw new MemoryFault("no object has the reference " + reference);
      }
      return objects[(int) reference];
    }

    void clear() {
      size = 1;
    }
  }
}
