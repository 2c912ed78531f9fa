package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The registers of a block on a virtual device, and how many each warp has. */
public final class RegisterPool {
  private static final int REGISTERS = 1 << 16;
  private static final int LANES = 32;
  private static final int STEP = 8;
  private static final int LEAST = 24;
  private static final int MOST = 256;

  private final int[] ofWarp;
  private final List<Coroutine> waiting = new ArrayList<>();
  private int left;

  RegisterPool(int threads) {
    this.ofWarp = new int[(threads + LANES - 1) / LANES];
  }

  /**
   * Called when a block begins. The warps get as many registers as there are, as on a GPU when a
   * kernel declares its number of threads.
   */
  void begin() {
    int each = Math.min(MOST, REGISTERS / (ofWarp.length * LANES) / STEP * STEP);
    Arrays.fill(ofWarp, each);
    left = REGISTERS - each * LANES * ofWarp.length;
    waiting.clear();
  }

  /** Gives the warp of a thread more registers, or takes some away. */
  public void change(
      Coroutine thread, WarpMeetings meetings, String what, int registers, boolean more) {
    if (registers < LEAST || registers > MOST || registers % STEP != 0) {
      throw new IllegalArgumentException(
          what + " to " + registers + " registers: has to be 24 to 256, a multiple of 8");
    }
    int warp = thread.rankInBlock() / LANES;
    if (thread.takesUp(RegisterPool.class) == null) {
      meetings.meetAligned(
          what,
          registers,
          meeting -> {
            require(what, warp, registers, more);
            return meeting;
          });
      if (thread.hasLeftOff()) {
        return;
      }
    }
    change(thread, warp, registers);
  }

  private void require(String what, int warp, int registers, boolean more) {
    if (more ? registers < ofWarp[warp] : registers > ofWarp[warp]) {
      throw new IllegalArgumentException(
          what
              + " to "
              + registers
              + " registers in warp "
              + warp
              + ", whose threads have "
              + ofWarp[warp]
              + ": use "
              + (more ? "setmaxnregDec" : "setmaxnregInc"));
    }
  }

  /**
   * The first lane of a warp that does not have to wait changes the number; the other lanes find it
   * changed.
   */
  private void change(Coroutine thread, int warp, int registers) {
    while ((registers - ofWarp[warp]) * LANES > left) {
      waiting.add(thread);
      boolean leaves =
          thread.leavesOff(
              this,
              () ->
                  "setmaxnregInc to "
                      + registers
                      + " registers: "
                      + left
                      + " of the block's are free, and its warps would need "
                      + (registers - ofWarp[warp]) * LANES);
      if (leaves) {
        return;
      }
    }
    left -= (registers - ofWarp[warp]) * LANES;
    ofWarp[warp] = registers;
    waiting.forEach(Coroutine::goOn);
    waiting.clear();
  }
}
