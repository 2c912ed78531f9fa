package dev.stretto.twin;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Awaitable;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.Cooperation;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** What a twin works with, opened for it alone, and what it prints its lines to. */
final class Scene implements AutoCloseable {
  /** A launch of one warp. */
  static final Grid ONE = Grid.of(1, 32);

  /** So many steps of a seeded device are taken for as long as it takes. */
  private static final int STEPS = 500;

  /** So often other work is done before some counts as held up. */
  private static final int OTHERS = 25;

  private final String name;
  private final TwinMachine machine;
  private final Driver driver;
  private final Consumer<String> out;
  private final List<Device> devices;
  private final List<Latch> latches = new ArrayList<>();
  private final List<Thread> openers = new ArrayList<>();
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final Arena ordinary = Arena.ofShared();

  Scene(String name, TwinMachine machine, Consumer<String> out) {
    this.name = name;
    this.machine = machine;
    this.driver = machine.driver();
    this.out = out;
    this.devices = TwinMachine.open(driver);
  }

  // --- printing
  // -----------------------------------------------------------------------------------------------

  /** Prints a line. */
  void say(String key, Object value) {
    out.accept("%s: %s=%s".formatted(name, key, value));
  }

  /** Prints a line that CUDA's program prints otherwise, and a sentence that says why. */
  void differs(String key, Object value, String why) {
    out.accept("%s: %s=%s (expected difference: %s)".formatted(name, key, value, why));
  }

  static String yesNo(boolean what) {
    return what ? "yes" : "no";
  }

  // --- the machine
  // --------------------------------------------------------------------------------------------

  boolean hasPair() {
    return devices.size() > 1;
  }

  TwinMachine machine() {
    return machine;
  }

  Device device() {
    return devices.getFirst();
  }

  Device peer() {
    return devices.get(1);
  }

  /** {@return another library's opening of the device} */
  Library library() {
    return own(new Library(driver.open(device().properties().ordinal())));
  }

  /** Has something closed when the twin is over. */
  <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  // --- streams
  // ------------------------------------------------------------------------------------------------

  Stream stream() {
    return device().stream();
  }

  /** {@return a stream that another library made by {@code cudaStreamCreate}} */
  Stream blocking() {
    return device().adoptStream(foreign(true));
  }

  /** {@return a stream that another library made, which does not block with the legacy stream} */
  Stream adopted() {
    return device().adoptStream(foreign(false));
  }

  private long foreign(boolean blocking) {
    Library library = library();
    long handle = blocking ? library.blockingStream() : library.nonBlockingStream();
    own(() -> library.calls().destroyStream(handle));
    return handle;
  }

  // --- memory
  // -------------------------------------------------------------------------------------------------

  /** {@return an int on the device, 0} */
  GlobalInts cell() {
    return ints(1);
  }

  /** {@return ints on the device, 0} */
  GlobalInts ints(int count) {
    return ints(device(), count);
  }

  GlobalInts ints(Device device, int count) {
    GlobalInts ints = device.allocateInts(count);
    try (Stream stream = device.stream()) {
      stream.fill(ints, 0).await();
    }
    return ints;
  }

  /** {@return bytes on the device, 0} */
  GlobalBytes bytes(int count) {
    GlobalBytes bytes = device().allocateBytes(count);
    try (Stream stream = stream()) {
      stream.fill(bytes, (byte) 0).await();
    }
    return bytes;
  }

  /** {@return pinned ints, 0} */
  MemorySegment pinned(int ints) {
    PinnedArena arena = own(device().pinnedArena());
    return arena.allocate(JAVA_INT, ints).fill((byte) 0);
  }

  /** {@return ordinary ints, 0, at the beginning of a page} */
  MemorySegment ordinary(int ints) {
    return ordinary.allocate(4L * ints, 4096);
  }

  Arena ordinaryArena() {
    return ordinary;
  }

  static void fill(MemorySegment ints, int value) {
    for (long i = 0; i < ints.byteSize() / 4; i++) {
      ints.setAtIndex(JAVA_INT, i, value);
    }
  }

  /** {@return the first int} */
  static int get(MemorySegment ints) {
    return ints.get(JAVA_INT, 0);
  }

  /** {@return what all ints are, or -1 if they differ} */
  static int all(MemorySegment ints) {
    int[] values = ints.toArray(JAVA_INT);
    return Arrays.stream(values).allMatch(value -> value == values[0]) ? values[0] : -1;
  }

  /** {@return what all ints of an array are, or -1 if they differ} */
  static int all(GlobalInts ints) {
    return all(MemorySegment.ofArray(read(ints)));
  }

  /** {@return what an array holds when nothing more is done to it} */
  static int[] read(GlobalInts ints) {
    int[] values = new int[Math.toIntExact(ints.length())];
    try (Stream stream = Device.of(ints).stream()) {
      stream.copy(ints, values).await();
    }
    return values;
  }

  /** {@return what an array holds when nothing more is done to it} */
  static byte[] bytesOf(GlobalArray array) {
    byte[] values = new byte[Math.toIntExact(array.byteSize())];
    try (Stream stream = Device.of(array).stream()) {
      stream.copy(array, MemorySegment.ofArray(values)).await();
    }
    return values;
  }

  // --- work
  // ---------------------------------------------------------------------------------------------------

  /** Has the kernels ready, since loading one may wait for what is held up. */
  void prepareKernels() {
    for (Device device : devices) {
      GlobalInts cell = device.allocateInts(1);
      Object _ = device.prepare(ONE, TwinKernels::add, cell, 0);
      Object _ = device.prepare(ONE, TwinKernels::addAll, cell, 0);
      Object _ = device.prepare(ONE, TwinKernels::take, cell, cell);
      Object _ = device.prepare(ONE, TwinKernels::countDown, cell, cell);
      Object _ = device.prepare(ONE, TwinKernels::fault, cell);
      cell.close();
    }
  }

  static void add(GlobalInts cell, int value, Stream stream) {
    stream.launch(ONE, TwinKernels::add, cell, value);
  }

  // --- waiting
  // ------------------------------------------------------------------------------------------------

  Latch latch() {
    return latch(device());
  }

  Latch latch(Device device) {
    Latch latch = new Latch(device);
    latches.add(latch);
    return latch;
  }

  /** Opens a latch in a while, from another thread, so that a call that waits can return. */
  void openLater(Latch latch) {
    openLater(latch, machine.delay());
  }

  /** The same in a while of this length. */
  void openLater(Latch latch, Duration delay) {
    openers.add(
        Thread.startVirtualThread(
            () -> {
              try {
                Thread.sleep(delay);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              latch.open();
            }));
  }

  /** {@return whether it is done, now or a little later} */
  boolean passes(Awaitable work) {
    if (!machine.isSeeded()) {
      return passesBesideOthers(work);
    }
    // A seeded device has no time: it has to come to it by any number of steps that others take.
    try (DriverDevice opening = driver.open(0)) {
      Cooperation cooperation = opening.cooperation().orElseThrow();
      for (int i = 0; i < STEPS && !work.isDone(); i++) {
        if (!cooperation.step()) {
          break;
        }
      }
      return work.isDone();
    }
  }

  /**
   * Other work that is enqueued one after the other says how long that takes on this machine at
   * this moment, which may be busy with much else.
   */
  private boolean passesBesideOthers(Awaitable work) {
    try (Stream others = stream();
        GlobalInts cell = device().allocateInts(1)) {
      for (int i = 0; i < OTHERS && !work.await(machine.patience().dividedBy(OTHERS)); i++) {
        others.fill(cell, i).await();
      }
    }
    return work.isDone();
  }

  static String query(Awaitable work) {
    return work.isDone() ? "done" : "not-done";
  }

  /** Says whether a call returned while the latch was shut. */
  void sayReturnsFirst(Latch latch, Runnable call) {
    call.run();
    say("returns-first", yesNo(!latch.isOpen()));
  }

  /** {@return {@code before} or {@code afterwards}: when a call returns that should not wait} */
  static String returns(Latch latch, Runnable call) {
    call.run();
    return latch.isOpen() ? "afterwards" : "before";
  }

  /** Says when a call returns that should wait; the latch is opened while it does. */
  void sayReturnsWaiting(Latch latch, Runnable call) {
    openLater(latch);
    say("returns", returns(latch, call));
  }

  // --- refusals
  // -----------------------------------------------------------------------------------------------

  /** {@return {@code accepted}, {@code refused} for one of these exceptions, or another's name} */
  @SafeVarargs
  static String outcome(Callable<?> call, Class<? extends Exception>... documented) {
    try {
      Object _ = call.call();
      return "accepted";
    } catch (Exception e) {
      for (Class<? extends Exception> type : documented) {
        if (type.equals(e.getClass())) {
          return "refused";
        }
      }
      return e.toString();
    }
  }

  /** {@return {@code accepted}, {@code refused} for one of these exceptions, or another's name} */
  @SafeVarargs
  static String outcome(Runnable call, Class<? extends Exception>... documented) {
    return outcome(
        () -> {
          call.run();
          return call;
        },
        documented);
  }

  /** {@return {@code lost}, {@code accepted}, or the name of another exception} */
  static String lostOutcome(Runnable call) {
    String outcome = outcome(call, DeviceLostException.class);
    return outcome.equals("refused") ? "lost" : outcome;
  }

  /** Runs something on a platform thread of its own, to its end; what it throws comes out here. */
  static void inThread(Callable<?> body) throws Exception {
    Exception[] thrown = new Exception[1];
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                Object _ = body.call();
              } catch (Exception e) {
                thrown[0] = e;
              }
            })
        .join();
    if (thrown[0] != null) {
      throw thrown[0];
    }
  }

  @Override
  public void close() throws Exception {
    for (Thread opener : openers) {
      opener.join();
    }
    latches.forEach(Latch::open);
    for (Device device : devices) {
      if (!device.isLost()) {
        device.await();
      }
    }
    latches.forEach(Latch::close);
    for (AutoCloseable resource : owned) {
      resource.close();
    }
    ordinary.close();
    devices.forEach(Device::close);
  }
}
