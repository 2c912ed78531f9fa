package dev.stretto.kernel.machine;

import java.util.Arrays;

/** Where a thread holds the left matrix of a product of its warp group. */
public sealed interface LeftMatrix {
  /** In shared memory. */
  record Shared(long descriptor) implements LeftMatrix {}

  /** In four registers, which belong to the product while it is in flight. */
  public final class Registers implements LeftMatrix {
    private static final int COUNT = 4;

    private final int[] array;
    private final int at;
    private final int[] values;

    public Registers(int[] array, int at) {
      this.array = array;
      this.at = at;
      this.values = Arrays.copyOfRange(array, at, at + COUNT);
    }

    int value(int register) {
      return values[register];
    }

    void requireUntouched(String what) {
      if (!Arrays.equals(values, 0, COUNT, array, at, at + COUNT)) {
        throw new IllegalStateException(
            "registers of the left matrix of "
                + what
                + " have been written before it was waited for: call wgmmaWaitGroup before");
      }
    }
  }
}
