package dev.stretto.driver.cuda;

/**
 * The stream priorities that a device knows; numerically less is more urgent.
 *
 * @param least the least urgent, numerically greatest
 * @param greatest the most urgent, numerically least
 */
record Priorities(int least, int greatest) {
  /** What is said of a device that has no context yet: only a context tells. */
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

  /** {@return the priority nearest to this one that the device knows} */
  int clamp(int priority) {
    return Math.clamp(priority, greatest, least);
  }
}
