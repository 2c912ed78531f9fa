package dev.stretto.driver.virtual;

import java.util.Arrays;

/** What the multiprocessors of a device have free at some time. */
final class FreeRoom {
  private final BlockNeeds whole;
  private final int[] blocks;
  private final int[] threads;
  private final int[] registers;
  private final int[] sharedBytes;

  /** How many blocks are there. */
  private long held;

  FreeRoom(BlockNeeds whole, int multiprocessors) {
    this.whole = whole;
    this.blocks = new int[multiprocessors];
    this.threads = new int[multiprocessors];
    this.registers = new int[multiprocessors];
    this.sharedBytes = new int[multiprocessors];
    Arrays.fill(blocks, whole.blocks());
    Arrays.fill(threads, whole.threads());
    Arrays.fill(registers, whole.registers());
    Arrays.fill(sharedBytes, whole.sharedBytes());
  }

  int multiprocessors() {
    return blocks.length;
  }

  boolean isWhole() {
    return held == 0;
  }

  /** {@return how many blocks with these needs an empty device holds} */
  long capacity(BlockNeeds needs) {
    return (long) whole.holds(needs) * blocks.length;
  }

  /** Takes room for a wave. */
  void take(Wave wave) {
    change(wave, 1);
  }

  /** Gives back the room of a wave. */
  void giveBack(Wave wave) {
    change(wave, -1);
  }

  private void change(Wave wave, int sign) {
    BlockNeeds needs = wave.launch().needs();
    byte[] counts = wave.counts();
    for (int i = 0; i < counts.length; i++) {
      int count = sign * counts[i];
      int at = wave.first() + i;
      blocks[at] -= count;
      threads[at] -= count * needs.threads();
      registers[at] -= count * needs.registers();
      sharedBytes[at] -= count * needs.sharedBytes();
      held += count;
    }
  }

  /**
   * Counts how many blocks with these needs each multiprocessor has room for, as far as that is
   * fewer than is noted.
   */
  void limit(BlockNeeds needs, int[] fit) {
    if (isWhole()) {
      int all = whole.holds(needs);
      for (int i = 0; i < fit.length; i++) {
        fit[i] = Math.min(fit[i], all);
      }
      return;
    }
    for (int i = 0; i < fit.length; i++) {
      int here = Math.min(fit[i], Math.min(blocks[i], threads[i] / needs.threads()));
      here = Math.min(here, registers[i] / needs.registers());
      fit[i] = Math.max(0, Math.min(here, sharedBytes[i] / needs.sharedBytes()));
    }
  }
}
