package dev.stretto.fault;

/**
 * Thrown when an operation cannot be part of a graph, or when a node of a graph cannot be changed
 * as requested. Nothing was enqueued. The message names the line of the program that made the
 * request.
 */
public final class GraphException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The line of the program that made the request. */
  private final StackTraceElement place;

  /**
   * Creates an exception.
   *
   * @param message what is not possible, why, and the way out
   * @param place the line of the program that made the request
   */
  public GraphException(String message, StackTraceElement place) {
    super(message + " (at " + place + ")");
    this.place = place;
  }

  /** {@return the line of the program that made the request} */
  public StackTraceElement place() {
    return place;
  }
}
