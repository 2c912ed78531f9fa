package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.settings.OrderMode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a virtual driver.
 *
 * @param profile the device to model
 * @param host the stated rates of its host
 * @param devices how many devices, 1 to {@value DeviceSpace#MAX_DEVICES}
 * @param seed the seed of the schedule, or empty for threads
 * @param schedule the family of schedules from which the seed picks one
 * @param memory device memory in bytes, or empty for that of the product
 * @param pinned how many bytes of pinned host memory may be allocated
 * @param queue how many operations a stream holds; a call that enqueues another one blocks
 * @param copyEngines copy engines of each device, or 0 for those of the product
 * @param threads how many kernels of a device run at once, and beside them how many fills and local
 *     copies, if threads run them
 * @param peers which devices can access each other, if the product can
 * @param order what is done about the order of operations; the system property says if this does
 *     not
 */
public record VirtualConfig(
    DeviceProfile profile,
    HostRates host,
    int devices,
    OptionalLong seed,
    Schedule schedule,
    OptionalLong memory,
    long pinned,
    int queue,
    int copyEngines,
    int threads,
    PeerTopology peers,
    Optional<OrderMode> order) {
  private static final String PROFILE = "the profile";
  private static final String COUNT = "the number of devices";
  private static final Pattern TIMES = Pattern.compile("x[0-9]{1,4}");

  /** One H200 that is run by threads. */
  public static final VirtualConfig DEFAULT =
      new VirtualConfig(
          HopperProfiles.H200,
          HostRates.OF_PROFILE,
          1,
          OptionalLong.empty(),
          Schedule.ROTATE,
          OptionalLong.empty(),
          Long.MAX_VALUE,
          1024,
          0,
          4,
          PeerTopology.ALL,
          Optional.empty());

  /** Checks the ranges. */
  public VirtualConfig {
    range("devices", devices, 1, DeviceSpace.MAX_DEVICES);
    range("memory", memory.orElse(1), 1, 1L << 48);
    range("pinned", pinned, 0, Long.MAX_VALUE);
    range("queue", queue, 1, 1 << 20);
    range("engines", copyEngines, 0, 16);
    range("threads", threads, 1, 1024);
    range("host-cores", host.cores(), 0, 4096);
  }

  /**
   * {@return the configuration that the words after {@code virtual:} describe} Words are separated
   * by commas: {@code h200x8,seed=7}. Everything else is as in {@link #DEFAULT}.
   *
   * @param text the words; may be empty
   * @throws IllegalArgumentException if a word is not legal (the message lists the legal ones), if
   *     two words decide the same, or if one contradicts another
   */
  public static VirtualConfig parse(String text) {
    VirtualConfig config = DEFAULT;
    if (text.isBlank()) {
      return config;
    }
    StatedWords stated = new StatedWords(text);
    for (String word : text.split(",", -1)) {
      config = config.with(word.strip(), text, stated);
    }
    stated.exclude("seed", "threads", "with a seed, one thread at a time runs the device");
    if (stated.has("schedule") && config.seed.isEmpty()) {
      throw new IllegalArgumentException(
          "virtual:%s: 'schedule' without 'seed=N': without a seed, threads run the device"
              .formatted(text));
    }
    return config;
  }

  /** {@return the properties of the device with this ordinal} */
  DeviceProperties properties(int ordinal) {
    return profile.properties(
        ordinal,
        memory.orElse(profile.product().totalBytes()),
        copyEngines == 0 ? profile.product().copyEngines() : copyEngines);
  }

  private VirtualConfig with(String word, String text, StatedWords stated) {
    int equals = word.indexOf('=');
    if (equals >= 0) {
      String key = word.substring(0, equals);
      stated.note(key, word);
      return switch (key) {
        case "file-read" -> with(host.withFileRead(rate(key, word, text)));
        case "file-write" -> with(host.withFileWrite(rate(key, word, text)));
        case "file-writes" -> with(host.withFileWrites(rate(key, word, text)));
        case "schedule" -> withSchedule(word.substring(equals + 1), text);
        case "order" -> withOrder(word.substring(equals + 1), text);
        case "host-copy" -> with(host.withHostCopy(rate(key, word, text)));
        default -> with(key, number(word, text, equals + 1), word, text);
      };
    }
    if (!word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9')) {
      stated.note(COUNT, word);
      return withDevices(profile, number(word, text, 0));
    }
    for (PeerTopology named : PeerTopology.values()) {
      if (word.equals(named.word())) {
        stated.note("the access between devices", word);
        return new VirtualConfig(
            profile,
            host,
            devices,
            seed,
            schedule,
            memory,
            pinned,
            queue,
            copyEngines,
            threads,
            named,
            order);
      }
    }
    for (DeviceProfile named : DeviceProfile.all()) {
      String rest = word.startsWith(named.word()) ? word.substring(named.word().length()) : "?";
      if (rest.isEmpty()) {
        stated.note(PROFILE, word);
        return withDevices(named, devices);
      }
      if (TIMES.matcher(rest).matches()) {
        stated.note(PROFILE, word);
        stated.note(COUNT, word);
        return withDevices(named, Long.parseLong(rest, 1, rest.length(), 10));
      }
    }
    throw illegal(word, text);
  }

  private VirtualConfig with(String key, long value, String word, String text) {
    return switch (key) {
      case "seed" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              OptionalLong.of(value),
              schedule,
              memory,
              pinned,
              queue,
              copyEngines,
              threads,
              peers,
              order);
      case "memory" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              seed,
              schedule,
              OptionalLong.of(value),
              pinned,
              queue,
              copyEngines,
              threads,
              peers,
              order);
      case "pinned" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              seed,
              schedule,
              memory,
              value,
              queue,
              copyEngines,
              threads,
              peers,
              order);
      case "queue" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              seed,
              schedule,
              memory,
              pinned,
              small(key, value),
              copyEngines,
              threads,
              peers,
              order);
      case "engines" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              seed,
              schedule,
              memory,
              pinned,
              queue,
              small(key, value),
              threads,
              peers,
              order);
      case "threads" ->
          new VirtualConfig(
              profile,
              host,
              devices,
              seed,
              schedule,
              memory,
              pinned,
              queue,
              copyEngines,
              small(key, value),
              peers,
              order);
      case "host-cores" -> with(host.withCores(small(key, value)));
      default -> throw illegal(word, text);
    };
  }

  private VirtualConfig with(HostRates rates) {
    return new VirtualConfig(
        profile,
        rates,
        devices,
        seed,
        schedule,
        memory,
        pinned,
        queue,
        copyEngines,
        threads,
        peers,
        order);
  }

  private VirtualConfig withSchedule(String word, String text) {
    Schedule named = Schedule.named(word);
    if (named == null) {
      throw new IllegalArgumentException(
          "virtual:%s: '%s' is not a schedule; schedules are %s"
              .formatted(text, word, Schedule.words()));
    }
    return new VirtualConfig(
        profile,
        host,
        devices,
        seed,
        named,
        memory,
        pinned,
        queue,
        copyEngines,
        threads,
        peers,
        order);
  }

  private VirtualConfig withOrder(String word, String text) {
    OrderMode named;
    try {
      named = OrderMode.named(word);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "virtual:%s: order: %s".formatted(text, e.getMessage()), e);
    }
    return new VirtualConfig(
        profile,
        host,
        devices,
        seed,
        schedule,
        memory,
        pinned,
        queue,
        copyEngines,
        threads,
        peers,
        Optional.of(named));
  }

  private VirtualConfig withDevices(DeviceProfile named, long count) {
    return new VirtualConfig(
        named,
        host,
        small("devices", count),
        seed,
        schedule,
        memory,
        pinned,
        queue,
        copyEngines,
        threads,
        peers,
        order);
  }

  private static long number(String word, String text, int from) {
    try {
      return Long.parseLong(word.substring(from));
    } catch (NumberFormatException e) {
      throw illegal(word, text, e);
    }
  }

  private static double rate(String key, String word, String text) {
    try {
      return HostRates.rate(key, Double.parseDouble(word.substring(key.length() + 1)));
    } catch (NumberFormatException e) {
      throw illegal(word, text, e);
    }
  }

  private static int small(String what, long value) {
    range(what, value, 0, Integer.MAX_VALUE);
    return (int) value;
  }

  private static void range(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "virtual device: %s is %d, but has to be %d to %d".formatted(what, value, least, most));
    }
  }

  private static IllegalArgumentException illegal(String word, String text) {
    return illegal(word, text, null);
  }

  private static IllegalArgumentException illegal(
      String word, String text, @Nullable NumberFormatException cause) {
    return new IllegalArgumentException(
        ("virtual:%s: '%s' is not a legal word. Legal words, separated by commas, are a profile"
             + " (%s), optionally with the number of devices (h200x8); a number of devices; peers,"
             + " ring or no-peer for the access between devices; seed=N, with schedule=uniform,"
             + " pct1 to pct5, pos or rotate; memory=BYTES; pinned=BYTES; queue=N; engines=N;"
             + " threads=N; order=off, checked or automatic; and, for the host, file-read=GB/s,"
             + " file-write=GB/s, file-writes=GB/s, host-copy=GB/s and host-cores=N")
            .formatted(text, word, DeviceProfile.words()),
        cause);
  }
}
