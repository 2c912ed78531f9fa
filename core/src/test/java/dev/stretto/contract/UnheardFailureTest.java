package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.ScopeFailedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A failure that no exception has told the program of is logged when the stream or the device
 * closes, once; a scope throws it.
 *
 * <p>On a GPU the process cannot use a lost device again: there each test has a process of its own.
 */
@ExtendWith(OwnProcess.class)
class UnheardFailureTest extends ContractTest {
  private static final int STAGED = 3_000_000;

  private LoggedErrors logged;

  @BeforeEach
  void listen() {
    logged = new LoggedErrors();
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  private static void fault(Stream stream, GlobalInts array) {
    stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
  }

  private List<String> losses() {
    return logged.messages().stream().filter(each -> each.contains("is lost")).toList();
  }

  private static void soon(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  // --- lost devices
  // -----------------------------------------------------------------------------------------------------------

  @Test
  void aKernelThatFaultsAndIsNeverAwaitedIsLoggedWhenItsDeviceCloses() {
    fault(device.stream(), device.allocateInts(10));
    opened.close();
    soon(() -> !losses().isEmpty());
    assertThat(losses())
        .singleElement()
        .asString()
        .contains(device.name(), "no exception has reported it before", "await every stream");
    assertThat(logged.all()).singleElement().isInstanceOf(DeviceLostException.class);
  }

  @Test
  void aFaultIsLoggedOnceThoughAllIsClosedOneByOne() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      Gate gate = gate(other);
      other.fill(array, 1);
      stream.waitFor(other.record());
      fault(stream, array);
      other.waitFor(stream.record());
      stream.fill(array, 2);
      gate.open();
    }
    opened.close();
    soon(() -> !losses().isEmpty());
    assertThat(losses()).hasSize(1);
  }

  @Test
  void aFaultIsLoggedWhenItsStreamClosesThoughTheDeviceStaysOpen() {
    if (machine.isSeeded()) {
      return; // nothing happens there before somebody waits, and then that is told
    }
    Stream stream = device.stream();
    fault(stream, device.allocateInts(10));
    stream.close();
    soon(() -> !losses().isEmpty());
    assertThat(losses()).singleElement().asString().contains("before stream", "was closed");
    opened.close();
    assertThat(losses()).hasSize(1);
  }

  @Test
  void aFaultInAGraphIsLogged() {
    GlobalInts array = device.allocateInts(10);
    try (Graph graph =
        Graph.capture(
            device.stream(), stream -> stream.launch(Grid.of(1, 32), Kernels.FAULT, array))) {
      Stream stream = device.stream();
      Gate gate = gate(stream); // or a call behind the fault may be the first to hear of it
      Event launched = graph.launch(stream);
      assertThat(launched).isNotNull();
      gate.open();
    }
    opened.close();
    soon(() -> !losses().isEmpty());
    assertThat(losses()).hasSize(1);
  }

  /** A way in which a program hears that its device was lost. */
  @FunctionalInterface
  private interface Hearing {
    void of(Stream stream, GlobalInts array) throws Exception;
  }

  private void hears(Hearing hearing) {
    if (!machine.isVirtual()) {
      return; // a GPU can be lost only once in a process
    }
    try (Machine.Opened once = machine.open()) {
      Stream stream = once.device().stream();
      GlobalInts array = once.device().allocateInts(10);
      fault(stream, array);
      assertThatThrownBy(() -> hearing.of(stream, array)).isNotNull();
    }
    assertThat(losses()).isEmpty();
  }

  private static void ask(BooleanSupplier question) {
    while (!question.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatTheProgramHasHeardInAnyWayIsNotLogged() {
    hears((stream, _) -> stream.await());
    hears((stream, _) -> stream.device().await());
    hears((stream, _) -> stream.record().await());
    hears((stream, _) -> ask(stream.record()::isDone));
    hears((stream, _) -> ask(stream::isIdle));
    hears((stream, _) -> stream.toCompletableFuture().join());
    hears((stream, array) -> stream.copy(array, new int[10]).await());
    hears((stream, array) -> stream.copy(array, new int[10]).toCompletableFuture().join());
    hears((stream, array) -> stream.then(() -> {}).await());
    hears(
        (stream, array) -> {
          while (true) { // some call throws it, sooner or later, where time passes by itself
            stream.fill(array, 1);
            boolean _ = stream.isIdle();
          }
        });
    hears(
        (stream, _) -> {
          try (WorkScope scope = stream.device().scope()) {
            scope.own(stream);
          }
        });
  }

  @Test
  void aFutureThatIsStillPendingWhenAllIsClosedHearsOfIt() {
    Stream held = device.stream();
    Gate gate = gate(held);
    Stream stream = device.stream();
    stream.waitFor(held.record());
    fault(stream, device.allocateInts(10));
    CompletableFuture<Void> future = stream.toCompletableFuture();
    stream.close();
    device.close();
    gate.open();
    assertThatThrownBy(future::join).hasCauseInstanceOf(DeviceLostException.class);
    opened.close();
    assertThat(losses()).isEmpty();
  }

  @Test
  void aScopeThrowsItEvenIfItWasCancelled() {
    GlobalInts array = device.allocateInts(10);
    assertThatThrownBy(
            () -> {
              try (WorkScope scope = device.scope()) {
                fault(scope.stream(), array);
                scope.cancel();
              }
            })
        .isInstanceOf(ScopeFailedException.class)
        .hasCauseInstanceOf(DeviceLostException.class);
    opened.close();
    assertThat(losses()).isEmpty();
  }

  @Test
  void workOfAnotherDeviceThatDependedOnItIsLoggedForItself() {
    if (!machine.isVirtual()) {
      return; // takes two GPUs, and both may be lost
    }
    try (Machine.Opened both = machine.openPair(driver -> driver)) {
      Stream sends = both.devices().get(0).stream();
      Stream receives = both.devices().get(1).stream();
      GlobalInts array = both.devices().get(1).allocateInts(10);
      Gate gate = gate(sends);
      fault(sends, both.devices().get(0).allocateInts(10));
      receives.waitFor(sends.record());
      receives.fill(array, 1);
      gate.open();
    }
    soon(() -> losses().size() == 2);
    assertThat(losses()).anyMatch(each -> each.contains("no exception has reported it"));
    assertThat(losses()).anyMatch(each -> each.contains("operation") && each.contains("failed"));
  }

  // --- copies
  // -----------------------------------------------------------------------------------------------------------------

  /** Enqueues a copy whose memory is gone when its turn comes. */
  private <T> T failing(BiFunction<Stream, MemorySegment, T> copy) {
    Stream stream = device.stream();
    Gate gate = gate(stream);
    T enqueued;
    try (Arena arena = Arena.ofShared()) {
      enqueued = copy.apply(stream, arena.allocate(STAGED));
    }
    gate.open();
    return enqueued;
  }

  private List<String> failures() {
    return logged.messages().stream()
        .filter(each -> each.contains("could not be accessed"))
        .toList();
  }

  @Test
  void aCopyThatFailsAndIsNeverAwaitedIsLoggedOnce() {
    GlobalBytes array = device.allocateBytes(STAGED);
    failing((stream, host) -> stream.copy(host, array));
    opened.close();
    soon(() -> !failures().isEmpty());
    assertThat(failures())
        .singleElement()
        .asString()
        .contains(
            "of stream", device.name(), "UnheardFailureTest.java:", "neither it nor the stream");
    assertThat(logged.all()).singleElement().isInstanceOf(CopyFailedException.class);
  }

  @Test
  void aCopyThatFailsAndIsAwaitedIsNotLogged() {
    GlobalBytes array = device.allocateBytes(STAGED);
    assertThatThrownBy(failing((stream, host) -> stream.copy(host, array))::await)
        .isInstanceOf(CopyFailedException.class);
    assertThatThrownBy(
            failing(
                    (stream, host) -> {
                      stream.copy(host, array);
                      return stream;
                    })
                ::await)
        .isInstanceOf(CopyFailedException.class);
    assertThatThrownBy(
            failing((stream, host) -> stream.copy(host, array)).toCompletableFuture()::join)
        .hasCauseInstanceOf(CopyFailedException.class);
    assertThatThrownBy(
            failing(
                    (stream, host) ->
                        stream.copyAll(
                            List.of(
                                CopyRequest.of(
                                    host.asSlice(0, STAGED / 2), array.slice(0, STAGED / 2)),
                                CopyRequest.of(
                                    host.asSlice(STAGED / 2, STAGED / 2),
                                    array.slice(STAGED / 2, STAGED / 2)))))
                ::await)
        .isInstanceOf(CopyFailedException.class);
    opened.close();
    assertThat(failures()).isEmpty();
  }

  // --- the end of a process
  // ---------------------------------------------------------------------------------------------------

  /** A program whose last kernel faults, and that ends. */
  static final class Faulting {
    private Faulting() {}

    public static void main(String[] arguments) {
      Device device = Device.open(arguments[0]);
      try (Stream stream = device.stream()) {
        fault(stream, device.allocateInts(10));
      }
      if (arguments[1].equals("close")) {
        device.close();
      }
    }
  }

  @Test
  void aProgramThatEndsRightBehindTheCloseIsToldToo() throws Exception {
    assertThat(run("close"))
        .contains("WARNING", machine.isVirtual() ? "Kernels.java" : "in flight was fault")
        .containsOnlyOnce("no exception has reported it before");
  }

  private String run(String how) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Faulting.class.getName(),
                machine.deviceName(),
                how)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
