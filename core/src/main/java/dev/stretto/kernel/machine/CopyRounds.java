package dev.stretto.kernel.machine;

/**
 * The rounds in which a thread begins copies. A round consists of the copies that the thread begins
 * before it declares that they belong together.
 */
interface CopyRounds {
  /**
   * Called when the thread begins a copy, which may be the first of those that belong together.
   *
   * @return the number of the round
   */
  int beginRound();

  /** The thread's position: an odd number in a round, an even number between two rounds. */
  int rounds();

  /** Whether the thread has begun copies that it has not waited for. */
  boolean arePending();

  /** Whether a barrier object counted the thread's copies the last time. */
  boolean areCounted();
}
