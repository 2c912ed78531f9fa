package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The places of a kernel where threads only wait for what others do. They are asked for only when a
 * thread may have waited for the wrong one, since the compiler has to look for them.
 */
public final class WaitingPlaces {
  /** Of a kernel about which the compiler knows nothing. */
  public static final WaitingPlaces NONE = new WaitingPlaces(List::of);

  private final Supplier<List<StackTraceElement[]>> finds;

  /**
   * Creates an instance.
   *
   * @param finds finds the places, each as the calls that lead there, from the innermost on
   */
  public WaitingPlaces(Supplier<List<StackTraceElement[]>> finds) {
    this.finds = finds;
  }

  /** Whether a place is one of them. */
  boolean hold(StackTraceElement[] stack) {
    List<String> calls = calls(stack);
    Set<List<String>> places =
        finds.get().stream().map(WaitingPlaces::calls).collect(Collectors.toSet());
    return places.contains(calls);
  }

  /** The calls outside the JDK and this library. */
  private static List<String> calls(StackTraceElement[] stack) {
    List<String> calls = new ArrayList<>();
    for (StackTraceElement call : stack) {
      if (!SourceLine.isOther(call)) {
        calls.add(call.getClassName() + "." + call.getMethodName() + ":" + call.getLineNumber());
      }
    }
    return calls;
  }
}
