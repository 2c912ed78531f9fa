package dev.stretto.collective.nccl;

/** Thrown when the library refuses a call, or one has failed. */
public final class NcclException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NcclException(String message) {
    super(message);
  }
}
