package dev.stretto.junit;

import java.util.Objects;
import org.opentest4j.AssertionFailedError;

/**
 * A run of a {@link DeviceTest} failed. The message begins with the failure and ends with what
 * replays this run alone. The cause is what the test has thrown.
 */
public final class FailedRunError extends AssertionFailedError {
  private static final long serialVersionUID = 1L;

  /** The text of the run. */
  private final String run;

  private FailedRunError(Run run, String what, AssertionFailedError values, Throwable cause) {
    super(
        message(run, what),
        values.isExpectedDefined() ? values.getExpected() : null,
        values.isActualDefined() ? values.getActual() : null,
        cause);
    this.run = run.toString();
  }

  private FailedRunError(Run run, String what, Throwable cause) {
    super(message(run, what), cause);
    this.run = run.toString();
  }

  FailedRunError(Run run, String what) {
    super(message(run, what));
    this.run = run.toString();
  }

  private static String message(Run run, String what) {
    return what
        + System.lineSeparator()
        + "This run alone: -D"
        + Parameters.REPLAY
        + "="
        + Objects.requireNonNull(run, "run");
  }

  /** {@return the failure of a run}, at the place where the test failed. */
  static FailedRunError of(Run run, String before, Throwable cause) {
    return of(run, before, cause, "");
  }

  /**
   * {@return the same}
   *
   * @param after lines that follow what the test has thrown
   */
  static FailedRunError of(Run run, String before, Throwable cause, String after) {
    String what = before + text(cause) + (after.isEmpty() ? "" : System.lineSeparator()) + after;
    FailedRunError error =
        cause instanceof AssertionFailedError values
                && (values.isExpectedDefined() || values.isActualDefined())
            ? new FailedRunError(run, what, values, cause)
            : new FailedRunError(run, what, cause);
    error.setStackTrace(cause.getStackTrace());
    return error;
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    if (message == null) {
      return cause.getClass().getSimpleName();
    }
    return cause instanceof AssertionError
        ? message
        : cause.getClass().getSimpleName() + ": " + message;
  }

  /** {@return the run, as the property {@code stretto.junit.replay} takes it} */
  public String run() {
    return run;
  }
}
