package dev.stretto.jfr;

import dev.stretto.diagnosis.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** The entry to the Flight Recorder: asks whether an event is wanted, and writes it. */
public final class Flight {
  private static final boolean PRESENT = isPresent();

  private static final List<String> EVENTS =
      List.of(
          "dev.stretto.Copy",
          "dev.stretto.Launch",
          "dev.stretto.Wait",
          "dev.stretto.Allocation",
          "dev.stretto.Finding");

  private static final ReentrantLock LOADING = new ReentrantLock();

  /** Whether the classes of the events are loaded. */
  private static volatile boolean loaded;

  private Flight() {}

  /**
   * {@return whether the module of the Flight Recorder is there} Without it, the classes of the
   * events cannot be loaded.
   */
  private static boolean isPresent() {
    try {
      Class.forName("jdk.jfr.Event", false, Flight.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Records every event of Stretto, and what the JDK records by default, until the process ends.
   *
   * @param file what is written then
   * @throws IOException if the file cannot be written, or the module of the Flight Recorder is
   *     missing
   */
  public static void recordProcess(Path file) throws IOException {
    if (!PRESENT) {
      throw new IOException("the module jdk.jfr is not among the program's modules");
    }
    OfProcess.record(file);
  }

  /** Loaded only if the module is there. */
  private static final class OfProcess {
    private static void record(Path file) throws IOException {
      Recording recording;
      try {
        recording = new Recording(Configuration.getConfiguration("default"));
      } catch (ParseException e) {
        throw new IOException("the JDK's default settings cannot be read", e);
      }
      for (String event : EVENTS) {
        recording.enable(event).withoutThreshold();
      }
      recording.setName("stretto");
      recording.setDumpOnExit(true);
      recording.setDestination(file);
      recording.start();
    }
  }

  /** Loaded only if the module is there. */
  private static final class Probes {
    private static final CopyEvent COPY = new CopyEvent();
    private static final LaunchEvent LAUNCH = new LaunchEvent();
    private static final WaitEvent WAIT = new WaitEvent();
    private static final AllocationEvent ALLOCATION = new AllocationEvent();
    private static final FindingEvent FINDING = new FindingEvent();
  }

  /** {@return whether the process may be recorded} */
  public static boolean mayRecord() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /**
   * {@return whether the process may be recorded} Until then the classes of the events are not
   * loaded: that takes as long as thousands of copies.
   */
  private static boolean isOn() {
    return loaded || (mayRecord() && load());
  }

  /**
   * Loads the classes of the events. A virtual thread that loads a class, or waits for another one
   * to do so, pins its carrier; one that waits for a lock or for the end of a thread does not.
   */
  private static boolean load() {
    LOADING.lock();
    try {
      if (!loaded) {
        Thread.ofPlatform().name("stretto-recorder").start(Flight::loadProbes).join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      loadProbes();
    } catch (OutOfMemoryError e) {
      loadProbes(); // there can be no more threads
    } finally {
      loaded = true;
      LOADING.unlock();
    }
    return true;
  }

  private static void loadProbes() {
    boolean _ = Probes.COPY.isEnabled();
  }

  /** {@return whether a recording wants copies} */
  public static boolean wantsCopies() {
    return isOn() && Probes.COPY.isEnabled();
  }

  /** {@return whether a recording wants launches} */
  public static boolean wantsLaunches() {
    return isOn() && Probes.LAUNCH.isEnabled();
  }

  /** {@return whether a recording wants waits} */
  public static boolean wantsWaits() {
    return isOn() && Probes.WAIT.isEnabled();
  }

  /** {@return whether a recording wants allocations} */
  public static boolean wantsAllocations() {
    return isOn() && Probes.ALLOCATION.isEnabled();
  }

  /**
   * {@return a wait that begins now} Call it only if waits are wanted.
   *
   * @param place finds the line of the program at the end, if the wait was long enough to be
   *     written
   */
  public static Timed wait(
      String device,
      long stream,
      String streamName,
      long sequence,
      Supplier<@Nullable StackTraceElement> place) {
    WaitEvent event = new WaitEvent();
    event.device = device;
    event.stream = stream;
    event.streamName = streamName;
    event.sequence = sequence;
    event.begin();
    return done -> {
      event.end();
      if (event.shouldCommit()) {
        event.done = done;
        event.place = String.valueOf(place.get());
        event.commit();
      }
    };
  }

  /** {@return an allocation that begins now} Call it only if allocations are wanted. */
  public static Timed allocation(String device, String memory, long bytes) {
    AllocationEvent event = new AllocationEvent();
    event.device = device;
    event.memory = memory;
    event.bytes = bytes;
    event.begin();
    return _ -> event.commit();
  }

  /** An event that is written when it ends. */
  @FunctionalInterface
  public interface Timed {
    /**
     * Ends and writes the event.
     *
     * @param done whether the awaited work was done
     */
    void end(boolean done);
  }

  /** {@return whether a recording wants findings} */
  public static boolean wantsFindings() {
    return isOn() && Probes.FINDING.isEnabled();
  }

  /** Writes a finding of a diagnosis. */
  public static void finding(Finding finding) {
    FindingEvent event = new FindingEvent();
    event.device = finding.device();
    event.rule = finding.rule().name();
    event.place = finding.place().toString();
    event.reason = finding.reason();
    event.advice = finding.advice();
    event.count = finding.count();
    event.blocked = TimeUnit.NANOSECONDS.convert(finding.blocked());
    event.commit();
  }

  /** {@return a copy or a fill whose enqueuing begins now} Call it only if copies are wanted. */
  public static FlightOperation copy(String device, long stream, String streamName) {
    CopyEvent event = new CopyEvent();
    event.device = device;
    event.stream = stream;
    event.streamName = streamName;
    event.begin();
    return new FlightOperation() {
      @Override
      public void enqueued(
          long sequence,
          String name,
          String route,
          long bytes,
          String shape,
          @Nullable StackTraceElement place) {
        event.end();
        event.sequence = sequence;
        event.kind = name;
        event.route = route;
        event.bytes = bytes;
        event.place = String.valueOf(place);
      }

      @Override
      public void commit(long deviceStart, long deviceEnd) {
        event.deviceStart = deviceStart;
        event.deviceEnd = deviceEnd;
        event.commit();
      }
    };
  }

  /** {@return a launch whose enqueuing begins now} Call it only if launches are wanted. */
  public static FlightOperation launch(String device, long stream, String streamName) {
    LaunchEvent event = new LaunchEvent();
    event.device = device;
    event.stream = stream;
    event.streamName = streamName;
    event.begin();
    return new FlightOperation() {
      @Override
      public void enqueued(
          long sequence,
          String name,
          String route,
          long bytes,
          String shape,
          @Nullable StackTraceElement place) {
        event.end();
        event.sequence = sequence;
        event.kernel = name;
        event.shape = shape;
        event.place = String.valueOf(place);
      }

      @Override
      public void commit(long deviceStart, long deviceEnd) {
        event.deviceStart = deviceStart;
        event.deviceEnd = deviceEnd;
        event.commit();
      }
    };
  }
}
