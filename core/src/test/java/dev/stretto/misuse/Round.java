package dev.stretto.misuse;

import dev.stretto.Device;
import dev.stretto.collective.Communicator;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.virtual.LiveCounts;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Some calls on one machine, which is closed afterwards and has to hold nothing then. */
final class Round {
  private static final String[] MACHINES = {
    "h200,memory=67108864,pinned=268435456",
    "h200x2,memory=67108864,pinned=268435456",
    "h200x2,seed=%d,memory=67108864,pinned=268435456",
    "h200,seed=%d,memory=67108864,pinned=268435456",
    "h200,seed=%d,queue=2,memory=67108864,pinned=268435456",
    "h200x2,queue=4,memory=67108864,pinned=268435456",
    "a100x2,no-peer,seed=%d,queue=8,memory=67108864,pinned=1048576",
    "h200,memory=262144,pinned=65536",
    "h200x2,seed=%d,memory=1048576,pinned=131072",
    "rtx4090,threads=1,queue=3,memory=8388608,pinned=1048576",
  };

  private final PublicCalls calls;
  private final Findings findings;
  private final Watchdog watchdog;
  private final long seed;
  private final String words;
  private final VirtualDriver driver;
  private final Holdings holdings = new Holdings();
  private final HostMemories memories = new HostMemories();

  Round(PublicCalls calls, Findings findings, Watchdog watchdog, long seed) {
    this.calls = calls;
    this.findings = findings;
    this.watchdog = watchdog;
    this.seed = seed;
    this.words = MACHINES[(int) (seed % MACHINES.length)].formatted(seed);
    this.driver = new VirtualDriver(VirtualConfig.parse(words));
  }

  /** Makes the calls, from one thread or several. */
  void run(int count) {
    Random random = new Random(seed);
    int threads = seed % 4 == 3 ? 3 : 1;
    for (Device device : Device.openAll(driver)) {
      holdings.add(device, random);
      // With more ranks, what is called on one would wait for calls of another that never come.
      holdings.add(Communicator.awaitPeers(Communicator.id(), 0, 1, device), random);
    }
    VirtualDriver other =
        new VirtualDriver(VirtualConfig.parse("a100,memory=1048576,pinned=67108864"));
    holdings.add(Device.openAll(other).getFirst(), random);
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Random ofThread = new Random(random.nextLong());
      others.add(Thread.ofPlatform().daemon().start(() -> calls(count / threads, ofThread, true)));
    }
    MisuseThread mine = calls(count / threads, random, threads > 1);
    for (Thread thread : others) {
      join(thread);
    }
    close(mine, random);
    awaitNothingHeld(driver, words, mine);
    awaitNothingHeld(other, "the other driver", mine);
    memories.close();
  }

  private MisuseThread calls(int count, Random random, boolean shared) {
    MisuseThread thread = new MisuseThread(calls, holdings, memories, findings, watchdog, seed);
    for (int i = 0; i < count; i++) {
      thread.call(random);
      if (i % 40 == 39) {
        Device device = thread.values().device(random);
        if (device == null) {
          return thread;
        }
        right(device, thread, random, shared);
      }
    }
    return thread;
  }

  private void right(Device device, MisuseThread thread, Random random, boolean shared) {
    Watchdog.Running running = watchdog.begin("a right program", seed, thread::history);
    try {
      device.pinnedBudget(256 << 20); // calls have set it to anything
      RightPrograms.run(device, random);
      findings.right.incrementAndGet();
    } catch (OutOfDeviceMemoryException | PinnedBudgetException _) {
      findings.withoutMemory.incrementAndGet();
    } catch (AwaitInterruptedException _) {
      findings.interrupted
          .incrementAndGet(); // by the program's own code, which runs on this thread
    } catch (RuntimeException | AssertionError e) {
      boolean gone = !device.isOpen() || device.isLost();
      if (!running.interrupted && !(gone && e instanceof RuntimeException)) {
        StringWriter stack = new StringWriter();
        e.printStackTrace(new PrintWriter(stack));
        findings.add(
            "a right program failed: " + e.getClass() + " " + firstOf(e, shared),
            "seed "
                + seed
                + " on "
                + words
                + ", device "
                + device
                + (gone ? ", closed or lost" : "")
                + "\n"
                + stack
                + thread.history());
      }
    } finally {
      watchdog.end(running);
      Thread.interrupted();
    }
  }

  private static String firstOf(Throwable e, boolean shared) {
    String message = String.valueOf(e.getMessage()).replaceAll("[0-9]+", "#");
    return message.substring(0, Math.min(60, message.length())) + (shared ? " (threads)" : "");
  }

  private void close(MisuseThread thread, Random random) {
    List<AutoCloseable> all = holdings.takeAll();
    List<AutoCloseable> devices = new ArrayList<>(all);
    devices.removeIf(resource -> !(resource instanceof Device));
    all.removeAll(devices);
    Collections.shuffle(all, random);
    for (AutoCloseable resource : all) {
      thread.close(resource, random);
    }
    for (AutoCloseable device : devices) {
      thread.close(device, random);
    }
    for (AutoCloseable late : holdings.takeAll()) {
      thread.close(late, random);
    }
  }

  private void awaitNothingHeld(VirtualDriver of, String name, MisuseThread thread) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    for (int ordinal = 0; ordinal < of.deviceCount(); ordinal++) {
      while (!of.live(ordinal).equals(LiveCounts.NONE)) {
        if (System.nanoTime() > deadline) {
          findings.add(
              "held after closing: " + of.live(ordinal),
              "seed %d, device %d of %s%s%s"
                  .formatted(seed, ordinal, name, stall(of, ordinal), thread.history()));
          return;
        }
        if (!name.contains("seed=")) {
          LockSupport.parkNanos(1_000_000);
          continue;
        }
        try (DriverDevice opening = of.open(ordinal)) {
          opening.cooperation().orElseThrow().step();
        } catch (DriverException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  /** {@return what is enqueued still, and what it waits for} */
  private static String stall(VirtualDriver of, int ordinal) {
    try (DriverDevice opening = of.open(ordinal)) {
      return opening.cooperation().map(steps -> "\n" + steps.describeStall()).orElse("");
    } catch (DriverException e) {
      return "\n" + e;
    }
  }

  @SuppressWarnings("InterruptedInCatchBlock") // the interrupt is meant for nobody here
  private static void join(Thread thread) {
    boolean joined = false;
    while (!joined) {
      try {
        thread.join();
        joined = true;
      } catch (InterruptedException _) {
        Thread.interrupted(); // a program's code that interrupts does so late, too
      }
    }
  }
}
