package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.cuda.CudaDriver;
import dev.stretto.driver.cuda.Loading;
import dev.stretto.driver.virtual.LiveCounts;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a test of the contract runs on, by the name that {@link Device#open(String)} takes: {@code
 * virtual}, {@code virtual:h200,seed=7}, {@code cuda:0}.
 *
 * <p>The system property {@code stretto.machines}, names separated by blanks, restricts the suite
 * to those; {@code stretto.seeds} says how many seeds it runs under.
 *
 * @param name the name
 */
record Machine(String name) {
  private static final String RESTRICTION = System.getProperty("stretto.machines", "");

  /** The end of the name of a virtual device that Stretto takes for a GPU: {@link RealTime}. */
  private static final String REAL_TIME = "+real-time";

  private static final Pattern SEED = Pattern.compile("seed=([0-9]+)");

  private static final int SEEDS = Sample.of("stretto.seeds", 1, 8);

  /** {@return everything that this computer can run the contract on} */
  static List<Machine> all() {
    if (!RESTRICTION.isBlank()) {
      return List.of(RESTRICTION.split(" +")).stream().map(Machine::new).toList();
    }
    List<Machine> all = new ArrayList<>();
    all.add(new Machine("virtual"));
    all.add(new Machine("virtual" + REAL_TIME));
    all.addAll(seeded());
    if (Device.all().getFirst().driver().equals("cuda")) {
      all.add(new Machine("cuda:0"));
    }
    return all;
  }

  /** {@return the virtual device under each seed} */
  static List<Machine> seeded() {
    List<Machine> seeded = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      seeded.add(new Machine("virtual:h200,seed=" + seed));
    }
    return seeded;
  }

  boolean isVirtual() {
    return name.startsWith("virtual");
  }

  boolean isSeeded() {
    return name.contains("seed=");
  }

  /** {@return where there is a seed, the machine whose seed is that much greater} */
  Machine later(long seeds) {
    return new Machine(
        SEED.matcher(name).replaceFirst(seed -> "seed=" + (Long.parseLong(seed.group(1)) + seeds)));
  }

  /** {@return the machine with more words, where it is virtual} */
  Machine with(String words) {
    if (!isVirtual()) {
      return this;
    }
    if (isRealTime()) {
      return new Machine(plain().with(words).name + REAL_TIME);
    }
    return new Machine(name.equals("virtual") ? "virtual:" + words : name + "," + words);
  }

  /** {@return whether Stretto takes the virtual device for a GPU} */
  boolean isRealTime() {
    return name.endsWith(REAL_TIME);
  }

  /** {@return whether time is that of a model, rather than passes by itself} */
  boolean isModelled() {
    return isVirtual() && !isRealTime();
  }

  /** {@return how many closed streams the driver may keep at most, for those opened later} */
  int keptStreams() {
    return isRealTime() ? 32 : 0;
  }

  /** {@return the name by which another process opens such a device} */
  String deviceName() {
    return plain().name;
  }

  private Machine plain() {
    return new Machine(name.substring(0, name.length() - (isRealTime() ? REAL_TIME.length() : 0)));
  }

  /** {@return one device, opened} */
  Opened open() {
    return open(UnaryOperator.identity());
  }

  /** {@return its devices, with something between Stretto and the virtual driver} */
  Opened open(UnaryOperator<Driver> decoration) {
    if (!isVirtual()) {
      return new Opened(this, List.of(Device.open(name)), null);
    }
    String words = plain().name;
    int colon = words.indexOf(':');
    VirtualDriver driver =
        new VirtualDriver(VirtualConfig.parse(colon < 0 ? "" : words.substring(colon + 1)));
    Driver seen = isRealTime() ? new RealTime(driver) : driver;
    return new Opened(this, Device.openAll(decoration.apply(seen)), driver);
  }

  /** {@return the driver of this computer's GPUs} */
  static Driver cuda() {
    return switch (CudaDriver.load()) {
      case Loading.Ready(CudaDriver cuda) -> cuda;
      case Loading.Unavailable(String reason) -> throw new AssertionError(reason);
    };
  }

  /**
   * {@return two devices if there are two, with something between Stretto and the driver, be it a
   * virtual one or CUDA}
   */
  Opened openPair(UnaryOperator<Driver> decoration) {
    if (!isVirtual()) {
      return new Opened(this, Device.openAll(decoration.apply(cuda())), null);
    }
    return (isSeeded() ? new Machine(name.replace("h200,", "h200x2,")) : with("h200x2"))
        .open(decoration);
  }

  @Override
  public String toString() {
    return name;
  }

  /** Devices that are open, and what can be seen of them from below. */
  static final class Opened implements AutoCloseable {
    private final Machine machine;
    private final List<Device> devices;
    private final VirtualDriver driver;

    private Opened(Machine machine, List<Device> devices, VirtualDriver driver) {
      this.machine = machine;
      this.devices = devices;
      this.driver = driver;
    }

    Device device() {
      return devices.getFirst();
    }

    List<Device> devices() {
      return devices;
    }

    /**
     * {@return the first device as another CUDA library of the process has it: opened once more, by
     * the driver's raw handles}
     */
    DriverDevice otherLibrary() {
      if (driver != null) {
        return driver.open(0);
      }
      int ordinal = device().properties().ordinal();
      return cuda().open(ordinal);
    }

    /** {@return what the driver still holds for the first device; only a virtual driver knows} */
    LiveCounts live() {
      return driver.live(0);
    }

    /** Lets a seeded device do all that it can; on others time passes. */
    void settle() {
      if (!machine.isSeeded()) {
        pause();
        return;
      }
      stepAll();
      if (device().isOpen() && !device().isLost()) {
        try (Stream stream = device().stream()) {
          stream.record().await(); // has everyone told of what is done
        }
        stepAll();
      }
    }

    private void stepAll() {
      try (DriverDevice opening = driver.open(0)) {
        while (opening.cooperation().orElseThrow().step()) {}
      }
    }

    private static void pause() {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Closes what is still open, and sees to it that the driver holds nothing any more. */
    @Override
    public void close() {
      for (Device device : devices) {
        if (device.isOpen()) {
          device.close();
        }
      }
      if (driver != null) {
        for (int ordinal = 0; ordinal < driver.deviceCount(); ordinal++) {
          awaitNothingHeld(ordinal);
        }
      }
    }

    private void awaitNothingHeld(int ordinal) {
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (!driver.live(ordinal).equals(LiveCounts.NONE)) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(
              "20 seconds after closing, device %d of %s still holds %s%n%s"
                  .formatted(ordinal, machine, driver.live(ordinal), threads()));
        }
        if (machine.isSeeded()) {
          stepOnce(ordinal);
        } else {
          pause();
        }
      }
    }

    /** {@return where the library's threads are} */
    private static String threads() {
      return Thread.getAllStackTraces().entrySet().stream()
          .filter(each -> each.getKey().getName().startsWith("stretto"))
          .map(
              each ->
                  each.getKey().getName()
                      + Arrays.stream(each.getValue())
                          .map(frame -> System.lineSeparator() + "    " + frame)
                          .collect(Collectors.joining()))
          .collect(Collectors.joining(System.lineSeparator()));
    }

    private void stepOnce(int ordinal) {
      try (DriverDevice opening = driver.open(ordinal)) {
        opening.cooperation().orElseThrow().step();
      } catch (DriverException e) {
        throw new AssertionError(e);
      }
    }
  }
}
