package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.fault.PeerLostException;
import dev.stretto.memory.GlobalInts;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A rank is killed in the midst of operations: the other one is told at once, and goes on. */
class KilledRankTest extends ContractTest {
  /** All GPUs, where there are some. */
  @Override
  Machine.Opened opened() {
    return machine.isVirtual() ? super.opened() : machine.openPair(UnaryOperator.identity());
  }

  private static Process start(CommunicatorId id, String machine)
      throws IOException, URISyntaxException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                place(PeerProgram.class) + File.pathSeparator + place(Device.class),
                PeerProgram.class.getName(),
                id.toString(),
                machine))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String callsUnderWay() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("stretto-nccl"))
        .map(each -> each.getKey().getName() + " " + Arrays.toString(each.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /** {@return how much is free once it has been as much for a second} */
  private long awaitSteady() {
    long free = device.freeBytes();
    long since = System.nanoTime();
    while (!machine.isVirtual() && System.nanoTime() - since < TimeUnit.SECONDS.toNanos(1)) {
      LockSupport.parkNanos(10_000_000);
      long now = device.freeBytes();
      since = now == free ? since : System.nanoTime();
      free = now;
    }
    return free;
  }

  @Test
  void theOtherRankIsToldItsMemoryIsFreeAndANewCommunicatorWorks() throws Exception {
    String others = machine.isVirtual() ? "virtual" : opened.devices().getLast().name();
    long freeBefore = device.freeBytes();
    for (int round = 0; round < 3; round++) {
      if (round == 1) {
        freeBefore = awaitSteady(); // the library's first kernels stay on the device
      }
      CommunicatorId id = Communicator.id();
      Process peer = start(id, others);
      try (Stream stream = device.stream();
          GlobalInts array = device.allocateInts(PeerProgram.LENGTH);
          Communicator ranks = Communicator.awaitPeers(id, 0, 2, device, Duration.ofSeconds(30))) {
        stream.fill(array, 2);
        for (int i = 0; i < 3 + 5 * round; i++) {
          Event _ = ranks.allReduce(stream, array, array, Reduction.MAX);
          stream.await();
        }
        CompletableFuture<Void> killed =
            CompletableFuture.runAsync(
                () -> {
                  peer.destroyForcibly();
                });
        assertThatThrownBy(
                () -> {
                  while (true) {
                    Event _ = ranks.allReduce(stream, array, array, Reduction.MAX);
                    assertThat(stream.await(Duration.ofSeconds(5))).as("told in time").isTrue();
                  }
                })
            .isInstanceOf(PeerLostException.class)
            .hasMessageContaining("rank 1")
            .hasMessageContaining("has ended without closing its communicator");
        killed.join();
        assertThat(peer.waitFor(30, TimeUnit.SECONDS)).isTrue();
        stream.fill(array, 3).await(); // the device and the stream go on
      }
    }
    // A GPU's driver gives back what a killed process had by and by, and keeps a pool.
    long kept = machine.isVirtual() ? 0 : 64 << 20;
    long enough = freeBefore - kept;
    try {
      eventually("the memory is back", () -> device.freeBytes() >= enough);
    } catch (AssertionError e) {
      throw new AssertionError(
          "%s; %d bytes were free before; under way: %s"
              .formatted(e.getMessage(), enough + kept, callsUnderWay()),
          e);
    }
    try (Communicator alone = Communicator.awaitPeers(Communicator.id(), 0, 1, device)) {
      assertThat(alone.size()).isEqualTo(1);
    }
  }
}
