package dev.stretto.settings;

import dev.stretto.fault.SettingException;
import dev.stretto.settings.Setting.Read;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * All system properties of Stretto. The guide's page "Settings" shows this class as a table. A test
 * compares the two.
 */
public final class Settings {
  /** The prefix of every name. */
  public static final String PREFIX = "dev.stretto.";

  /** The value of {@link #RACES} that refuses the second of two operations. */
  public static final String THROWN = "thrown";

  /** The value of {@link #RACES} that logs races. */
  public static final String LOGGED = "logged";

  /** The value of {@link #CACHE} that keeps no kernels. */
  public static final String OFF = "off";

  private static final long KIB = 1 << 10;
  private static final long MIB = KIB << 10;
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long DAY_MILLIS = 86_400_000;

  /** With fewer cores, a thread that stays busy costs more time than it saves. */
  private static final int FEWEST_CORES = 8;

  private static final long AWAKE = 3_000_000;

  /** How long the threads that report completions spin after the last one; 0 means not at all. */
  public static final Setting<Long> AWAKE_NANOS =
      new Setting<>(
          PREFIX + "awakeNanos",
          "ns",
          range(0, HOUR_NANOS),
          AWAKE + ", or 0 with fewer than " + FEWEST_CORES + " cores or carrier threads",
          Read.FIRST_DEVICE,
          "How long the threads that report completions of a GPU spin after the last completion,"
              + " each on a core of its own; as long as something is awaited, they then nap. 0"
              + " saves the cores and makes waits some 100 µs longer.",
          Settings::awakeNanos,
          text -> number(text, 0, HOUR_NANOS));

  /** The absolute path of the folder that keeps compiled kernels, {@code off}, or nothing. */
  public static final Setting<Optional<String>> CACHE =
      new Setting<>(
          PREFIX + "cache",
          "",
          "an absolute path, or `off`",
          "`stretto` in `$XDG_CACHE_HOME` or `~/.cache`",
          Read.EVERY_COMPILATION,
          "The folder that keeps compiled kernels. `off` keeps none.",
          Optional::empty,
          text -> Optional.of(cache(text)));

  /** Whether kernels check their indices; nothing if their classes decide. */
  public static final Setting<Optional<Boolean>> CHECKED =
      new Setting<>(
          PREFIX + "checked",
          "",
          "`true` or `false`",
          "whether assertions are enabled for the kernel's class (`-ea`)",
          Read.EVERY_LAUNCH,
          "Whether kernels check their indices, divisors and assertions.",
          Optional::empty,
          text -> flag(text) ? Words.TRUE : Words.FALSE);

  /** The address or host name at which other processes reach this machine; nothing for all. */
  public static final Setting<String> COLLECTIVE_ADDRESS =
      new Setting<>(
          PREFIX + "collective.address",
          "",
          "an address or a host name",
          "all addresses of the machine",
          Read.EVERY_COMMUNICATOR,
          "The address at which the other ranks of a communicator reach this machine.",
          () -> "",
          text -> text);

  /** How long a rank of a communicator may say nothing, in milliseconds. */
  public static final Setting<Long> COLLECTIVE_SILENCE =
      new Setting<>(
          PREFIX + "collective.silence",
          "ms",
          range(100, DAY_MILLIS),
          "30000",
          Read.EVERY_COMMUNICATOR,
          "How long a rank of a communicator may say nothing before the others count it as lost."
              + " The end of a process is known at once.",
          () -> 30_000L,
          text -> number(text, 100, DAY_MILLIS));

  /** The device that {@code Device.open()} opens, if the deployment decides. */
  public static final Setting<Optional<String>> DEVICE =
      new Setting<>(
          PREFIX + "device",
          "",
          "`gpu`, `cuda:N`, `virtual`, or `virtual:` with words such as `h200,seed=7`",
          "the first GPU, or else `virtual`",
          Read.EVERY_CHOICE,
          "The device that `Device.open()` opens.",
          Optional::empty,
          Optional::of);

  /** Whether all devices are diagnosed: {@code true}, {@code false} or the file of the report. */
  public static final Setting<String> DIAGNOSIS =
      new Setting<>(
          PREFIX + "diagnosis",
          "",
          "`true`, `false`, or the path of a file",
          "`false`",
          Read.FIRST_DEVICE,
          "Diagnoses all devices of the process. The report goes to standard error when the process"
              + " ends, or is appended to the file.",
          () -> "false",
          Settings::report);

  /** Whether kernels whose threads wait for each other are compiled for virtual devices. */
  public static final Setting<Optional<Boolean>> KERNELS =
      new Setting<>(
          PREFIX + "kernels",
          "",
          "`java` or `compiled`",
          "`compiled`, or `java` if the JVM was started for a debugger",
          Read.EVERY_LAUNCH,
          "How kernels run on virtual devices whose threads wait for each other. `compiled` is"
              + " fast. With `java`, the method itself runs, and a debugger can stop in it.",
          Optional::empty,
          text ->
              switch (text) {
                case "compiled" -> Words.TRUE;
                case "java" -> Words.FALSE;
                default -> throw new IllegalArgumentException("'" + text + "' is no such way");
              });

  /** Whether a kernel may be launched while the one before it ends. */
  public static final Setting<Boolean> LAUNCH_OVERLAP =
      new Setting<>(
          PREFIX + "launchOverlap",
          "",
          "`true` or `false`",
          "`true`",
          Read.EVERY_DEVICE,
          "Whether a GPU of compute capability 9.0 or higher begins a kernel in Java while the"
              + " kernel before it on the stream ends. The kernel waits for it before it accesses"
              + " memory, so that nothing but the time differs.",
          () -> true,
          Settings::flag);

  /** Whether a GPU remembers the line of each launch. */
  public static final Setting<Boolean> LAUNCH_PLACES =
      flag(
          "launchPlaces",
          Read.EVERY_DEVICE,
          "Remembers the line of each launch on a GPU, so that the message of a lost device names"
              + " it. Costs about a microsecond per launch.");

  /** Whether resources that are never closed are reported. */
  public static final Setting<Boolean> LEAKS =
      flag(
          "leaks",
          Read.FIRST_DEVICE,
          "Keeps the stack trace of each allocation for `device.leaks()`, and logs allocations that"
              + " are garbage collected without having been closed.");

  /** Whether each device's metrics can be read by JMX. */
  public static final Setting<Boolean> METRICS =
      flag(
          "metrics",
          Read.EVERY_DEVICE,
          "Counts copies, bytes and waits of each device, and lets JMX read them, as"
              + " `device.registerMetrics()` does.");

  /** The CUDA driver. */
  public static final Setting<String> LIBCUDA =
      new Setting<>(
          PREFIX + "libcuda",
          "",
          "a path, or a name that the dynamic linker finds",
          "`libcuda.so.1`",
          Read.FIRST_GPU,
          "The CUDA driver's library.",
          () -> "libcuda.so.1",
          Settings::notBlank);

  /** The path of NVIDIA's library NCCL, {@code off}, or nothing for the usual places. */
  public static final Setting<String> NCCL =
      new Setting<>(
          PREFIX + "nccl",
          "",
          "a path, or `off`",
          "`libnccl.so.2` of the system, or of a Python environment of the usual places",
          Read.FIRST_COMMUNICATOR,
          "NVIDIA's library for collective operations between processes. `off` has them go over"
              + " TCP.",
          () -> "",
          Settings::notBlank);

  /** How long a device may go without an answer before it counts as lost. */
  public static final Setting<Long> PATIENCE_MILLIS =
      number(
          "patienceMillis",
          "ms",
          1,
          DAY_MILLIS,
          10_000,
          "How long a device may fail to report the progress of its streams before it counts as"
              + " lost.");

  /** How many pieces of a copy between devices are enqueued for each of its slots. */
  public static final Setting<Long> PEER_AHEAD =
      number(
          "peerAhead",
          "pieces",
          1,
          64,
          3,
          "How many pieces of a copy between devices without access are enqueued for each of its"
              + " slots.");

  /** How many slots a copy between devices holds. */
  public static final Setting<Long> PEER_DEPTH =
      number(
          "peerDepth",
          "slots",
          1,
          64,
          3,
          "The most slots that a copy between devices without access holds. More slots would not"
              + " fit into the host's caches.");

  /** How long a waiting thread spins before it parks. */
  public static final Setting<Long> POLL_NANOS =
      number(
          "pollNanos",
          "ns",
          0,
          HOUR_NANOS,
          AWAKE,
          "How long a thread that awaits a GPU spins before it naps between two questions whether"
              + " the work is done. 0 makes it park at once.");

  /** How many host threads read and write files. */
  public static final Setting<Long> FILE_THREADS =
      number(
          "fileThreads",
          "threads",
          0,
          256,
          0,
          "The host threads that a device uses for copies from and to files. 0 makes it use two"
              + " less than there are cores, but 8 to 16.");

  /** Whether kernels may convert rows on their way to a device. */
  public static final Setting<Boolean> DEVICE_CONVERSION =
      new Setting<>(
          PREFIX + "deviceConversion",
          "",
          "`true` or `false`",
          "`true`",
          Read.FIRST_DEVICE,
          "Whether a device converts rows of floats on their way to it, by kernels of the copy's"
              + " stream, while its link has time for floats as they are and no kernel of the"
              + " program is known to run. With `false`, only host threads convert: a copy of rows"
              + " then needs no multiprocessor.",
          () -> true,
          Settings::flag);

  /** How many host threads copy between the program's memory and slots. */
  public static final Setting<Long> PUMPS =
      number(
          "pumps",
          "threads",
          1,
          256,
          12,
          "The most host threads that a device uses for staged copies. It never uses more than the"
              + " number of cores minus two.");

  /** Whether the first operations are rehearsed while the driver of the GPUs starts. */
  public static final Setting<Boolean> REHEARSAL =
      new Setting<>(
          PREFIX + "rehearsal",
          "",
          "`true` or `false`",
          "`true`",
          Read.FIRST_GPU,
          "Copies and launches something on a virtual device, and runs a flow there, on a thread of"
              + " its own, while the driver of the GPUs starts, so that the JVM has loaded what the"
              + " program's first copies, launches and flows need. Not done with fewer than 4"
              + " cores, nor if the process is diagnosed or recorded.",
          () -> true,
          Settings::flag);

  /** The size of a slot. */
  public static final Setting<Long> SLOT_BYTES =
      number(
          "slotBytes",
          "bytes",
          512 * KIB,
          1024 * MIB,
          4 * MIB,
          "The size of a pinned slot for staged copies; on their way to a device, pieces take half"
              + " of one.");

  /** The most slots that a device has. */
  public static final Setting<Long> SLOTS =
      number("slots", "slots", 2, 4096, 32, "The most slots that a device has.");

  /** What is done about the order of operations. */
  public static final Setting<OrderMode> ORDER =
      new Setting<>(
          PREFIX + "order",
          "",
          "`off`, `checked` or `automatic`",
          "`off`",
          Read.EVERY_DEVICE,
          "With `checked`, an operation is refused that nothing orders after an earlier one of the"
              + " same bytes, with a `RaceException`; and the wait that tells of a copy's end"
              + " throws one if the program has written the source before. Kernels on virtual"
              + " devices are then watched for races in all blocks. With `automatic`, such an"
              + " operation waits for the earlier one instead. The word `order=X` in the name of a"
              + " device says otherwise for that one.",
          () -> OrderMode.OFF,
          OrderMode::named);

  /** What becomes of races: {@code thrown}, {@code logged} or a file. */
  public static final Setting<String> RACES =
      new Setting<>(
          PREFIX + "races",
          "",
          "`thrown`, `logged`, or an absolute path",
          "`thrown`",
          Read.FIRST_DEVICE,
          "What becomes of races where the order is checked. `thrown` refuses the later operation"
              + " with a `RaceException`. With `logged` the program goes on, and the logger"
              + " `dev.stretto` tells each race between two lines once, and at the end how often it"
              + " was found. With a path, that is appended to the file when the process ends, a"
              + " line for each race.",
          () -> THROWN,
          Settings::races);

  /** The file of the trace of all devices, with {@code %p} for the process; empty for none. */
  public static final Setting<String> TRACE =
      new Setting<>(
          PREFIX + "trace",
          "",
          "the path of a file that ends in `.html`, `.json` or `.jfr`",
          "no trace",
          Read.FIRST_DEVICE,
          "Records all operations of all devices, and writes them to the file when the process"
              + " ends: as a page, for Perfetto and `chrome://tracing`, or as a recording of the"
              + " JDK's Flight Recorder. `%p` in the name becomes the number of the process.",
          () -> "",
          Settings::trace);

  private static final List<Setting<?>> ALL =
      List.of(
          AWAKE_NANOS,
          CACHE,
          CHECKED,
          COLLECTIVE_ADDRESS,
          COLLECTIVE_SILENCE,
          DEVICE,
          DEVICE_CONVERSION,
          DIAGNOSIS,
          FILE_THREADS,
          KERNELS,
          LAUNCH_OVERLAP,
          LAUNCH_PLACES,
          LEAKS,
          LIBCUDA,
          METRICS,
          NCCL,
          ORDER,
          PATIENCE_MILLIS,
          PEER_AHEAD,
          PEER_DEPTH,
          POLL_NANOS,
          PUMPS,
          RACES,
          REHEARSAL,
          SLOT_BYTES,
          SLOTS,
          TRACE);

  private static final AtomicBoolean LOOKED = new AtomicBoolean();

  /** The values of an optional flag, made once because every launch asks for one. */
  private static final class Words {
    static final Optional<Boolean> TRUE = Optional.of(true);
    static final Optional<Boolean> FALSE = Optional.of(false);
  }

  private Settings() {}

  /** {@return all of them, by name} */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /**
   * Called before a device is opened. Reads the settings that are read once for all devices, unless
   * they have been read already. If one of them is wrong, none is kept, so that the next attempt is
   * refused as well. The first call also logs a warning about properties that look like settings
   * but are not.
   *
   * @throws SettingException if one of them has a value that is not allowed
   */
  public static void deviceOpens() {
    if (LOOKED.compareAndSet(false, true)) {
      MistakenNames.warning(System.getProperties().stringPropertyNames())
          .ifPresent(
              warning -> System.getLogger("dev.stretto").log(System.Logger.Level.WARNING, warning));
    }
    readOnce();
  }

  private static synchronized void readOnce() {
    Map<Setting<?>, Runnable> keep = new HashMap<>();
    for (Setting<?> setting : ALL) {
      if (setting.read() == Read.FIRST_DEVICE && !setting.isKept()) {
        keep.put(setting, kept(setting));
      }
    }
    keep.values().forEach(Runnable::run);
  }

  /** {@return an action that keeps the value that a setting has now} */
  private static <T> Runnable kept(Setting<T> setting) {
    T value = setting.parsed();
    return () -> {
      T _ = setting.keep(value);
    };
  }

  private static String races(String text) {
    return text.equals(THROWN) || text.equals(LOGGED) ? text : absolute(text);
  }

  private static long awakeNanos() {
    int cores = Runtime.getRuntime().availableProcessors();
    return cores < FEWEST_CORES || !hasSpareCarriers() ? 0 : AWAKE;
  }

  /**
   * {@return whether a carrier or two may be kept busy without holding up virtual threads} The JDK
   * does not replace a carrier that sleeps in a native call.
   */
  public static boolean hasSpareCarriers() {
    int cores = Runtime.getRuntime().availableProcessors();
    int carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism", cores);
    int most = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", carriers);
    return Math.min(carriers, most) >= FEWEST_CORES;
  }

  private static Setting<Boolean> flag(String name, Read read, String effect) {
    Supplier<Boolean> off = () -> false;
    return new Setting<>(
        PREFIX + name, "", "`true` or `false`", "`false`", read, effect, off, Settings::flag);
  }

  private static Setting<Long> number(
      String name, String unit, long least, long most, long byDefault, String effect) {
    return new Setting<>(
        PREFIX + name,
        unit,
        range(least, most),
        Long.toString(byDefault),
        Read.FIRST_DEVICE,
        effect,
        () -> byDefault,
        text -> number(text, least, most));
  }

  private static String range(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }

  private static long number(String text, long least, long most) {
    long number;
    try {
      number = Long.decode(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    }
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          number + " is too " + (number < least ? "small" : "large"));
    }
    return number;
  }

  private static boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither");
    };
  }

  private static String notBlank(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("the value is empty");
    }
    return text;
  }

  private static Path path(String text) {
    try {
      return Path.of(notBlank(text));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("this is not a path: " + e.getReason(), e);
    }
  }

  private static String cache(String text) {
    return text.equals(OFF) ? text : absolute(text);
  }

  private static String absolute(String text) {
    if (!path(text).isAbsolute()) {
      throw new IllegalArgumentException("'" + text + "' is not an absolute path");
    }
    return text;
  }

  private static String trace(String text) {
    String name = path(text).toString();
    if (!name.endsWith(".html") && !name.endsWith(".json") && !name.endsWith(".jfr")) {
      throw new IllegalArgumentException("'" + text + "' ends in none of .html, .json and .jfr");
    }
    return name;
  }

  private static String report(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    return word.equals("true") || word.equals("false") ? word : path(text).toString();
  }
}
