package dev.stretto.contract;

import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.GraphWork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls of the driver by the lines that make them, makes one of them fail, and keeps book of
 * what is acquired and given back. A call that fails is not made; but one that gives something back
 * is, where time is real: what it is of could not be told from a leak.
 */
final class CallSites extends DriverTap {
  /** So many lines of Stretto tell one call from another. */
  private static final int FRAMES = Integer.getInteger("stretto.faults.frames", 3);

  private static final StackWalker STACK = StackWalker.getInstance();

  /** A line, and which call it makes. */
  record Site(Call call, String lines) {}

  private static final String STREAM = "stream 0x";

  private final @Nullable FailingSite failing;
  private final Map<Site, Integer> counts = new LinkedHashMap<>();
  private final Map<DriverDevice, TreeSet<String>> held = new LinkedHashMap<>();
  private final List<String> left = new ArrayList<>();
  private boolean armed;
  private int open;
  private @Nullable DriverDevice failed;
  private @Nullable DriverException thrown;

  /** Stands before a driver; fails nothing before {@link #arm()}, and without a site never. */
  CallSites(Driver driver, @Nullable FailingSite failing) {
    super(driver);
    this.failing = failing;
  }

  /** From now on the calls are counted. */
  synchronized void arm() {
    armed = true;
  }

  /** {@return whether a call was made to fail} */
  synchronized boolean hasFailed() {
    return failed != null;
  }

  /** {@return where the failing call was made: a line of Stretto's, and all that led to it} */
  synchronized List<StackTraceElement> place() {
    return thrown == null ? List.of() : List.of(thrown.getStackTrace());
  }

  /** {@return how often each line has called} */
  synchronized Map<Site, Integer> counts() {
    return new LinkedHashMap<>(counts);
  }

  /** {@return how many devices were not let go of yet} */
  synchronized int open() {
    return open;
  }

  /** {@return what was not given back, nor was tried to, before its device was let go of} */
  synchronized List<String> left() {
    return List.copyOf(left);
  }

  @Override
  void before(Call call) {}

  @Override
  synchronized void before(Call call, DeviceTap tap) {
    if (!armed) {
      return;
    }
    if (failing != null && failing.kind() == Kind.LOST && tap.device.equals(failed)) {
      if (call != Call.CLOSE) {
        throw failing.error();
      }
      return;
    }
    Site site = new Site(call, site());
    int count = counts.merge(site, 1, Integer::sum);
    if (failing != null
        && failed == null
        && failing.call() == call
        && failing.occurrence() == count
        && failing.site().equals(site.lines())) {
      failed = tap.device;
      thrown = failing.error();
      if (failing.kind() == Kind.LOST) {
        held.keySet().forEach(this::settle);
      }
      throw thrown;
    }
  }

  /**
   * On a device that is lost nothing is under way any more. On a real one that is only said to be,
   * what is under way has to end first, before the memory goes that it uses.
   */
  private void settle(DriverDevice device) {
    if (device.clock().isModelled()) {
      return;
    }
    List<Long> streams = new ArrayList<>(List.of(DriverDevice.LEGACY_STREAM));
    held.get(device).stream()
        .filter(each -> each.startsWith(STREAM))
        .map(each -> Long.parseUnsignedLong(each.substring(STREAM.length()), 16))
        .forEach(streams::add);
    for (long stream : streams) {
      try {
        long event = device.createEvent(false);
        device.recordEvent(event, stream);
        device.awaitEvent(event);
        device.destroyEvent(event);
      } catch (DriverException e) {
        return; // it is closed
      }
    }
  }

  private static String site() {
    return STACK.walk(
        frames ->
            frames
                .filter(frame -> isOurs(frame.getClassName()))
                .limit(FRAMES)
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .collect(Collectors.joining(" < ")));
  }

  private static boolean isOurs(String name) {
    return name.startsWith("dev.stretto.")
        && !name.startsWith("dev.stretto.contract.")
        && !name.startsWith("dev.stretto.driver.");
  }

  @Override
  synchronized DeviceTap tap(DriverDevice device) {
    open++;
    held.put(device, new TreeSet<>());
    return new Book(device);
  }

  @SuppressWarnings("ReferenceEquality") // this very error, not one like it
  private synchronized boolean isInjected(DriverException e) {
    return e == thrown;
  }

  private synchronized long acquired(DriverDevice device, String what, long handle) {
    held.get(device).add(what + " 0x" + Long.toHexString(handle));
    return handle;
  }

  private synchronized void given(DriverDevice device, String what, long handle) {
    held.get(device).remove(what + " 0x" + Long.toHexString(handle));
  }

  private static String access(DriverDevice peer) {
    return "access 0x" + Long.toHexString(peer.properties().ordinal());
  }

  private synchronized void closed(DriverDevice device) {
    boolean lost = failing != null && failing.kind() == Kind.LOST && failed != null;
    if (!lost || !device.equals(failed)) { // what a lost device holds goes with it
      String access = lost ? access(failed) : "none";
      held.get(device).stream()
          .filter(each -> !each.equals(access))
          .map(each -> each + " of device " + device.properties().ordinal())
          .forEach(left::add);
    }
    open--;
  }

  /** Writes down what is acquired, and strikes off what is given back, though that may fail. */
  private final class Book extends DeviceTap {
    Book(DriverDevice device) {
      super(device);
    }

    private void giveBack(Runnable call, Runnable really) {
      try {
        call.run();
      } catch (DriverException e) {
        if (isInjected(e) && e.kind() != Kind.LOST && !device.clock().isModelled()) {
          really.run();
        }
        throw e;
      }
    }

    @Override
    public long allocate(long bytes) {
      return acquired(device, "memory", super.allocate(bytes));
    }

    @Override
    public long allocate(long bytes, long pool) {
      return acquired(device, "memory", super.allocate(bytes, pool));
    }

    @Override
    public long allocateAsync(long bytes, long pool, long stream) {
      return acquired(device, "memory", super.allocateAsync(bytes, pool, stream));
    }

    @Override
    public long createPool(long maxBytes) {
      return acquired(device, "pool", super.createPool(maxBytes));
    }

    @Override
    public void destroyPool(long pool) {
      given(device, "pool", pool);
      giveBack(() -> super.destroyPool(pool), () -> device.destroyPool(pool));
    }

    @Override
    public void free(long address) {
      given(device, "memory", address);
      giveBack(() -> super.free(address), () -> device.free(address));
    }

    @Override
    public void freeAsync(long address, long stream) {
      given(device, "memory", address);
      giveBack(() -> super.freeAsync(address, stream), () -> device.freeAsync(address, stream));
    }

    @Override
    public long allocateWriteCombined(long bytes) {
      return acquired(device, "pinned", super.allocateWriteCombined(bytes));
    }

    @Override
    public long allocatePinned(long bytes) {
      return acquired(device, "pinned", super.allocatePinned(bytes));
    }

    @Override
    public void freePinned(long address) {
      given(device, "pinned", address);
      giveBack(() -> super.freePinned(address), () -> device.freePinned(address));
    }

    @Override
    public void registerHost(long address, long bytes) {
      super.registerHost(address, bytes);
      long _ = acquired(device, "registered", address);
    }

    @Override
    public void registerReadOnly(long address, long bytes) {
      super.registerReadOnly(address, bytes);
      long _ = acquired(device, "registered", address);
    }

    @Override
    public void unregisterHost(long address) {
      given(device, "registered", address);
      giveBack(() -> super.unregisterHost(address), () -> device.unregisterHost(address));
    }

    @Override
    public long createStream(int priority) {
      return acquired(device, "stream", super.createStream(priority));
    }

    @Override
    public void destroyStream(long stream) {
      given(device, "stream", stream);
      giveBack(() -> super.destroyStream(stream), () -> device.destroyStream(stream));
    }

    @Override
    public long createEvent(boolean timed) {
      return acquired(device, "event", super.createEvent(timed));
    }

    @Override
    public void destroyEvent(long event) {
      given(device, "event", event);
      giveBack(() -> super.destroyEvent(event), () -> device.destroyEvent(event));
    }

    @Override
    public long loadModule(byte[] image) {
      return acquired(device, "module", super.loadModule(image));
    }

    @Override
    public void unloadModule(long module) {
      given(device, "module", module);
      giveBack(() -> super.unloadModule(module), () -> device.unloadModule(module));
    }

    @Override
    public long createGraph(dev.stretto.driver.GraphPlan plan) {
      return acquired(device, "graph", super.createGraph(plan));
    }

    @Override
    public GraphWork.Captured capture(LongConsumer work) {
      GraphWork.Captured captured = super.capture(work);
      long _ = acquired(device, "captured work", captured.handle());
      return captured;
    }

    @Override
    public void destroyCaptured(GraphWork.Captured captured) {
      given(device, "captured work", captured.handle());
      giveBack(() -> super.destroyCaptured(captured), () -> device.destroyCaptured(captured));
    }

    @Override
    public void destroyGraph(long graph) {
      given(device, "graph", graph);
      giveBack(() -> super.destroyGraph(graph), () -> device.destroyGraph(graph));
    }

    @Override
    public void enablePeerAccess(DriverDevice peer) {
      super.enablePeerAccess(peer);
      long _ = acquired(device, "access", peer.properties().ordinal());
    }

    @Override
    public void disablePeerAccess(DriverDevice peer) {
      given(device, "access", peer.properties().ordinal());
      giveBack(() -> super.disablePeerAccess(peer), () -> device.disablePeerAccess(untapped(peer)));
    }

    @Override
    public void close() {
      closed(device);
      giveBack(() -> super.close(), () -> device.close());
    }
  }
}
