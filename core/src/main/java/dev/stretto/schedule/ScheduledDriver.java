package dev.stretto.schedule;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.virtual.Schedule;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import java.util.Objects;

/**
 * A driver of seeded devices that tells what happened on them, or repeats that. Its devices are
 * opened by {@link dev.stretto.Device#openAll(Driver)}. One driver is for one run.
 */
public final class ScheduledDriver implements Driver {
  private final String words;
  private final VirtualDriver driver;

  private ScheduledDriver(String words, VirtualDriver driver) {
    this.words = words;
    this.driver = driver;
  }

  /**
   * {@return a driver whose seed chooses} If the name says no family, the seed's own is chosen, and
   * under even seeds work may also advance within the calls that enqueue.
   *
   * @param name as for {@link dev.stretto.Device#openAll(String)}, with a seed: {@code
   *     virtual:h200x2,seed=7,schedule=pct3}; the word {@code virtual:} may be left out
   * @throws IllegalArgumentException if the name is not of this form, or has no seed
   */
  public static ScheduledDriver of(String name) {
    String words = words(name);
    VirtualConfig config = VirtualConfig.parse(words);
    if (config.seed().isEmpty()) {
      throw new IllegalArgumentException("'%s' has no seed=N".formatted(name));
    }
    if (words.contains("schedule=")) {
      return new ScheduledDriver(words, new VirtualDriver(config));
    }
    String family = Schedule.ROTATE.of(config.seed().getAsLong()).word();
    String single = words + ",schedule=" + family;
    return new ScheduledDriver(single, new VirtualDriver(VirtualConfig.parse(single)));
  }

  /**
   * {@return a driver that repeats a run} Where the program does what it did, the same happens in
   * the same order. Where it does something else, what can happen and comes first in the rest of
   * the trace happens; what the trace does not have comes when nothing else can, first what goes on
   * with the last stream, then what was enqueued first. {@link #misfits()} counts that.
   *
   * @param trace what happened
   */
  public static ScheduledDriver replaying(Trace trace) {
    Objects.requireNonNull(trace, "trace");
    return new ScheduledDriver(
        trace.words(),
        VirtualDriver.replaying(VirtualConfig.parse(trace.words()), trace.choices()));
  }

  /** {@return the words of the devices' name, with the seed} */
  String words() {
    return words;
  }

  /** {@return the words of a name} */
  static String words(String name) {
    Objects.requireNonNull(name, "name");
    return name.startsWith("virtual:") ? name.substring("virtual:".length()) : name;
  }

  /** {@return what has happened so far; of a very long run, its beginning} */
  public Trace trace() {
    return new Trace(words, driver.trace());
  }

  /**
   * {@return how often a repeated run went another way than its trace so far, and how much of the
   * trace has not happened} Zero at the end of a run that fits.
   */
  public int misfits() {
    return driver.misfits();
  }

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public int deviceCount() {
    return driver.deviceCount();
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    return driver.properties(ordinal);
  }

  @Override
  public DriverDevice open(int ordinal) {
    return driver.open(ordinal);
  }
}
