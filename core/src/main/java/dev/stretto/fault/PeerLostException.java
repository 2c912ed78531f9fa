package dev.stretto.fault;

/**
 * Thrown when an operation between processes cannot be completed because one of them has ended, has
 * closed its communicator, has not answered within the deadline, or has failed itself. The
 * communicator is of no use any more, on any rank: close it, and make a new one of the processes
 * that are left. What the operation should have written is undefined.
 */
public final class PeerLostException extends StrettoException {
  private static final long serialVersionUID = 1;

  /** Which one. */
  private final int rank;

  /**
   * Creates an exception.
   *
   * @param rank of the process that was lost
   * @param message what happened, with the numbers and the way out
   */
  public PeerLostException(int rank, String message) {
    super(message);
    this.rank = rank;
  }

  /**
   * Creates an exception with its cause.
   *
   * @param rank of the process that was lost
   * @param message what happened, with the numbers and the way out
   * @param cause the cause
   */
  public PeerLostException(int rank, String message, Throwable cause) {
    super(message, cause);
    this.rank = rank;
  }

  /** {@return the rank of the process that was lost} */
  public int rank() {
    return rank;
  }
}
