package dev.stretto.fault;

/**
 * Thrown when something cannot be part of a graph, or a node of one cannot be changed like that;
 * nothing was enqueued. The message names the line of the program that did it.
 */
public final class GraphException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The program's line that did it. */
  private final StackTraceElement place;

  /**
   * Creates an exception.
   *
   * @param message what cannot be, why, and the way out
   * @param place the line of the program that did it
   */
  public GraphException(String message, StackTraceElement place) {
    super(message + " (at " + place + ")");
    this.place = place;
  }

  /** {@return the line of the program that did it} */
  public StackTraceElement place() {
    return place;
  }
}
