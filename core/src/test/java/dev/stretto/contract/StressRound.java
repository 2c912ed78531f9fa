package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.StrettoException;
import dev.stretto.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Some threads on devices that everybody looks at, until all of them have done their work. In some
 * rounds a device is lost in the middle, or closed: then operations may be refused, and nothing may
 * stand still.
 */
final class StressRound {
  private static final int THREADS = 5;
  private static final int OPERATIONS = 150;
  private static final int SEEDED_OPERATIONS = 60;

  /** What happens in the middle. */
  enum Blow {
    /** Nothing: everything has to succeed. */
    NONE,
    /** A kernel faults. */
    FAULT,
    /** A call of the driver says that the device is lost. */
    FAILED_CALL,
    /** The program closes a device. */
    CLOSE
  }

  /** Loses one device at the next call of it, once it is armed. */
  private static final class Losing extends DriverTap {
    private static final int NONE = -1;
    private volatile int lost = NONE;

    Losing(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {}

    @Override
    void before(Call call, DeviceTap device) {
      if (call != Call.CLOSE && device.properties().ordinal() == lost) {
        throw new DriverException(Kind.LOST, 700, "injected into " + call);
      }
    }
  }

  private final Machine machine;
  private final long seed;
  private final StressTally tally;
  private final Random random;
  private final Blow blow;
  private final Object monitor = new Object();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private Losing driver;

  /** Set before the blow falls. */
  private volatile boolean mayFail;

  StressRound(Machine machine, long seed, StressTally tally) {
    this.machine = machine;
    this.seed = seed;
    this.tally = tally;
    this.random = new Random(seed);
    Blow[] blows = Blow.values();
    Blow drawn = blows[(int) (seed % blows.length)];
    // A GPU that has faulted is gone for the process.
    this.blow = drawn == Blow.FAULT && !machine.isVirtual() ? Blow.NONE : drawn;
  }

  /** Runs it. */
  void run() throws Exception {
    try (Machine.Opened opened = machine.openPair(behind -> driver = new Losing(behind))) {
      List<Device> devices = twoOf(opened);
      int recorded = (int) (seed % 2);
      StressTimelines timelines = new StressTimelines(devices.get(recorded));
      try (Diagnosis diagnosis = Diagnosis.of(devices);
          StressTimelines _ = timelines;
          AutoCloseable _ = observe(devices.get(1 - recorded))) {
        List<StressWorker> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Device mine = devices.get(i % devices.size());
          Device other = devices.get((i + 1) % devices.size());
          workers.add(new StressWorker(this, mine, other, diagnosis, timelines, random.nextLong()));
        }
        run(workers, devices);
        tally.findings(diagnosis.findings().size());
        tally.spans(timelines.spans());
      } finally {
        devices.stream().filter(Device::isOpen).forEach(Device::close);
      }
    }
    tally.count("rounds of " + blow);
    Throwable failure = failures.poll();
    if (failure != null) {
      throw new AssertionError("round %d on %s, %s".formatted(seed, machine, blow), failure);
    }
  }

  /**
   * Two devices, since each can have one observer: beside the only GPU of a machine a virtual one.
   */
  private List<Device> twoOf(Machine.Opened opened) {
    return opened.devices().size() > 1
        ? opened.devices().subList(0, 2)
        : List.of(opened.device(), Device.open("virtual"));
  }

  /** What a program does in an observer: it takes a lock of its own, and lets go of the events. */
  private AutoCloseable observe(Device device) {
    return device.observe(
        operation -> {
          synchronized (monitor) {
            tally.observed();
          }
          operation.begin().close();
          operation.end().close();
        });
  }

  private void run(List<StressWorker> workers, List<Device> devices) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      threads.add(builder.name("stress-" + i).start(workers.get(i)));
    }
    workers.getFirst().awaitHalf();
    strike(devices.get(random.nextInt(devices.size())));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void strike(Device device) {
    mayFail = blow != Blow.NONE;
    try {
      switch (blow) {
        case NONE -> {}
        case FAULT -> StressWorker.fault(device);
        case FAILED_CALL -> driver.lost = device.properties().ordinal();
        case CLOSE -> device.close();
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  // --- for the workers --------------------------------------------------------------------------

  int operations() {
    return machine.isSeeded() ? SEEDED_OPERATIONS : OPERATIONS;
  }

  /** {@return a lock that the observer takes too, and others while they enqueue} */
  Object monitor() {
    return monitor;
  }

  StressTally tally() {
    return tally;
  }

  /**
   * Something was thrown: that is right if it says that a device is lost or closed, and one is.
   *
   * @return whether the worker may go on
   */
  boolean isExpected(Throwable e) {
    // The segments of a closed device's pinned memory are dead as those of any arena.
    boolean typed = e instanceof StrettoException || e instanceof IllegalStateException;
    if (mayFail && typed) {
      tally.count("refused");
      return true;
    }
    failed(e);
    return false;
  }

  private void failed(Throwable e) {
    failures.add(e);
  }

  /** A timeline that is closed and begun anew while others read it. */
  static final class StressTimelines implements AutoCloseable {
    private static final int MOST = 5_000;

    private final Device device;
    private Timeline current;
    private boolean closed;
    private int spans;

    StressTimelines(Device device) {
      this.device = device;
      this.current = Timeline.record(device, MOST);
    }

    /** {@return the one that records now} */
    synchronized Timeline current() {
      return current;
    }

    /** Ends one and begins the next. */
    synchronized void renew() {
      if (!closed) {
        current.close();
        spans += current.spans().size();
        current = Timeline.record(device, MOST);
      }
    }

    synchronized int spans() {
      return spans + current.spans().size();
    }

    @Override
    public synchronized void close() {
      closed = true;
      current.close();
    }
  }
}
