package dev.stretto.order;

import org.jspecify.annotations.Nullable;

/**
 * What accesses memory, for reports.
 *
 * @param name the operation, such as {@code copy to the device}
 * @param frame where the program enqueued it; null if that is not known
 */
public record Work(String name, StackWalker.@Nullable StackFrame frame) {
  /** {@return the line of the program; null if it is not known} */
  @Nullable StackTraceElement line() {
    return frame == null ? null : frame.toStackTraceElement();
  }
}
