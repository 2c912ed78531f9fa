package dev.stretto.diagnosis;

import java.time.Duration;
import java.util.Objects;

/**
 * A call that blocked the host or made work serial, at one place of a program.
 *
 * @param rule the rule that it breaks
 * @param device the name of the device
 * @param place the call, in the program's own code
 * @param reason what happened the last time, in one sentence
 * @param count how often it happened
 * @param blocked how long the calling threads were in the call altogether, in real time; zero if
 *     only the device's work was held up
 */
public record Finding(
    Rule rule,
    String device,
    StackTraceElement place,
    String reason,
    long count,
    Duration blocked) {
  /** Refuses null. */
  public Finding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(blocked, "blocked");
  }

  /** {@return what to write instead, as a clause} */
  public String advice() {
    return rule.advice();
  }

  /** {@return the whole finding in a few lines} */
  @Override
  public String toString() {
    String time = blocked.isZero() ? "" : ", " + text(blocked);
    return "%s at %s%n  %d time%s%s on %s: %s.%n  Instead: %s.%n"
        .formatted(rule, place, count, count == 1 ? "" : "s", time, device, reason, advice());
  }

  private static String text(Duration time) {
    double micros = time.getSeconds() * 1e6 + time.getNano() / 1e3;
    return micros < 1e3 ? "%.0f µs".formatted(micros) : "%.1f ms".formatted(micros / 1e3);
  }
}
