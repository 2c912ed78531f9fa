package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.DriverException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The state that all openings of one device share, as openings of a CUDA device share its primary
 * context.
 */
final class PrimaryContext {
  private final Platform platform;
  private final DeviceProperties properties;
  private final DeviceSpace memory;
  private final StreamTable streams;
  private final ModuleTable modules;
  private final Map<Long, LaunchableGraph> graphs = new HashMap<>();
  private final Captures captures = new Captures();
  private final Timing timing;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Set<OpQueue> busy = new LinkedHashSet<>();

  /**
   * How often access to the memory of each other device was enabled. Guarded by the platform's
   * lock.
   */
  private final Map<PrimaryContext, Integer> reach = new HashMap<>();

  /** The program's name for the device, or null. */
  private @Nullable String name;

  private int openings;

  /** How many streams were made. */
  private int ordinals;

  /** How many pools of the program's own there are; guarded by the platform's lock. */
  private int pools;

  private int running;
  private boolean closing;
  private @Nullable Throwable lostBy;
  private @Nullable String lostIn;

  PrimaryContext(Platform platform, DeviceProperties properties) {
    this.platform = platform;
    this.properties = properties;
    this.memory = new DeviceSpace(properties.ordinal(), properties.totalBytes());
    this.streams = new StreamTable(this);
    this.modules = new ModuleTable(this);
    this.timing = new Timing(platform, properties);
  }

  Platform platform() {
    return platform;
  }

  DeviceProperties properties() {
    return properties;
  }

  int ordinal() {
    return properties.ordinal();
  }

  /** {@return the device's name in messages; guarded by the platform's lock} */
  String name() {
    String given = name;
    return given == null ? "virtual device " + ordinal() : given;
  }

  /** Names the device, unless another opening of the same device has named it. */
  void setName(String given) {
    if (name == null) {
      name = given;
    }
  }

  DeviceSpace memory() {
    return memory;
  }

  StreamTable streams() {
    return streams;
  }

  ModuleTable modules() {
    return modules;
  }

  /** {@return the captures of streams} */
  Captures captures() {
    return captures;
  }

  /** {@return the graphs that can be launched, by handle} */
  Map<Long, LaunchableGraph> graphs() {
    return graphs;
  }

  /** Notes that a pool was made, or destroyed. */
  void countPool(int more) {
    pools += more;
  }

  Timing timing() {
    return timing;
  }

  List<Runnable> listeners() {
    return listeners;
  }

  /** {@return the streams that hold operations, in the order in which they became busy} */
  Set<OpQueue> busy() {
    return busy;
  }

  /** {@return how often access to the memory of each other device was enabled} */
  Map<PrimaryContext, Integer> reach() {
    return reach;
  }

  /** {@return whether copies and kernels of this device may access another device's memory} */
  boolean reaches(PrimaryContext other) {
    return other == this || reach.containsKey(other);
  }

  boolean isLost() {
    return lostIn != null;
  }

  /**
   * {@return whether operations may still run; if not, they are only removed from their streams}
   */
  boolean isRunningWork() {
    return lostIn == null && !closing;
  }

  /** Throws if the device is lost. */
  void checkAlive(String call) {
    String where = lostIn;
    if (where != null) {
      RuntimeException lost =
          result(lostBy).lost(call, "%s, in the %s".formatted(finding(lostBy), where));
      if (lostBy != null) {
        lost.addSuppressed(lostBy);
      }
      throw lost;
    }
  }

  /** {@return the result that CUDA would report} */
  private static CudaResult result(@Nullable Throwable lostBy) {
    Throwable cause = lostBy;
    while (cause instanceof IllegalStateException && cause.getCause() != null) {
      cause = cause.getCause(); // each layer that ran the kernel has wrapped the cause
    }
    return switch (cause) {
      case IndexOutOfBoundsException _, DriverException _ -> CudaResult.ILLEGAL_ADDRESS;
      case IllegalArgumentException _ -> CudaResult.MISALIGNED_ADDRESS;
      case AssertionError _ -> CudaResult.ASSERT;
      case null, default -> CudaResult.LAUNCH_FAILED;
    };
  }

  private static String finding(@Nullable Throwable lostBy) {
    Throwable root = lostBy;
    while (root != null
        && root.getCause() != null
        && root.getCause().toString().equals(root.getMessage())) {
      root = root.getCause(); // the outer exceptions add nothing
    }
    String message = root == null ? null : root.getMessage();
    return message == null ? "it failed by " + root : message;
  }

  /** Notes that an operation of the context begins to run. */
  void enter(StreamOp op) {
    op.running = true;
    running++;
  }

  /** Notes that a piece of an operation has run, and others follow. */
  void pause(StreamOp op) {
    op.running = false;
    running--;
  }

  /** Notes that an operation has run. */
  void leave(StreamOp op, @Nullable Throwable failure) {
    pause(op);
    if (failure != null) {
      lose(op, failure);
    }
    if (op.done) {
      // The operation was dropped while it ran.
      op.discard();
      platform.changed().signalAll();
    } else {
      platform.order().complete(op);
    }
  }

  private void lose(StreamOp op, Throwable failure) {
    if (lostIn == null) {
      lostIn = op.describe() + op.stream().where();
      lostBy = failure;
      platform.order().drop(this);
      platform.scheduler().lost(this);
    }
  }

  /** {@return the place of a new stream among all} */
  int nextOrdinal() {
    return ordinals++;
  }

  void open() {
    openings++;
  }

  /** {@return whether that was the last opening} */
  boolean close() {
    openings--;
    return openings == 0;
  }

  /** Drops enqueued operations, waits for running ones, and frees all remaining resources. */
  void destroy() {
    closing = true;
    reach.clear();
    for (PrimaryContext other : platform.contexts()) {
      if (other != null) {
        other.reach.remove(this);
      }
    }
    platform.order().drop(this);
    platform.scheduler().await("cuDevicePrimaryCtxRelease", () -> running == 0);
    platform.scheduler().close(this);
    platform.events().values().removeIf(event -> event.context() == this);
    streams.clear();
    modules.clear();
    graphs.clear();
    memory.freeAll();
    platform.hostSpace().freeAll(this);
  }

  /** {@return counts of the resources that are held} */
  LiveCounts live() {
    int events = (int) platform.events().values().stream().filter(e -> e.context() == this).count();
    return new LiveCounts(
        openings,
        memory.count(),
        platform.hostSpace().count(this, false),
        platform.hostSpace().count(this, true),
        streams.count(),
        events,
        modules.count(),
        graphs.size(),
        pools);
  }
}
