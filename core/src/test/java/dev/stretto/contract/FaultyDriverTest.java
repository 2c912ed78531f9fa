package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.MemoryPool;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever call of the driver fails, and however: the first cause comes to light with its type, the
 * other streams go on, nobody waits for ever, and closing the device gives everything back.
 */
class FaultyDriverTest extends ContractTest {
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");
  private static final int SIZE = 400_000;

  private final ConcurrentLinkedQueue<Throwable> logged = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getThrown() != null) {
            logged.add(record.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void aCallThatFails(Call call) {
    int most = most();
    for (int number = 1; number <= most; number++) {
      fail(call, number, Kind.OTHER);
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void aCallThatLosesTheDevice(Call call) {
    int most = most();
    for (int number = 1; number <= most; number++) {
      fail(call, number, Kind.LOST);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"ALLOCATE", "ALLOCATE_ASYNC", "CREATE_STREAM", "CREATE_EVENT", "LAUNCH", "COPY"})
  void aCallThatRunsOutOfDeviceMemory(Call call) {
    for (int number = 1; number <= Math.min(4, most()); number++) {
      fail(call, number, Kind.OUT_OF_MEMORY);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"ALLOCATE_PINNED", "REGISTER_HOST", "REGISTER_READ_ONLY"})
  void aCallThatRunsOutOfPinnedMemory(Call call) {
    for (int number = 1; number <= Math.min(4, most()); number++) {
      fail(call, number, Kind.OUT_OF_HOST_MEMORY);
    }
  }

  /**
   * How many calls of a kind are made to fail in turn. The schedule hardly matters: few seeds do.
   */
  private int most() {
    return machine.name().equals("virtual") || machine.name().endsWith("seed=1") ? 6 : 1;
  }

  private void fail(Call call, int number, Kind kind) {
    if (!machine.isVirtual()) {
      return; // a driver that is made to fail stands before the virtual one
    }
    logged.clear();
    List<RuntimeException> seen = new ArrayList<>();
    FaultyDriver[] faulty = new FaultyDriver[1];
    if (call == Call.OPEN) {
      failToOpen(kind);
      return;
    }
    try (Machine.Opened here =
        machine.open(driver -> faulty[0] = new FaultyDriver(driver, call, number, kind))) {
      Device faultyDevice = here.device();
      faultyDevice.pinnedBudget(8 << 20); // pinning takes most of the time
      Stream other = faultyDevice.stream();
      GlobalBytes spare = faultyDevice.allocateBytes(SIZE);
      byte[] data = bytes(SIZE, number);
      other.copy(data, spare).await();
      faulty[0].arm();
      useEverything(faultyDevice, other, seen);
      if (!faultyDevice.isLost()) {
        roundTrip(other, spare, data, seen);
      }
      collect(seen, faultyDevice::close);
    }
    assertThat(seen).allSatisfy(e -> assertThat(e).isInstanceOf(StrettoException.class));
    if (faulty[0].hasFailed()) {
      assertFirstCauseCameToLight(call, kind, seen);
    }
  }

  private void failToOpen(Kind kind) {
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                machine.open(
                    driver -> {
                      FaultyDriver faulty = new FaultyDriver(driver, Call.OPEN, 1, kind);
                      faulty.arm();
                      return faulty;
                    }))
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("injected");
  }

  private void assertFirstCauseCameToLight(Call call, Kind kind, List<RuntimeException> seen) {
    Class<? extends RuntimeException> type =
        switch (kind) {
          case LOST -> DeviceLostException.class;
          case OUT_OF_MEMORY -> OutOfDeviceMemoryException.class;
          case OUT_OF_HOST_MEMORY -> PinnedBudgetException.class;
          default -> DriverException.class;
        };
    if (call == Call.ALLOCATE_PINNED && kind != Kind.LOST) {
      return; // staging makes do with less where it can
    }
    // What is found with a lock held is logged a moment later.
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!isSeenOrLogged(type, call, seen) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(isSeenOrLogged(type, call, seen))
        .as("%s of %s comes to light in %s or in the log: %s", kind, call, seen, logged)
        .isTrue();
  }

  private boolean isSeenOrLogged(
      Class<? extends RuntimeException> type, Call call, List<RuntimeException> seen) {
    // Whichever call of a lost device is noticed first; what comes behind is not told once more.
    String found = type == DeviceLostException.class ? "" : call.toString();
    return java.util.stream.Stream.concat(seen.stream(), logged.stream())
        .filter(type::isInstance)
        .flatMap(e -> LoggedErrors.causes(e).stream())
        .anyMatch(e -> String.valueOf(e.getMessage()).contains("injected into " + found));
  }

  /** Does one of everything; what goes wrong is collected, and the rest is done all the same. */
  private void useEverything(Device device, Stream other, List<RuntimeException> seen) {
    collect(seen, device::freeBytes);
    Stream stream = made(seen, device::stream);
    PinnedArena pinned = made(seen, device::pinnedArena);
    GlobalBytes array = made(seen, () -> device.allocateBytes(SIZE));
    GlobalInts ints = made(seen, () -> device.allocateInts(1000));
    try (Arena arena = Arena.ofShared()) {
      if (stream != null && array != null) {
        stagedCopies(stream, array, arena, seen);
      }
      if (stream != null && pinned != null && array != null) {
        directCopies(stream, array, pinned, seen);
      }
      if (stream != null && ints != null) {
        kernelsAndEvents(device, stream, other, ints, seen);
      }
      if (stream != null) {
        streamMemory(device, stream, other, seen);
      }
      if (stream != null && ints != null) {
        graphs(device, stream, ints, seen);
      }
      if (stream != null && array != null) {
        registered(device, stream, array, arena, seen);
      }
      if (stream != null) {
        collect(seen, () -> await(stream));
        collect(seen, () -> await(other));
      }
    }
    for (AutoCloseable resource : new AutoCloseable[] {stream, pinned, array, ints}) {
      if (resource != null) {
        collect(seen, () -> close(resource));
      }
    }
  }

  private void stagedCopies(
      Stream stream, GlobalBytes array, Arena arena, List<RuntimeException> seen) {
    MemorySegment plain = arena.allocate(SIZE);
    collect(seen, () -> stream.copy(new byte[SIZE], array));
    collect(seen, () -> stream.copy(array, new byte[SIZE]));
    collect(seen, () -> stream.copy(new byte[100], array.slice(0, 100)));
    collect(seen, () -> stream.copy2D(plain, 1000, array, 500, 400, 200));
    collect(seen, () -> stream.copy2D(array, 500, plain, 1000, 400, 200));
    collect(seen, () -> await(stream));
    collect(seen, () -> stream.copy(new byte[100], array.slice(0, 100)));
    collect(seen, () -> stream.copy(plain, array, Route.Kind.AWAITED_PAGEABLE));
    collect(seen, () -> stream.copy(plain, MemorySegment.ofArray(new byte[SIZE])));
  }

  private void directCopies(
      Stream stream, GlobalBytes array, PinnedArena pinned, List<RuntimeException> seen) {
    MemorySegment host = made(seen, () -> pinned.allocate(SIZE));
    if (host != null) {
      collect(seen, () -> stream.copy(host, array));
      collect(seen, () -> stream.copy(array, host));
      collect(seen, () -> stream.copy2D(host, 1000, array, 500, 400, 200));
      collect(seen, () -> stream.copy(array.slice(0, 10), array.slice(10, 10)));
    }
    collect(seen, () -> stream.fill(array, (byte) 1));
  }

  private void kernelsAndEvents(
      Device device, Stream stream, Stream other, GlobalInts ints, List<RuntimeException> seen) {
    collect(seen, () -> stream.fill(ints, 1));
    collect(seen, () -> stream.launch(Grid.of(4, 256), Kernels.ADD, ints, 1, 1000));
    TimedEvent begin = made(seen, stream::recordTimed);
    collect(seen, () -> stream.then(() -> {}));
    collect(seen, () -> stream.launch(Grid.of(4, 256), Kernels.ADD, ints, 1, 1000));
    TimedEvent end = made(seen, stream::recordTimed);
    Event event = made(seen, stream::record);
    if (event != null) {
      collect(seen, () -> other.waitFor(event));
    }
    collect(seen, () -> await(stream));
    collect(seen, () -> await(stream)); // the call that failed may have been the first wait's
    if (begin != null && end != null) {
      collect(seen, () -> begin.nanosTo(end));
      begin.close();
      end.close();
    }
    assertThat(device.name()).isNotEmpty();
  }

  private void streamMemory(
      Device device, Stream stream, Stream other, List<RuntimeException> seen) {
    for (int i = 0; i < 3; i++) {
      GlobalBytes array = made(seen, () -> stream.allocateBytes(SIZE));
      if (array == null) {
        continue;
      }
      collect(seen, () -> stream.fill(array, (byte) 1));
      Event filled = made(seen, stream::record);
      if (filled != null) {
        collect(seen, () -> other.waitFor(filled));
        collect(seen, () -> other.copy(array, new byte[SIZE]));
      }
      collect(seen, array::close);
    }
    MemoryPool pool = made(seen, device::memoryPool);
    if (pool != null) {
      collect(seen, pool::use);
      collect(seen, pool::resetPeaks);
      collect(seen, () -> pool.trimTo(0));
    }
  }

  private void graphs(Device device, Stream stream, GlobalInts ints, List<RuntimeException> seen) {
    GraphEvent event = made(seen, () -> GraphEvent.of(device));
    Graph graph =
        made(
            seen,
            () -> {
              GraphBuilder builder = Graph.builder(device);
              GraphNode fill = builder.fill(ints, 1);
              GraphNode call = builder.then(() -> {}, fill);
              GraphNode set = builder.fill(ints, 2, call);
              if (event != null) {
                builder.record(event, set);
              }
              return builder.build();
            });
    if (graph != null) {
      collect(seen, () -> graph.upload(stream));
      collect(seen, () -> graph.launch(stream));
      collect(seen, () -> graph.setFill(graph.nodes().getFirst(), ints, 3));
      collect(seen, () -> graph.launch(stream));
      collect(seen, () -> await(stream));
      collect(seen, () -> graph.launch(stream));
      collect(seen, graph::close);
    }
    if (event != null) {
      collect(seen, event::close);
    }
  }

  private void registered(
      Device device, Stream stream, GlobalBytes array, Arena arena, List<RuntimeException> seen) {
    MemorySegment host = arena.allocate(SIZE, 4096);
    for (MemorySegment each : List.of(host, host.asReadOnly())) {
      Registration registration = made(seen, () -> device.register(each, arena));
      if (registration != null) {
        collect(seen, () -> stream.copy(each, array));
        collect(seen, registration::close);
      }
    }
  }

  private static void await(Stream stream) {
    for (int i = 0; i < 1000; i++) {
      if (stream.await(Duration.ofSeconds(10))) {
        return;
      }
    }
    throw new AssertionError("the stream never came to its end");
  }

  private void roundTrip(
      Stream stream, GlobalBytes array, byte[] data, List<RuntimeException> seen) {
    // The failure may still be ahead, as the n-th call is counted over the whole program.
    for (int attempt = 0; attempt < 3; attempt++) {
      byte[] back = new byte[SIZE];
      try {
        await(stream);
        stream.copy(data, array);
        stream.copy(array, back);
        await(stream);
        assertSame(back, data);
        return;
      } catch (StrettoException e) {
        seen.add(e);
        if (e instanceof DeviceLostException) {
          return;
        }
      }
    }
    throw new AssertionError("a stream does not work any more, after " + seen);
  }

  private interface Maker<T> {
    T make();
  }

  private static <T> T made(List<RuntimeException> seen, Maker<T> maker) {
    try {
      return maker.make();
    } catch (StrettoException e) {
      seen.add(e);
      return null;
    }
  }

  private static void collect(List<RuntimeException> seen, Runnable action) {
    try {
      action.run();
    } catch (StrettoException e) {
      seen.add(e);
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (ClosedException e) {
      throw new AssertionError(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
