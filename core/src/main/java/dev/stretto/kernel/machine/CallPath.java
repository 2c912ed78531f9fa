package dev.stretto.kernel.machine;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel, identified by the calls that led there, from the innermost to the kernel
 * itself. The compiler sees places in the same way, since it inlines all calls.
 */
final class CallPath {
  private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  private final List<StackFrame> frames;

  /** The path of a thread without a carrier, which has no frames. */
  private final StackTraceElement[] stepped;

  private CallPath(List<StackFrame> frames, StackTraceElement[] stepped) {
    this.frames = frames;
    this.stepped = stepped;
  }

  /** The place of a thread without a carrier. */
  static CallPath of(StackTraceElement[] stepped) {
    return new CallPath(List.of(), stepped);
  }

  StackTraceElement[] stepped() {
    return stepped;
  }

  /** A kernel, where every path begins. */
  interface Kernel {
    /** Runs the kernel. */
    void run() throws Throwable;
  }

  /** Runs a kernel for one thread. The path to each place in the kernel begins here. */
  static void begin(Kernel kernel) throws Throwable {
    kernel.run();
  }

  /** The place from which this is called, in a kernel that {@link #begin} runs. */
  static CallPath here() {
    Coroutine thread = Coroutine.currentOrNull();
    if (thread != null && !thread.isCarried()) {
      return thread.place();
    }
    return new CallPath(
        STACK.walk(
            all ->
                all.skip(1)
                    .takeWhile(frame -> frame.getDeclaringClass() != CallPath.class)
                    .toList()),
        new StackTraceElement[0]);
  }

  /**
   * The line in parentheses, to follow a description of what happened there; empty if the line is
   * not known.
   */
  static String inBrackets(@Nullable CallPath line) {
    return line == null ? "" : " (" + line + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof CallPath that)
        || frames.size() != that.frames.size()
        || !Arrays.equals(stepped, that.stepped)) {
      return false;
    }
    for (int i = 0; i < frames.size(); i++) {
      if (!same(frames.get(i), that.frames.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(StackFrame a, StackFrame b) {
    return a.getByteCodeIndex() == b.getByteCodeIndex()
        && a.getDeclaringClass() == b.getDeclaringClass()
        && a.getMethodName().equals(b.getMethodName());
  }

  @Override
  public int hashCode() {
    int hash = Arrays.hashCode(stepped);
    for (StackFrame frame : frames) {
      hash = 31 * hash + frame.getByteCodeIndex();
    }
    return hash;
  }

  /** The line in the kernel's source. */
  @Override
  public String toString() {
    return SourceLine.of(stack());
  }

  /** The calls that led there, from the innermost on. */
  StackTraceElement[] stack() {
    return frames.isEmpty()
        ? stepped
        : frames.stream().map(StackFrame::toStackTraceElement).toArray(StackTraceElement[]::new);
  }
}
