package dev.stretto.junit;

import dev.stretto.Leak;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.StrettoException;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** One run: opens its devices, hands them to the test, and judges what the test has done. */
final class RunExtension
    implements BeforeEachCallback,
        AfterEachCallback,
        ParameterResolver,
        InvocationInterceptor,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private final Run run;
  private final @Nullable DriverCalls calls;
  private final AtomicBoolean hasShrunk;
  private @Nullable RunDevices opened;

  /**
   * Creates the extension of a run.
   *
   * @param hasShrunk whether a run of the same test has failed before, and was made short
   */
  RunExtension(Run run, @Nullable DriverCalls calls, AtomicBoolean hasShrunk) {
    this.hasShrunk = hasShrunk;
    this.run = run;
    this.calls = calls;
  }

  // --- before and during the test ---------------------------------------------------------------

  @Override
  public void beforeEach(ExtensionContext context) {
    opened = RunDevices.open(run, calls);
  }

  private RunDevices devices() {
    return Objects.requireNonNull(opened, "devices are opened before each run");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return RunParameter.isSupported(parameter);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return new RunParameter(parameter, run).of(devices());
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    if (calls == null) {
      invocation.proceed();
      return;
    }
    calls.counting(true);
    try {
      invocation.proceed();
    } finally {
      calls.counting(false);
    }
  }

  // --- what the test has thrown -----------------------------------------------------------------

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    Optional<DriverException> fault = calls == null ? Optional.empty() : calls.thrown();
    if (fault.isEmpty()) {
      throw isOfJUnit(thrown)
          ? thrown
          : FailedRunError.of(run, "", thrown, shortest(thrown, context));
    }
    if (!isCausedBy(thrown, fault.get(), Collections.newSetFromMap(new IdentityHashMap<>()))) {
      throw judged(thrown, afterTheFault() + "the test did not throw that failure, but: ");
    }
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    throw judged(thrown, "");
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    throw judged(thrown, "");
  }

  /** The first failure of a test is made short, on devices of its own. */
  private String shortest(Throwable thrown, ExtensionContext context) {
    if (!run.isScheduled() || !new Parameters(context).shrinks() || hasShrunk.getAndSet(true)) {
      return "";
    }
    return ShortestRun.of(run, new Rerun(run, context), thrown).orElse("");
  }

  private Throwable judged(Throwable thrown, String before) {
    return isOfJUnit(thrown) ? thrown : FailedRunError.of(run, before, thrown);
  }

  /** Whether JUnit itself has to see it: an assumption that does not hold, JUnit 4's too. */
  private static boolean isOfJUnit(Throwable thrown) {
    return thrown instanceof TestAbortedException
        || thrown instanceof OutOfMemoryError
        || thrown.getClass().getName().equals("org.junit.AssumptionViolatedException")
        || thrown.getClass().getName().equals("org.junit.internal.AssumptionViolatedException");
  }

  private String afterTheFault() {
    return calls == null || calls.thrown().isEmpty()
        ? ""
        : "After " + calls.failing() + " had failed, ";
  }

  @SuppressWarnings("ReferenceEquality") // this very failure, not one like it
  private static boolean isCausedBy(
      @Nullable Throwable thrown, DriverException fault, Set<Throwable> looked) {
    if (thrown == null || !looked.add(thrown)) {
      return false;
    }
    if (thrown == fault || isCausedBy(thrown.getCause(), fault, looked)) {
      return true;
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (isCausedBy(suppressed, fault, looked)) {
        return true;
      }
    }
    return false;
  }

  // --- what the test has left -------------------------------------------------------------------

  @Override
  public void afterEach(ExtensionContext context) {
    RunDevices devices = opened;
    if (devices == null) {
      return; // they could not be opened
    }
    boolean hasPassed = false;
    try (devices) {
      if (context.getExecutionException().isPresent()) {
        devices.settle();
        return;
      }
      await(devices);
      devices.takeBack();
      requireNothingOpen(devices.leaks());
      hasPassed = true;
    } finally {
      if (calls != null && !hasPassed) {
        calls.forget(); // faults of a test that fails without them say nothing
      }
    }
    if (run.fault() > 0 && afterTheFault().isEmpty()) {
      throw new TestAbortedException(
          "the test has caused fewer than "
              + run.fault()
              + " driver calls this time: what it does does not depend on the seed alone");
    }
  }

  private void await(RunDevices devices) {
    try {
      devices.await();
    } catch (StrettoException e) {
      if (afterTheFault().isEmpty()) {
        throw FailedRunError.of(run, "Nobody has awaited what failed: ", e);
      }
      devices.settle(); // the other devices too
    }
  }

  private void requireNothingOpen(List<Leak> leaks) {
    if (leaks.isEmpty()) {
      return;
    }
    String lines =
        leaks.stream()
            .map(leak -> "  " + leak.what() + ", opened at " + ProgramLine.of(leak.where()))
            .sorted()
            .collect(Collectors.joining(System.lineSeparator()));
    FailedRunError error =
        new FailedRunError(run, afterTheFault() + "left open:" + System.lineSeparator() + lines);
    error.setStackTrace(leaks.getFirst().where().getStackTrace());
    leaks.forEach(leak -> error.addSuppressed(leak.where()));
    throw error;
  }
}
