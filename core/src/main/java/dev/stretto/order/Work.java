package dev.stretto.order;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What accesses memory, for reports. Each operation has its own. */
public final class Work {
  private final String name;
  private final Supplier<@Nullable StackTraceElement> place;

  /**
   * Describes an operation.
   *
   * @param name the operation, such as {@code copy to the device}
   * @param place finds the line of the program that enqueued it, if it is known; asked only for a
   *     report
   */
  public Work(String name, Supplier<@Nullable StackTraceElement> place) {
    this.name = name;
    this.place = place;
  }

  String name() {
    return name;
  }

  /** {@return the line of the program; null if it is not known} */
  @Nullable StackTraceElement line() {
    return place.get();
  }

  /** {@return the same, whose line is found now} */
  Work now() {
    StackTraceElement line = place.get();
    return new Work(name, () -> line);
  }
}
