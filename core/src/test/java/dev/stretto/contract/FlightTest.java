package dev.stretto.contract;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Diagnosis;
import dev.stretto.Graph;
import dev.stretto.Route;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/** What the Flight Recorder is told, on every driver. */
class FlightTest extends ContractTest {
  private static final long LONG_NANOS = 100_000_000;

  @FunctionalInterface
  private interface Body {
    void run(Workbench bench);
  }

  private List<RecordedEvent> recorded(String event, Body body) throws IOException {
    Path file = Files.createTempFile("stretto", ".jfr");
    try (Workbench bench = new Workbench(opened.devices());
        Recording recording = new Recording()) {
      if (!event.isEmpty()) {
        recording.enable(event).withoutThreshold();
      }
      recording.start();
      body.run(bench);
      recording.stop();
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(each -> each.getEventType().getName().startsWith("dev.stretto."))
          .filter(each -> event.isEmpty() || is(each, event)) // long waits are always there
          .sorted(comparingLong(each -> each.hasField("sequence") ? each.getLong("sequence") : 0))
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  private static void round(Workbench bench) {
    bench.a.copy(bench.in, bench.x);
    bench.a.launch(bench.add);
    bench.a.copy(bench.x, bench.out);
    bench.a.await();
  }

  @Test
  void copiesHaveTheirRouteTheirPlaceAndTheDevicesTimes() throws IOException {
    List<RecordedEvent> copies = recorded("dev.stretto.Copy", FlightTest::round);
    assertThat(copies).hasSize(2);
    RecordedEvent in = copies.getFirst();
    RecordedEvent out = copies.getLast();
    assertThat(in.getString("device")).isEqualTo(device.name());
    assertThat(in.getString("kind")).contains("HtoD");
    assertThat(out.getString("kind")).contains("DtoH");
    assertThat(in.getString("route")).isEqualTo("DIRECT");
    assertThat(in.getLong("bytes")).isEqualTo(4L * Workbench.N);
    assertThat(in.getString("place")).contains("FlightTest.java:");
    assertThat(in.getThread("enqueuedBy").getJavaThreadId()).isPositive();
    assertThat(in.getLong("stream")).isEqualTo(out.getLong("stream"));
    assertThat(in.getLong("deviceStart")).isGreaterThanOrEqualTo(0);
    assertThat(in.getLong("deviceEnd")).isGreaterThan(in.getLong("deviceStart"));
    assertThat(out.getLong("deviceStart")).isGreaterThanOrEqualTo(in.getLong("deviceEnd"));
  }

  @Test
  void launchesHaveTheirKernel() throws IOException {
    List<RecordedEvent> launches = recorded("dev.stretto.Launch", FlightTest::round);
    assertThat(launches).hasSize(1);
    assertThat(launches.getFirst().getString("kernel")).isEqualTo("add");
    assertThat(launches.getFirst().getString("shape"))
        .matches("\\d+ x 1 x 1 blocks of \\d+ x 1 x 1 threads.*, 0 bytes of shared memory");
    assertThat(launches.getFirst().getLong("deviceEnd"))
        .isGreaterThan(launches.getFirst().getLong("deviceStart"));
  }

  @Test
  void launchesOfGraphsSayOfHowManyNodes() throws IOException {
    List<RecordedEvent> launches =
        recorded(
            "dev.stretto.Launch",
            bench -> {
              try (Graph graph =
                  Graph.capture(
                      bench.a,
                      () -> {
                        bench.a.copy(bench.in, bench.x);
                        bench.a.fill(bench.x, 1);
                      })) {
                graph.launch(bench.a);
                bench.a.await();
              }
            });
    assertThat(launches).hasSize(1);
    assertThat(launches.getFirst().getString("kernel")).isEqualTo("graph of 2 nodes");
    assertThat(launches.getFirst().getString("place")).contains("FlightTest.java:");
    assertThat(launches.getFirst().getLong("deviceEnd"))
        .isGreaterThan(launches.getFirst().getLong("deviceStart"));
  }

  @Test
  void aWaitSaysForWhatAndLastsAsLong() throws IOException {
    long[] copied = new long[1];
    List<RecordedEvent> waits =
        recorded(
            "dev.stretto.Wait",
            bench -> {
              bench.a.copy(bench.in, bench.x).await();
              copied[0] = bench.a.handle();
            });
    assertThat(waits).hasSize(1);
    assertThat(waits.getFirst().getLong("stream")).isEqualTo(copied[0]);
    assertThat(waits.getFirst().getLong("sequence")).isPositive();
    assertThat(waits.getFirst().getString("place")).contains("FlightTest.java:");
    assertThat(waits.getFirst().getBoolean("done")).isTrue();
    assertThat(waits.getFirst().getStackTrace().getFrames())
        .anyMatch(
            frame -> frame.getMethod().getType().getName().equals(FlightTest.class.getName()));
  }

  @Test
  void allocationsOfEveryKind() throws IOException {
    List<RecordedEvent> allocations =
        recorded(
            "dev.stretto.Allocation",
            bench -> {
              try (GlobalInts array = bench.device.allocateInts(1000)) {
                var _ = bench.pinned.allocate(4 << 20);
                assertThat(array.length()).isEqualTo(1000);
              }
              bench.a.allocateLongs(10).close();
            });
    assertThat(allocations).hasSize(3);
    assertThat(allocations)
        .extracting(each -> each.getString("memory") + " " + each.getLong("bytes"))
        .containsExactlyInAnyOrder("device 4000", "pinned 4194304", "stream-ordered 80");
  }

  @Test
  void findingsOfADiagnosis() throws IOException {
    List<RecordedEvent> findings =
        recorded(
            "dev.stretto.Finding",
            bench -> {
              try (Diagnosis diagnosis = Diagnosis.of(device)) {
                bench.a.copy(bench.plain, bench.x, Route.Kind.AWAITED_PAGEABLE);
                assertThat(diagnosis.findings()).hasSize(1);
              }
            });
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().getString("rule")).isEqualTo("AWAITED_PAGEABLE");
    assertThat(findings.getFirst().getString("place")).contains("FlightTest.java:");
    assertThat(findings.getFirst().getString("advice")).contains("pinnedArena");
  }

  @Test
  void nothingIsWrittenThatNobodyHasEnabled() throws IOException {
    assertThat(recorded("", FlightTest::round)).allMatch(FlightTest::isLong);
  }

  /** Whether it is a wait or an allocation that is written by default. */
  private static boolean isLong(RecordedEvent event) {
    return (is(event, "dev.stretto.Wait") || is(event, "dev.stretto.Allocation"))
        && event.getDuration().toMillis() >= 20;
  }

  private static boolean is(RecordedEvent event, String name) {
    return event.getEventType().getName().equals(name);
  }

  @Test
  void aLongWaitIsWrittenByDefaultWithThePlaceOfTheProgram() throws IOException {
    List<RecordedEvent> events =
        recorded(
            "",
            bench -> {
              var _ = bench.a.then(() -> LockSupport.parkNanos(LONG_NANOS));
              bench.a.await();
            });
    List<RecordedEvent> waits =
        events.stream().filter(each -> is(each, "dev.stretto.Wait")).toList();
    assertThat(waits).isNotEmpty().allMatch(FlightTest::isLong);
    assertThat(waits.getFirst().getString("place")).contains("FlightTest.java:");
  }

  @Test
  void aClosedDeviceHasWrittenWhatItCould() throws IOException {
    List<RecordedEvent> copies =
        recorded(
            "dev.stretto.Copy",
            bench -> {
              bench.a.copy(bench.in, bench.x);
              bench.a.toCompletableFuture().join();
              bench.b.copy(bench.in, bench.y);
              bench.b.await(); // what measures the copy comes after it
            });
    assertThat(copies).hasSize(2);
    assertThat(copies).allMatch(copy -> copy.getLong("deviceEnd") >= 0);
  }
}
