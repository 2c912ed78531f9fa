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

  /** {@return the bytes of an element on the device} */
  int bytes();

  /** {@return arrays to convert elements between} */
  Block block();

  /** The bits of bfloat16. */
  record Bfloats() implements ElementForm {
    @Override
    public int bytes() {
      return Short.BYTES;
    }

    @Override
    public Block block() {
      int[] bits = new int[Block.ELEMENTS];
      short[] form = new short[Block.ELEMENTS];
      return new Block(MemorySegment.ofArray(bits), MemorySegment.ofArray(form)) {
        @Override
        void toDevice() {
          round(bits);
          narrow(bits, form);
        }

        @Override
        void toHost() {
          for (int i = 0; i < Block.ELEMENTS; i++) {
            bits[i] = form[i] << 16;
          }
        }
      };
    }

    /**
     * As {@link dev.stretto.memory.Bfloat#of} does, without branches, so by vector instructions.
     */
    private static void round(int[] bits) {
      for (int i = 0; i < Block.ELEMENTS; i++) {
        int each = bits[i];
        int isNaN = (0x7f800000 - (each & 0x7fffffff)) >> 31; // -1 or 0
        int rounded = (each + 0x7fff + ((each >>> 16) & 1)) >>> 16;
        int quiet = (each >>> 16) | 0x0040;
        bits[i] = (rounded & ~isNaN) | (quiet & isNaN);
      }
    }

    /** By itself, since together with the other loop it would not be vectorized. */
    private static void narrow(int[] bits, short[] to) {
      for (int i = 0; i < Block.ELEMENTS; i++) {
        to[i] = (short) bits[i];
      }
    }
  }

  /** The bits of binary16. */
  record Halfs() implements ElementForm {
    @Override
    public int bytes() {
      return Short.BYTES;
    }

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

    public Bytes {
      if (!Float.isFinite(scale) || scale == 0) {
        throw new IllegalArgumentException("a scale of " + scale + ": must be finite and not 0");
      }
    }

    @Override
    public int bytes() {
      return 1;
    }

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
