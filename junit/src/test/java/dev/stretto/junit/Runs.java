package dev.stretto.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs one device test as JUnit does, and keeps how each of its runs ended. */
final class Runs {
  private final Map<String, TestExecutionResult> ends = new LinkedHashMap<>();
  private final EngineExecutionResults results;

  private Runs(EngineExecutionResults results, boolean isOneTest) {
    this.results = results;
    results.testEvents().finished().stream()
        .forEach(
            event ->
                ends.put(
                    name(event.getTestDescriptor(), isOneTest),
                    event.getRequiredPayload(TestExecutionResult.class)));
  }

  /**
   * {@return how the runs of a test ended}
   *
   * @param parameters of JUnit, as {@code key=value}
   */
  static Runs of(Class<?> type, String method, String... parameters) {
    java.lang.reflect.Method test =
        Arrays.stream(type.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .findAny()
            .orElseThrow();
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter").selectors(selectMethod(type, test));
    for (String parameter : parameters) {
      int equals = parameter.indexOf('=');
      kit.configurationParameter(parameter.substring(0, equals), parameter.substring(equals + 1));
    }
    return new Runs(kit.execute(), true);
  }

  /** {@return how all runs of some tests ended, each with the name of its method before its own} */
  static Runs of(EngineTestKit.Builder kit) {
    return new Runs(kit.execute(), false);
  }

  private static String name(TestDescriptor run, boolean isOneTest) {
    String method =
        run.getSource().map(source -> ((MethodSource) source).getMethodName()).orElseThrow();
    return isOneTest ? run.getDisplayName() : method + " " + run.getDisplayName();
  }

  /** {@return the names of all runs} */
  List<String> names() {
    return List.copyOf(ends.keySet());
  }

  /** {@return the names of those that ended so} */
  List<String> names(TestExecutionResult.Status status) {
    return ends.entrySet().stream()
        .filter(each -> each.getValue().getStatus() == status)
        .map(Map.Entry::getKey)
        .toList();
  }

  List<String> failed() {
    return names(TestExecutionResult.Status.FAILED);
  }

  /** {@return what a run has thrown} */
  Throwable thrown(String name) {
    return ends.get(name).getThrowable().orElseThrow();
  }

  /** {@return what the first run that failed has thrown} */
  Throwable firstThrown() {
    return thrown(failed().getFirst());
  }

  /** {@return what the test as a whole has thrown, before any run} */
  Throwable refused() {
    return results.containerEvents().failed().stream()
        .map(Event::getPayload)
        .flatMap(java.util.Optional::stream)
        .map(TestExecutionResult.class::cast)
        .flatMap(result -> result.getThrowable().stream())
        .findFirst()
        .orElseThrow();
  }
}
