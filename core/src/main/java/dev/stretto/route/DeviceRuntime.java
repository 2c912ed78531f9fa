package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.settings.OrderMode;
import dev.stretto.settings.Settings;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one opened device: its streams, the thread that polls them, the threads that copy
 * host memory, its pinned buffers, and all resources that are still to be released.
 */
public final class DeviceRuntime {
  private static final int THREADS_FOR_FINE_PIECES = 4;

  private final DeviceState device;
  final DriverLock lock;
  private final DeviceResources resources;
  private final CompletionPoller watch;
  private final DeviceStreams streams;
  private final Pinned pinned;
  private final Slots slots;
  private final @Nullable Feeders feeders;
  private final @Nullable Feeders fileFeeders;
  private final @Nullable Conversions conversions;
  private final SmallSlots smallSlots;
  private final LockedActions locked;
  private final FaultRecords faultRecords;
  private final boolean overlapsLaunches;
  private final Peers peers = new Peers(this);
  private final Set<Staged> transfers = new LinkedHashSet<>();
  private final List<Runnable> whenLost = new ArrayList<>(0);

  /** How many there are; read without the lock. */
  private volatile int moving;

  private final TimedEvents timedEvents;

  /**
   * Starts the engine of a device.
   *
   * @param driver the opened device; the engine closes it
   * @param open the devices of its driver
   * @param name the device's name, for messages and threads
   * @param order what is done about the order of its operations
   * @throws OutOfMemoryError if the process can have no thread to poll the device
   */
  public DeviceRuntime(DriverDevice driver, OpenDevices open, String name, OrderMode order) {
    this.device = new DeviceState(driver, open, name, order, new Parts());
    this.lock = device.lock;
    this.overlapsLaunches = !device.isVirtual() && Settings.LAUNCH_OVERLAP.value();
    this.resources = new DeviceResources(device);
    this.faultRecords = new FaultRecords(device);
    this.timedEvents = new TimedEvents(device);
    this.locked = new LockedActions(lock);
    this.watch = new CompletionPoller(device, locked);
    this.streams = new DeviceStreams(device, watch);
    JdkThreads.begin();
    this.pinned = new Pinned(device, resources, watch);
    this.slots = new Slots(device, pinned, locked);
    boolean isOrdered = driver.clock().isModelled() || driver.cooperation().isPresent();
    HostWork host = device.hostWork();
    this.feeders = isOrdered ? null : new Feeders(this, false, host.width());
    this.fileFeeders = isOrdered ? null : Feeders.ofFiles(this, host);
    this.conversions =
        isOrdered || !Settings.DEVICE_CONVERSION.value()
            ? null
            : new Conversions(device, streams::queues);
    this.smallSlots = new SmallSlots(device, pinned);
    watch.begin();
    open.add(device);
  }

  /** The connection from the device's state to the other parts. */
  private final class Parts implements DeviceState.Parts {
    @Override
    public void wake() {
      watch.wake();
    }

    @Override
    public String finding() {
      return new Suspects(streams.queues()).tell(faultRecords.report());
    }

    @Override
    public List<String> holds() {
      return streams.describeHolds();
    }

    @Override
    public void abandon(List<Runnable> due, RuntimeException told) {
      streams.abandon(due);
      watch.watched().abandon(due);
      List.copyOf(transfers).forEach(transfer -> transfer.abandon(told));
      due.addAll(whenLost);
    }
  }

  /**
   * Runs an action if the device is lost from now on, unless it is {@linkplain #forget forgotten}.
   */
  void whenLost(Runnable action) {
    synchronized (device.lock) {
      whenLost.add(action);
    }
  }

  /** Undoes {@link #whenLost}. */
  void forget(Runnable action) {
    synchronized (device.lock) {
      whenLost.remove(action);
    }
  }

  // --- its parts
  // -------------------------------------------------------------------------------------------------------

  /** {@return the device's state} */
  public DeviceState device() {
    return device;
  }

  /** {@return the driver's device} */
  public DriverDevice driver() {
    return device.driver();
  }

  /** {@return the device's name, for messages} */
  public String name() {
    return device.name();
  }

  /** {@return the streams} */
  public DeviceStreams streams() {
    return streams;
  }

  /** {@return the thread that polls, or steps a seeded device} */
  public CompletionPoller watch() {
    return watch;
  }

  /** {@return the resources that are released with the device} */
  public DeviceResources resources() {
    return resources;
  }

  /** {@return the pinned host memory of this device's program} */
  public Pinned pinned() {
    return pinned;
  }

  /** {@return the staging buffers} */
  Slots slots() {
    return slots;
  }

  /**
   * {@return what feeds large copies to the device; null if everything happens in an order}
   *
   * @param withFiles whether the threads may have to wait for a disk
   */
  @Nullable Feeders feeders(boolean withFiles) {
    return withFiles ? fileFeeders : feeders;
  }

  /** {@return what has the device convert elements that feeders bring; null if the host does} */
  @Nullable Conversions conversions() {
    return conversions;
  }

  /** Releases what the feeders have. */
  void releaseFeeders() {
    if (feeders != null && fileFeeders != null) {
      feeders.release();
      fileFeeders.release();
    }
    if (conversions != null) {
      conversions.release();
    }
  }

  /** {@return runs what staged copies do with the driver's lock held} */
  LockedActions locked() {
    return locked;
  }

  SmallSlots smallSlots() {
    return smallSlots;
  }

  /** {@return the device's relations to other devices} */
  public Peers peers() {
    return peers;
  }

  /** {@return the events that know when they happened} */
  public TimedEvents timedEvents() {
    return timedEvents;
  }

  /** {@return where kernels report failed checks} */
  public FaultRecords faultRecords() {
    return faultRecords;
  }

  // --- staged copies in flight
  // -----------------------------------------------------------------------------------------

  /** Notes that a staged copy begins; it ends at the latest with the device. */
  void began(Staged transfer) {
    lock.assertHeld();
    transfers.add(transfer);
    moving = transfers.size();
  }

  void ended(Staged transfer) {
    lock.assertHeld();
    transfers.remove(transfer);
    moving = transfers.size();
  }

  /**
   * {@return how finely the next staged copy should be cut} A lone copy needs enough pieces to
   * occupy all host threads and the link. The more copies there are, the fewer are enough, and each
   * costs.
   *
   * @param toDevice its direction; a piece from the device also has to be asked for
   */
  Layout.Cut cut(boolean toDevice) {
    int alone = 2 * device.hostWork().width();
    long most = toDevice ? Slots.HALF_BYTES : Slots.SLOT_BYTES;
    if (driver().clock().isModelled()) {
      return new Layout.Cut(alone, Layout.Cut.LEAST, most);
    }
    boolean fine = toDevice && moving == 0 && device.hostWork().width() >= THREADS_FOR_FINE_PIECES;
    return new Layout.Cut(
        Math.max(1, alone / (1 + moving)), fine ? Layout.Cut.LEAST_ALONE : Layout.Cut.LEAST, most);
  }

  // --- state
  // ------------------------------------------------------------------------------------------------------------------

  /** {@return whether the device was lost} */
  public boolean isLost() {
    return device.isLost();
  }

  /** {@return whether the device was closed} */
  public boolean isClosed() {
    return device.isClosed();
  }

  /** {@return whether the device is a virtual one} */
  public boolean isVirtual() {
    return device.isVirtual();
  }

  /** {@return whether a kernel that waits itself may begin while the one before it ends} */
  public boolean overlapsLaunches() {
    return overlapsLaunches;
  }

  /** Refuses work on a device that is closed or lost. */
  public void requireUsable() {
    device.requireUsable();
  }

  /**
   * {@return the result of a driver call that is made outside the lock} The driver is not closed
   * meanwhile.
   *
   * @param body makes the call; a driver's exception is thrown as the exception that programs see
   */
  public <T> T call(Supplier<T> body) {
    return device.call(body);
  }

  /**
   * {@return the exception that a program sees for a driver's error} If the device is lost, all
   * waiting threads get an exception too.
   */
  public RuntimeException raised(DriverException e) {
    return device.raised(e);
  }

  /** {@return the record of what the program knows about the device's loss} */
  public Loss loss() {
    return device.loss();
  }

  /**
   * Ends the use of the device at once, and closes the driver's device after its last operation.
   * Does not block.
   *
   * @return false if it was closed before
   */
  public boolean close() {
    List<StreamQueue> open;
    List<Staged> moving;
    List<Arena> reachable;
    synchronized (lock) {
      if (!device.markClosed()) {
        return false;
      }
      open = streams.queues();
      moving = List.copyOf(transfers);
      reachable = resources.accesses();
    }
    new Closing(this).begin(open, moving, reachable);
    finishIfClosed();
    return true;
  }

  /**
   * Runs a closed seeded device to its end, because nobody will await anything of it any more. Call
   * this after closing anything that belongs to the device: it may have been the last thing that
   * closing the device waited for.
   */
  public void finishIfClosed() {
    device.finishIfClosed();
  }

  /** Runs a seeded device as far as it can go without the program. */
  public void bringToAnEnd() {
    device.bringToAnEnd();
  }
}
