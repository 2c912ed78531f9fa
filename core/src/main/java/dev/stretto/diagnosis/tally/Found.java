package dev.stretto.diagnosis.tally;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a look at the stack has found. */
public final class Found {
  private static final Found NOTHING = new Found(List.of(), List.of(), false);

  private final List<Code> codes;
  private final List<StackTraceElement> lines;
  private final boolean isCaller;

  /** The lines in words; made by the first call that asks. Two threads would make the same. */
  private @Nullable List<String> frames;

  /** A place in a method; methods of the same name differ in their descriptors. */
  private record Code(String type, String method, String descriptor, int index) {
    static Code of(StackWalker.StackFrame frame) {
      return new Code(
          frame.getClassName(),
          frame.getMethodName(),
          frame.getDescriptor(),
          frame.getByteCodeIndex());
    }

    boolean is(StackWalker.StackFrame frame) {
      return index == frame.getByteCodeIndex()
          && method.equals(frame.getMethodName())
          && descriptor.equals(frame.getDescriptor())
          && type.equals(frame.getClassName());
    }
  }

  private Found(List<Code> codes, List<StackTraceElement> lines, boolean isCaller) {
    this.codes = codes;
    this.lines = lines;
    this.isCaller = isCaller;
  }

  /** Of the program's frames, the nearest one first. */
  static Found of(List<StackWalker.StackFrame> frames, boolean isCaller) {
    return frames.isEmpty()
        ? NOTHING
        : new Found(
            frames.stream().map(Code::of).toList(),
            frames.stream().map(StackWalker.StackFrame::toStackTraceElement).toList(),
            isCaller);
  }

  /** {@return whether a look that finds these frames finds the same} */
  boolean is(List<StackWalker.StackFrame> others, boolean areCaller) {
    if (isCaller != areCaller || codes.size() != others.size() || codes.isEmpty()) {
      return false;
    }
    for (int i = 0; i < codes.size(); i++) {
      if (!codes.get(i).is(others.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** {@return {@link Places#line()}} */
  public @Nullable StackTraceElement line() {
    return lines.isEmpty() ? null : lines.getFirst();
  }

  /** {@return {@link Places#caller()}} */
  public @Nullable StackTraceElement caller() {
    return isCaller ? line() : null;
  }

  /** {@return the frames that were looked for in words, the nearest one first} */
  public List<String> frames() {
    List<String> made = frames;
    if (made == null) {
      made = lines.stream().map(StackTraceElement::toString).toList();
      frames = made;
    }
    return made;
  }
}
