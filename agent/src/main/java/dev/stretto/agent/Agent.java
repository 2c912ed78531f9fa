package dev.stretto.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry. Its argument, if there is one, is a list of packages, separated by commas:
 * only classes in them and below them are watched, and none of those behind a minus sign.
 */
public final class Agent {
  private Agent() {}

  /**
   * Called by the JVM before the program's own {@code main}.
   *
   * @param argument the list of packages; null if there is none
   * @param instrumentation the JVM's, which is told of the classes to watch
   */
  public static void premain(@Nullable String argument, Instrumentation instrumentation) {
    instrumentation.addTransformer(
        new WatchedClasses(
            instrumentation,
            ClassFilter.parse(argument == null ? "" : argument),
            new Rewriter(KnownCalls.read())));
  }
}
