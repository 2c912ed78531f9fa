package dev.stretto.route;

/** A copy that moves through pinned slots. Guarded by the driver's lock. */
interface Staged extends Outcome, SlotTaker {
  /** Abandons the copy because the device is lost. */
  void abandon(RuntimeException told);

  /** Runs an action when the copy has settled; at once if it already has. */
  void whenSettled(Runnable action);
}
