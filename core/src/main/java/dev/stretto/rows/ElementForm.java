package dev.stretto.rows;

import java.lang.foreign.MemorySegment;

/** The form on a device of what is a float on the host. */
sealed interface ElementForm {
  /**
   * Two small arrays, between which elements are converted. They stay in a core's nearest cache.
   * All elements are converted always: of loops with a constant number of rounds over arrays the
   * JVM makes vector instructions, wherever it inlines them.
   */
  abstract class Block {
    /** How many elements are converted at a time. */
    static final int ELEMENTS = 2048;

    /** Floats. */
    final MemorySegment host;

    /** Elements as they are on the device. */
    final MemorySegment device;

    Block(MemorySegment host, MemorySegment device) {
      this.host = host;
      this.device = device;
    }

    /** Converts all elements, also those that hold nothing. */
    abstract void toDevice();

    /** Converts all elements, also those that hold nothing. */
    abstract void toHost();
  }

  /** {@return arrays to convert elements between} */
  Block block();

  /** The bits of bfloat16. */
  record Bfloats() implements ElementForm {
    @Override
    public Block block() {
      long[] pairs = new long[Block.ELEMENTS / 2];
      int[] form = new int[Block.ELEMENTS / 2];
      return new Block(MemorySegment.ofArray(pairs), MemorySegment.ofArray(form)) {
        @Override
        void toDevice() {
          if (!round(pairs, form)) {
            roundEach(pairs, form);
          }
        }

        @Override
        void toHost() {
          widen(form, pairs);
        }
      };
    }

    // Two floats at a time in a long, the first in its lower half, as in the memory of all hosts of
    // GPUs. The JVM has vector instructions that make an int of a long, and none for a short of an
    // int.

    /**
     * As {@link dev.stretto.memory.Bfloat#of} does of what is a number: nothing is carried from
     * half to half then.
     *
     * @return whether all are numbers
     */
    private static boolean round(long[] pairs, int[] to) {
      long carries = 0;
      for (int i = 0; i < Block.ELEMENTS / 2; i++) {
        long each = pairs[i];
        carries |= (each & 0x7fffffff7fffffffL) + 0x007fffff007fffffL; // to a sign, of NaN
        long sum = each + 0x00007fff00007fffL + ((each >>> 16) & 0x0000000100000001L);
        long high = sum & 0xffff0000ffff0000L;
        to[i] = (int) ((high >>> 16) | (high >>> 32));
      }
      return (carries & 0x8000000080000000L) == 0;
    }

    private static void roundEach(long[] pairs, int[] to) {
      for (int i = 0; i < Block.ELEMENTS / 2; i++) {
        to[i] = round((int) pairs[i]) | round((int) (pairs[i] >>> 32)) << 16;
      }
    }

    private static int round(int each) {
      boolean isNaN = (each & 0x7fffffff) > 0x7f800000;
      return isNaN ? (each >>> 16) | 0x0040 : (each + 0x7fff + ((each >>> 16) & 1)) >>> 16;
    }

    private static void widen(int[] form, long[] to) {
      for (int i = 0; i < Block.ELEMENTS / 2; i++) {
        to[i] = ((form[i] & 0xffffL) << 16) | ((form[i] & 0xffff0000L) << 32);
      }
    }
  }

  /** The bits of binary16. */
  record Halfs() implements ElementForm {
    @Override
    public Block block() {
      float[] floats = new float[Block.ELEMENTS];
      short[] form = new short[Block.ELEMENTS];
      return new Block(MemorySegment.ofArray(floats), MemorySegment.ofArray(form)) {
        @Override
        void toDevice() {
          for (int i = 0; i < Block.ELEMENTS; i++) {
            form[i] = Float.floatToFloat16(floats[i]);
          }
        }

        @Override
        void toHost() {
          for (int i = 0; i < Block.ELEMENTS; i++) {
            floats[i] = Float.float16ToFloat(form[i]);
          }
        }
      };
    }
  }

  /** Signed bytes, which are the floats times a scale. */
  record Bytes(float scale) implements ElementForm {
    /** The sum of this and a small number is rounded to a whole one, ties to even. */
    private static final float ROUNDING = 0x1.8p23f;

    @Override
    public Block block() {
      float[] floats = new float[Block.ELEMENTS];
      byte[] form = new byte[Block.ELEMENTS];
      return new Block(MemorySegment.ofArray(floats), MemorySegment.ofArray(form)) {
        @Override
        void toDevice() {
          for (int i = 0; i < Block.ELEMENTS; i++) {
            float scaled = Math.max(-128, Math.min(127, floats[i] * scale));
            form[i] = (byte) ((int) (scaled + ROUNDING) - (int) ROUNDING);
          }
        }

        @Override
        void toHost() {
          for (int i = 0; i < Block.ELEMENTS; i++) {
            floats[i] = form[i] / scale;
          }
        }
      };
    }
  }
}
