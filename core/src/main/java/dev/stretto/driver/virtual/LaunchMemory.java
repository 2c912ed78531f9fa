package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Device memory as one launch sees it. Memory that the launch has accessed stays until the launch
 * ends, even if it is freed meanwhile.
 */
final class LaunchMemory implements KernelTwin.DeviceMemory, AutoCloseable {
  private final PrimaryContext context;
  private final String kernel;
  private final Residency room;
  private final LaunchWaits waits;
  private final long beginNanos;
  private final Queue<Backing> held = new ConcurrentLinkedQueue<>();
  private final Map<Backing, HostWindow> windows = new ConcurrentHashMap<>();

  /**
   * Creates the memory.
   *
   * @param waits gets how long clusters wait by the timer
   * @param beginNanos when the launch begins at the earliest
   */
  LaunchMemory(
      PrimaryContext context, String kernel, Residency room, LaunchWaits waits, long beginNanos) {
    this.waits = waits;
    this.beginNanos = beginNanos;
    this.context = context;
    this.room = room;
    this.kernel = kernel;
  }

  @Override
  public MemorySegment at(long address) {
    Backing backing = Reached.at(context, "kernel " + kernel, address);
    held.add(backing);
    long offset = address - backing.address();
    HostWindow window = window(backing);
    return window == null
        ? backing.read(offset, backing.bytes() - offset)
        : window.seen().asSlice(offset);
  }

  /** On a seeded device, a launch sees the host's memory as late as CUDA allows. */
  private @Nullable HostWindow window(Backing backing) {
    return backing instanceof HostRange && context.platform().config().seed().isPresent()
        ? windows.computeIfAbsent(backing, pinned -> new HostWindow(pinned.read(0, pinned.bytes())))
        : null;
  }

  @Override
  public Optional<KernelTwin.HostWindow> window(long address) {
    return windows.entrySet().stream()
        .filter(entry -> entry.getKey().holds(address, 1))
        .findFirst()
        .map(entry -> entry.getValue().from(address - entry.getKey().address()));
  }

  @Override
  public boolean hasWindows() {
    return !windows.isEmpty();
  }

  @Override
  public void fenceSystem() {
    windows.values().forEach(HostWindow::publish);
    windows.values().forEach(HostWindow::update);
  }

  @Override
  public boolean admit() {
    return room.admit();
  }

  @Override
  public void dismiss() {
    room.dismiss();
  }

  @Override
  public MemorySegment meeting() {
    return room.meeting();
  }

  @Override
  public long beginNanos() {
    return beginNanos;
  }

  @Override
  public long clockKilohertz() {
    return context.properties().clockKilohertz();
  }

  @Override
  public void waited(long cluster, long nanos) {
    waits.add(cluster, nanos);
  }

  @Override
  public void close() {
    windows.values().forEach(HostWindow::publish);
    windows.clear();
    held.forEach(Backing::release);
    held.clear();
  }
}
