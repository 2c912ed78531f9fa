package dev.stretto.timeline;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.route.Way;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an operation beside its times.
 *
 * @param place the line of the program that enqueued it, such as {@code
 *     com.acme.Scorer.score(Scorer.java:42)}; empty if no lines are recorded ({@link
 *     Timeline#withLines()}) or a thread of Stretto enqueued it
 * @param route the {@linkplain dev.stretto.Route.Kind kind of route} of a copy, else empty
 * @param shape the grid of a launch of a kernel, with its dynamic shared memory
 * @param function the properties of the launched kernel, such as its registers
 */
public record Detail(
    String place,
    String route,
    Optional<LaunchShape> shape,
    Optional<FunctionProperties> function) {
  /** Nothing is known. */
  public static final Detail NONE = new Detail("", "", Optional.empty(), Optional.empty());

  /** Refuses null. */
  public Detail {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(function, "function");
  }

  static Detail of(
      @Nullable StackTraceElement place,
      @Nullable Way way,
      @Nullable LaunchShape shape,
      @Nullable FunctionProperties function) {
    return place == null && way == null && shape == null
        ? NONE
        : new Detail(
            place == null ? "" : place.toString(),
            way == null ? "" : way.kind().name(),
            Optional.ofNullable(shape),
            Optional.ofNullable(function));
  }

  /** {@return what of it holds for the nodes of a graph whose launch it belongs to} */
  Detail ofNode() {
    return place.isEmpty() ? NONE : new Detail(place, "", Optional.empty(), Optional.empty());
  }

  /**
   * {@return the shared memory of a block of the launch in bytes, static and dynamic; 0 if none}
   */
  public long sharedBytes() {
    return (long) shape.map(LaunchShape::sharedBytes).orElse(0)
        + function.map(FunctionProperties::sharedBytes).orElse(0);
  }

  /**
   * {@return the launch in words, such as {@code 4096 x 1 x 1 blocks of 256 x 1 x 1 threads, 24
   * registers, 0 bytes of shared memory}; empty for what is no launch of a kernel}
   */
  public String launch() {
    return shape.map(is -> is.inWords(function)).orElse("");
  }
}
