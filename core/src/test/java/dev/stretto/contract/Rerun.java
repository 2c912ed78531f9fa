package dev.stretto.contract;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Says in a failure how to run the very same test again: on which device, under which seed. */
final class Rerun implements TestExecutionExceptionHandler {
  private static final class How extends RuntimeException {
    private static final long serialVersionUID = 1L;

    How(String message) {
      super(message, null, false, false);
    }
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    Machine machine = ((ContractTest) context.getRequiredTestInstance()).machine;
    failure.addSuppressed(
        new How(
            ("this was on %s; run it again with"
                    + " mvn -pl core verify -Dtest=%s#%s -Dstretto.machines=%s")
                .formatted(
                    machine,
                    context.getRequiredTestClass().getSimpleName(),
                    context.getRequiredTestMethod().getName(),
                    machine)));
    throw failure;
  }
}
