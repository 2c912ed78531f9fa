package dev.stretto.route;

/** A copy that moves through pinned slots. Guarded by the driver's lock. */
interface Staged extends Outcome {
  /** Whether it could use a slot now. */
  boolean wantsSlot();

  /** {@return the bytes that it needs next, at most those of a slot} */
  long nextBytes();

  /** Gives it memory for so many bytes. */
  void granted(Slots.Part slot);

  /** Reports that there is no slot and will be none. */
  void refused(RuntimeException why);

  /** Abandons the copy because the device is lost. */
  void abandon(RuntimeException told);

  /** Runs an action when the copy has settled; at once if it already has. */
  void whenSettled(Runnable action);
}
