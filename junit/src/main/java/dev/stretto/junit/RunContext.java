package dev.stretto.junit;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

/** A run as a test of its own in JUnit's tree. */
final class RunContext implements TestTemplateInvocationContext {
  private final Run run;
  private final String fault;
  private final AtomicBoolean hasShrunk;
  private @Nullable DriverCalls calls;

  /**
   * A run.
   *
   * @param run which
   * @param fault what fails, for those who read the tree; may be empty
   * @param hasShrunk whether a failed run of the same test was made short; they share it
   */
  RunContext(Run run, String fault, AtomicBoolean hasShrunk) {
    this.hasShrunk = hasShrunk;
    this.run = run;
    this.fault = fault;
    if (run.fault() > 0) {
      calls = new DriverCalls(run.fault());
    }
  }

  /** Makes the run write down the driver calls that the test causes. */
  void countCalls() {
    calls = new DriverCalls(0);
  }

  /** {@return the runs in which the calls of this one fail} None if this one has failed. */
  List<RunContext> withFaults() {
    if (calls == null) {
      return List.of();
    }
    return calls.toFail().stream()
        .map(call -> new RunContext(run.withFault(call.number()), call.toString(), hasShrunk))
        .toList();
  }

  @Override
  public String getDisplayName(int invocationIndex) {
    return fault.isEmpty() ? run.toString() : run + ": " + fault;
  }

  @Override
  public List<Extension> getAdditionalExtensions() {
    return List.of(new RunExtension(run, calls, hasShrunk));
  }
}
