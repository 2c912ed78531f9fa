package dev.stretto.driver.virtual;

import dev.stretto.settings.OrderMode;
import dev.stretto.settings.Settings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state that all devices of a virtual driver share. They share a lock because streams wait for
 * events of other devices, and a scheduler because a seed picks among the operations of all
 * devices.
 */
final class Platform {
  /** The most places of which it is kept when a stream last wrote a number there. */
  private static final int MOST_WRITTEN = 1 << 10;

  private final VirtualConfig config;
  private final DeviceModel model;
  private final ModelClock clock;
  private final HostSpace hostSpace;
  private final Scheduler scheduler;
  private final StreamOrder order;
  private final Agenda agenda = new Agenda();
  private final boolean watchesKernels;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final StreamNames streamNames = new StreamNames();
  private final Map<Long, Event> events = new HashMap<>();

  /** When streams last wrote numbers on the modelled devices, by address. */
  private final Map<Long, Moment> written =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Moment> eldest) {
          return size() > MOST_WRITTEN;
        }
      };

  /** The devices that are open now, by ordinal. */
  private final @Nullable PrimaryContext[] contexts;

  /** Far from small numbers, so that a handle is never mistaken for an ordinal or a count. */
  private long lastHandle = 0x5_7000;

  Platform(VirtualConfig config, @Nullable List<Choice> replayed) {
    this.config = config;
    this.model = config.host().of(config.profile().model());
    this.clock = new ModelClock(model, this::hasPassed);
    this.hostSpace = new HostSpace(config.pinned());
    this.scheduler =
        config.seed().isPresent()
            ? new SeededScheduler(this, config, replayed)
            : new ThreadScheduler(this);
    this.order = new StreamOrder(this);
    this.watchesKernels = config.order().orElseGet(Settings.ORDER::value) == OrderMode.CHECKED;
    this.contexts = new PrimaryContext[config.devices()];
  }

  /** {@return the devices that are open now, by ordinal; guarded by the lock} */
  @Nullable PrimaryContext[] contexts() {
    return contexts;
  }

  /** When streams last wrote numbers, by address; guarded by the lock. */
  Map<Long, Moment> written() {
    return written;
  }

  /** {@return the open device in whose space an address lies, or null} */
  @Nullable PrimaryContext owner(long address) {
    int ordinal = DeviceSpace.ordinal(address);
    return ordinal >= 0 && ordinal < contexts.length ? contexts[ordinal] : null;
  }

  /** {@return whether all blocks of all kernels are watched for races} */
  boolean watchesKernels() {
    return watchesKernels;
  }

  VirtualConfig config() {
    return config;
  }

  /** {@return the speed of the devices and their host} */
  DeviceModel model() {
    return model;
  }

  /** {@return the names of streams in traces} */
  StreamNames streamNames() {
    return streamNames;
  }

  ModelClock clock() {
    return clock;
  }

  HostSpace hostSpace() {
    return hostSpace;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** {@return the operations whose modelled times are not fixed; guarded by the lock} */
  Agenda agenda() {
    return agenda;
  }

  StreamOrder order() {
    return order;
  }

  /** {@return the lock that guards streams, events and operations of every device} */
  ReentrantLock lock() {
    return lock;
  }

  /** {@return the condition that is signalled whenever an operation is done} */
  Condition changed() {
    return changed;
  }

  /**
   * {@return the events of all devices by handle, because a stream may wait for an event of another
   * device}
   */
  Map<Long, Event> events() {
    return events;
  }

  /** Whether an event has happened by a time; called without the lock. */
  private boolean hasPassed(long event, long nanos) {
    lock.lock();
    try {
      Event known = events.get(event);
      RecordOp recording = known == null ? null : known.recording();
      return recording == null || agenda.isOverBy(recording.moment(), nanos);
    } finally {
      lock.unlock();
    }
  }

  long nextHandle() {
    lastHandle += 0x10;
    return lastHandle;
  }
}
