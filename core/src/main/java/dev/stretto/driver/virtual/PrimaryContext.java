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
 * What all openings of one device share, as openings of a CUDA device share its primary context.
 */
final class PrimaryContext {
  private final Platform platform;
  private final DeviceProperties properties;
  private final DeviceSpace memory;
  private final StreamTable streams;
  private final ModuleTable modules;
  private final Map<Long, LaunchableGraph> graphs = new HashMap<>();
  private final Timing timing;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Set<OpQueue> busy = new LinkedHashSet<>();

  /** How often access was enabled to the memory of others. Guarded by the platform's lock. */
  private final Map<PrimaryContext, Integer> reach = new HashMap<>();

  /** What the program calls the device, or null if it has not said so. */
  private @Nullable String name;

  private int openings;
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

  /** {@return what messages call the device; guarded by the platform's lock} */
  String name() {
    String given = name;
    return given == null ? "virtual device " + ordinal() : given;
  }

  /** Names the device, unless another opening has named it: it is one device. */
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

  /** {@return the graphs that can be launched, by handle} */
  Map<Long, LaunchableGraph> graphs() {
    return graphs;
  }

  Timing timing() {
    return timing;
  }

  List<Runnable> listeners() {
    return listeners;
  }

  /** {@return the streams that hold something, in the order in which they began to} */
  Set<OpQueue> busy() {
    return busy;
  }

  /** {@return how often access was enabled to the memory of others} */
  Map<PrimaryContext, Integer> reach() {
    return reach;
  }

  /** {@return whether copies and kernels of this device may address another's memory} */
  boolean reaches(PrimaryContext other) {
    return other == this || reach.containsKey(other);
  }

  boolean isLost() {
    return lostIn != null;
  }

  /**
   * {@return whether operations may still run; otherwise they are only taken out of their streams}
   */
  boolean isRunningWork() {
    return lostIn == null && !closing;
  }

  /** Refuses every call that a lost device refuses. */
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

  /** What CUDA would say of it. */
  private static CudaResult result(@Nullable Throwable lostBy) {
    Throwable cause = lostBy;
    while (cause instanceof IllegalStateException && cause.getCause() != null) {
      cause = cause.getCause(); // what ran it has said where, and who ran that in parallel, again
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
      root = root.getCause(); // the one around it says nothing more
    }
    String message = root == null ? null : root.getMessage();
    return message == null ? "it failed by " + root : message;
  }

  /** One of the context's operations begins to run. */
  void enter(Op op) {
    op.running = true;
    running++;
  }

  /** A piece of an operation has run, and others are to follow. */
  void pause(Op op) {
    op.running = false;
    running--;
  }

  /** An operation has run. */
  void leave(Op op, @Nullable Throwable failure) {
    pause(op);
    if (failure != null) {
      lose(op, failure);
    }
    if (op.done) {
      // It was dropped while it ran.
      op.discard();
      platform.changed().signalAll();
    } else {
      platform.order().complete(op);
    }
  }

  private void lose(Op op, Throwable failure) {
    if (lostIn == null) {
      lostIn = op.describe() + op.stream().where();
      lostBy = failure;
      platform.order().drop(this);
      platform.scheduler().lost(this);
    }
  }

  void open() {
    openings++;
  }

  /** {@return whether that was the last one} */
  boolean close() {
    openings--;
    return openings == 0;
  }

  /** Drops what is enqueued, waits for what is running, and frees what is left. */
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

  /** {@return what is held} */
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
        graphs.size());
  }
}
