package dev.stretto.fault;

/**
 * Thrown when the ranks of a communicator do not agree: one calls another operation than the
 * others, or one with another size, type, reduction or root; or two only send to each other. NCCL
 * would hang or mix data up there. The communicator is of no use any more, on any rank.
 */
public final class RankMismatchException extends StrettoException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message what each of the two ranks has called, and the way out
   */
  public RankMismatchException(String message) {
    super(message);
  }
}
