package dev.stretto.kernel.machine;

/**
 * The rounds in which a thread begins copies: those that it begins before it says that they belong
 * together are of one round.
 */
interface CopyRounds {
  /**
   * The thread begins a copy, of those that belong together maybe the first.
   *
   * @return the number of the round
   */
  int beginRound();

  /** In which round it is, by an odd number, or between which two. */
  int rounds();

  /** Whether the thread has begun copies and not waited for them. */
  boolean arePending();
}
