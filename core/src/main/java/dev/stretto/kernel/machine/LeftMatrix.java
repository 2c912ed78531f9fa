package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
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

    @SuppressWarnings("ReferenceEquality") // the array's identity counts
    boolean has(Object other, int index) {
      return other == array && index >= at && index < at + COUNT;
    }

    void requireUntouched(String what) {
      if (!Arrays.equals(values, 0, COUNT, array, at, at + COUNT)) {
        throw new CopyMisuse(
            CopyRule.MISSING_WAIT,
            "registers of the left matrix of "
                + what
                + " have been written before it was waited for: call wgmmaWaitGroup before");
      }
    }
  }
}
