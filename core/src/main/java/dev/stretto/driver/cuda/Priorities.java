package dev.stretto.driver.cuda;

/**
 * The range of stream priorities of a device; a lower number is more urgent.
 *
 * @param least the least urgent priority, the greatest number
 * @param greatest the most urgent priority, the lowest number
 */
record Priorities(int least, int greatest) {
  /** The range of a device without a context: only a context knows the real one. */
  static final Priorities UNKNOWN = new Priorities(0, 0);

  /** Asks a context. */
  static Priorities of(Context context, Health health) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result = ContextCalls.priorityRange(scratch.at(Scratch.OUT), scratch.at(Scratch.SECOND));
      if (result != 0) {
        throw health.failure(result, "cuCtxGetStreamPriorityRange", "");
      }
      return new Priorities((int) scratch.read(Scratch.OUT), (int) scratch.read(Scratch.SECOND));
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /** {@return the nearest priority within the device's range} */
  int clamp(int priority) {
    return Math.clamp(priority, greatest, least);
  }
}
