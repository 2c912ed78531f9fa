package dev.stretto.fault;

/**
 * Thrown when NCCL refuses a call of a communicator, or finds out that one of its operations has
 * failed. The message has NCCL's words; with the variable {@code NCCL_DEBUG=WARN} in the
 * environment, NCCL prints more. The communicator is of no use any more, on any rank: the others
 * get a {@link PeerLostException}.
 */
public final class NcclException extends StrettoException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message the call, and what NCCL says
   */
  public NcclException(String message) {
    super(message);
  }
}
