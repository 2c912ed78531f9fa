package dev.stretto;

import dev.stretto.diagnosis.Finding;
import dev.stretto.observe.Detection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Finds hidden synchronization: every call that blocked the host, and every operation that had to
 * wait without need. Each finding has its rule, its place in the program, and a better way to write
 * it.
 *
 * <pre>{@code
 * try (Diagnosis diagnosis = Diagnosis.of(device)) {
 *   work(device);
 *   System.out.print(diagnosis.report());
 * }
 * }</pre>
 *
 * <p>It observes the program in real time: an operation that would still be in flight on a slower
 * device, but is already done, is not reported. So run the program under realistic conditions. A
 * seeded device finds the most, because nothing is done there before the program waits.
 *
 * <p>It can be switched on from outside. With the system property {@code
 * dev.stretto.diagnosis=true}, every device of the process is diagnosed, and the report is printed
 * to standard error when the process ends; any other value is the file to which the report is
 * appended. {@code stretto check -- COMMAND} does this for a command.
 *
 * <p>While it is on, each operation costs a few microseconds more. Off, it costs nothing. Any
 * number of threads may use it.
 */
public final class Diagnosis implements AutoCloseable {
  private final Detection detection = new Detection();

  private Diagnosis() {}

  /**
   * {@return a diagnosis of everything that the devices do from now on}
   *
   * @param devices one or more; each may be diagnosed several times at once
   */
  public static Diagnosis of(Device... devices) {
    Objects.requireNonNull(devices, "devices");
    return of(Arrays.asList(devices));
  }

  /**
   * {@return a diagnosis of everything that the devices do from now on}
   *
   * @param devices each may be diagnosed several times at once
   */
  public static Diagnosis of(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    Diagnosis diagnosis = new Diagnosis();
    for (Device device : devices) {
      Objects.requireNonNull(device, "an element of devices");
    }
    devices.forEach(device -> diagnosis.detection.watch(device.observers()));
    return diagnosis;
  }

  /**
   * {@return the findings so far: first those that blocked the host longest, then those that
   * happened most often} Does not query the devices.
   */
  public List<Finding> findings() {
    return detection.findings();
  }

  /** {@return the findings as text, a few lines each; one line if there are none} */
  public String report() {
    return detection.report();
  }

  /** Ends the diagnosis. The findings remain available. Closing it again has no further effect. */
  @Override
  public void close() {
    detection.close();
  }
}
