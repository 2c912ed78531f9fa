package dev.stretto;

import dev.stretto.diagnosis.Finding;
import dev.stretto.observe.Detection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Finds hidden synchronization: every call that blocked the host, and every operation that was made
 * to wait and need not have been, with its rule, its place in the program, and what to write
 * instead.
 *
 * <pre>{@code
 * try (Diagnosis diagnosis = Diagnosis.of(device)) {
 *   work(device);
 *   System.out.print(diagnosis.report());
 * }
 * }</pre>
 *
 * <p>It looks at what happens, in real time: what would have been in flight on a slower device and
 * is done already is not told. So let a program run as it does in earnest. A seeded device, on
 * which nothing is done before somebody waits, finds most.
 *
 * <p>It can be switched on from outside: with the system property {@code
 * dev.stretto.diagnosis=true}, every device of the process is diagnosed, and the report printed to
 * standard error when the process ends; any other value is a file that the report is appended to.
 * {@code stretto check -- COMMAND} does that for a command.
 *
 * <p>While it is on, each operation costs some microseconds more. Off, it costs nothing. May be
 * used by any number of threads.
 */
public final class Diagnosis implements AutoCloseable {
  private final Detection detection = new Detection();

  private Diagnosis() {}

  /**
   * {@return a diagnosis of all that devices do from now on}
   *
   * @param devices one or more; each may be diagnosed several times at once
   */
  public static Diagnosis of(Device... devices) {
    Objects.requireNonNull(devices, "devices");
    return of(Arrays.asList(devices));
  }

  /**
   * {@return a diagnosis of all that devices do from now on}
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
   * {@return what was found so far: what blocked the host longest first, then what happened most
   * often} Asks nothing of the devices.
   */
  public List<Finding> findings() {
    return detection.findings();
  }

  /** {@return the findings as text, a few lines each, or one line that says that there are none} */
  public String report() {
    return detection.report();
  }

  /** Ends it. What was found stays. Closing twice has no further effect. */
  @Override
  public void close() {
    detection.close();
  }
}
