package dev.stretto.route;

/** A copy that moves through pinned slots. Guarded by the driver's lock. */
interface Staged extends Outcome {
  /** Whether it could use a slot now. */
  boolean wantsSlot();

  /** Gives it a slot. */
  void granted(Slots.Slot slot);

  /** Says that there is no slot and will be none. */
  void refused(RuntimeException why);

  /** The device is gone. */
  void abandon(RuntimeException told);

  /** Has an action run when nothing more happens; at once if that is so. */
  void whenSettled(Runnable action);
}
