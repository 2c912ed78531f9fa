package dev.stretto.route;

/** What gets pinned slots in turn with others. Guarded by the driver's lock. */
interface SlotTaker {
  /** Whether it could use a slot now. */
  boolean wantsSlot();

  /** {@return the bytes that it needs next, at most those of a slot} */
  long nextBytes();

  /** Gives it memory for so many bytes. */
  void granted(Slots.Part slot);

  /** Reports that there is no slot and will be none. */
  void refused(RuntimeException why);
}
