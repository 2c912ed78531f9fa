package dev.stretto.kernel.machine;

import dev.stretto.fault.DeadlockException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Describes what went wrong in a kernel on a virtual device.
 *
 * @param kernel the kernel's name
 */
public record KernelFaults(String kernel) {
  /** The JDK's message for an access outside a segment. Arrays in shared memory are segments. */
  private static final Pattern OUTSIDE =
      Pattern.compile(".*MemorySegment.*byteSize: (\\d+) }; new offset = (-?\\d+).*");

  /**
   * An exception that adds the kernel, the line, the block and the thread to what a thread has
   * thrown.
   */
  public IllegalStateException of(ThreadPosition position, Throwable thrown) {
    String what =
        thrown instanceof DeadlockException
            ? "%s, in kernel %s, %s"
                .formatted(thrown.getMessage(), kernel, position.describeBlock())
            : "%s, in kernel %s%s, %s"
                .formatted(
                    finding(thrown),
                    kernel,
                    inBrackets(SourceLine.of(thrown.getStackTrace())),
                    position);
    return new IllegalStateException(what, thrown);
  }

  /** The beginning of the message: the fault itself. */
  private static String finding(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause().toString().equals(root.getMessage())) {
      root = root.getCause(); // the outer exception adds nothing
    }
    String message = root.getMessage();
    if (root instanceof AssertionError) {
      return "assertion failed" + (message == null || message.isEmpty() ? "" : ": " + message);
    }
    Matcher outside = OUTSIDE.matcher(message == null ? "" : message);
    if (root instanceof IndexOutOfBoundsException && outside.matches()) {
      return "Byte %s out of bounds for length %s of an array in shared memory"
          .formatted(outside.group(2), outside.group(1));
    }
    boolean speaks =
        root instanceof IndexOutOfBoundsException
            || root instanceof ArithmeticException
            || root instanceof IllegalStateException
            || root instanceof IllegalArgumentException
            || root.getClass().getName().startsWith("dev.stretto.");
    boolean divides =
        message == null ? root instanceof ArithmeticException : message.equals("/ by zero");
    if (divides) {
      return "division by zero"; // without a message where the JVM no longer makes one
    }
    return message == null || !speaks ? root.toString() : message;
  }

  /**
   * An exception that says what every thread waits for when none can go on.
   *
   * @param among the group that the threads form: block or cluster
   * @param why the mistake from which it follows; null if none is known
   */
  static DeadlockException deadlock(
      Coroutine[] threads, int live, String among, @Nullable CopyMisuse why) {
    Map<String, StringBuilder> waiting = new LinkedHashMap<>();
    int first = 0;
    String run = what(threads[0]);
    for (int rank = 1; rank <= threads.length; rank++) {
      String next = rank == threads.length ? null : what(threads[rank]);
      if (!Objects.equals(run, next)) {
        if (run != null) {
          StringBuilder ranks = waiting.computeIfAbsent(run, any -> new StringBuilder());
          ranks.append(ranks.isEmpty() ? "" : ", ").append(first);
          ranks.append(rank - 1 == first ? "" : " to " + (rank - 1));
        }
        first = rank;
        run = next;
      }
    }
    StringBuilder report = new StringBuilder("no thread of the " + among + " can go on:");
    String separator = " ";
    for (Map.Entry<String, StringBuilder> entry : waiting.entrySet()) {
      report.append(separator).append("threads ").append(entry.getValue());
      report.append(" wait in ").append(entry.getKey());
      separator = "; ";
    }
    int returned = threads.length - live;
    if (returned > 0) {
      report.append("; ").append(returned).append(" threads have returned");
    }
    return why == null
        ? new DeadlockException(report.toString())
        : new DeadlockException(report + "; " + why.getMessage(), why);
  }

  /**
   * An exception that says that a block has waited for one that had not begun.
   *
   * @param waits the cluster that waits
   * @param rank the thread's number in its block
   * @param where where it looks
   * @param writes the other cluster
   */
  static DeadlockException waitsForALaterOne(
      String waits, int rank, CallPath where, String writes) {
    return new DeadlockException(
        waits
            + " waits for a block that had not begun: thread "
            + rank
            + " looks again and again"
            + CallPath.inBrackets(where)
            + " for what "
            + writes
            + " writes. In an ordinary launch that block may need the room of the one that"
            + " waits: launch with Grid.cooperative(), or give blocks their numbers by an atomic"
            + " operation and wait for lower ones only");
  }

  /**
   * Describes where the threads are that can go on but make no progress, and what the others wait
   * for.
   */
  static String where(Coroutine[] threads, BitSet ready, int live) {
    Map<String, BitSet> places = new LinkedHashMap<>();
    for (Coroutine thread : threads) {
      String what =
          ready.get(thread.rank()) && thread.hasBegun() && !thread.isWaiting()
              ? looks(thread.stack())
              : what(thread);
      if (what != null) {
        places.computeIfAbsent(what, _ -> new BitSet()).set(thread.rank());
      }
    }
    StringBuilder report = new StringBuilder();
    places.forEach(
        (what, who) ->
            report
                .append(report.isEmpty() ? "" : ", ")
                .append(ranks(who))
                .append(what.startsWith("look") ? " " : " wait in ")
                .append(what));
    int returned = threads.length - live;
    if (returned > 0) {
      report.append(", ").append(returned).append(" have returned");
    }
    return report.toString();
  }

  private static String ranks(BitSet who) {
    StringBuilder ranks = new StringBuilder(who.cardinality() == 1 ? "thread " : "threads ");
    for (int from = who.nextSetBit(0); from >= 0; ) {
      int to = who.nextClearBit(from) - 1;
      ranks.append(from).append(to == from ? "" : " to " + to);
      from = who.nextSetBit(to + 1);
      ranks.append(from >= 0 ? ", " : "");
    }
    return ranks.toString();
  }

  /** Describes the call that a thread repeats. */
  private static String looks(StackTraceElement[] stack) {
    String how = "";
    for (StackTraceElement element : stack) {
      boolean jdk = element.getClassName().startsWith("java.");
      if (!jdk && !SourceLine.isOurs(element.getClassName())) {
        break;
      }
      how = jdk ? how : element.getMethodName();
    }
    return "look again and again with " + how + inBrackets(SourceLine.of(stack));
  }

  private static @Nullable String what(Coroutine thread) {
    String waitsFor = thread.waitsFor();
    if (waitsFor == null) {
      return null;
    }
    return waitsFor + inBrackets(SourceLine.of(thread.stack()));
  }

  private static String inBrackets(String place) {
    return place.isEmpty() ? "" : " (" + place + ")";
  }
}
