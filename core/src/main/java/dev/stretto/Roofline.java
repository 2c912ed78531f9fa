package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What a launch achieved beside what its device could do at most: bytes of global memory and
 * operations per second. A kernel with few operations for each byte cannot be faster than the
 * memory, one with many cannot be faster than the arithmetic. Williams, Waterman and Patterson,
 * "Roofline", 2009.
 *
 * <p>The limits are products of clocks and widths that no program quite reaches. More than a limit
 * was achieved where caches served bytes that count again, or where the counts are wrong. {@link
 * #of(Launch, TimedEvent, TimedEvent, long, Arithmetic)} makes one.
 *
 * <pre>{@code
 * TimedEvent start = stream.recordTimed();
 * stream.launch(launch);
 * TimedEvent end = stream.recordTimed();
 * end.await();
 * System.out.print(Roofline.of(launch, start, end, 2L * n, Arithmetic.FLOATS).explain());
 * }</pre>
 *
 * @param kernel the kernel's name
 * @param device the device's name
 * @param seconds how long the launch took; nothing on a virtual device, whose clock is modelled
 * @param bytes how many bytes of global memory it read and wrote
 * @param areGiven whether the caller has counted the bytes; otherwise they follow from the
 *     arguments, and each one counts once
 * @param operations how many operations it did, as the caller has counted them
 * @param arithmetic their kind
 * @param mostBytesPerSecond the limit of the memory; nothing if the device does not tell
 * @param mostOperationsPerSecond the limit of the arithmetic; nothing if it is not known
 */
public record Roofline(
    String kernel,
    String device,
    OptionalDouble seconds,
    long bytes,
    boolean areGiven,
    long operations,
    Arithmetic arithmetic,
    OptionalDouble mostBytesPerSecond,
    OptionalDouble mostOperationsPerSecond) {
  private static final int WIDTH = 40;
  private static final String PREFIXES = "kMGTP";

  /** Below, neither part of the device is what the launch waits for. */
  private static final double BUSY = 0.5;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative, or the time or a limit is not positive
   * @throws NullPointerException if anything is null
   */
  public Roofline {
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(seconds, "seconds");
    Objects.requireNonNull(arithmetic, "arithmetic");
    Objects.requireNonNull(mostBytesPerSecond, "mostBytesPerSecond");
    Objects.requireNonNull(mostOperationsPerSecond, "mostOperationsPerSecond");
    if (bytes < 0
        || operations < 0
        || !(seconds.orElse(1) > 0)
        || !(mostBytesPerSecond.orElse(1) > 0)
        || !(mostOperationsPerSecond.orElse(1) > 0)) {
      throw new IllegalArgumentException(
          "%d bytes and %d operations in %s seconds, of %s and %s per second"
              .formatted(bytes, operations, seconds, mostBytesPerSecond, mostOperationsPerSecond));
    }
  }

  /**
   * {@return what an enqueued launch achieved beside what the device could do} A virtual device
   * times nothing: there it has the numbers and the limits alone.
   *
   * <p>The bytes are those of the device's memory that the launch accesses with its current
   * arguments, as far as they follow from them: each read once and written once, as if caches
   * served every further access, and all of an array if nothing is known. If that is not what the
   * kernel does, count them and use {@link #of(Launch, TimedEvent, TimedEvent, long, long,
   * Arithmetic)}. Views of host memory do not count.
   *
   * @param launch the launch
   * @param start an event that was recorded right before it was enqueued
   * @param end an event that was recorded right behind it
   * @param operations how many operations it does; a product with a sum is two
   * @param arithmetic their kind
   * @throws IllegalArgumentException if the operations are negative, or the second event did not
   *     happen later, or an event belongs to another device
   * @throws IllegalStateException if either event has not happened yet: await it first
   * @throws ClosedException if either is closed
   */
  public static Roofline of(
      Launch launch, TimedEvent start, TimedEvent end, long operations, Arithmetic arithmetic) {
    Objects.requireNonNull(launch, "launch");
    return of(launch, start, end, launch.memoryBytes(), false, operations, arithmetic);
  }

  /**
   * {@return the same, with bytes that the caller has counted}
   *
   * @param launch the launch
   * @param start an event that was recorded right before it was enqueued
   * @param end an event that was recorded right behind it
   * @param bytes how many bytes of the device's memory it reads and writes
   * @param operations how many operations it does; a product with a sum is two
   * @param arithmetic their kind
   * @throws IllegalArgumentException if a number is negative, or the second event did not happen
   *     later, or an event belongs to another device
   * @throws IllegalStateException if either event has not happened yet: await it first
   * @throws ClosedException if either is closed
   */
  public static Roofline of(
      Launch launch,
      TimedEvent start,
      TimedEvent end,
      long bytes,
      long operations,
      Arithmetic arithmetic) {
    return of(launch, start, end, bytes, true, operations, arithmetic);
  }

  private static Roofline of(
      Launch launch,
      TimedEvent start,
      TimedEvent end,
      long bytes,
      boolean areGiven,
      long operations,
      Arithmetic arithmetic) {
    Objects.requireNonNull(launch, "launch");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(end, "end");
    Objects.requireNonNull(arithmetic, "arithmetic");
    double nanos = start.nanosTo(end);
    DeviceRuntime engine = launch.engine();
    if (start.stream().device().engine() != engine) {
      throw new IllegalArgumentException(
          "%s and %s belong to another device than the launch of %s"
              .formatted(start, end, launch.kernel()));
    }
    if (!engine.isVirtual() && !(nanos > 0)) {
      throw new IllegalArgumentException(
          "%s happened %s ns before %s, not later".formatted(end, -nanos, start));
    }
    DeviceProperties device = engine.driver().properties();
    return new Roofline(
        launch.kernel().toString(),
        device.name(),
        engine.isVirtual() ? OptionalDouble.empty() : OptionalDouble.of(nanos / 1e9),
        bytes,
        areGiven,
        operations,
        arithmetic,
        mostBytesPerSecond(device),
        arithmetic.mostPerSecond(device));
  }

  /** The limit of a device's memory: it moves two words of the bus in each clock. */
  static OptionalDouble mostBytesPerSecond(DeviceProperties device) {
    double most = 2e3 * device.memoryClockKilohertz() * device.memoryBusBits() / Byte.SIZE;
    return most > 0 ? OptionalDouble.of(most) : OptionalDouble.empty();
  }

  /** {@return the bytes of each second; nothing if nothing was timed} */
  public OptionalDouble bytesPerSecond() {
    return seconds.isEmpty() ? seconds : OptionalDouble.of(bytes / seconds.getAsDouble());
  }

  /** {@return the operations of each second; nothing if nothing was timed} */
  public OptionalDouble operationsPerSecond() {
    return seconds.isEmpty() ? seconds : OptionalDouble.of(operations / seconds.getAsDouble());
  }

  /**
   * {@return the numbers as a picture: a line for the memory, one for the arithmetic, and a
   * sentence that says which of them limits the kernel} It has several lines, each with a line
   * separator at its end.
   */
  public String explain() {
    String time =
        seconds.isEmpty()
            ? "nothing was timed, since a virtual device models its clock"
            : scaled(seconds.getAsDouble() * 1e9, "ns");
    return "%s on %s: %s%n".formatted(kernel, device, time)
        + line(
            "memory",
            bytesPerSecond(),
            mostBytesPerSecond,
            "B/s",
            scaled((double) bytes, "B")
                + (areGiven ? ", as given" : ", each byte of the arguments once"))
        + line(
            arithmetic.toString(),
            operationsPerSecond(),
            mostOperationsPerSecond,
            "OP/s",
            scaled((double) operations, "OP") + ", as given")
        + sentence();
  }

  private String line(
      String name, OptionalDouble achieved, OptionalDouble most, String unit, String what) {
    double part = part(achieved, most);
    int full = (int) Math.round(Math.clamp(part, 0, 1) * WIDTH);
    String bar = "#".repeat(full) + " ".repeat(WIDTH - full);
    String of = most.isEmpty() ? "a limit that is not known" : scaled(most.getAsDouble(), unit);
    String rate =
        achieved.isEmpty() ? "at most " + of : scaled(achieved.getAsDouble(), unit) + " of " + of;
    String percent =
        achieved.isEmpty() || most.isEmpty()
            ? ""
            : " (%d %%%s)".formatted(Math.round(100 * part), part > 1 ? ", more than it has" : "");
    return "  %-21s |%s| %s%s; %s%n".formatted(name, bar, rate, percent, what);
  }

  private static double part(OptionalDouble achieved, OptionalDouble most) {
    return achieved.isEmpty() || most.isEmpty() ? 0 : achieved.getAsDouble() / most.getAsDouble();
  }

  /** Which of both limits is lower for a kernel with so many operations for each byte. */
  private String sentence() {
    if (mostBytesPerSecond.isEmpty() || mostOperationsPerSecond.isEmpty() || bytes == 0) {
      return "  which of them limits it is not known%n".formatted();
    }
    double its = (double) operations / bytes;
    double even = mostOperationsPerSecond.getAsDouble() / mostBytesPerSecond.getAsDouble();
    String which = its < even ? "the memory limits it" : "the arithmetic limits it";
    double most =
        Math.max(
            part(bytesPerSecond(), mostBytesPerSecond),
            part(operationsPerSecond(), mostOperationsPerSecond));
    String idle =
        seconds.isEmpty() || most >= BUSY
            ? ""
            : ", but neither is half busy: look at occupancy, bank conflicts and waits";
    return "  %s: it does %s operations for each byte, and the device could do %s%s%n"
        .formatted(which, digits(its), digits(even), idle);
  }

  /** A number with three digits and a prefix. */
  private static String scaled(double number, String unit) {
    if (unit.equals("ns")) {
      return number < 1e3
          ? digits(number) + " ns"
          : number < 1e6 ? digits(number / 1e3) + " us" : digits(number / 1e6) + " ms";
    }
    int power = 0;
    double value = number;
    while (value >= 999.5 && power < PREFIXES.length()) {
      value /= 1e3;
      power++;
    }
    boolean whole = power == 0 && value == Math.rint(value);
    String shown = whole ? Long.toString((long) value) : digits(value);
    return shown + " " + (power == 0 ? "" : PREFIXES.charAt(power - 1)) + unit;
  }

  private static String digits(double value) {
    String form = value >= 99.95 || value == 0 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }
}
